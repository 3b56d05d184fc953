// Python for the playground: one worker, one request at a time, and the newest of those that wait.

const LONGEST = 12_000; // milliseconds; Python itself gives up before, except inside of one call of NumPy

export class Python {
  /** onProgress({progress, share}), and onReady() as soon as requests are answered. */
  constructor(onProgress, onReady) {
    this.onProgress = onProgress;
    this.onReady = onReady;
    this.waiting = null;
    this.start();
  }

  start() {
    this.ready = false;
    this.running = null;
    this.worker = new Worker(new URL("./worker.js", import.meta.url), { type: "module" });
    this.worker.onmessage = ({ data }) => this.hear(data);
    this.worker.onerror = event => this.onProgress({ failed: event.message || "the worker could not be loaded" });
  }

  hear({ progress, share, ready, answer, died }) {
    if (progress) this.onProgress({ progress, share });
    if (ready) {
      this.ready = true;
      this.onReady();
    }
    if (answer) this.settle(JSON.parse(answer));
    if (died && this.ready) this.anew(died);
    else if (died) this.onProgress({ failed: died });
    if (ready || answer) this.next();
  }

  settle(answer) {
    clearTimeout(this.timer);
    const settled = this.running;
    this.running = null;
    settled?.resolve(answer);
  }

  /** End this Python, whatever it does, and begin another one. */
  anew(sentence) {
    this.worker.terminate();
    this.settle({ error: { sentence, line: null } });
    this.start();
  }

  /** The answer to a request; null if a newer one took its place. */
  ask(request) {
    this.waiting?.resolve(null);
    return new Promise(resolve => {
      this.waiting = { request, resolve };
      this.next();
    });
  }

  next() {
    if (!this.ready || this.running || !this.waiting) return;
    this.running = this.waiting;
    this.waiting = null;
    this.timer = setTimeout(() => this.anew("This ran for too long, and was stopped: is there a number far too large?"), LONGEST);
    this.worker.postMessage({ request: JSON.stringify(this.running.request) });
  }
}
