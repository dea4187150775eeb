"""From the bytes of a sound to where it speaks, and to figures of what it says there."""

import base64
import binascii
import io
from collections.abc import Mapping
from dataclasses import dataclass
from itertools import islice, pairwise

import numpy as np
import soundfile  # type: ignore[import-untyped]  # It has no types.
from numpy.typing import NDArray

Floats = NDArray[np.float64]

_RATE = 8000
# Frames of 32 ms, one every 8 ms.
_WINDOW, _STEP = 256, 64
_BANDS, _LOWEST_HERTZ, _HIGHEST_HERTZ = 36, 150.0, 3600.0
_SLICES = 9
_MOST_SECONDS = 60
_LEAST_FRAMES = 8
_QUIETEST = 1e-4


@dataclass(frozen=True, slots=True)
class Cut:
    """How a sound is cut into words.

    Attributes:
        loudness: How far above the quiet a frame must lie, 0 the quiet and 1 the loud.
        pause: From how many quiet frames on a word has ended.
    """

    loudness: float
    pause: int


@dataclass(frozen=True, slots=True)
class Heard:
    """A sound as frames: how loud each is, and how strong in each band of pitches."""

    loudness: Floats
    bands: Floats


def samples_of(value: object) -> Floats:
    """Return a sound as one channel of samples at the rate at which it is listened to.

    A value that holds no readable sound gives none: a model answers anything.
    """
    data = value.get("data") if isinstance(value, Mapping) else None
    try:
        content = base64.b64decode(str(data or ""), validate=True)
        with soundfile.SoundFile(io.BytesIO(content)) as file:
            rate = file.samplerate
            # A second at a time: a small file may unfold to many channels.
            seconds = islice(file.blocks(rate, always_2d=True), _MOST_SECONDS)
            parts = [second.mean(axis=1) for second in seconds]
    except (binascii.Error, ValueError, soundfile.SoundFileError):
        return np.zeros(0)
    sound: Floats = np.nan_to_num(np.concatenate([np.zeros(0), *parts]))
    return sound if rate == _RATE else _resampled(sound, rate)


def hear(samples: Floats) -> Heard:
    """Return the frames of a sound."""
    if len(samples) < _WINDOW:
        samples = np.concatenate([samples, np.zeros(_WINDOW - len(samples))])
    frames = np.lib.stride_tricks.sliding_window_view(samples, _WINDOW)[::_STEP]
    strengths = np.abs(np.fft.rfft(frames * np.hanning(_WINDOW), axis=1))
    bands = strengths @ _filters()
    loudest = max(float(bands.max()), _QUIETEST)
    # What is a hundred times quieter than the loudest does not matter.
    return Heard(bands.max(axis=1) / loudest, np.log(bands / loudest + 0.01))


def words_in(heard: Heard, cut: Cut) -> list[Floats]:
    """Return the figures of each stretch of sound between two pauses."""
    quiet = float(np.quantile(heard.loudness, 0.1))
    speaks = heard.loudness > quiet + cut.loudness * (1 - quiet)
    places = np.flatnonzero(speaks)
    if not len(places):
        return []
    breaks = np.flatnonzero(np.diff(places) > cut.pause)
    starts = places[np.concatenate([[0], breaks + 1])]
    ends = places[np.concatenate([breaks, [len(places) - 1]])] + 1
    return [
        _figures(heard.bands[start:end])
        for start, end in zip(starts.tolist(), ends.tolist(), strict=True)
        if end - start >= _LEAST_FRAMES
    ]


def _figures(bands: Floats) -> Floats:
    """Return a stretch, however long, as the mean bands of equal slices of its time."""
    edges = np.linspace(0, len(bands), _SLICES + 1)
    slices = [
        bands[int(start) : max(int(end), int(start) + 1)].mean(axis=0)
        for start, end in pairwise(edges.tolist())
    ]
    figures = np.array(slices)
    return np.asarray(figures - figures.mean(axis=1, keepdims=True)).reshape(-1)


def _filters() -> Floats:
    """Return triangles on a scale of pitches, a column for each band."""
    centres = np.geomspace(_LOWEST_HERTZ, _HIGHEST_HERTZ, _BANDS + 2)
    hertz = np.fft.rfftfreq(_WINDOW, 1 / _RATE)[:, None]
    low, middle, high = centres[:-2], centres[1:-1], centres[2:]
    # At the low end a band is narrower than the distance of two frequencies.
    width = np.maximum(middle - low, _RATE / _WINDOW), np.maximum(high - middle, _RATE / _WINDOW)
    rising, falling = 1 - (middle - hertz) / width[0], 1 - (hertz - middle) / width[1]
    filters = np.clip(np.minimum(rising, falling), 0, None)
    return np.asarray(filters / np.maximum(filters.sum(axis=0), 1e-9))


def _resampled(sound: Floats, rate: int) -> Floats:
    """Average or interpolate to the rate that is listened to."""
    if not len(sound):
        return sound
    whole = max(1, rate // _RATE)
    usable = len(sound) // whole * whole
    averaged = sound[:usable].reshape(-1, whole).mean(axis=1) if usable else sound
    length = max(1, round(len(sound) * _RATE / rate))
    places = np.linspace(0, len(averaged) - 1, length)
    return np.asarray(np.interp(places, np.arange(len(averaged)), averaged))
