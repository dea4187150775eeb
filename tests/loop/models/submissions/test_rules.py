from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dynabench.loop.models.errors import ModelKindError, ModelOptionsError
from dynabench.loop.models.submissions.errors import (
    ArtifactFormatError,
    DailyLimitError,
    TooManyWaitingError,
)
from dynabench.loop.models.submissions.rules import (
    format_of,
    is_checked_at_once,
    read_submitted_options,
    require_room,
)
from dynabench.loop.models.submissions.values import PERIOD, ArtifactFormat, SubmissionLimits
from dynabench.loop.models.values import ModelKind
from dynabench.science.task_config.loader import load_task_config
from tests.factories.tasks import NLI_CONFIG

NLI = load_task_config(NLI_CONFIG)
NOW = datetime(2030, 1, 15, 12, tzinfo=UTC)


@given(
    minutes=st.lists(st.integers(0, 24 * 60 - 1), max_size=6, unique=True),
    waiting=st.integers(0, 4),
    per_day=st.integers(1, 6),
)
def test_no_more_can_pass_within_a_day_than_the_operator_allows(
    minutes: list[int], waiting: int, per_day: int
) -> None:
    limits = SubmissionLimits(max_bytes=1, per_day=per_day, spool=Path("/nowhere"))
    passed = sorted(NOW - timedelta(minutes=one) for one in minutes)
    try:
        require_room(passed_at=passed, waiting=waiting, limits=limits)
    except TooManyWaitingError:
        assert waiting >= limits.waiting
    except DailyLimitError as error:
        assert len(passed) + waiting >= per_day
        # Once the time that it names has come, one of the day's has left it.
        if waiting < per_day:
            leaving = [one for one in passed if f"{one + PERIOD:%Y-%m-%d %H:%M}" in error.message]
            assert leaving
    else:
        assert waiting < limits.waiting
        assert len(passed) + waiting < per_day


@pytest.mark.parametrize(
    ("head", "kind", "wanted"),
    [
        (b"PK\x03\x04....", ModelKind.HANDLER, ArtifactFormat.ZIP),
        (b"\x1f\x8b\x08...", ModelKind.HUGGINGFACE, ArtifactFormat.TAR_GZ),
        (b"PK\x03\x04....", ModelKind.ONNX, ArtifactFormat.ZIP),
        (b"\x08\x07\x12...", ModelKind.ONNX, ArtifactFormat.ONNX),
        (b'{"uid": "a"}', ModelKind.PREDICTIONS, ArtifactFormat.JSON_LINES),
    ],
)
def test_a_file_is_known_by_how_it_begins(
    head: bytes, kind: ModelKind, wanted: ArtifactFormat
) -> None:
    assert format_of(head, kind=kind) is wanted


@pytest.mark.parametrize(
    ("head", "kind"),
    [
        (b"", ModelKind.ONNX),
        (b"import os", ModelKind.HANDLER),
        (b"Rar!\x1a\x07", ModelKind.HUGGINGFACE),
        (b"\x1f\x8b\x08...", ModelKind.PREDICTIONS),
    ],
)
def test_other_files_are_refused(head: bytes, kind: ModelKind) -> None:
    with pytest.raises(ArtifactFormatError):
        format_of(head, kind=kind)


@pytest.mark.parametrize(
    "image", ["nli", "registry.example.org:5000/team/nli:1.2", f"nli@sha256:{'a' * 64}"]
)
def test_an_image_is_named_as_registries_do(image: str) -> None:
    found = read_submitted_options(ModelKind.CONTAINER, {"image": image}, config=NLI)
    assert found == {"image": image}


@pytest.mark.parametrize(
    ("kind", "options", "field"),
    [
        (ModelKind.CONTAINER, {"image": "--privileged"}, "options.image"),
        (ModelKind.CONTAINER, {"image": "nli; rm -rf /"}, "options.image"),
        (ModelKind.CONTAINER, {}, "options.image"),
        (ModelKind.CONTAINER, {"image": "nli", "imgae": "x"}, "options.imgae"),
        (ModelKind.PREDICTIONS, {"url": "x"}, "options.url"),
        (ModelKind.HANDLER, {"main": "x"}, "options.main"),
        (ModelKind.ONNX, {"labels": ["entailment"]}, "options.labels"),
        (ModelKind.ENDPOINT, {}, "options.url"),
    ],
)
def test_a_wrong_option_is_named(kind: ModelKind, options: dict[str, object], field: str) -> None:
    with pytest.raises(ModelOptionsError) as refused:
        read_submitted_options(kind, options, config=NLI)
    assert field in refused.value.fields


def test_nobody_submits_a_record_of_answers() -> None:
    with pytest.raises(ModelKindError):
        read_submitted_options(ModelKind.RECORDED, {}, config=NLI)


def test_what_awaits_files_is_not_checked_before_them() -> None:
    at_once = {kind for kind in ModelKind if is_checked_at_once(kind, {})}
    assert at_once & {ModelKind.HANDLER, ModelKind.HUGGINGFACE, ModelKind.ONNX} == set()
    assert ModelKind.PREDICTIONS not in at_once
    assert is_checked_at_once(ModelKind.HUGGINGFACE, {"hub": "org/model"})
