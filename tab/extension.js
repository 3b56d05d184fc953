// The kernel "Python in this tab" for JupyterLite, as a container of module federation written by hand: what the app
// shares (tokens, signals, notifications) comes from its scope, so nothing has to be bundled.

(() => {
  const NAME = "minigrad-tab";
  const HERE = new URL(".", document.currentScript.src);
  const WAIT = 8000; // milliseconds for an interrupt to be heard
  const REST = 4000; // milliseconds from the first Python to what is done for the next visit
  const NARROW = 720; // pixels of a page that has no room for a list of files beside the notebook
  const LARGEST = 8e6; // bytes of a file that is carried between the file browser and Python
  const POINTS = ".minigrad"; // the folder in which the course keeps what was earned
  const wishes = new BroadcastChannel("minigrad-tab-interrupts"); // to the service worker
  const answers = new BroadcastChannel("minigrad-tab-answers"); // and these, of other Pythons

  // JupyterLite unregisters all service workers on the second visit, and a Python that starts then would hear of no
  // interrupt. The browser itself replaces one that has changed.
  if (navigator.serviceWorker) navigator.serviceWorker.getRegistrations = async () => [];

  performance.setResourceTimingBufferSize(2000); // entries, of which keepForLater reads

  // The first notebook's Python starts while JupyterLab is laid out; what it says meanwhile waits.
  const isNotebook = new URLSearchParams(location.search).get("path")?.endsWith(".ipynb");
  let early = isNotebook ? workerWithPython() : null;
  const saidEarly = [];
  if (early) early.onmessage = ({ data }) => saidEarly.push(data);

  function workerWithPython() {
    return new Worker(new URL("worker.js", HERE), { type: "module" });
  }

  let scope;
  const shared = async name => (await Object.values(scope[name])[0].get())();

  const toText = bytes => new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  /** Two versions of a log: what another tab added, then what is ours. */
  const together = (theirs, ours) => [...new Set([...theirs.split("\n"), ...ours.split("\n")])].join("\n");
  const toBase64 = bytes => btoa(Array.from(bytes, byte => String.fromCharCode(byte)).join(""));

  /** The files of the drive that Python sees, and back. */
  class Files {
    constructor(contents, storage, folder, tell) {
      Object.assign(this, { contents, storage, folder, tell, known: new Map() });
    }

    /** What is new since the last time in the notebook's folder and among the points, as [path, bytes]; notebooks stay. */
    async changed() {
      const list = folder => this.contents.get(folder, { type: "directory", content: true }).catch(() => null);
      const models = await Promise.all([this.folder, POINTS].map(list));
      const changed = [];
      for (const { type, path, last_modified, size } of models.flatMap(model => model?.content ?? [])) {
        if (type !== "file" || this.known.get(path) === last_modified || size > LARGEST) continue;
        const content = this.storage.inside(await this.contents.get(path, { content: true }));
        changed.push([path, typeof content === "string" ? new TextEncoder().encode(content) : content]);
        this.known.set(path, last_modified);
      }
      return changed;
    }

    /** Keep what Python wrote. */
    async keep(files) {
      for (const [path, bytes] of files) {
        if (bytes.length > LARGEST) {
          this.tell(`${path} has more than ${LARGEST / 1e6} MB: it stays with this kernel, and goes with it.`);
          continue;
        }
        let model;
        try {
          const content = toText(bytes);
          const isBook = path.endsWith(".ipynb");
          model = isBook ? { type: "notebook", format: "json", content: JSON.parse(content) } : { type: "file", format: "text", content };
        } catch {
          model = { type: "file", format: "base64", content: toBase64(bytes) };
        }
        try {
          await this.folders(path);
          if (path.startsWith(`${POINTS}/`)) {
            void navigator.storage?.persist?.(); // what was earned, a browser may otherwise throw away
            const before = await this.contents.get(path, { content: true }).catch(() => null);
            if (before && before.last_modified !== this.known.get(path)) model.content = together(before.content, model.content);
          }
          this.known.set(path, (await this.contents.save(path, model)).last_modified);
        } catch (error) {
          if (!this.storage.isToldAsFull(error)) this.tell(`${path} could not be kept (${error.message}). It stays with this kernel, and goes with it.`);
        }
      }
    }

    async folders(path) {
      const names = path.split("/").slice(0, -1);
      for (let n = 1; n <= names.length; n++) {
        const folder = names.slice(0, n).join("/");
        await this.contents.get(folder, { content: false }).catch(() => this.contents.save(folder, { type: "directory" }));
      }
    }
  }

  /**
   * Keep for visits without a network what this one loaded before its service worker was at work, and what it did not
   * load: notebooks, and the scripts of workers.
   */
  async function keepForLater() {
    const site = new URL("../../../", HERE);
    const page = [location.href, ...performance.getEntriesByType("resource").map(({ name }) => name)];
    const more = (await (await fetch(new URL("offline.json", site))).json()).map(path => new URL(path, site).href);
    const cache = await caches.open("minigrad-tab-app");
    const kept = new Set((await cache.keys()).map(({ url }) => url));
    const ours = url => url.startsWith(site.href) && !/\/packages\/|\/api\/(interrupted|answered|drive|service-worker)/.test(url);
    const missing = [...new Set([...page, ...more])].filter(url => ours(url) && !kept.has(url));
    if (!missing.length) return;
    const { installing } = await navigator.serviceWorker.register(new URL("keep.js", HERE), { scope: new URL("keep/", HERE) });
    installing?.postMessage(missing); // else another tab is at it
  }

  /** One line in the corner of the page that says what is being loaded. */
  class Progress {
    constructor(notifications) {
      Object.assign(this, { notifications, id: null });
    }

    show(text, share) {
      const options = { autoClose: false, ...(share === undefined ? {} : { progress: share }) };
      if (!text) {
        if (this.id) this.notifications.dismiss(this.id);
        this.id = null;
      } else if (this.id) {
        this.notifications.update({ id: this.id, message: text, ...options });
      } else {
        this.id = this.notifications.emit(text, "info", options);
      }
    }
  }

  /** Another Python, in which a kernel's Python tries what may loop or crash (apart.py). */
  class Apart {
    constructor(id, progress) {
      this.worker = new Worker(new URL("apart.js", HERE), { type: "module" });
      this.ready = new Promise(resolve => {
        const say = text => answers.postMessage({ id, text: JSON.stringify(text) });
        this.worker.onmessage = ({ data: { progress: text, share, ready, ...said } }) => {
          if (text) progress.show(`A second Python, for your engine: ${text}`, share);
          else progress.show(null);
          if (ready) resolve();
          else if (!text) say(said);
        };
        this.worker.onerror = event => say({ died: event.message ?? "its worker did not start" });
      });
    }

    ask = request => this.ready.then(() => this.worker.postMessage({ request }));
    end = () => this.worker.terminate();
  }

  function kernelClass({ Signal }, notifications, contents, storage) {
    return class Kernel {
      constructor({ id, name, location, sendMessage }) {
        Object.assign(this, { id, name, location, sendMessage, isDisposed: false, kept: Promise.resolve(), aparts: new Map() });
        this.disposed = new Signal(this);
        this.progress = new Progress(notifications);
        const folder = location.split("/").filter(Boolean).join("/"); // "" for the top
        this.files = new Files(contents, storage, folder, text => notifications.emit(text, "error", { autoClose: false }));
        this.worker = early ?? workerWithPython();
        early = null;
        this.worker.onmessage = ({ data }) => this.hear(data);
        saidEarly.splice(0).slice(-1).forEach(data => this.hear(data));
        this.worker.onerror = event => this.hear({ died: event.message ?? "its worker did not start" });
        this.ready = new Promise(resolve => (this.isReady = resolve));
        this.worker.postMessage({ start: { id, folder } });
      }

      /** What the worker says. */
      hear({ progress, share, ready, message, done, files, died, apart }) {
        if (progress !== undefined) this.progress.show(progress, share);
        if (message) this.sendMessage(this.goingOn(message));
        if (apart) this.hearOfAnother(apart);
        if (files) this.kept = this.kept.then(() => this.files.keep(files));
        if (died) this.died = died;
        if (died && this.handling) this.answerAsDead();
        if (ready || died) this.isReady();
        if (done || died) this.isDone?.();
      }

      hearOfAnother({ number, request }) {
        if (request === null) {
          this.aparts.get(number)?.end();
          this.aparts.delete(number);
          this.progress.show(null);
        } else {
          if (!this.aparts.has(number)) this.aparts.set(number, new Apart(`${this.id}-${number}`, this.progress));
          this.aparts.get(number).ask(request);
        }
      }

      /** After an error JupyterLite forgets the cells that wait, unless "interrupt" is its cause: so where cells go on. */
      goingOn(message) {
        const goesOn = this.handling?.content.stop_on_error === false && message.header.msg_type === "execute_reply";
        return goesOn ? { ...message, metadata: { ...message.metadata, cause: "interrupt" } } : message;
      }

      /** Have Python handle one of Jupyter's messages; over when it has done so. */
      async handleMessage(message) {
        this.handling = message;
        if (this.died) return this.answerAsDead();
        if (message.header.msg_type === "execute_request") {
          await this.kept;
          const files = await this.files.changed();
          if (files.length) this.worker.postMessage({ files });
        }
        const done = new Promise(resolve => (this.isDone = resolve));
        const { buffers = [], ...rest } = message;
        this.worker.postMessage({ message: { ...rest, buffers: buffers.map(part => part.buffer?.slice(part.byteOffset, part.byteOffset + part.byteLength) ?? part) } });
        await done;
        this.handling = null;
        wishes.postMessage({ id: this.id, stop: false });
      }

      /** Ask for an end of what runs. Where nobody hears it, the learner is told what to do. */
      interrupt() {
        const running = this.handling;
        if (!running) return;
        wishes.postMessage({ id: this.id, stop: true });
        setTimeout(() => {
          if (this.handling !== running) return;
          const text = "It has not stopped yet: what runs has not come back to Python, or this browser has no service worker. Kernel, Restart ends it at once; files and the notebook stay.\n";
          this.send(running, "stream", { name: "stderr", text });
        }, WAIT);
      }

      send(parent, msg_type, content, channel = "iopub") {
        const header = { ...parent.header, msg_id: crypto.randomUUID(), msg_type, date: new Date().toISOString() };
        this.sendMessage({ channel, header, parent_header: parent.header, metadata: {}, content, buffers: [] });
      }

      /** A Python that has ended cannot answer for itself. */
      answerAsDead() {
        const { handling: parent } = this;
        this.handling = null;
        this.progress.show(null);
        const evalue = `Python in this tab has ended: ${this.died}. Kernel, Restart begins anew; files and the notebook stay.`;
        const error = { ename: "KernelDied", evalue, traceback: [evalue] };
        if (parent.header.msg_type === "execute_request") {
          this.send(parent, "error", error);
          this.send(parent, "execute_reply", { status: "error", execution_count: 0, ...error }, "shell");
        } else if (parent.header.msg_type === "kernel_info_request") {
          const language_info = { name: "python", mimetype: "text/x-python", file_extension: ".py" };
          const info = { status: "ok", protocol_version: "5.3", implementation: NAME, implementation_version: "", banner: evalue, help_links: [], language_info };
          this.send(parent, "kernel_info_reply", info, "shell");
        }
        this.send(parent, "status", { execution_state: "idle" });
      }

      dispose() {
        if (this.isDisposed) return;
        this.isDisposed = true;
        this.progress.show(null);
        this.worker.terminate();
        this.aparts.forEach(apart => apart.end());
        this.isReady();
        this.isDone?.();
        this.disposed.emit(undefined);
      }
    };
  }

  async function plugins() {
    const lab = ["apputils", "docmanager", "filebrowser", "mainmenu", "rendermime"].map(name => `@jupyterlab/${name}`);
    const [storage, unknown, work, links, services, signaling, { IJupyterWidgetRegistry }, { Notification, showDialog, Dialog }, { IDocumentManager }, { IFileBrowserFactory }, { IMainMenu }, { IRenderMimeRegistry }] = await Promise.all([
      ...["storage.js", "widgets.js", "work.js", "links.js"].map(file => import(new URL(file, HERE))),
      ...["@jupyterlite/services", "@lumino/signaling", "@jupyter-widgets/base", ...lab].map(shared),
    ]);
    const downloads = {
      id: `${NAME}:downloads`,
      autoStart: true,
      requires: [IDocumentManager, IFileBrowserFactory, IMainMenu],
      activate(app, documents, browsers, { fileMenu }) {
        const downloadOf = storage.addDownloads(app, documents, browsers, fileMenu);
        const say = text => Notification.emit(text, "info", { autoClose: 8000 });
        work.addWork(app, documents, fileMenu, {
          database: "minigrad", // contentsStorageName in tools/tab.py
          keep: files => new Files(app.serviceManager.contents, storage, "", say).keep(files),
          say,
          ask: async (title, body) => (await showDialog({ title, body, buttons: [Dialog.cancelButton(), Dialog.okButton({ label: "Replace" })] })).button.accept,
        });
        const shown = new Map(); // by path
        storage.watch(app.serviceManager.contents, path => {
          const name = path.split("/").at(-1);
          const callback = downloadOf(path);
          const what = callback ? "stays as it was saved: download it, and" : "stays with this kernel, and goes with it:";
          const text = `The browser's storage is full. ${name} ${what} delete what you do not need.`;
          const options = { autoClose: false, actions: callback ? [{ label: "Download", callback }] : [] };
          if (shown.has(path)) Notification.dismiss(shown.get(path));
          shown.set(path, Notification.emit(text, "error", options));
        });
      },
    };
    const look = {
      id: `${NAME}:look`,
      autoStart: true,
      activate(app) {
        fetch(new URL("elsewhere.json", HERE)).then(async answer => links.leadToTheSite(await answer.json()));
        document.head.append(Object.assign(document.createElement("link"), { rel: "stylesheet", href: new URL("tab.css", HERE) }));
        // What opens a notebook shows its folder, too, and may do so late: so until somebody touches the page.
        const fold = () => innerWidth < NARROW && !app.shell.leftCollapsed && app.shell.collapseLeft();
        const touched = () => app.shell.layoutModified.disconnect(fold);
        app.shell.layoutModified.connect(fold);
        app.restored.then(fold);
        for (const touch of ["pointerdown", "keydown"]) addEventListener(touch, touched, { once: true, capture: true });
      },
    };
    const kernel = {
      id: `${NAME}:kernel`,
      autoStart: true,
      requires: [services.IKernelSpecs, services.IKernelClient],
      activate(app, specs, client) {
        const Kernel = kernelClass(signaling, Notification, app.serviceManager.contents, storage);
        const kernels = new Map();
        specs.register({
          spec: { name: "python3", display_name: "Python in this tab", language: "python", argv: [], resources: {} },
          create: async options => {
            const kernel = new Kernel(options);
            if (globalThis.caches && navigator.serviceWorker) {
              Promise.all([kernel.ready, navigator.serviceWorker.ready]).then(() => setTimeout(keepForLater, REST));
            }
            kernels.set(options.id, kernel);
            return kernel;
          },
        });
        const cancelOthers = client.interrupt.bind(client); // JupyterLite's: the cells that wait
        client.interrupt = id => {
          kernels.get(id)?.interrupt();
          return cancelOthers(id);
        };
      },
    };
    const widgets = {
      id: `${NAME}:widgets`,
      autoStart: true,
      requires: [IRenderMimeRegistry, IJupyterWidgetRegistry], // with the second one widgets have a renderer
      activate: (app, renderers) => unknown.sayWhatBringsThemBack(renderers),
    };
    return { __esModule: true, default: [kernel, downloads, look, widgets] };
  }

  window._JUPYTERLAB ??= {};
  window._JUPYTERLAB[NAME] = {
    init: given => void (scope = given),
    get: async module => {
      if (module !== "./extension") throw new Error(`${NAME} has no ${module}`);
      const exports = await plugins();
      return () => exports;
    },
  };
})();
