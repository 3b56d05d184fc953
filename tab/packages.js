// Files of the site that are known by their hashes: fetched once, checked, and kept for the next visit.
//
// A file is {name, size, sha256} (from packages.json, which tools/tab.py writes). Its name holds a part of its hash, so a
// new version of the site has new names, and what no version uses any more is removed.

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

/** Keep a file for later visits. A full disk is no error: the file is fetched again the next time. */
export async function keep(file, bytes) {
  const cache = await open();
  await cache?.put(new URL(file.name, BASE), new Response(bytes)).catch(() => null);
}

/** Remove from the cache what is none of these files. */
export async function forgetOthers(files) {
  const cache = await open();
  const ours = new Set(files.map(file => new URL(file.name, BASE).href));
  for (const request of (await cache?.keys()) ?? []) if (!ours.has(request.url)) await cache.delete(request);
}

/**
 * The file's bytes: from the cache, else from the site, where `onProgress(bytes)` is called on the way.
 * What arrives broken is fetched once more, past the browser's own cache; then it is an error.
 */
export async function fetched(file, onProgress) {
  const before = await cached(file);
  if (before) return before;
  for (const cache of ["default", "reload"]) {
    const bytes = await download(file, cache, onProgress).catch(() => null);
    if (bytes && (await isWhole(file, bytes))) {
      keep(file, bytes);
      return bytes;
    }
  }
  throw new Error(`${file.name} did not arrive whole, twice. Is the network there? Load the page again once it is.`);
}

/** All files of a table by name, while `onProgress(bytes so far, bytes in all)` is called on the way. */
export async function fetchedAll(table, onProgress) {
  const entries = Object.entries(table);
  const total = entries.reduce((sum, [, file]) => sum + file.size, 0);
  const arrived = {};
  const loads = entries.map(async ([name, file]) => {
    const bytes = await fetched(file, bytes => {
      arrived[name] = bytes;
      onProgress(Object.values(arrived).reduce((a, b) => a + b, 0), total);
    });
    return [name, bytes];
  });
  return Object.fromEntries(await Promise.all(loads));
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

/** The same while Python waits in the middle of an import: without a cache, a hash and a progress on the way. */
export function fetchedNow(file, again) {
  const request = new XMLHttpRequest();
  request.open("GET", new URL(file.name + (again ? "?again" : ""), BASE), false);
  request.responseType = "arraybuffer";
  try {
    request.send();
  } catch {
    return new Uint8Array(); // no network
  }
  return request.status === 200 ? new Uint8Array(request.response) : new Uint8Array();
}
