"""A small picture and a short sound of our own, for the trial of a model that takes files."""

import base64
import hashlib
import math
import struct
import zlib
from collections.abc import Mapping

_SIDE = 32
_RATE = 8_000
_HERTZ = 440
_SAMPLES = 4_000
_LOUDNESS = 8_000


def trial_picture() -> Mapping[str, object]:
    """Return a picture as models are sent one: a slope from dark to light."""
    return _file(_png(), "image/png") | {"alt": "A slope from dark to light."}


def trial_sound() -> Mapping[str, object]:
    """Return a sound as models are sent one: half a second of the note a'."""
    return _file(_wav(), "audio/wav")


def _file(data: bytes, media_type: str) -> dict[str, object]:
    return {
        "media": hashlib.sha256(data).hexdigest(),
        "media_type": media_type,
        "data": base64.b64encode(data).decode("ascii"),
    }


def _png() -> bytes:
    rows = b"".join(
        b"\0" + bytes(shade for at in range(_SIDE) for shade in [8 * at] * 3) for _ in range(_SIDE)
    )
    header = struct.pack(">IIBBBBB", _SIDE, _SIDE, 8, 2, 0, 0, 0)
    chunks = ((b"IHDR", header), (b"IDAT", zlib.compress(rows)), (b"IEND", b""))
    return b"\x89PNG\r\n\x1a\n" + b"".join(
        struct.pack(">I", len(content))
        + kind
        + content
        + struct.pack(">I", zlib.crc32(kind + content))
        for kind, content in chunks
    )


def _wav() -> bytes:
    samples = struct.pack(
        f"<{_SAMPLES}h",
        *(int(_LOUDNESS * math.sin(2 * math.pi * _HERTZ * at / _RATE)) for at in range(_SAMPLES)),
    )
    form = struct.pack("<HHIIHH", 1, 1, _RATE, 2 * _RATE, 2, 16)
    chunks = b"fmt " + struct.pack("<I", len(form)) + form
    chunks += b"data" + struct.pack("<I", len(samples)) + samples
    return b"RIFF" + struct.pack("<I", 4 + len(chunks)) + b"WAVE" + chunks
