// All of a learner's work as one file: notebooks, points, guesses, the engine. It leaves the browser as a zip, and comes back.
//
// Its folders are the course's own. So it can be unpacked in a course on a computer, and what was packed there comes here.

import { inside } from "./storage.js";

const OURS = /^(notebooks|exercises|project|\.minigrad)\//;
const ZIP = { file: 0x04034b50, entry: 0x02014b50, end: 0x06054b50 };
const DEFLATED = 8;
const UTF8 = 0x0800; // the flag of a name in UTF-8
const JANUARY_1980 = 0x0021;
const encoder = new TextEncoder();
const decoder = new TextDecoder();

const TABLE = Uint32Array.from({ length: 256 }, (_, n) => {
  for (let k = 0; k < 8; k++) n = n & 1 ? 0xedb88320 ^ (n >>> 1) : n >>> 1;
  return n;
});
const crc32 = bytes => ~bytes.reduce((crc, byte) => TABLE[(crc ^ byte) & 255] ^ (crc >>> 8), ~0) >>> 0;

/** Numbers of two ("2") or four ("4") bytes. */
function numbers(sizes, ...values) {
  const view = new DataView(new ArrayBuffer(Array.from(sizes).reduce((sum, size) => sum + Number(size), 0)));
  let at = 0;
  values.forEach((value, n) => {
    if (sizes[n] === "2") view.setUint16(at, value, true);
    else view.setUint32(at, value, true);
    at += Number(sizes[n]);
  });
  return new Uint8Array(view.buffer);
}

/** A zip of files, given as [path, bytes]. Nothing in it is compressed. */
export function zipped(files) {
  const parts = [];
  const directory = [];
  let at = 0;
  for (const [path, bytes] of files) {
    const name = encoder.encode(path);
    const about = [20, UTF8, 0, 0, JANUARY_1980, crc32(bytes), bytes.length, bytes.length, name.length, 0];
    const head = numbers("42222244422", ZIP.file, ...about);
    directory.push(numbers("42222224442222244", ZIP.entry, 20, ...about, 0, 0, 0, 0, at), name);
    parts.push(head, name, bytes);
    at += head.length + name.length + bytes.length;
  }
  const size = directory.reduce((sum, part) => sum + part.length, 0);
  const end = numbers("42222442", ZIP.end, 0, 0, files.length, files.length, size, at, 0);
  return new Blob([...parts, ...directory, end], { type: "application/zip" });
}

/** The files of a zip, as [path, bytes]. Throws what to do where it is none. */
export async function unzipped(bytes) {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let end = bytes.length - 22; // where the end's record is, unless a comment follows
  while (end >= 0 && view.getUint32(end, true) !== ZIP.end) end--;
  if (end < 0) throw new Error("this is no zip file: choose one that File, Download My Work made");
  const files = [];
  let at = view.getUint32(end + 16, true);
  for (let left = view.getUint16(end + 10, true); left > 0; left--) {
    const [method, size, name, extra, comment, start] = [[10, 2], [20, 4], [28, 2], [30, 2], [32, 2], [42, 4]].map(
      ([offset, length]) => (length === 2 ? view.getUint16(at + offset, true) : view.getUint32(at + offset, true)),
    );
    const path = decoder.decode(bytes.subarray(at + 46, at + 46 + name));
    const data = start + 30 + view.getUint16(start + 26, true) + view.getUint16(start + 28, true);
    const packed = bytes.subarray(data, data + size);
    if (!path.endsWith("/")) files.push([path, method === DEFLATED ? await inflated(packed) : packed]);
    at += 46 + name + extra + comment;
  }
  return files;
}

async function inflated(bytes) {
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate-raw"));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

/** What the browser keeps of the learner's: [path, bytes]. database: the name of JupyterLite's. */
async function kept(database) {
  const done = request => new Promise((resolve, reject) => Object.assign(request, { onsuccess: () => resolve(request.result), onerror: () => reject(request.error) }));
  const opened = await done(indexedDB.open(database));
  const models = await done(opened.transaction("files").objectStore("files").getAll());
  opened.close();
  return models
    .filter(({ path, type }) => OURS.test(path) && type !== "directory")
    .map(model => [model.path, bytesOf(model)]);
}

function bytesOf(model) {
  const content = inside(model);
  return typeof content === "string" ? encoder.encode(content) : content;
}

/** Give the File menu "Download My Work" and "Bring Back My Work…". keep(files) writes them, and adds up logs of points. */
export function addWork({ commands, shell, serviceManager: { contents } }, documents, fileMenu, { database, keep, say, ask }) {
  commands.addCommand("minigrad:download-work", {
    label: "Download My Work",
    caption: "All notebooks, points and guesses, and your engine, as one file",
    execute: async () => {
      await commands.execute("docmanager:save-all");
      const files = await kept(database);
      if (!files.length) return say("There is nothing of yours yet: what you run and write is kept from the first time it is saved.");
      const url = URL.createObjectURL(zipped(files));
      Object.assign(document.createElement("a"), { href: url, download: "minigrad-work.zip" }).click();
      setTimeout(() => URL.revokeObjectURL(url), 60_000);
    },
  });
  commands.addCommand("minigrad:bring-work", {
    label: "Bring Back My Work…",
    caption: "From a file that Download My Work made, here or in another browser, or from a zip of a course's folder",
    execute: () => {
      const chooser = Object.assign(document.createElement("input"), { type: "file", accept: ".zip" });
      chooser.onchange = async () => {
        try {
          await bring(new Uint8Array(await chooser.files[0].arrayBuffer()));
        } catch (error) {
          say(`It could not be brought back: ${error.message}.`);
        }
      };
      chooser.click();
    },
  });
  commands.addCommand("minigrad:original", {
    label: "Back to the Course's Version",
    caption: "What you changed in this notebook goes, and a newer version of the course shows what is new in it",
    isEnabled: () => Boolean(documents.contextForWidget(shell.currentWidget ?? {})),
    execute: async () => {
      const context = documents.contextForWidget(shell.currentWidget);
      if (!(await ask("Back to the Course's Version", `What you wrote into ${context.path} goes. Points and guesses stay.`))) return;
      await contents.delete(context.path);
      await context.revert();
    },
  });
  fileMenu.addGroup(["download-work", "bring-work", "original"].map(name => ({ command: `minigrad:${name}` })), 6.5);

  async function bring(bytes) {
    const all = (await unzipped(bytes)).map(([path, data]) => [path.match(/(?:^|\/)((?:notebooks|exercises|project|\.minigrad)\/.*)/)?.[1], data]);
    const files = all.filter(([path]) => path && !/\/(\.ipynb_checkpoints|__pycache__)\//.test(path));
    if (!files.length) throw new Error("nothing in it is of the course: choose a file that File, Download My Work made");
    const before = new Map((await kept(database)).map(([path, data]) => [path, decoder.decode(data)]));
    const others = files.filter(([path, data]) => !path.startsWith(".") && before.has(path) && before.get(path) !== decoder.decode(data));
    if (others.length && !(await ask("Bring Back My Work", `${others.map(([path]) => path).join(", ")} will be replaced by what is in the file. Points and guesses are added up.`))) return;
    await keep(files);
    for (const [path] of files) {
      const open = documents.findWidget(path);
      if (open) await documents.contextForWidget(open).revert();
    }
    say(`${files.length} ${files.length === 1 ? "file is" : "files are"} back.`);
  }
}
