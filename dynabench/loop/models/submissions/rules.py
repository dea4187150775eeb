"""Decisions about submissions: which options, which files, and when the next one may come."""

import re
from collections.abc import Mapping, Sequence
from datetime import datetime

from dynabench.engines.inference.errors import TargetSpecError
from dynabench.engines.runners.options import read_options as read_runner_options
from dynabench.kit.wire import Values
from dynabench.loop.models.addresses.rules import OptionReader, read_options, wire_names
from dynabench.loop.models.cards.rules import missing_of
from dynabench.loop.models.errors import ModelKindError, ModelNotReadyError, ModelOptionsError
from dynabench.loop.models.rules import SPEC
from dynabench.loop.models.submissions.errors import (
    ArtifactFormatError,
    CardIncompleteError,
    DailyLimitError,
    FilesQuotaError,
    TooManyWaitingError,
)
from dynabench.loop.models.submissions.values import (
    ARTIFACT,
    PERIOD,
    Artifact,
    ArtifactFormat,
    SubmissionLimits,
)
from dynabench.loop.models.values import CODE_KINDS, REMOTE_KINDS, Model, ModelKind, ModelStatus
from dynabench.science.task_config.schema import TaskConfig

_IMAGE = re.compile(
    r"(?:[a-zA-Z0-9][a-zA-Z0-9.-]*(?::\d{1,5})?/)?"
    r"[a-z0-9]+(?:[._-]+[a-z0-9]+)*(?:/[a-z0-9]+(?:[._-]+[a-z0-9]+)*)*"
    r"(?::\w[\w.-]{0,127})?(?:@sha256:[0-9a-f]{64})?"
)
_LONGEST_IMAGE = 500
_ZIP, _GZIP = b"PK\x03\x04", b"\x1f\x8b"


def read_submitted_options(kind: ModelKind, options: Values, *, config: TaskConfig) -> Values:
    """Return what to keep of a submission's options.

    Raises:
        ModelKindError: If nobody can submit models of this kind.
        ModelOptionsError: With every wrong option.
    """
    if kind in REMOTE_KINDS:
        return read_options(kind, options, config=config)
    if kind in CODE_KINDS:
        try:
            read_runner_options(kind.value, options, config=config)
        except TargetSpecError as error:
            raise ModelOptionsError(fields=wire_names(error.fields)) from error
        return options
    if kind is ModelKind.CONTAINER:
        return _image(options)
    if kind is ModelKind.PREDICTIONS:
        OptionReader(options, known=()).raise_if_any()
        return {}
    raise ModelKindError(kind=kind)


def takes_files(kind: ModelKind, options: Mapping[str, object]) -> bool:
    """Tell whether an artifact is to follow a submission."""
    return kind in CODE_KINDS and not (kind is ModelKind.HUGGINGFACE and options.get("hub"))


def is_checked_at_once(kind: ModelKind, options: Mapping[str, object]) -> bool:
    """Tell whether nothing more is to come before a submission is checked."""
    return kind is not ModelKind.PREDICTIONS and not takes_files(kind, options)


def options_of(model: Model) -> Mapping[str, object]:
    """Return the options that a model was submitted with."""
    spec = model.source[SPEC]
    assert isinstance(spec, dict)
    options = spec["options"]
    assert isinstance(options, dict)
    return options


def awaits_files(model: Model) -> bool:
    """Tell whether a model's artifact has not come yet."""
    return takes_files(model.kind, options_of(model)) and artifact_of(model) is None


def format_of(head: bytes, *, kind: ModelKind) -> ArtifactFormat:
    """Return what an artifact is by its first bytes.

    Raises:
        ArtifactFormatError: If it is nothing that is taken.
    """
    if kind is ModelKind.PREDICTIONS:
        if head.startswith((_ZIP, _GZIP)):
            raise ArtifactFormatError("The file is packed. Send its plain JSON lines.")
        return ArtifactFormat.JSON_LINES
    if head.startswith(_ZIP):
        return ArtifactFormat.ZIP
    if head.startswith(_GZIP):
        return ArtifactFormat.TAR_GZ
    if not head:
        raise ArtifactFormatError("The file is empty. Send the model's zip or tar.gz archive.")
    # An ONNX file has no mark of its own; what it is comes out when it is loaded.
    if kind is ModelKind.ONNX:
        return ArtifactFormat.ONNX
    raise ArtifactFormatError(
        "The file is neither a zip nor a tar.gz archive. Pack the model's folder into one."
    )


def artifact_of(model: Model) -> Artifact | None:
    """Return the files that a model was handed in with; None while they are awaited."""
    stored = model.source.get(ARTIFACT)
    if not isinstance(stored, dict):
        return None
    return Artifact(
        digest=str(stored["digest"]),
        format=ArtifactFormat(stored["format"]),
        size_bytes=int(stored["size_bytes"]),
    )


def source_with(model: Model, artifact: Artifact) -> dict[str, object]:
    """Return a model's source with its files."""
    stored = {
        "digest": artifact.digest,
        "format": artifact.format.value,
        "size_bytes": artifact.size_bytes,
    }
    return {**model.source, ARTIFACT: stored}


def require_room(*, passed_at: Sequence[datetime], waiting: int, limits: SubmissionLimits) -> None:
    """Refuse one more submission of a person to a task.

    Args:
        passed_at: When those of the last day passed, oldest first.
        waiting: How many have not passed yet and are not rejected.
        limits: What the operator allows.

    Raises:
        TooManyWaitingError: If too many are on their way.
        DailyLimitError: If those and the day's are as many as may pass.
    """
    if waiting >= limits.waiting:
        raise TooManyWaitingError(limit=limits.waiting)
    if len(passed_at) + waiting >= limits.per_day:
        # Once so many have left the day's window, there is room for one more.
        leaving = len(passed_at) + waiting - limits.per_day
        free_at = passed_at[leaving] + PERIOD if leaving < len(passed_at) else None
        raise DailyLimitError(limit=limits.per_day, free_at=free_at)


def require_kept(whose: str, kept: int, coming: int, *, limit: int) -> None:
    """Refuse files that would go beyond what may be kept.

    Args:
        whose: `you` or `task`.
        kept: Bytes that are kept.
        coming: Bytes that are to come.
        limit: Bytes that may be kept.

    Raises:
        FilesQuotaError: If both together are more.
    """
    if kept + coming > limit:
        raise FilesQuotaError(whose=whose, kept_bytes=kept, coming_bytes=coming, limit_bytes=limit)


def require_publishable(model: Model, card: Mapping[str, object] | None) -> None:
    """Refuse to publish a model that is not ready, or of which too little is said.

    Raises:
        ModelNotReadyError: If it has not passed the checks.
        CardIncompleteError: With what its card lacks.
    """
    if model.status is not ModelStatus.READY:
        raise ModelNotReadyError(name=model.name, status=model.status)
    missing = missing_of(card)
    if missing:
        raise CardIncompleteError(missing=missing)


def _image(options: Values) -> Values:
    reader = OptionReader(options, known=("image",))
    image = reader.text("image", is_needed=True, longest=_LONGEST_IMAGE)
    if image and _IMAGE.fullmatch(image) is None:
        reader.wrong("image", "It is no image name; write it like registry.example.org/nli:1.")
    reader.raise_if_any()
    return {"image": image}
