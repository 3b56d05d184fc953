"""Training watched as it goes."""

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


def test_curves_grow_while_it_trains(lab):
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
