"""From pixels to the areas of a picture that stand out from its ground.

Nothing here is learnt: an area is a connected set of pixels of much the same colour.
"""

import base64
import binascii
import io
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from PIL import Image

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]

# Pictures are looked at through this many pixels, whatever their size.
_WIDTH, _HEIGHT = 128, 96
_STANDS_OUT = 0.16
_SAME_COLOUR = 0.2
_LEAST_INNER = 6
_MOST_AREAS = 24
_SPOKES = 24
_OVERTONES = 6
FORM_FIGURES = 4 + _OVERTONES


@dataclass(frozen=True, slots=True)
class Area:
    """One area: its mean colour, figures of its form, its size and its place, all 0 to 1."""

    colour: Floats
    form: Floats
    size: float
    x: float
    y: float


def pixels_of(value: object) -> Floats:
    """Return a picture's colours, 0 to 1, as rows of a fixed size.

    A value that holds no readable picture gives an even grey: a model answers anything.
    """
    data = value.get("data") if isinstance(value, Mapping) else None
    try:
        content = base64.b64decode(str(data or ""), validate=True)
        with Image.open(io.BytesIO(content)) as picture:
            small = picture.convert("RGB").resize((_WIDTH, _HEIGHT), Image.Resampling.BOX)
    except (binascii.Error, OSError, ValueError, Image.DecompressionBombError):
        return np.full((_HEIGHT, _WIDTH, 3), 0.5)
    return np.asarray(small, dtype=np.float64) / 255


def areas_of(pixels: Floats) -> list[Area]:
    """Return the areas that differ from the ground, the largest first."""
    rim = np.concatenate([pixels[0], pixels[-1], pixels[:, 0], pixels[:, -1]])
    ground = np.median(rim, axis=0)
    stands_out = np.abs(pixels - ground).max(axis=2) > _STANDS_OUT
    areas = [_area(pixels, *places) for places in _connected(pixels, stands_out)]
    return sorted(areas, key=lambda one: -one.size)[:_MOST_AREAS]


def _connected(pixels: Floats, stands_out: NDArray[np.bool_]) -> list[tuple[Integers, Integers]]:
    """Return the rows and columns of each set of pixels that are joined by like neighbours."""
    places = np.arange(1, stands_out.size + 1).reshape(stands_out.shape)
    labels = np.where(stands_out, places, 0)
    beside = _alike(pixels[:, 1:], pixels[:, :-1]) & stands_out[:, 1:] & stands_out[:, :-1]
    below = _alike(pixels[1:], pixels[:-1]) & stands_out[1:] & stands_out[:-1]
    while True:
        before = labels.copy()
        # The smaller number wins, to both sides; then each takes what its winner has won.
        for one, other, joined in (
            (labels[:, 1:], labels[:, :-1], beside),
            (labels[1:], labels[:-1], below),
        ):
            np.minimum(one, other, out=one, where=joined)
            np.minimum(other, one, out=other, where=joined)
        labels[stands_out] = labels.reshape(-1)[labels[stands_out] - 1]
        if np.array_equal(labels, before):
            break
    # A rim, mixed with the ground, has no inner pixels: it is no area of its own.
    found, sizes = np.unique(labels[_inner(stands_out)], return_counts=True)
    large = found[sizes >= _LEAST_INNER]
    found_places = [np.argwhere(labels == one) for one in large[: _MOST_AREAS * 2]]
    return [(places[:, 0], places[:, 1]) for places in found_places]


def _inner(mask: NDArray[np.bool_]) -> NDArray[np.bool_]:
    inner = mask.copy()
    inner[1:-1, 1:-1] &= mask[:-2, 1:-1] & mask[2:, 1:-1] & mask[1:-1, :-2] & mask[1:-1, 2:]
    return inner


def _alike(one: Floats, other: Floats) -> NDArray[np.bool_]:
    return np.asarray(np.abs(one - other).max(axis=2) < _SAME_COLOUR)


def _area(pixels: Floats, rows: Integers, columns: Integers) -> Area:
    colour = np.median(pixels[rows, columns], axis=0)
    y, x = rows.mean(), columns.mean()
    return Area(
        colour=colour,
        form=_form(rows - y, columns - x),
        size=len(rows) / (_WIDTH * _HEIGHT),
        x=float(x) / _WIDTH,
        y=float(y) / _HEIGHT,
    )


def _form(down: Floats, right: Floats) -> Floats:
    """Return figures of a form that do not change with its place and size.

    The share of its box and of its circle that it fills, how empty its middle is, how long
    it is, and how its reach varies with the direction (the strengths of that wave's tones).
    """
    height, width = np.ptp(down) + 1, np.ptp(right) + 1
    distance = np.hypot(down, right)
    reach = distance.max() + 0.5
    direction = ((np.arctan2(down, right) + np.pi) / (2 * np.pi) * _SPOKES).astype(np.int64)
    spokes = np.zeros(_SPOKES)
    np.maximum.at(spokes, direction % _SPOKES, distance + 0.5)
    tones = np.abs(np.fft.rfft(spokes / reach))[2 : 2 + _OVERTONES] / _SPOKES
    figures = [
        len(down) / (height * width),
        len(down) / (np.pi * reach**2),
        float((distance < reach / 3).sum()) / (np.pi * (reach / 3) ** 2 + 1),
        min(height, width) / max(height, width),
    ]
    return np.concatenate([figures, tones * 4])
