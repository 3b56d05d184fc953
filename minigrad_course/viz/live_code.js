// The pad of live_code.py: a point to drag in a plane of codes, and the picture that belongs to it.
// It works from a sheet of decoded pictures, blended, and without anything else. If a kernel listens, the picture that
// its decoder makes of the very code takes the place of the blend.
(() => {
  const NUMBERS = __NUMBERS__; // those of CodePad.html
  const { pad, low, high, grid, shape: [height, width], codes, labels, names, hint } = NUMBERS;
  const SILENCE = 3000; // milliseconds without an answer, until the kernel is taken for gone

  function start(root) {
    root.dataset.ready = "true";
    const plane = root.querySelector(".mg-plane"), sheet = plane.querySelector("img");
    const marker = root.querySelector(".mg-marker"), canvas = root.querySelector("canvas");
    const words = root.querySelector(".mg-words"), spoken = root.querySelector(".mg-spoken");
    const tile = [0, 1].map((k) => (high[k] - low[k]) / (grid - 1)); // how far apart the sheet's codes lie
    let code = [(low[0] + high[0]) / 2, (low[1] + high[1]) / 2];
    let ink = null, asked = 0, waiting = 0, quiet = null;

    const clamp = (x, a, b) => Math.min(Math.max(x, a), b);
    const text = (x) => x.toFixed(2).replace("-", "−");

    function readSheet() {
      const paper = document.createElement("canvas");
      paper.width = grid * width;
      paper.height = grid * height;
      const brush = paper.getContext("2d");
      brush.drawImage(sheet, 0, 0);
      const pixels = brush.getImageData(0, 0, paper.width, paper.height).data;
      ink = Float32Array.from({ length: pixels.length / 4 }, (_, k) => pixels[4 * k]);
    }

    function blend([x, y]) { // bilinear, between the four decoded pictures around the code
      const across = clamp((x - low[0]) / tile[0], 0, grid - 1), down = clamp((high[1] - y) / tile[1], 0, grid - 1);
      const column = Math.min(Math.floor(across), grid - 2), row = Math.min(Math.floor(down), grid - 2);
      const u = across - column, v = down - row, line = grid * width;
      const at = (r, c, i, j) => ink[((row + r) * height + i) * line + (column + c) * width + j];
      const out = new Uint8Array(height * width);
      for (let i = 0; i < height; i++)
        for (let j = 0; j < width; j++)
          out[i * width + j] = (1 - v) * ((1 - u) * at(0, 0, i, j) + u * at(0, 1, i, j))
                             + v * ((1 - u) * at(1, 0, i, j) + u * at(1, 1, i, j));
      return out;
    }

    function paint(greys, how) {
      const brush = canvas.getContext("2d"), image = brush.createImageData(width, height);
      greys.forEach((grey, k) => image.data.set([grey, grey, grey, 255], 4 * k));
      brush.putImageData(image, 0, 0);
      const said = `code (${text(code[0])}, ${text(code[1])})${neighbour()}`;
      words.textContent = `${said} · ${how}`;
      canvas.setAttribute("aria-label", `The picture decoded from ${said}`);
      root.dataset.how = how;
    }

    function neighbour() {
      let best = -1, nearest = Infinity;
      codes.forEach(([x, y], k) => {
        const distance = ((x - code[0]) / tile[0]) ** 2 + ((y - code[1]) / tile[1]) ** 2;
        if (distance < nearest) [best, nearest] = [k, distance];
      });
      return best < 0 ? "" : `, nearest to: ${labels[best]}`;
    }

    function move(x, y) {
      code = [clamp(x, low[0], high[0]), clamp(y, low[1], high[1])];
      const place = [(code[0] - low[0]) / tile[0] + 0.5, (high[1] - code[1]) / tile[1] + 0.5];
      marker.style.left = `${(100 * place[0]) / grid}%`;
      marker.style.top = `${(100 * place[1]) / grid}%`;
      if (ink) paint(blend(code), `blended from ${grid} × ${grid} decoded pictures`);
      clearTimeout(quiet);
      quiet = setTimeout(() => { spoken.textContent = words.textContent; }, 600); // once, when it rests
      if (!waiting) ask();
    }

    function ask() { // one question at a time; what was missed meanwhile is asked when the answer is there
      const question = ++asked;
      waiting = question;
      document.dispatchEvent(new CustomEvent("minigrad-code-asked", { detail: { pad, question, code: [...code] } }));
      setTimeout(() => { if (waiting === question) waiting = 0; }, SILENCE);
    }

    document.addEventListener("minigrad-code-listening", ({ detail }) => { // a kernel that missed what was asked before
      if (detail.pad === pad && ink) ask();
    });

    document.addEventListener("minigrad-code-answered", ({ detail }) => {
      if (detail.pad !== pad || detail.question !== waiting) return;
      waiting = 0;
      if (detail.code[0] === code[0] && detail.code[1] === code[1]) paint(detail.greys, "decoded by the network");
      else ask();
    });

    function follow(event) {
      const box = plane.getBoundingClientRect();
      move(low[0] + ((event.clientX - box.left) / box.width * grid - 0.5) * tile[0],
           high[1] - ((event.clientY - box.top) / box.height * grid - 0.5) * tile[1]);
    }
    plane.addEventListener("pointerdown", (event) => {
      plane.setPointerCapture(event.pointerId);
      plane.focus();
      event.preventDefault();
      follow(event);
    });
    plane.addEventListener("pointermove", (event) => { if (plane.hasPointerCapture(event.pointerId)) follow(event); });
    plane.addEventListener("keydown", (event) => {
      const step = event.shiftKey ? 1 : 0.2; // of the distance between two pictures of the sheet
      const way = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] }[event.key];
      if (way) move(code[0] + way[0] * step * tile[0], code[1] + way[1] * step * tile[1]);
      else if (event.key === "Home") move((low[0] + high[0]) / 2, (low[1] + high[1]) / 2);
      else return;
      event.preventDefault();
      event.stopPropagation();
    });

    for (const [name, left, top, colour] of names) {
      const part = plane.insertBefore(document.createElement("span"), marker);
      part.className = "mg-name";
      part.textContent = name;
      part.style.color = colour;
      part.ariaHidden = "true";
      part.style.left = `${left}%`;
      part.style.top = `${top}%`;
    }
    canvas.hidden = false;
    root.querySelector(".mg-hint").textContent = hint;
    sheet.decode().then(() => { readSheet(); move(...code); });
  }

  for (const root of document.querySelectorAll(`[data-minigrad-pad="${pad}"]:not([data-ready])`)) start(root);
})();
