"""Writing a file anew out of the parts that show or sound, and nothing else of it.

Where a picture was taken, by whom and with what, remarks, hidden thumbnails and whatever was
appended go; pixels and samples stay bit for bit. A file without such parts comes out as it was.
"""

import struct
from collections.abc import Callable, Iterator, Mapping
from types import MappingProxyType

_PNG_SIGNATURE = 8
_PNG_KEPT = frozenset(
    b"IHDR PLTE IDAT IEND tRNS gAMA cHRM sRGB iCCP cICP sBIT bKGD pHYs acTL fcTL fdAT".split()
)
_WEBP_KEPT = frozenset((b"VP8 ", b"VP8L", b"VP8X", b"ANIM", b"ANMF", b"ALPH", b"ICCP"))
_WEBP_METADATA_FLAGS = 0x08 | 0x04
_WAV_KEPT = frozenset((b"fmt ", b"fact", b"data"))
_GIF_KEPT_APPLICATIONS = (b"NETSCAPE2.0", b"ANIMEXTS1.0")
# Stream info and seek table.
_FLAC_KEPT = frozenset((0, 3))
_FLAC_LAST = 0x80
_ID3_HEADER = 10
_ID3_TRAILER = 128
_ID3_FOOTER_FLAG = 0x10

# JPEG's markers.
_MARK, _END, _SCAN, _REMARK = 0xFF, 0xD9, 0xDA, 0xFE
_RESTARTS = range(0xD0, 0xD8)
_APPLICATIONS = range(0xE0, 0xF0)
# The plain header, what colours mean, and how they were turned.
_JPEG_KEPT_APPLICATIONS = {0xE0: b"JFIF\0", 0xE2: b"ICC_PROFILE\0", 0xEE: b"Adobe"}

# GIF's blocks.
_GIF_HEADER, _GIF_IMAGE_HEADER = 13, 11
_EXTENSION, _IMAGE, _TRAILER = 0x21, 0x2C, 0x3B
_CONTROL, _APPLICATION = 0xF9, 0xFF


class DamagedFileError(ValueError):
    """A file breaks the rules of its own format."""


def clean(data: bytes, media_type: str) -> bytes:
    """Return the file without what only describes it.

    Tags inside an Ogg file are left as they are.

    Raises:
        DamagedFileError: If it does not hold together.
    """
    write = _CLEANERS.get(media_type)
    if write is None:
        return data
    try:
        return b"".join(write(data))
    except (IndexError, ValueError, struct.error) as error:
        raise DamagedFileError from error


def _png(data: bytes) -> Iterator[bytes]:
    yield data[:_PNG_SIGNATURE]
    at = _PNG_SIGNATURE
    while True:
        (length,) = struct.unpack_from(">I", data, at)
        kind = data[at + 4 : at + 8]
        end = at + 12 + length
        if end > len(data):
            raise DamagedFileError
        if kind in _PNG_KEPT:
            yield data[at:end]
        if kind == b"IEND":
            return
        at = end


def _jpeg(data: bytes) -> Iterator[bytes]:
    yield data[:2]
    at = 2
    while True:
        if data[at] != _MARK:
            raise DamagedFileError
        marker = data[at + 1]
        if marker == _MARK:
            # Markers may be padded.
            at += 1
            continue
        if marker == _END:
            yield b"\xff\xd9"
            return
        (length,) = struct.unpack_from(">H", data, at + 2)
        end = at + 2 + length
        if marker == _SCAN:
            end = _end_of_scan(data, end)
        if _is_kept_by_jpeg(marker, data[at + 4 : end]):
            yield data[at:end]
        at = end


def _is_kept_by_jpeg(marker: int, content: bytes) -> bool:
    if marker not in _APPLICATIONS:
        return marker != _REMARK
    begins = _JPEG_KEPT_APPLICATIONS.get(marker)
    return begins is not None and content.startswith(begins)


def _end_of_scan(data: bytes, at: int) -> int:
    while True:
        at = data.find(b"\xff", at)
        if at < 0:
            raise DamagedFileError
        following = data[at + 1]
        if following != 0 and following not in _RESTARTS:
            return at
        at += 2


