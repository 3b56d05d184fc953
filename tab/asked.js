// A worker with a Python that answers one request after the other: the playground's, and the one that tries an engine.
//
// From the page: {request: text}. To the page: {progress: text, share}, {ready: true}, {answer: text}, {died: text}.

import { Interpreter } from "./interpreter.js";
import { pack } from "./message.js";
import { fetchedAll, MB } from "./packages.js";

const encoder = new TextEncoder();
const decoder = new TextDecoder();

/** Start it. `module` of minigrad_tab has the turn; `first` is a request for it that imports what all need. */
export function answerRequests(module, tooDeep, first) {
  const code = `__import__("minigrad_tab.${module}").${module}.turn()`;
  let python, request, answer;

  /** What Python asks for: the request, and to send the answer. It reaches nothing else of the page. */
  function door(asked) {
    const end = asked.indexOf(10);
    const { ask } = JSON.parse(decoder.decode(asked.subarray(0, end)));
    if (ask === "receive") return pack({}, [encoder.encode(request)]);
    answer = decoder.decode(asked.subarray(end + 1));
    return new Uint8Array();
  }

  function turn(text) {
    request = text;
    python.turn(code);
    return answer;
  }

  async function start() {
    const manifest = await (await fetch(new URL("./packages.json", import.meta.url))).json();
    const files = await fetchedAll(manifest.start, (bytes, total) =>
      postMessage({ progress: `${MB(bytes)} of ${MB(total)} MB`, share: bytes / total }),
    );
    postMessage({ progress: "it starts" });
    python = await Interpreter.start(files, door);
    python.turn(manifest.boot);
    if (first) turn(first);
    postMessage({ ready: true });
  }

  const died = error => {
    console.error(error);
    postMessage({ died: error instanceof RangeError ? tooDeep : String(error.message ?? error) });
  };
  onmessage = ({ data }) => {
    try {
      postMessage({ answer: turn(data.request) });
    } catch (error) {
      died(error);
    }
  };
  start().catch(died);
}
