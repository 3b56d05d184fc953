// The browser's storage, in which the learner's files are kept: they leave it through File, Download, and it may be full.

const FULL = "ModalCancelError"; // of errors by this name JupyterLab shows no dialog, which would be empty

export const fromBase64 = text => Uint8Array.from(atob(text), letter => letter.charCodeAt(0));

/** A file's bytes, or its text, from a model of JupyterLab's. */
export function inside({ format, content }) {
  if (format === "base64") return fromBase64(content);
  return typeof content === "string" ? content : JSON.stringify(content, null, 1);
}

/** A notebook that was uploaded in pieces, of which JupyterLite keeps the bytes. */
async function asNotebook(contents, path) {
  const bytes = inside(await contents.get(path, { content: true }));
  return { type: "notebook", format: "json", content: JSON.parse(new TextDecoder().decode(bytes)) };
}

/** Tell whether an error says that the storage is full; the learner knows already then. */
export const isToldAsFull = error => error.name === FULL;

/** From now on, have `tell` called with the path of what the browser has no room for. What was saved before stays as it is. */
export function watch(contents, tell) {
  for (const name of ["save", "newUntitled", "copy", "rename", "createCheckpoint"]) {
    const write = contents[name].bind(contents);
    contents[name] = async (about, ...rest) => {
      try {
        const saved = await write(about, ...rest);
        const isLastPiece = name === "save" && rest[0]?.chunk === -1 && about.endsWith(".ipynb");
        return isLastPiece ? await write(about, await asNotebook(contents, about)) : saved;
      } catch (error) {
        if (error.name !== "QuotaExceededError") throw error;
        if (name === "createCheckpoint") return { id: "none", last_modified: new Date().toISOString() }; // notebooks open without
        tell(about.path ?? about);
        throw Object.assign(new Error("the browser's storage is full"), { name: FULL });
      }
    };
  }
}

function handOut(path, model) {
  const url = URL.createObjectURL(new Blob([inside(model)], { type: model.mimetype }));
  Object.assign(document.createElement("a"), { href: url, download: path.split("/").at(-1) }).click();
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}

/**
 * Download what the learner sees, saved or not, by the name that it has. (JupyterLite's own commands save first; where that
 * fails, or asks something, nothing comes.) Returns a function that downloads an open document, or null if none is open.
 */
export function addDownloads({ commands, contextMenu, shell, serviceManager: { contents } }, documents, browsers, fileMenu) {
  const handOutOpen = widget => {
    const context = widget && documents.contextForWidget(widget);
    return context ? () => handOut(context.path, { ...context.contentsModel, content: context.model.toString() }) : null;
  };
  commands.addCommand("docmanager:download", {
    label: "Download",
    caption: "Download the file to your computer",
    isEnabled: () => Boolean(handOutOpen(shell.currentWidget)),
    execute: () => handOutOpen(shell.currentWidget)?.(),
  });
  commands.addCommand("filebrowser:download", {
    label: "Download",
    execute: async () => {
      for (const { path, type } of browsers.tracker.currentWidget?.selectedItems() ?? []) {
        if (type !== "directory") handOut(path, await contents.get(path, { content: true }));
      }
    },
  });
  fileMenu.addGroup([{ command: "docmanager:download" }], 6);
  contextMenu.addItem({ command: "filebrowser:download", selector: '.jp-DirListing-item[data-isdir="false"]', rank: 9 });
  return path => handOutOpen(documents.findWidget(path));
}
