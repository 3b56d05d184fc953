// A worker with a Python that answers one request after the other: the playground's, and the one that tries an engine.
//
// From the page: {request: text}. To the page: {progress: text, share}, {ready: true}, {answer: text}, {died: text}.

import { pack } from "./message.js";
import { MB, started } from "./packages.js";

const REST = 3000; // milliseconds until what the next visit needs is kept

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
    const import_ = it => {
      python = it;
      if (first) turn(first);
    };
    const progress = (bytes, total) => postMessage({ progress: `${MB(bytes)} of ${MB(total)} MB`, share: bytes / total });
    const beginning = await started(door, module, import_, progress);
    python = beginning.python;
    postMessage({ ready: true });
    setTimeout(beginning.keepAll, REST);
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
