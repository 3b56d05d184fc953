// Between the course in the tab and the network: a later visit needs none, and a running kernel hears of interrupts here.
// JupyterLite's own service worker, which shares files among tabs, is loaded behind it.

{ // a scope of its own: JupyterLite's script has a CACHE too
  const CACHE = "minigrad-tab-app";
  const PACKAGES = "/packages/"; // of the interpreter: kept by packages.js, by their hashes
  const HASHED = /[.=][0-9a-f]{7,}(\.js)?$/; // names of JupyterLab's scripts: what has the same name is the same
  const stopping = new Set(); // ids of kernels that shall stop
  const answers = new Map(); // of Pythons that try an engine, by their ids
  const waiting = new Map(); // for such an answer: what resolves the wait
  const WAIT = 500; // milliseconds for an answer; a kernel that waits also wants to hear of interrupts

  new BroadcastChannel("minigrad-tab-interrupts").onmessage = ({ data: { id, stop } }) =>
    stop ? stopping.add(id) : stopping.delete(id);

  new BroadcastChannel("minigrad-tab-answers").onmessage = ({ data: { id, text } }) =>
    waiting.has(id) ? waiting.get(id)(text) : answers.set(id, text);

  // Those come from the cache, where the browser can do so without this worker. What is not there comes from the network.
  self.addEventListener("install", event =>
    event.addRoutes?.({ condition: { urlPattern: { pathname: "*/build/*.js" } }, source: { cacheName: CACHE } }));

  self.addEventListener("fetch", event => {
    const { request } = event;
    const url = new URL(request.url);
    if (url.pathname.includes("/api/interrupted/")) {
      const id = url.pathname.split("/").at(-1);
      answer(event, new Response(stopping.delete(id) ? "yes" : "no"));
    } else if (url.pathname.includes("/api/answered/")) {
      answer(event, answered(url.pathname.split("/").at(-1)));
    } else if (request.method === "GET" && HASHED.test(url.href)) {
      answer(event, fromCacheElseNetwork(request));
    } else if (request.method === "GET" && url.origin === location.origin && !isOthers(url)) {
      answer(event, fromNetworkElseCache(request));
    }
  });

  /** Answer, and let JupyterLite's listener not do so again. */
  function answer(event, response) {
    event.stopImmediatePropagation();
    event.respondWith(response);
  }

  /** The answer for a kernel, or nothing if it does not come soon. */
  async function answered(id) {
    const text = answers.get(id) ?? (await new Promise(resolve => {
      waiting.set(id, resolve);
      setTimeout(resolve, WAIT, "");
    }));
    answers.delete(id);
    waiting.delete(id);
    return new Response(text);
  }

  /** Files shared among tabs, and JupyterLite's heartbeat, are JupyterLite's; packages have their own cache. */
  const isOthers = url =>
    /\/api\/(drive|stdin|service-worker-heartbeat)/.test(url.pathname) || url.pathname.includes(PACKAGES);

  /** What cannot have changed; keep.js puts it there. */
  const fromCacheElseNetwork = async request => (await (await caches.open(CACHE)).match(request, { ignoreVary: true })) ?? fetch(request);

  /** Fresh while there is a network, so that a new version of the site is there at once; without one, as last seen. */
  async function fromNetworkElseCache(request) {
    const cache = await caches.open(CACHE);
    try {
      const response = await fetch(request);
      if (response.ok) cache.put(request, response.clone()).catch(() => null); // a full disk
      return response;
    } catch (error) {
      const before = await cache.match(request, { ignoreSearch: true, ignoreVary: true });
      if (before) return before;
      throw error;
    }
  }
}

importScripts("jupyterlite-service-worker.js");
