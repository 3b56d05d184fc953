"""Training watched as it goes, and a plane of codes to drag in, with a pointer and with keys."""

import base64
import re

import pytest

expect = pytest.importorskip("playwright.sync_api").expect

SLOW = """
import time
import minigrad as mg
data = mg.data.digits()
"""

CURVES = """
model = mg.nn.Sequential(mg.nn.Linear(784, 32, rng=0), mg.nn.Tanh(), mg.nn.Linear(32, 10, rng=1))
history = mg.fit(model, data, 12, 50, mg.optim.SGD(0.05), rng=0, on_batch=lambda k, loss: time.sleep(0.03),
    live=mg.viz.Live(mg.viz.Weights(model[0], name="first layer")))
"""

STRIP = """
import numpy as np
class Reader(mg.nn.Module):
    def __init__(self):
        rng = np.random.default_rng(0)
        self.rnn = mg.nn.RNN(28, 32, batch_first=True, rng=rng)
        self.dense = mg.nn.Linear(32, 10, rng=rng)
    def forward(self, x):
        states, _ = self.rnn(x.reshape(x.shape[0], 28, 28))
        return self.dense(states[:, -1])
reader = Reader()
view = mg.viz.Live(mg.viz.GradientNorms(reader, data.test_x[:50], data.test_y[:50]), beside={"dense network": history})
mg.fit(reader, data, 3, 50, mg.optim.SGD(0.05), rng=0, live=view);
"""

AUTOENCODER = """
from dataclasses import replace
import numpy as np
nn, rng = mg.nn, np.random.default_rng(0)
encoder = nn.Sequential(nn.Linear(784, 128, rng=rng), nn.Tanh(), nn.Linear(128, 2, rng=rng))
decoder = nn.Sequential(nn.Linear(2, 128, rng=rng), nn.Tanh(), nn.Linear(128, 784, rng=rng), nn.Sigmoid())
both = nn.Sequential(encoder, decoder)
pictures = replace(data, train_y=data.train_x, test_y=data.test_x)
view = mg.viz.Live(mg.viz.Reconstructions(both, data.test_x), loss="squared error of a picture")
mg.fit(both, pictures, 10, 50, mg.optim.Adam(0.003), rng=0, live=view,
    loss=lambda made, x: mg.sum(mg.square(made - x)) / made.shape[0]);
"""

PAD = """
codes = encoder(mg.Constant(data.test_x)).value
mg.viz.CodePad(decoder, codes=codes, labels=data.test_y)
"""

# Looks at every frame of the page: the pictures it has shown, and whether any frame lacked one or was lower.
WATCH = """() => {
    const seen = window.seen = {sources: new Set(), elements: new Set(), blank: 0, heights: new Set()}
    const look = () => {
        const image = document.querySelector(".minigrad-live img")
        if (image) {
            seen.sources.add(image.src); seen.elements.add(image)
            if (seen.sources.size > 1) {
                seen.heights.add(Math.round(image.getBoundingClientRect().height))
                if (!image.naturalWidth) seen.blank += 1
            }
        }
        if (window.seen === seen) requestAnimationFrame(look)
    }
    look() }"""
TELL = """() => {
    const { sources, elements, blank, heights } = seen
    window.seen = null
    return { pictures: sources.size, elements: elements.size, blank, heights: [...heights] } }"""


def test_curves_grow_while_it_trains_and_a_plain_picture_stays(lab):
    name = lab.server.write("curves.ipynb", SLOW, CURVES)
    lab.open(name)
    lab.run("import time")
    lab.page.evaluate(WATCH)
    cell = lab.start("history = mg.fit")
    line = cell.locator(".minigrad-live div")
    expect(line).to_contain_text(
        re.compile(r"batch \d+ of 312 · loss [\d.]+ · epoch \d+: test accuracy"), timeout=60_000
    )
    lab.shot("live-during", cell)
    expect(cell.locator(".jp-InputPrompt")).to_have_text(re.compile(r"\[\d+\]"), timeout=60_000)

    seen = lab.page.evaluate(TELL)
    assert seen["pictures"] >= 5, "it changed while it trained"
    assert seen["elements"] == 1, "in one element: nothing was taken away and put back"
    assert seen["blank"] == 0
    assert len(seen["heights"]) == 1, "the page stood still"

    expect(cell.locator(".jp-OutputArea-output img")).to_have_count(1)
    expect(cell.locator(".minigrad-live")).to_have_count(0)
    words = cell.locator(".minigrad-caption")
    expect(words).to_contain_text(re.compile(r"Loss over 312 batches.*Test accuracy [89]\d\.\d % after 12 epochs"))
    expect(words).to_contain_text("First layer as 32 images of 28 by 28")
    lab.shot("live-after", cell)

    outputs = lab.save(name)[1]["outputs"]
    assert ["image/png" in output["data"] for output in outputs] == [True, False]
    assert not any("widget" in kind for output in outputs for kind in output["data"])


