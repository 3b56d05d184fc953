// The pad of digit_pad.py: draw a digit, and a small network answers while you draw, with its derivative by each pixel.
// Forward and backward pass are written out below, in the order of lessons 04 and 07; the weights came with the page.
(() => {
  const { pad, shapes, scales, weights, samples, labels } = __NUMBERS__; // those of DigitPad.html
  const bytes = (text) => Uint8Array.from(atob(text), (c) => c.charCodeAt(0));
  const [W1, b1, W2, b2] = weights.map((text, k) =>
    Float32Array.from(new Int16Array(bytes(text).buffer), (x) => x * scales[k]));
  const [pixels, hidden, classes] = [shapes[0][0], shapes[0][1], shapes[1][1]];
  const SIZE = 280, FRAME = 28, BOX = 20, PEN = 11;

  function forward(x) { // h = relu(x W1 + b1), z = h W2 + b2, p = softmax(z)
    const h = Float32Array.from(b1);
    for (let i = 0; i < pixels; i++) if (x[i]) for (let j = 0; j < hidden; j++) h[j] += x[i] * W1[i * hidden + j];
    for (let j = 0; j < hidden; j++) h[j] = Math.max(h[j], 0);
    const z = Float64Array.from(b2);
    for (let j = 0; j < hidden; j++) for (let k = 0; k < classes; k++) z[k] += h[j] * W2[j * classes + k];
    const top = Math.max(...z), e = z.map((v) => Math.exp(v - top)), sum = e.reduce((a, b) => a + b);
    return { h, p: e.map((v) => v / sum) };
  }

  function backward({ h, p }, label) { // of log p[label] with respect to each pixel: one pass, all 784
    const slope = Float64Array.from({ length: hidden }, (_, j) => {
      if (!h[j]) return 0;
      let g = W2[j * classes + label];
      for (let k = 0; k < classes; k++) g -= p[k] * W2[j * classes + k];
      return g;
    });
    return Float64Array.from({ length: pixels }, (_, i) => {
      let g = 0;
      for (let j = 0; j < hidden; j++) g += W1[i * hidden + j] * slope[j];
      return g;
    });
  }

  function centred(ink) { // as MNIST was made: scaled into a box of 20, its centre of mass in the middle of 28
    let [mass, x, y, left, right, above, below] = [0, 0, 0, SIZE, 0, SIZE, 0];
    for (let r = 0; r < SIZE; r++) for (let c = 0; c < SIZE; c++) {
      const a = ink[4 * (r * SIZE + c) + 3];
      if (!a) continue;
      mass += a; x += a * c; y += a * r;
      left = Math.min(left, c); right = Math.max(right, c); above = Math.min(above, r); below = Math.max(below, r);
    }
    const out = new Float32Array(FRAME * FRAME);
    if (!mass) return out;
    const scale = BOX / Math.max(right - left, below - above, 90);
    for (let r = above; r <= below; r++) for (let c = left; c <= right; c++) {
      const row = Math.round((r - y / mass) * scale + (FRAME - 1) / 2);
      const column = Math.round((c - x / mass) * scale + (FRAME - 1) / 2);
      if (row >= 0 && row < FRAME && column >= 0 && column < FRAME)
        out[row * FRAME + column] += (ink[4 * (r * SIZE + c) + 3] / 255) * scale * scale;
    }
    return out.map((v) => Math.min(v, 1));
  }

  function start(root) {
    root.dataset.ready = "true";
    const paper = root.querySelector(".mg-paper"), slopes = root.querySelector(".mg-slopes");
    const words = root.querySelector(".mg-words"), bars = root.querySelector(".mg-bars");
    const brush = paper.getContext("2d", { willReadFrequently: true });
    const INK = 0.2; // that one press adds where the derivative is largest
    let chosen = null, last = null, asked = false, sample = 0, shown = new Float32Array(pixels), slope = [];

    const rows = Array.from({ length: classes }, (_, k) => {
      const row = bars.appendChild(document.createElement("button"));
      row.type = "button";
      row.innerHTML = `<span>${k}</span><i></i>`;
      row.title = `which pixels speak for ${k}?`;
      row.onclick = () => { chosen = chosen === k ? null : k; answer(shown); };
      return row;
    });

    function answer(x) {
      shown = x;
      const seen = forward(x), best = seen.p.indexOf(Math.max(...seen.p)), label = chosen ?? best;
      const empty = !x.some((v) => v), g = backward(seen, label), most = g.reduce((a, v) => Math.max(a, Math.abs(v)), 1e-12);
      slope = g.map((v) => (empty ? 0 : v / most));
      rows.forEach((row, k) => { // what has not changed is not written: the browser would lay it out and paint it again
        const percent = empty ? 0 : Math.round(100 * seen.p[k]), marked = !empty && k === label;
        if (row.percent !== percent) {
          row.percent = percent;
          row.lastChild.style.transform = `scaleX(${percent / 100})`;
          row.setAttribute("aria-label", `${k}: ${percent} percent`);
        }
        if (row.classList.contains("mg-chosen") !== marked) row.classList.toggle("mg-chosen");
      });
      const picture = slopes.getContext("2d"), image = picture.createImageData(FRAME, FRAME);
      for (let i = 0; i < pixels; i++) { // orange speaks for, blue against; the ink lies over it, in grey
        const s = Math.abs(slope[i]), to = g[i] > 0 ? [213, 94, 0] : [0, 114, 178];
        to.forEach((v, c) => { image.data[4 * i + c] = (255 + (v - 255) * s) * (1 - 0.45 * x[i]); });
        image.data[4 * i + 3] = 255;
      }
      picture.putImageData(image, 0, 0);
      const said = empty ? "Draw a digit." :
        `It says ${best} (${Math.round(100 * seen.p[best])} %). On the right: more ink on orange speaks for ${label}, on blue against it.`;
      if (words.textContent !== said) words.textContent = said;
      root.dataset.says = empty ? "" : best;
      return { p: [...seen.p], g: [...g] };
    }
    root.answer = (x) => answer(Float32Array.from(x));

    function soon() { // once for each picture of the screen, however many points the pointer sends
      if (asked) return;
      asked = true;
      requestAnimationFrame(() => {
        asked = false;
        answer(centred(brush.getImageData(0, 0, SIZE, SIZE).data));
        root.dataset.answers = 1 + Number(root.dataset.answers ?? 0);
      });
    }

    function place(event) {
      const box = paper.getBoundingClientRect();
      return [(event.clientX - box.left) * SIZE / box.width, (event.clientY - box.top) * SIZE / box.height];
    }
    function draw(event) {
      const to = place(event);
      Object.assign(brush, { lineWidth: 2 * PEN, lineCap: "round", lineJoin: "round", strokeStyle: "black" });
      brush.beginPath();
      brush.moveTo(...(last ?? to));
      brush.lineTo(...to);
      brush.stroke();
      last = to;
      soon();
    }
    function clear() {
      brush.clearRect(0, 0, SIZE, SIZE);
      chosen = null;
      answer(new Float32Array(pixels));
    }
    paper.onpointerdown = (event) => { paper.setPointerCapture(event.pointerId); last = null; draw(event); event.preventDefault(); };
    paper.onpointermove = (event) => { if (event.buttons) draw(event); };
    root.querySelector(".mg-clear").onclick = clear;
    function put(x) {
      brush.clearRect(0, 0, SIZE, SIZE);
      x.forEach((v, i) => {
        brush.fillStyle = `rgba(0, 0, 0, ${v})`;
        brush.fillRect((i % FRAME) * 10, Math.floor(i / FRAME) * 10, 10, 10);
      });
      answer(x);
    }
    root.querySelector(".mg-sample").onclick = () => { // one that somebody else has written
      chosen = null;
      put(Float32Array.from(bytes(samples[sample]), (v) => v / 255));
      sample = (sample + 1) % samples.length;
    };
    root.querySelector(".mg-more").onclick = () => put(shown.map((v, i) => Math.min(1, v + INK * Math.max(slope[i], 0))));
    clear();
  }

  for (const root of document.querySelectorAll(`[data-minigrad-digits="${pad}"]:not([data-ready])`)) start(root);
})();
