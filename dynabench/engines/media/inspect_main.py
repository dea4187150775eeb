"""The child process that decodes one file from outside, with little to lose.

Started as `python -I -m dynabench.engines.media.inspect_main FILE FOLDER`. It writes
`clean` (the file without what only describes it) and, for a picture, `thumbnail` into the
folder, and one JSON object to standard output: what the file is, or `{"refused": "why"}`.
A decoder that is led astray here has no connections, no settings and a few seconds to live.
"""

import io
import json
import resource
import sys
import warnings
from pathlib import Path
from typing import TYPE_CHECKING

from dynabench.engines.media.cleaning import DamagedFileError, clean
from dynabench.engines.media.formats import (
    MAX_CHANNELS,
    MAX_FRAME_PIXELS,
    MAX_FRAMES,
    MAX_MEDIA_BYTES,
    MAX_PIXELS,
    MAX_SAMPLE_RATE,
    MAX_SECONDS,
    MAX_SIDE,
    THUMBNAIL_SIDE,
    MediaFormat,
    find_format,
)

if TYPE_CHECKING:
    from PIL import Image

_MEMORY_BYTES = 1024 * 1024 * 1024
_CPU_SECONDS = 15
_ORIENTATION = 0x0112
_UPRIGHT = 1
_JPEG_QUALITY = 95
_THUMBNAIL_QUALITY = 82
_BLOCK_FRAMES = 65_536
_PLAYED_SUBTYPES = frozenset(
    ("PCM_S8", "PCM_U8", "PCM_16", "PCM_24", "PCM_32", "FLOAT", "DOUBLE", "ULAW", "ALAW")
)

Facts = dict[str, object]


class RefusedError(ValueError):
    """The file is not taken; the message is a sentence for whoever sent it."""


def main(arguments: list[str]) -> int:
    """Look at one file; return the exit status."""
    file, folder = Path(arguments[0]), Path(arguments[1])
    _limit()
    warnings.simplefilter("error")
    try:
        facts = inspect(file.read_bytes(), folder)
    except RefusedError as refused:
        facts = {"refused": str(refused)}
    except MemoryError:
        facts = {"refused": "The file unfolds to more than can be looked at; send a smaller one."}
    # The edge to decoders: whatever they raise over somebody's file, it is the file's fault.
    except Exception:  # noqa: BLE001
        facts = {"refused": "The file is damaged: it cannot be decoded. Save it anew."}
    sys.stdout.write(json.dumps(facts))
    return 0


def inspect(data: bytes, folder: Path) -> Facts:
    """Check, clean and measure a file; write what is kept of it into the folder.

    Raises:
        RefusedError: If it is not taken.
    """
    found = find_format(data)
    if found is None:
        raise RefusedError(
            "The file is no picture (PNG, JPEG, GIF, WebP) and no sound (WAV, FLAC, Ogg, MP3)."
        )
    try:
        kept = clean(data, found.media_type)
    except DamagedFileError:
        raise RefusedError("The file is damaged: it ends early or is put together wrong.") from None
    look = _look_at_image if found.is_image else _listen_to
    facts, kept = look(data, kept, found, folder)
    if len(kept) > MAX_MEDIA_BYTES:
        raise RefusedError(
            "The picture is too large once it is turned upright; send a smaller one."
        )
    (folder / "clean").write_bytes(kept)
    return {"media_type": found.media_type, "size_bytes": len(kept), **facts}


def _look_at_image(
    data: bytes, kept: bytes, found: MediaFormat, folder: Path
) -> tuple[Facts, bytes]:
    # A sound does not pay for pictures, nor they for it.
    from PIL import Image, ImageOps  # noqa: PLC0415

    # Counted below, with a sentence; until then only the header is read.
    Image.MAX_IMAGE_PIXELS = None
    formats = [found.decoder_name]
    with Image.open(io.BytesIO(data), formats=formats) as original:
        width, height = original.size
        if width * height > MAX_PIXELS or max(width, height) > MAX_SIDE:
            raise RefusedError(
                f"The picture has {width} × {height} pixels; at most "
                f"{MAX_PIXELS // 1_000_000} million are taken."
            )
        frames = int(getattr(original, "n_frames", 1))
        if frames > MAX_FRAMES or frames * width * height > MAX_FRAME_PIXELS:
            raise RefusedError(f"The animation has {frames} frames of {width} × {height} pixels.")
        original.seek(0)
        turned = frames == 1 and original.getexif().get(_ORIENTATION, _UPRIGHT) != _UPRIGHT
        if turned:
            # What said how to hold the picture goes, so the pixels themselves are turned.
            upright = ImageOps.exif_transpose(original)
            kept = _written(upright, found.decoder_name)
    with Image.open(io.BytesIO(kept), formats=formats) as image:
        image.load()
        width, height = image.size
        small = image.convert("RGBA" if image.has_transparency_data else "RGB")
        small.thumbnail((THUMBNAIL_SIDE, THUMBNAIL_SIDE))
        small.save(folder / "thumbnail", "WEBP", quality=_THUMBNAIL_QUALITY)
    return {"width": width, "height": height}, kept


def _written(image: "Image.Image", decoder_name: str) -> bytes:
    profile = image.info.get("icc_profile")
    image.info = {}
    options: dict[str, object] = {"icc_profile": profile} if profile else {}
    if decoder_name == "JPEG":
        options |= {"quality": _JPEG_QUALITY, "subsampling": 0}
    if decoder_name == "WEBP":
        options |= {"lossless": True}
    out = io.BytesIO()
    image.save(out, decoder_name, exif=b"", **options)
    return clean(out.getvalue(), f"image/{decoder_name.lower()}")


def _listen_to(data: bytes, kept: bytes, found: MediaFormat, folder: Path) -> tuple[Facts, bytes]:
    # As above; and the package has no types.
    import soundfile  # type: ignore[import-untyped]  # noqa: PLC0415

    del data, folder
    with soundfile.SoundFile(io.BytesIO(kept)) as sound:
        name = {"WAVEX": "WAV", "MPEG": "MP3"}.get(sound.format, sound.format)
        if name != found.decoder_name:
            raise RefusedError("The file is not the sound that its first bytes announce.")
        if name == "WAV" and sound.subtype not in _PLAYED_SUBTYPES:
            raise RefusedError("Browsers play WAV files only uncompressed; save it as PCM.")
        if sound.channels > MAX_CHANNELS or not 0 < sound.samplerate <= MAX_SAMPLE_RATE:
            raise RefusedError(
                f"The sound has {sound.channels} channels at {sound.samplerate} Hz; at most "
                f"{MAX_CHANNELS} at {MAX_SAMPLE_RATE} are taken."
            )
        frames = 0
        while block := len(sound.buffer_read(_BLOCK_FRAMES, dtype="int16")):
            frames += block // (2 * sound.channels)
            if frames > MAX_SECONDS * sound.samplerate:
                raise RefusedError(f"The sound is longer than {MAX_SECONDS // 60} minutes.")
        if not frames:
            raise RefusedError("The sound is empty.")
        return {"duration_seconds": round(frames / sound.samplerate, 3)}, kept


def _limit() -> None:
    resource.setrlimit(resource.RLIMIT_AS, (_MEMORY_BYTES, _MEMORY_BYTES))
    resource.setrlimit(resource.RLIMIT_CPU, (_CPU_SECONDS, _CPU_SECONDS))
    resource.setrlimit(resource.RLIMIT_FSIZE, (2 * MAX_MEDIA_BYTES, 2 * MAX_MEDIA_BYTES))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