def test_panels_and_a_digit_that_morphs_as_one_drags_in_the_plane(lab):
    quick = CURVES.replace("12, 50", "2, 50").replace("time.sleep(0.03)", "None")
    lab.open(lab.server.write("panels.ipynb", SLOW, quick, STRIP, AUTOENCODER, PAD), "dark")
    lab.run_all(timeout=180)
    strip, pictures = lab.cell("class Reader"), lab.cell("encoder = nn.Sequential")
    expect(strip.locator(".minigrad-caption")).to_contain_text("The spectral radius of W_hh went from")
    expect(pictures.locator(".minigrad-caption")).to_contain_text("and below each its copy")
    lab.shot("live-strip", strip)
    lab.shot("live-reconstructions", pictures)

    cell = lab.cell("CodePad")
    plane, words, canvas = (cell.locator(f".mg-pad {part}") for part in (".mg-plane", ".mg-words", "canvas"))
    plane.scroll_into_view_if_needed()
    expect(words).to_contain_text("decoded by the network", timeout=20_000)  # the kernel answered

    box = plane.bounding_box()
    lab.page.mouse.move(box["x"] + 0.3 * box["width"], box["y"] + 0.3 * box["height"])
    lab.page.mouse.down()
    texts, drawn = set(), set()
    for share in (0.35, 0.45, 0.55, 0.65, 0.75):
        lab.page.mouse.move(box["x"] + share * box["width"], box["y"] + share * box["height"])
        texts.add(words.inner_text().split("·")[0])
        drawn.add(canvas.evaluate("canvas => canvas.toDataURL()"))
    lab.page.mouse.up()
    assert len(texts) == len(drawn) == 5
    expect(words).to_contain_text("decoded by the network")
    lab.shot("pad", cell)

    # Keys: the cell beside does not move, the code does.
    before = words.inner_text()
    lab.page.keyboard.press("ArrowRight")
    lab.page.keyboard.press("Shift+ArrowUp")
    assert words.inner_text() != before
    lab.page.keyboard.press("Home")
    expect(cell.locator(".mg-spoken")).to_have_text(re.compile(r"code \(.*, nearest to: \d · decoded by the network"))

    # Without a kernel it goes on, from the sheet of decoded pictures.
    lab.close()
    lab.page.keyboard.press("ArrowLeft")
    expect(words).to_contain_text("blended from 15 × 15 decoded pictures")


def test_a_page_alone_has_a_working_pad(page, tmp_path):
    """nbconvert's page works without a kernel, JupyterLab or network."""
    from minigrad_course.viz import CodePad

    pad = CodePad(lambda code: code @ [[0.1] * 16, [0.2] * 16], -1, 1)
    (tmp_path / "page.html").write_text(f"<!doctype html><meta charset=utf-8><body>{pad.html}</body>")
    page.goto(f"data:text/html;base64,{base64.b64encode((tmp_path / 'page.html').read_bytes()).decode()}")
    words = page.locator(".mg-words")
    expect(words).to_have_text("code (0.00, 0.00) · blended from 15 × 15 decoded pictures")
    page.locator(".mg-plane").focus()
    for _ in range(8):
        page.keyboard.press("Shift+ArrowRight")
    page.keyboard.press("ArrowUp")
    expect(words).to_contain_text("code (1.00, 0.03)")
    grey = page.locator("canvas").evaluate("canvas => canvas.getContext('2d').getImageData(1, 1, 1, 1).data[0]")
    assert grey == pytest.approx(255 * (1 - (0.1 + 0.2 * 0.2 / 7)), abs=2)


def test_a_kernel_that_listens_only_after_the_pad_has_asked_is_asked_again(page):
    from minigrad_course.viz import CodePad
    from minigrad_course.viz.live_code import LINK

    pad = CodePad(lambda code: code @ [[0.1] * 16, [0.2] * 16], -1, 1)
    page.set_content(pad.html)
    words = page.locator(".mg-words")
    expect(words).to_contain_text("blended from 15 × 15 decoded pictures")  # and has asked
    page.evaluate(
        """async ([link, pad]) => {
            const { initialize } = (await import("data:text/javascript," + encodeURIComponent(link))).default
            const heard = {}
            const send = (asked) => setTimeout(() => heard["msg:custom"](asked, [new Uint8Array(16).fill(7)]))
            initialize({ model: { get: () => pad, on: (kind, then) => { heard[kind] = then }, send } })
        }""",
        [LINK, page.locator(".mg-pad").get_attribute("data-minigrad-pad")],
    )
    expect(words).to_have_text("code (0.00, 0.00) · decoded by the network")


def test_where_no_script_may_run_the_sheet_is_there_to_look_at(lab):
    from nbformat.v4 import new_output

    from minigrad_course.viz import CodePad

    pad = CodePad(lambda code: code @ [[0.1] * 16, [0.2] * 16], -1, 1, codes=[[0, 0]], labels=["7"])
    data = {"text/html": pad.html, "image/png": base64.b64encode(pad.png).decode(), "text/plain": repr(pad)}
    stored = new_output("display_data", data=data)
    name = lab.server.write("untrusted.ipynb", "pad", outputs={0: [stored]})
    lab.open(name)
    sheet = lab.cell("pad").locator(".jp-OutputArea-output img")
    expect(sheet).to_be_visible()
    assert sheet.evaluate("image => image.naturalWidth") == 15 * 4
    expect(lab.cell("pad").locator(".jp-OutputArea-output")).to_contain_text("15 by 15 pictures decoded from codes")
    lab.shot("pad-untrusted", lab.cell("pad"))
