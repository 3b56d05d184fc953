"""Weights during training: a sheet of tiles for each recorded moment, played one after the other."""

from __future__ import annotations

import io
from base64 import b64encode
from collections.abc import Mapping
from typing import Any

import numpy as np

from minigrad_course.viz import plots
from minigrad_course.viz.film import Film, number
from minigrad_course.viz.pictures_of_weights import as_images, tiles

WIDTH, FRAME = 620.0, 8.0
HIGHEST = 380.0  # pixels, of the sheet
SHADES = 15  # of each colour: a byte holds two pixels, which keeps a film of them small
BLUE, ORANGE = (24, 128, 196), (221, 104, 24)  # visible on light and dark pages


def animate_weights(kept: Mapping[int, Any], name: str, columns: int | None = None) -> Film:
    """Animate weights as they form: blue below zero, orange above, stronger colours for larger values.

    kept: number of batches -> the weights after them, as `mg.viz.Weights` takes them: rows of a matrix, or the filters
    of a convolution, of which 64 are shown. name: of the weights. columns: tiles in a row. The colour scale is the same
    for all moments. Raises ValueError if nothing was kept, or shapes differ.
    """
    if not kept or len({np.shape(array) for array in kept.values()}) != 1:
        raise ValueError("a film of weights needs at least one array of them, and all of one shape")
    images = {batch: as_images(array, None)[:64] for batch, array in sorted(kept.items())}
    sheets = {batch: tiles(tile, columns) for batch, tile in images.items()}
    limit = max(plots.signed_limits(tile) for tile in images.values())
    rows, across = next(iter(sheets.values())).shape
    scale = min((WIDTH - 2 * FRAME) / across, HIGHEST / rows)
    film = Film(f"{name[:1].upper()}{name[1:]}, as training forms them", WIDTH, rows * scale + 3 * FRAME + 22, pace=300)
    y = rows * scale + 2 * FRAME + 10
    film.add("text", of="start value bold", x=FRAME, y=y, text=f"■ {number(-limit, 2)}")
    film.add("text", of="start adjoint bold", x=FRAME + 84, y=y, text=f"■ {number(limit, 2)}")
    film.add("text", "batch", "end bold", x=WIDTH - FRAME, y=y, text="")
    left = (WIDTH - across * scale) / 2
    film.add("image", "sheet", x=left, y=FRAME, width=across * scale, height=rows * scale, href="")
    for batch, sheet in sheets.items():
        largest = plots.signed_limits(images[batch])
        film.step(
            f"After {batch:,} batch{'' if batch == 1 else 'es'}: the largest weight is {number(largest, 2)} in size."
            if batch
            else f"Before training: the random start, no weight larger than {number(largest, 2)} in size.",
            sheet={"href": f"data:image/png;base64,{b64encode(_png(sheet / limit)).decode()}"},
            batch={"text": f"batch {batch:,}"},
        )
    return film


def _png(sheet: np.ndarray) -> bytes:
    """Encode numbers from -1 to 1 as a PNG of few colours, more transparent near 0, so that any page shows through. The
    nan between tiles is grey.
    """
    from PIL import Image  # which matplotlib brings

    shades = np.rint(SHADES * np.nan_to_num(sheet)).astype(int)
    codes = np.where(np.isnan(sheet), 2 * SHADES + 1, shades + SHADES).astype(np.uint8)
    palette = [*BLUE] * (SHADES + 1) + [*ORANGE] * SHADES + [128] * 3
    opacity = [round(255 * abs(k - SHADES) / SHADES) for k in range(2 * SHADES + 1)] + [36]
    image, file = Image.fromarray(codes, "P"), io.BytesIO()
    image.putpalette(palette)
    image.save(file, "PNG", transparency=bytes(opacity), optimize=True)
    return file.getvalue()
