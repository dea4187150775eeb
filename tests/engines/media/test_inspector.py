"""Real files through the real child process."""

import hashlib
import io
import struct
import zlib
from pathlib import Path

import pytest
from PIL import Image

from dynabench.engines.media.errors import MediaInspectionError, MediaRefusedError
from dynabench.engines.media.formats import THUMBNAIL_SIDE
from dynabench.engines.media.inspector import Inspected, MediaInspector
from tests.factories.media import PLACE, TURNED, picture, sound

pytestmark = pytest.mark.anyio


async def inspect(data: bytes, folder: Path, *, patience_seconds: float = 30) -> Inspected:
    file = folder / "sent"
    file.write_bytes(data)
    return await MediaInspector(patience_seconds=patience_seconds).inspect(file, folder)


def bomb(width: int, height: int) -> bytes:
    """Return a PNG that announces more pixels than anybody should unfold."""

    def chunk(kind: bytes, content: bytes) -> bytes:
        check = zlib.crc32(kind + content)
        return struct.pack(">I", len(content)) + kind + content + struct.pack(">I", check)

    header = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    rows = zlib.compress(bytes(100_000))
    return (
        b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", rows) + chunk(b"IEND", b"")
    )


@pytest.mark.parametrize("kind", ["PNG", "JPEG", "GIF", "WEBP"])
async def test_a_picture_is_measured_and_gets_a_thumbnail(kind: str, tmp_path: Path) -> None:
    data = picture(kind, size=(1200, 300))
    seen = await inspect(data, tmp_path)
    assert (seen.media_type, seen.width, seen.height) == (f"image/{kind.lower()}", 1200, 300)
    assert seen.size_bytes == len(data)
    assert seen.clean.read_bytes() == data
    assert seen.thumbnail is not None
    with Image.open(seen.thumbnail) as thumbnail:
        assert thumbnail.format == "WEBP"
        assert thumbnail.size == (THUMBNAIL_SIDE, THUMBNAIL_SIDE // 4)


@pytest.mark.parametrize("kind", ["WAV", "FLAC", "OGG", "MP3"])
async def test_a_sound_is_measured(kind: str, tmp_path: Path) -> None:
    seen = await inspect(sound(kind, seconds=1.5), tmp_path)
    assert seen.media_type == {"MP3": "audio/mpeg"}.get(kind, f"audio/{kind.lower()}")
    assert seen.duration_seconds == pytest.approx(1.5, abs=0.1)
    assert seen.thumbnail is None
    assert seen.width is None


async def test_a_picture_held_sideways_is_turned_and_says_no_more_of_it(tmp_path: Path) -> None:
    sideways = picture("JPEG", size=(60, 40), exif={TURNED: 6, PLACE: "At my house"})
    seen = await inspect(sideways, tmp_path)
    assert (seen.width, seen.height) == (40, 60)
    kept = seen.clean.read_bytes()
    assert b"At my house" not in kept
    with Image.open(io.BytesIO(kept)) as image:
        assert not image.getexif()
        # The dark half was left and is now above.
        assert sum(image.convert("RGB").getpixel((20, 5))) < 60  # type: ignore[arg-type]  # Three.


@pytest.mark.parametrize(
    ("data", "told"),
    [
        (b"<svg/>", "no picture"),
        (b"", "no picture"),
        (picture("PNG")[:60], "damaged"),
        (b"\x89PNG\r\n\x1a\n" + hashlib.sha256(b"").digest() * 40, "damaged"),
        (bomb(9_000, 9_000), "9000 × 9000"),
        (bomb(60_000, 10), "60000 × 10"),
        (bomb(6_000, 6_000), "damaged"),
        (sound("WAV", subtype="IMA_ADPCM"), "PCM"),
        (sound("WAV", seconds=0), "empty"),
        (b"OggS" + bytes(100), "damaged"),
        (picture("GIF", size=(4, 4), frames=501), "frames"),
    ],
    ids=lambda value: value if isinstance(value, str) else "file",
)
async def test_what_is_not_taken_is_told_in_a_sentence(
    data: bytes, told: str, tmp_path: Path
) -> None:
    with pytest.raises(MediaRefusedError, match=told):
        await inspect(data, tmp_path)


async def test_a_file_that_takes_too_long_is_given_up(tmp_path: Path) -> None:
    with pytest.raises(MediaRefusedError, match="too long"):
        await inspect(picture(), tmp_path, patience_seconds=0.001)


async def test_a_missing_helper_is_no_fault_of_the_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sys.executable", "/nonexistent/python")
    with pytest.raises(MediaInspectionError):
        await inspect(picture(), tmp_path)