def _gif(data: bytes) -> Iterator[bytes]:
    at = _GIF_HEADER + _gif_colours(data[10])
    yield data[:at]
    while True:
        block = data[at]
        if block == _TRAILER:
            yield b"\x3b"
            return
        if block == _IMAGE:
            end = _end_of_blocks(data, at + _GIF_IMAGE_HEADER + _gif_colours(data[at + 9]))
            yield data[at:end]
        elif block == _EXTENSION:
            end = _end_of_blocks(data, at + 2)
            is_control = data[at + 1] == _CONTROL
            is_loop = (
                data[at + 1] == _APPLICATION and data[at + 3 : at + 14] in _GIF_KEPT_APPLICATIONS
            )
            if is_control or is_loop:
                yield data[at:end]
        else:
            raise DamagedFileError
        at = end


def _gif_colours(flags: int) -> int:
    """Return the bytes of the colour table that the flags announce."""
    return 3 << ((flags & 7) + 1) if flags & 0x80 else 0


def _end_of_blocks(data: bytes, at: int) -> int:
    while size := data[at]:
        at += 1 + size
    return at + 1


def _riff(data: bytes, kept: frozenset[bytes]) -> Iterator[bytes]:
    """Give the chunks that are kept, each padded to an even length."""
    at = 12
    while at + 8 <= len(data):
        kind = data[at : at + 4]
        (length,) = struct.unpack_from("<I", data, at + 4)
        # A recorder that streamed did not know its length: up to the end, then.
        content = data[at + 8 : at + 8 + length]
        if kind in kept:
            yield kind + struct.pack("<I", len(content)) + content + b"\0" * (len(content) % 2)
        at += 8 + length + length % 2


def _riff_file(form: bytes, chunks: bytes) -> bytes:
    return b"RIFF" + struct.pack("<I", 4 + len(chunks)) + form + chunks


def _webp(data: bytes) -> Iterator[bytes]:
    chunks = bytearray()
    for chunk in _riff(data[: 8 + struct.unpack_from("<I", data, 4)[0]], _WEBP_KEPT):
        place = len(chunks)
        chunks += chunk
        if chunk.startswith(b"VP8X"):
            chunks[place + 8] &= ~_WEBP_METADATA_FLAGS & 0xFF
    yield _riff_file(b"WEBP", bytes(chunks))


def _wav(data: bytes) -> Iterator[bytes]:
    yield _riff_file(b"WAVE", b"".join(_riff(data, _WAV_KEPT)))


def _flac(data: bytes) -> Iterator[bytes]:
    blocks, at, is_last = [], 4, False
    while not is_last:
        is_last, kind = bool(data[at] & _FLAC_LAST), data[at] & ~_FLAC_LAST
        end = at + 4 + int.from_bytes(data[at + 1 : at + 4], "big")
        if end > len(data):
            raise DamagedFileError
        if kind in _FLAC_KEPT:
            blocks.append(bytes([kind]) + data[at + 1 : end])
        at = end
    if not blocks:
        raise DamagedFileError
    yield data[:4]
    yield from blocks[:-1]
    yield bytes([blocks[-1][0] | _FLAC_LAST]) + blocks[-1][1:]
    yield data[at:]


def _mp3(data: bytes) -> Iterator[bytes]:
    at = 0
    while data[at : at + 3] == b"ID3":
        # Seven bits of each byte count, and a footer may repeat the header.
        size = sum(
            byte << shift
            for byte, shift in zip(data[at + 6 : at + 10], (21, 14, 7, 0), strict=True)
        )
        at += _ID3_HEADER + size + (_ID3_HEADER if data[at + 5] & _ID3_FOOTER_FLAG else 0)
    end = len(data)
    if data[max(end - _ID3_TRAILER, at) :].startswith(b"TAG"):
        end -= _ID3_TRAILER
    if data[at : at + 1] != b"\xff":
        raise DamagedFileError
    yield data[at:end]


_CLEANERS: Mapping[str, Callable[[bytes], Iterator[bytes]]] = MappingProxyType(
    {
        "image/png": _png,
        "image/jpeg": _jpeg,
        "image/gif": _gif,
        "image/webp": _webp,
        "audio/wav": _wav,
        "audio/flac": _flac,
        "audio/mpeg": _mp3,
    }
)
