// Links of the notebooks to pages that only the site has: they open there, in a browser tab beside this one.

const TAB = new URL("../../../", import.meta.url);
const FILES = new URL("files/", TAB).href; // where JupyterLab takes a link to lead that leads to no file of its own

/** From now on, follow links to these files of the course to their pages on the site, which is around the tab. */
export function leadToTheSite(paths) {
  const follow = event => {
    const { href = "", hash } = event.target.closest?.("a") ?? {};
    const path = href.startsWith(FILES) && decodeURI(href.slice(FILES.length).split("#")[0]);
    if (!paths.includes(path)) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    open(new URL(`../${path.replace(/\.\w+$/, ".html")}${hash}`, TAB), "_blank", "noopener");
  };
  document.addEventListener("click", follow, true);
}
