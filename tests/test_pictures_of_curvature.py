"""Pictures of second derivatives: what stands in the tiles, and which paths lie in the valley."""

import numpy as np

from minigrad_course.viz import pictures_of_curvature


def test_a_tile_has_its_number_and_one_that_is_not_known_yet_has_none(shown):
    whole = np.array([[16.0, -4.0], [-4.0, 0.5]])
    part = np.array([[16.0, np.nan], [-4.0, np.nan]])
    pictures_of_curvature.tiles({"after 1 pass": part, "after 2": whole}, "a column for each pass")
    ((figure, sentence),) = shown
    left, right = figure.axes
    assert sentence == "a column for each pass"
    assert [ax.get_title(loc="left") for ax in (left, right)] == ["after 1 pass", "after 2"]
    assert [text.get_text() for text in left.texts] == ["16", "-4"]
    assert [text.get_text() for text in right.texts] == ["16", "-4", "-4", "0.5"]
    assert left.images[0].get_clim() == right.images[0].get_clim() == (-16, 16)


def test_tiles_can_keep_their_scale_while_they_fill_in(shown):
    pictures_of_curvature.tiles({"now": np.array([[2.0]])}, "one", limit=50)
    assert shown[0][0].axes[0].images[0].get_clim() == (-50, 50)


def test_a_path_lies_on_the_map_and_its_heights_beside_it(shown):
    def bowl(p):
        return p[0] ** 2 + p[1] ** 2

    path = [np.array(p) for p in ([1.0, 0.0], [0.5, 0.0], [0.0, 0.0])]
    pictures_of_curvature.valley(bowl, {"halving": path}, (-2, 2, -1, 1), "down")
    ((figure, _),) = shown
    ground, falling = figure.axes
    np.testing.assert_array_equal(ground.lines[0].get_xydata(), path)
    np.testing.assert_allclose(falling.lines[0].get_ydata(), [1.0, 0.25, 1e-20])  # the last one is lifted to the floor
    assert ground.get_xlim() == (-2, 2)
    assert ground.get_ylim() == (-1, 1)
    assert "halving" in falling.texts[0].get_text()
