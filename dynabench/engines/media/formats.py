"""Which kinds of file are taken, told by their first bytes and never by name or header."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

MAX_MEDIA_BYTES: Final = 50 * 1024 * 1024
MAX_PIXELS: Final = 40_000_000
MAX_SIDE: Final = 16_384
MAX_FRAMES: Final = 500
MAX_FRAME_PIXELS: Final = 400_000_000
MAX_SECONDS: Final = 900
MAX_CHANNELS: Final = 8
MAX_SAMPLE_RATE: Final = 192_000
THUMBNAIL_SIDE: Final = 480

# An MPEG frame begins with eleven set bits; the layer stands two bits further.
_SYNC = 0xE0
_LAYER_THREE = 1


@dataclass(frozen=True, slots=True)
class MediaFormat:
    """A kind of file: its media type, and what its decoder calls it."""

    media_type: str
    decoder_name: str
    looks_like: Callable[[bytes], bool]

    @property
    def is_image(self) -> bool:
        """Whether it shows a picture."""
        return self.media_type.startswith("image/")


def _begins(start: bytes) -> Callable[[bytes], bool]:
    return lambda data: data.startswith(start)


def _is_riff(kind: bytes) -> Callable[[bytes], bool]:
    return lambda data: data[:4] == b"RIFF" and data[8:12] == kind


def _is_mp3(data: bytes) -> bool:
    if data.startswith(b"ID3"):
        return True
    is_frame = data[:1] == b"\xff" and len(data) > 1 and data[1] & _SYNC == _SYNC
    return is_frame and (data[1] >> 1) & 3 == _LAYER_THREE


FORMATS: Final = (
    MediaFormat("image/png", "PNG", _begins(b"\x89PNG\r\n\x1a\n")),
    MediaFormat("image/jpeg", "JPEG", _begins(b"\xff\xd8\xff")),
    MediaFormat("image/gif", "GIF", lambda data: data[:6] in {b"GIF87a", b"GIF89a"}),
    MediaFormat("image/webp", "WEBP", _is_riff(b"WEBP")),
    MediaFormat("audio/wav", "WAV", _is_riff(b"WAVE")),
    MediaFormat("audio/flac", "FLAC", _begins(b"fLaC")),
    MediaFormat("audio/ogg", "OGG", _begins(b"OggS")),
    MediaFormat("audio/mpeg", "MP3", _is_mp3),
)


def find_format(data: bytes) -> MediaFormat | None:
    """Return the kind of file that begins like this; None for one that is not taken.

    Example:
        >>> find_format(b"<svg onload='alert(1)'>") is None
        True
    """
    return next((one for one in FORMATS if one.looks_like(data)), None)
