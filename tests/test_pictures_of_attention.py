"""The picture of attention: what it says is what the shares say, and it stands alone in a page."""

import re

import numpy as np
import pytest

from minigrad_course.viz.pictures_of_attention import looks

SHARES = np.array([[[1.0, 0, 0], [0.25, 0.75, 0], [0.5, 0.2, 0.3]], [[1.0, 0, 0], [0, 1, 0], [0.1, 0.1, 0.8]]])


def test_the_sentence_says_where_each_head_looks_most():
    picture = looks("a b", SHARES)
    assert repr(picture) == "From letter 3, “b”, looks most at: head 1: “a”, 2 back (50 %); head 2: “b”, itself (80 %)."
    assert picture.sentence(1) == (
        "From letter 2, “␣”, looks most at: head 1: “␣”, itself (75 %); head 2: “␣”, itself (100 %)."
    )


def test_the_page_needs_nothing_else():
    html = looks(["<", "&", "\n"], SHARES).html
    assert "http" not in html
    cells = re.findall(r'<span data-k="(\d)"[^>]*>([^<]*)</span>', html)
    assert cells == [("0", "&lt;"), ("1", "&amp;"), ("2", "↵")] * 2
    assert html.count("<script>") == 1
    assert html.count("outline:2px solid #D55E00;") == 2  # the position that looks, once for each head


@pytest.mark.parametrize(
    ("letters", "shares", "words"),
    [
        ("ab", SHARES, r"2 letters have shares of shape \(heads, 2, 2\)"),
        ("abc", SHARES * 2, "add up to 1"),
    ],
)
def test_what_does_not_fit_is_refused(letters, shares, words):
    with pytest.raises(ValueError, match=words):
        looks(letters, shares)
