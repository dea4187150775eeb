import io
from contextlib import suppress

import numpy as np
import pytest
import soundfile  # type: ignore[import-untyped]  # It has no types.
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image

from dynabench.engines.media.cleaning import DamagedFileError, clean
from dynabench.engines.media.formats import FORMATS, find_format
from tests.factories.media import PLACE, picture, sound

PICTURES = {
    "image/png": "PNG",
    "image/jpeg": "JPEG",
    "image/gif": "GIF",
    "image/webp": "WEBP",
}
SOUNDS = {"audio/wav": "WAV", "audio/flac": "FLAC", "audio/ogg": "OGG", "audio/mpeg": "MP3"}
FILES = {
    **{name: picture(kind) for name, kind in PICTURES.items()},
    **{name: sound(kind) for name, kind in SOUNDS.items()},
}


def pixels(data: bytes) -> bytes:
    with Image.open(io.BytesIO(data)) as image:
        return image.convert("RGB").tobytes()


@pytest.mark.parametrize("media_type", FILES)
def test_a_file_is_known_by_its_first_bytes(media_type: str) -> None:
    found = find_format(FILES[media_type])
    assert found is not None
    assert found.media_type == media_type


@pytest.mark.parametrize(
    "data",
    [
        b"", b"<svg xmlns='http://www.w3.org/2000/svg'><script/></svg>", b"<!doctype html>",
        b"%PDF-1.7", b"PK\x03\x04", b"MZ", b"\x00\x00\x01\x00", b"BM", b"II*\x00",
        b"RIFF\0\0\0\0AVI ",
    ],
)  # fmt: skip
def test_other_files_are_not_known(data: bytes) -> None:
    assert find_format(data) is None


@pytest.mark.parametrize(("media_type", "kind"), PICTURES.items())
def test_where_a_picture_was_taken_goes_and_every_pixel_stays(media_type: str, kind: str) -> None:
    if kind == "GIF":
        out = io.BytesIO()
        Image.new("RGB", (9, 9), "blue").save(out, "GIF", comment=b"At my house")
        data = out.getvalue()
    else:
        data = picture(kind, exif={PLACE: "At my house"})
    assert b"At my house" in data
    cleaned = clean(data, media_type)
    assert b"At my house" not in cleaned
    assert pixels(cleaned) == pixels(data)


@pytest.mark.parametrize("media_type", [*PICTURES, "audio/mpeg", "audio/ogg"])
def test_a_file_without_remarks_stays_bit_for_bit(media_type: str) -> None:
    assert clean(FILES[media_type], media_type) == FILES[media_type]


@pytest.mark.parametrize("media_type", FILES)
def test_cleaning_twice_is_cleaning_once(media_type: str) -> None:
    once = clean(FILES[media_type], media_type)
    assert clean(once, media_type) == once


@pytest.mark.parametrize("media_type", PICTURES)
def test_what_was_appended_to_a_picture_goes(media_type: str) -> None:
    appended = FILES[media_type] + b"<script>alert(1)</script>"
    assert clean(appended, media_type) == FILES[media_type]


def test_an_animation_keeps_its_frames_and_its_loop() -> None:
    data = picture("GIF", frames=4)
    with Image.open(io.BytesIO(clean(data, "image/gif"))) as image:
        assert image.n_frames == 4  # type: ignore[attr-defined]  # A GIF has them.


@pytest.mark.parametrize("kind", ["WAV", "FLAC"])
def test_tags_of_a_sound_go_and_every_sample_stays(kind: str) -> None:
    out = io.BytesIO()
    with soundfile.SoundFile(out, "w", 8_000, 1, format=kind) as file:
        file.title = "At my house"
        file.write(np.linspace(-0.5, 0.5, 800))
    data = out.getvalue()
    cleaned = clean(data, f"audio/{kind.lower()}")
    assert b"At my house" in data
    assert b"At my house" not in cleaned
    before, after = (soundfile.read(io.BytesIO(one), dtype="int16")[0] for one in (data, cleaned))
    assert np.array_equal(before, after)


def test_the_tags_around_an_mp3_go() -> None:
    frames = FILES["audio/mpeg"]
    tagged = b"ID3\x03\x00\x00\x00\x00\x01\x00" + bytes(128) + frames + b"TAG" + bytes(125)
    assert clean(tagged, "audio/mpeg") == frames


@given(data=st.binary(max_size=200), one=st.sampled_from(FORMATS), at=st.integers(0, 300))
def test_a_damaged_file_is_told_and_never_an_accident(data: bytes, one: object, at: int) -> None:
    media_type = getattr(one, "media_type", "")
    whole = FILES[media_type]
    for damaged in (data, whole[:at] + data, whole[:at] + data + whole[at + len(data) :]):
        with suppress(DamagedFileError):
            assert len(clean(damaged, media_type)) <= len(damaged) + 12
