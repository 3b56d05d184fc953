// What goes through the door between Python and the page (door.py has the same): one line of JSON, and bytes behind it.

const decoder = new TextDecoder();
const encoder = new TextEncoder();

/** Bytes that carry an object, and other bytes behind it: one line of JSON, and the rest. */
export function pack(object, buffers = []) {
  const parts = [encoder.encode(JSON.stringify({ ...object, sizes: buffers.map(buffer => buffer.byteLength) }) + "\n")];
  for (const buffer of buffers) parts.push(new Uint8Array(buffer.buffer ?? buffer, buffer.byteOffset ?? 0, buffer.byteLength));
  const whole = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  parts.reduce((at, part) => (whole.set(part, at), at + part.length), 0);
  return whole;
}

/** What `pack` was given: the object, and the bytes behind it. */
export function unpack(bytes) {
  const end = bytes.indexOf(10);
  const { sizes, ...object } = JSON.parse(decoder.decode(bytes.subarray(0, end)));
  let at = end + 1;
  return [object, sizes.map(size => bytes.slice(at, (at += size)))];
}
