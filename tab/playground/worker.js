// The playground's worker: one Python, and its answers to the page.
//
// From the page: {request: text}. To the page: {progress: text, share}, {ready: true}, {answer: text}, {died: text}.
// The text is JSON; minigrad_course/viz/explore/typed.py says what is in it.

import { Interpreter } from "../extensions/minigrad-tab/static/interpreter.js";
import { pack } from "../extensions/minigrad-tab/static/message.js";
import { fetchedAll, MB } from "../extensions/minigrad-tab/static/packages.js";

const TURN = '__import__("minigrad_tab.playground").playground.playground.turn()';
const FIRST = '{"source": "def f(x):\\n    return x * mg.sin(x)", "compiled": true}'; // imports what all need
const encoder = new TextEncoder();
const decoder = new TextDecoder();
let python, request, answer;

/** What Python asks for: the request, and to send the answer. Nothing else of the page can be reached from a function. */
function door(asked) {
  const end = asked.indexOf(10);
  const { ask } = JSON.parse(decoder.decode(asked.subarray(0, end)));
  if (ask === "receive") return pack({}, [encoder.encode(request)]);
  answer = decoder.decode(asked.subarray(end + 1));
  return new Uint8Array();
}

function turn(text) {
  request = text;
  python.turn(TURN);
  return answer;
}

async function start() {
  const manifest = await (await fetch(new URL("../extensions/minigrad-tab/static/packages.json", import.meta.url))).json();
  const files = await fetchedAll(manifest.start, (bytes, total) =>
    postMessage({ progress: `${MB(bytes)} of ${MB(total)} MB`, share: bytes / total }),
  );
  postMessage({ progress: "it starts" });
  python = await Interpreter.start(files, door);
  python.turn(manifest.boot);
  turn(FIRST);
  postMessage({ ready: true });
}

const died = error => {
  console.error(error);
  postMessage({ died: error instanceof RangeError ? "The function calls itself too deeply for the browser." : String(error.message ?? error) });
};
onmessage = ({ data }) => {
  try {
    postMessage({ answer: turn(data.request) });
  } catch (error) {
    died(error);
  }
};
start().catch(died);
