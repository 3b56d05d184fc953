// The worker: an interpreter, and the messages between it and the page.
//
// From the page: {start: {id, kernel, folder}}, then {message} (one of Jupyter's) or {files: [[path, bytes]]}.
// To the page:   {progress: text}, {ready: true}, {message}, {done: true}, {files: [[path, bytes]]}, {died: text},
//                {apart: {number, request}} for another Python, which the page starts, and ends where the request is null.

import { pack, unpack } from "./message.js";
import { cached, fetchedNow, forgetOthers, isGone, keep, MB, started } from "./packages.js";
import { instance as graphviz } from "./viz.js";

const decoder = new TextDecoder();
const encoder = new TextEncoder();
const REST = 3000; // milliseconds until what the next visit needs is kept: the first cell comes first
const IMPORTS = "import minigrad, minigrad_tab.kernel";
const KERNEL = '__import__("minigrad_tab.kernel").kernel'; // the learner's names stay the learner's

let python, viz, manifest, id, folder, next;
const fetchedBefore = new Map(); // packages that some import will ask for, from the cache
const toKeep = []; // and those that were asked for, to be kept when Python rests
const seen = new Map(); // files of the learner's folder, as the page knows them

/** What Python can ask for while it runs. */
const ANSWERS = {
  receive: () => next,
  send({ message }, buffers) {
    postMessage({ message: { ...message, buffers: buffers.map(buffer => buffer.buffer) } });
    return new Uint8Array();
  },
  package({ name, again }) {
    const file = manifest.later[name];
    if (fetchedBefore.has(name) && !again) return fetchedBefore.get(name);
    postMessage({ progress: `${name}, ${MB(file.size)} MB, is on its way` });
    const bytes = fetchedNow(file, again);
    toKeep.push([file, bytes]);
    postMessage({ progress: null });
    return bytes;
  },
  gone: ({ name }) => encoder.encode(isGone(manifest.later[name]) ? "yes" : ""),
  draw(_, [dot]) {
    const drawn = viz.render(decoder.decode(dot), { format: "svg" });
    const says = drawn.errors.map(error => error.message).join("; ");
    return pack(drawn.status === "success" ? {} : { error: says || "no reason given" }, [encoder.encode(drawn.output ?? "")]);
  },
  interrupted: () => encoder.encode(fromServiceWorker(`interrupted/${id}`) ?? ""),
  apart({ number, request }) {
    postMessage({ apart: { number, request } });
    return new Uint8Array();
  },
  answered({ number }) {
    const text = fromServiceWorker(`answered/${id}-${number}`);
    if (text === null) throw new Error("no service worker");
    return encoder.encode(text);
  },
};

/** What the service worker answers, which alone can be told something while we compute; null where there is none. */
function fromServiceWorker(path) {
  const request = new XMLHttpRequest();
  request.open("GET", new URL(`../api/${path}`, import.meta.url), false);
  try {
    request.send();
  } catch {
    return null; // without a network
  }
  return request.status === 200 ? request.responseText : null;
}

function door(request) {
  const [asked, buffers] = unpack(request);
  return ANSWERS[asked.ask](asked, buffers);
}

const progress = (bytes, total) => postMessage({ progress: `Python for this tab: ${MB(bytes)} of ${MB(total)} MB`, share: bytes / total });
const begun = started(door, "kernel", python => python.turn(IMPORTS), progress); // while the notebook is laid out
begun.catch(() => null); // start says it

async function start(options) {
  ({ id, folder } = options);
  const beginning = await begun;
  ({ python, manifest } = beginning);
  const kept = Object.entries(manifest.later).map(async ([name, file]) => {
    const bytes = await cached(file);
    if (bytes) fetchedBefore.set(name, bytes);
  });
  const site = new URL("..", import.meta.url.replace(/extensions\/.*/, "")).href; // the tab is one of its folders
  next = pack({ folder: `/course/${folder}`, later: manifest.later, site });
  python.turn(`${KERNEL}.start()`);
  see();
  [viz] = await Promise.all([graphviz(), ...kept]);
  postMessage({ progress: null });
  postMessage({ ready: true });
  setTimeout(() => beginning.keepAll().then(() => forgetOthers(manifest)), REST);
}

/** From now on, know these files of the learner's. */
const see = (files = python.files("course")) => files.forEach(([path, data]) => seen.set(path, data.slice()));
const same = (one, other) => one?.length === other.length && indexedDB.cmp(one, other) === 0; // its own loop over bytes is the fast one

/** Hand the page the files that Python wrote. */
function tellOfFiles() {
  const changed = python.files("course").filter(([path, data]) => !same(seen.get(path), data) && !path.includes("__pycache__"));
  see(changed);
  if (changed.length) postMessage({ files: changed });
}

async function handle({ data }) {
  if (data.start) return start(data.start);
  if (data.files) {
    for (const [path, bytes] of data.files) {
      python.write(`course/${path}`, bytes);
    }
    return see();
  }
  const { buffers, ...message } = data.message;
  next = pack({ message }, buffers);
  python.turn(`${KERNEL}.turn()`);
  tellOfFiles();
  postMessage({ done: true });
  for (const [file, bytes] of toKeep.splice(0)) keep(file, bytes);
}

let last = Promise.resolve();
onmessage = event => {
  last = last.then(() => handle(event)).catch(error => {
    console.error(error);
    postMessage({ died: error instanceof RangeError ? "the stack of the browser is full (functions that call themselves too deeply?)" : String(error.message ?? error) });
  });
};
