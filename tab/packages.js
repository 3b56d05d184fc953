// Files of the site that are known by their hashes: fetched once, checked, and kept for the next visit.
//
// A file is {name, size, sha256} (from packages.json, which tools/tab.py writes). Its name holds a part of its hash, so a
// new version of the site has new names, and what no version uses any more is removed.

import { Interpreter } from "./interpreter.js";

const PAUSE = 250; // milliseconds between two words on how far it is
const CACHE = "minigrad-tab";
const BASE = new URL("./packages/", import.meta.url);

/** The cache of this site; null where the browser has none to give (a private window, a page without https). */
const open = () => (globalThis.caches ? caches.open(CACHE).catch(() => null) : Promise.resolve(null));

export const MB = bytes => (bytes / 1e6).toFixed(1);

const hex = bytes => Array.from(new Uint8Array(bytes), byte => byte.toString(16).padStart(2, "0")).join("");

/** Tell whether bytes are the file's. (Without https a browser has no hashes, and the size must do.) */
async function isWhole(file, bytes) {
  if (bytes.byteLength !== file.size) return false;
  return !globalThis.crypto?.subtle || hex(await crypto.subtle.digest("SHA-256", bytes)) === file.sha256;
}

/** The file from the cache, or null. */
export async function cached(file) {
  const response = await (await open())?.match(new URL(file.name, BASE));
  const bytes = response && new Uint8Array(await response.arrayBuffer());
  return bytes && (await isWhole(file, bytes)) ? bytes : null;
}

/** Keep a response for later visits. A full disk is no error: the file is fetched again the next time. */
async function put(name, response) {
  const cache = await open();
  await cache?.put(new URL(name, BASE), response).catch(() => null);
}

export const keep = (file, bytes) => put(file.name, new Response(bytes));

/** Remove from the cache what is of another version. */
export async function forgetOthers({ start, later, memory }) {
  const cache = await open();
  const names = [memoryOf("", memory), ...Object.values({ ...start, ...later }).map(({ name }) => name)];
  for (const { url } of (await cache?.keys()) ?? []) if (!names.some(name => url.endsWith(name))) await cache.delete(url);
}

/** The name of what Python remembers once it has started from this version. */
const memoryOf = (kind, version) => `${kind}-memory-${version}`;

/** The file's bytes from the site; `onProgress(bytes)` is called on the way. What arrives broken is fetched once more, past the browser's own cache. */
async function fetched(file, onProgress) {
  for (const cache of ["default", "reload"]) {
    const bytes = await download(file, cache, onProgress).catch(() => null);
    if (bytes && (await isWhole(file, bytes))) return bytes;
  }
  throw new Error(`${file.name} did not arrive whole, twice. Is the network there? Load the page again once it is.`);
}

const unpacked = (bytes, type) =>
  new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip")), { headers: { "Content-Type": type } });
const typeOf = name => (name.endsWith(".wasm") ? "application/wasm" : "application/octet-stream");

/** The list of packages: of the site as it is now, or without a network as it was last. (This worker may be there before the service worker.) */
async function listed() {
  const url = new URL("./packages.json", import.meta.url);
  try {
    return await fetch(url, { cache: "no-cache" });
  } catch {
    return (await globalThis.caches?.match(url, { ignoreVary: true })) ?? fetch(url, { cache: "force-cache" });
  }
}

/**
 * Python, at work: as it was on an earlier visit, else started anew with what `first(python)` has it import.
 * Returns {python, manifest, keepAll}: with keepAll() the next visit has what this one had to fetch and to start.
 * kind: a name for what `first` does. onProgress(bytes so far, bytes in all) is called on the way.
 */
export async function started(door, kind, first, onProgress) {
  const manifest = await (await listed()).json();
  const { start, boot } = manifest;
  const cache = await open();
  const files = Object.values(start);
  const total = files.reduce((sum, file) => sum + file.size, 0);
  const memory = memoryOf(kind, manifest.memory);
  const arrived = new Map(); // by name: packed
  const progress = {};
  let shown = 0;
  const opened = async ([name, file]) => {
    const before = await cache?.match(new URL(file.name, BASE));
    if (before) return [name, before];
    const bytes = await fetched(file, bytes => {
      progress[name] = bytes;
      if (performance.now() - shown < PAUSE) return;
      shown = performance.now();
      onProgress(Object.values(progress).reduce((a, b) => a + b, 0), total);
    });
    arrived.set(name, bytes);
    return [name, unpacked(bytes, typeOf(name))];
  };
  const [remembered, ...responses] = await Promise.all([
    cache?.match(new URL(memory, BASE)).then(response => response?.arrayBuffer()),
    ...Object.entries(start).map(opened),
  ]);
  let python, now;
  try {
    python = await Interpreter.start(Object.fromEntries(responses), door, remembered && new Uint8Array(remembered));
    if (!remembered) {
      python.turn(boot);
      first(python);
      now = python.memory();
    }
  } catch (error) {
    await forgetOthers({}); // what was kept may be broken
    throw error;
  }
  const keepAll = async () => {
    for (const [name, bytes] of arrived) await put(start[name].name, unpacked(bytes, typeOf(name)));
    if (now) await put(memory, new Response(now));
    arrived.clear();
    now = null;
  };
  return { python, manifest, keepAll };
}

async function download(file, cache, onProgress) {
  const response = await fetch(new URL(file.name, BASE), { cache });
  if (!response.ok) return null;
  const bytes = new Uint8Array(file.size);
  let at = 0;
  for (const reader = response.body.getReader(); ; ) {
    const { done, value } = await reader.read();
    if (done) return at === file.size ? bytes : null;
    if (at + value.length > file.size) return null;
    bytes.set(value, at);
    at += value.length;
    onProgress(at);
  }
}

/** Ask the site while Python waits in the middle of an import; null without an answer. */
function askedNow(url, responseType, headers = {}) {
  const request = new XMLHttpRequest();
  request.open("GET", url, false);
  request.responseType = responseType;
  for (const [name, value] of Object.entries(headers)) request.setRequestHeader(name, value);
  try {
    request.send();
  } catch {
    return null; // no network
  }
  return request.status === 200 ? request.response : null;
}

/** The same as fetched then: without a cache, a hash and a progress on the way. */
export const fetchedNow = (file, again) => new Uint8Array(askedNow(new URL(file.name + (again ? "?again" : ""), BASE), "arraybuffer") ?? 0);

/** Tell whether the site has another version by now, without this file. */
export function isGone(file) {
  const list = askedNow(new URL("./packages.json", import.meta.url), "text", { "Cache-Control": "no-cache" });
  return list !== null && !list.includes(file.name);
}
