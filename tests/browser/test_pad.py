"""The pad of lesson 00: draw, and it answers; its JavaScript computes what NumPy does; it needs no kernel."""

import base64
import json

import numpy as np
import pytest

from minigrad_course.project.digit_pad import DigitPad

expect = pytest.importorskip("playwright.sync_api").expect


@pytest.fixture
def pad():
    rng = np.random.default_rng(0)
    weights = [0.1 * rng.normal(size=shape) for shape in ((784, 8), (8,), (8, 10), (10,))]
    return DigitPad(weights, rng.uniform(size=(3, 784)), [3, 1, 4])


def show(page, pad):
    content = f"<!doctype html><meta charset=utf-8><body>{pad.html}</body>".encode()
    page.goto(f"data:text/html;base64,{base64.b64encode(content).decode()}")
    return page.locator(".mg-digits")


def test_the_page_computes_forward_and_backward_like_numpy(page, pad):
    root = show(page, pad)
    for x in pad.pictures:
        data = json.loads(root.evaluate("(root, x) => JSON.stringify(root.answer(x))", x.tolist()))
        p, g = pad.answer(x)
        # The weights went to the page as 16-bit integers: each is off by 2⁻¹⁶ of the largest at most.
        np.testing.assert_allclose(data["p"], p, atol=1e-3)
        np.testing.assert_allclose(data["g"], g, atol=1e-3)


def test_more_ink_on_orange_speaks_for_the_digit(page, pad):
    root = show(page, pad)
    root.get_by_role("button", name="More ink on orange").click()
    expect(root).to_have_attribute("data-says", "")  # no ink, no derivatives
    root.get_by_role("button", name="Somebody else's digit").click()
    target = int(pad.answer(pad.pictures[0])[0].argmin())
    root.locator(".mg-bars button").nth(target).click()
    chances = []
    for _ in range(2):
        chances.append(int(root.locator(".mg-bars button").nth(target).get_attribute("aria-label").split()[1]))
        root.get_by_role("button", name="More ink on orange").click()
    assert chances[1] > chances[0]
