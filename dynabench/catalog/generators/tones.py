"""An invented spoken language of tones, played from a seed.

Each word is three tones, each low, middle or high. A speaker has a pitch, a pace and a
timbre of their own, and there may be noise; who listens knows the words by their tune.
"""

import io
import random
import wave
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from types import MappingProxyType

import numpy as np
from numpy.typing import NDArray

from dynabench.catalog.generators.files import ContextLine, ItemLine, file_value

Floats = NDArray[np.float64]

SAMPLE_RATE = 8000
LOW, MIDDLE, HIGH = 0, 1, 2
WORDS = MappingProxyType(
    {
        "ant": (LOW, LOW, HIGH),
        "bee": (HIGH, HIGH, LOW),
        "cat": (LOW, MIDDLE, HIGH),
        "dog": (HIGH, MIDDLE, LOW),
        "elk": (LOW, HIGH, LOW),
        "fox": (HIGH, LOW, HIGH),
        "hen": (MIDDLE, LOW, MIDDLE),
        "owl": (MIDDLE, HIGH, MIDDLE),
        "pig": (LOW, LOW, MIDDLE),
        "rat": (HIGH, HIGH, MIDDLE),
        "seal": (MIDDLE, MIDDLE, LOW),
        "toad": (MIDDLE, MIDDLE, HIGH),
    }
)
_LOWEST_HERTZ, _STEP = 330.0, 1.5
_LOUDNESS, _LARGEST = 0.5, 32767
_FADE_SECONDS, _BETWEEN_TONES, _EDGE_SECONDS = 0.012, 0.015, 0.15
_HERTZ_SWAY = 0.06
# The strengths of each timbre's overtones, the tone itself first.
_TIMBRES = MappingProxyType(
    {
        "flute": (1.0, 0.08),
        "clarinet": (1.0, 0.0, 0.4, 0.0, 0.2),
        "reed": (1.0, 0.5, 0.35, 0.25, 0.15),
        "bell": (1.0, 0.0, 0.0, 0.3),
    }
)
# What the contexts are like: noise, pace, pitch and pauses, as a `Speaker` has them. Models
# learn from what is like the first; the others are easy for ears only.
_STYLES = MappingProxyType(
    {
        "clear": (0.02, 1.0, 1.0, 1.0),
        "noisy": (0.7, 1.0, 1.0, 1.0),
        "fast": (0.04, 0.45, 1.0, 1.0),
        "shifted": (0.04, 1.0, 1.2, 1.0),
        "joined": (0.02, 1.0, 1.0, 0.15),
    }
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Speaker:
    """How somebody sounds.

    Attributes:
        timbre: One of flute, clarinet, reed and bell.
        pitch: What all tones are multiplied by.
        pace: How long everything lasts, as a multiple of the usual.
        noise: How loud the hiss is, as a share of the tones.
        pause: How long the pauses between words last, as a multiple of the usual.
    """

    timbre: str = "flute"
    pitch: float = 1.0
    pace: float = 1.0
    noise: float = 0.0
    pause: float = 1.0


def say(words: Sequence[str], speaker: Speaker, dice: random.Random) -> bytes:
    """Return a WAV in which a speaker says words; the same dice give the same bytes."""
    parts = [_silence(_EDGE_SECONDS)]
    for number, word in enumerate(words):
        if number:
            parts.append(_silence(dice.uniform(0.16, 0.34) * speaker.pace * speaker.pause))
        for tone in WORDS[word]:
            seconds = dice.uniform(0.12, 0.2) * speaker.pace
            hertz = _LOWEST_HERTZ * _STEP**tone * speaker.pitch
            hertz *= 1 + dice.uniform(-_HERTZ_SWAY, _HERTZ_SWAY) / 2
            parts += [_tone(hertz, seconds, _TIMBRES[speaker.timbre]), _silence(_BETWEEN_TONES)]
    sound = np.concatenate([*parts, _silence(_EDGE_SECONDS)])
    hiss = np.random.default_rng(dice.randrange(2**32)).standard_normal(len(sound))
    mixed = sound + speaker.noise * hiss
    return _wav(mixed / max(1.0, float(np.abs(mixed).max())) * _LOUDNESS)


def tone_contexts(*, count: int, seed: int) -> Iterator[ContextLine]:
    """Play recordings to start from, in turn clear, noisy, fast, shifted and joined."""
    dice = random.Random(seed)  # noqa: S311 - drawn data, not a secret
    for number in range(count):
        style = list(_STYLES)[number % len(_STYLES)]
        noise, pace, pitch, pause = _STYLES[style]
        timbre = dice.choice(list(_TIMBRES))
        speaker = Speaker(timbre=timbre, pitch=pitch, pace=pace, noise=noise, pause=pause)
        words = [dice.choice(list(WORDS)) for _ in range(dice.randint(2, 4))]
        yield {
            "context": {"sample": file_value(say(words, speaker, dice), "audio/wav")},
            "tag": style,
            "metadata": {"origin": "starter"},
        }


def tone_items(*, count: int, seed: int) -> Iterator[ItemLine]:
    """Play recordings to learn from, each with what it says."""
    dice = random.Random(seed)  # noqa: S311 - drawn data, not a secret
    for number in range(count):
        words = [dice.choice(list(WORDS)) for _ in range(dice.randint(1, 5))]
        sound = file_value(say(words, _some_speaker(dice), dice), "audio/wav")
        yield {
            "uid": f"tones-{seed}-{number + 1:04}",
            "context": {},
            "inputs": {"recording": sound},
            "answer": {"transcription": " ".join(words)},
        }


def _some_speaker(dice: random.Random) -> Speaker:
    return Speaker(
        timbre=dice.choice(list(_TIMBRES)),
        pitch=dice.uniform(0.94, 1.06),
        pace=dice.uniform(0.85, 1.25),
        noise=dice.choice((0.0, 0.02, 0.05, 0.1)),
    )


def _silence(seconds: float) -> Floats:
    return np.zeros(round(seconds * SAMPLE_RATE))


def _tone(hertz: float, seconds: float, timbre: Sequence[float]) -> Floats:
    count = round(seconds * SAMPLE_RATE)
    time = np.arange(count) / SAMPLE_RATE
    sound = np.zeros(count)
    for overtone, strength in enumerate(timbre, start=1):
        sound += strength * np.sin(2 * np.pi * hertz * overtone * time)
    fade = min(round(_FADE_SECONDS * SAMPLE_RATE), count // 2)
    slope = np.linspace(0, 1, fade)
    sound[:fade] *= slope
    sound[count - fade :] *= slope[::-1]
    return sound / sum(timbre)


def _wav(sound: Floats) -> bytes:
    written = io.BytesIO()
    with wave.open(written, "wb") as file:
        file.setnchannels(1)
        file.setsampwidth(2)
        file.setframerate(SAMPLE_RATE)
        file.writeframes((sound * _LARGEST).astype("<i2").tobytes())
    return written.getvalue()
