import pytest
from hypothesis import given
from hypothesis import strategies as st

from dynabench.loop.media.resolving.rules import Outstanding
from dynabench.loop.media.rules import (
    find_mentions,
    is_digest,
    misfit,
    stand_in,
    stored_digests,
)
from dynabench.loop.media.values import MediaFile, MediaKind
from dynabench.science.task_config.elements import Field
from dynabench.science.task_config.fields.audio import AudioType
from dynabench.science.task_config.fields.image import ImageType
from dynabench.science.task_config.fields.string import StringType

FIELDS = (
    Field("scene", ImageType(max_bytes=1000, media_types=("image/png",))),
    Field("speech", AudioType()),
    Field("question", StringType()),
)
PNG = MediaFile(digest="a" * 64, kind=MediaKind.IMAGE, media_type="image/png", size_bytes=900)
WAV = MediaFile(digest="b" * 64, kind=MediaKind.AUDIO, media_type="audio/wav", size_bytes=900)
URL = "https://example.org/a.png"
values = st.recursive(
    st.none() | st.text(), lambda some: st.lists(some) | st.dictionaries(st.text(), some)
)


@pytest.mark.parametrize(
    ("file", "field", "told"),
    [
        (PNG, FIELDS[0], None),
        (WAV, FIELDS[1], None),
        (None, FIELDS[0], "No such picture is stored here; upload it first."),
        (WAV, FIELDS[0], "It is a sound; this field takes a picture."),
        (PNG, Field("tiny", ImageType(max_bytes=10)), "this field takes 0.0 MB at most."),
        (PNG, Field("photo", ImageType(media_types=("image/jpeg",))), "takes image/jpeg."),
    ],
)
def test_what_does_not_fit_is_told(file: MediaFile | None, field: Field, told: str | None) -> None:
    assert isinstance(field.type, ImageType | AudioType)
    found = misfit(file, field.type)
    assert found == told or (told is not None and found is not None and found.endswith(told))


def test_only_fields_of_files_name_files() -> None:
    given_values = {"scene": {"url": URL, "alt": "Red"}, "speech": "loud", "question": {"url": URL}}
    mentions, wrong = find_mentions(FIELDS, given_values)
    assert [(one.name, one.url) for one in mentions] == [("scene", URL)]
    assert set(wrong) == {"speech"}
    assert mentions[0].stored("c" * 64) == {"media": "c" * 64, "alt": "Red"}


def test_an_address_stands_aside_until_its_file_is_there() -> None:
    outstanding = Outstanding(FIELDS)
    waiting = outstanding.stand_in({"scene": {"url": URL, "alt": "Red"}, "question": "Why?"})
    assert waiting == {"scene": {"media": stand_in(URL), "alt": "Red"}, "question": "Why?"}
    assert outstanding.digests([waiting]) == set()
    settled, misfits = outstanding.settle([waiting], stored={}, fetched={URL: PNG})
    assert settled == [{"scene": {"media": PNG.digest, "alt": "Red"}, "question": "Why?"}]
    assert misfits == []
    _, misfits = outstanding.settle([waiting], stored={}, fetched={URL: "It is gone."})
    assert [(one.position, one.name, one.sentence) for one in misfits] == [
        (0, "scene", "It is gone.")
    ]


@given(values)
def test_every_digest_found_is_one(value: object) -> None:
    assert all(is_digest(one) for one in stored_digests({"media": "d" * 64, "rest": value}))
    assert "d" * 64 in stored_digests([{"deep": [{"media": "d" * 64}]}, value])
