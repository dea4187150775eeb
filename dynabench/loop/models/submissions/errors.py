"""What can go wrong with submissions."""

from datetime import datetime

from dynabench.kit.errors import (
    ConflictError,
    ForbiddenError,
    InvalidError,
    LimitError,
    UnavailableError,
)

_MEGABYTE = 1_000_000


class NameTakenError(ConflictError):
    """Another person's model has this name."""

    code = "models.name_taken"

    def __init__(self, *, name: str) -> None:
        sentence = f"Another person has submitted a model called “{name}”. Choose another name."
        super().__init__(sentence, fields={"name": sentence}, name=name)


class SameModelError(ConflictError):
    """Nothing differs from a version that is there."""

    code = "models.same_as_before"

    def __init__(self, *, name: str, version: int) -> None:
        super().__init__(
            f"This is the very same as “{name}” v{version}, so there is nothing new to score. "
            "Change it, or see the results of that version.",
            name=name,
            version=version,
        )


class DailyLimitError(LimitError):
    """As many submissions as a person may make to a task within a day."""

    code = "models.daily_limit"

    def __init__(self, *, limit: int, free_at: datetime | None) -> None:
        when = "" if free_at is None else f" The next may come at {free_at:%Y-%m-%d %H:%M} UTC."
        super().__init__(
            f"At most {limit} models of one person pass the checks of a task within 24 hours; "
            f"those on their way are counted in.{when} A rejected one does not count.",
            limit=limit,
        )


class TooManyWaitingError(LimitError):
    """As many submissions on their way as a person may have."""

    code = "models.too_many_waiting"

    def __init__(self, *, limit: int) -> None:
        super().__init__(
            f"{limit} of your models wait for their files or their check already. Hand in the "
            "files of those, wait until they are checked, or delete one.",
            limit=limit,
        )


class UploadsBusyError(LimitError):
    """Too many files of one person are coming in at once."""

    code = "models.uploads_busy"

    def __init__(self, limit: int) -> None:
        super().__init__(
            f"{limit} of your files are being uploaded already. Wait until one has arrived.",
            limit=limit,
        )


class ArtifactTooLargeError(InvalidError):
    """A model's files have too many bytes."""

    code = "models.artifact_too_large"

    def __init__(self, *, limit_bytes: int) -> None:
        sentence = (
            f"The file is larger than the {limit_bytes // _MEGABYTE:,} MB that this server takes. "
            "Leave out what the model does not need, or store its weights in fewer bits."
        )
        super().__init__(sentence, fields={"artifact": sentence}, limit_bytes=limit_bytes)


class FilesQuotaError(LimitError):
    """A person's models, or a task's files, keep as many bytes as they may."""

    code = "models.files_quota"

    def __init__(self, *, whose: str, kept_bytes: int, coming_bytes: int, limit_bytes: int) -> None:
        is_own = whose == "you"
        of = "Your models" if is_own else "The models and dataset files of this task"
        who = "or ask the operator" if is_own else "ask its owners to, or ask the operator"
        super().__init__(
            f"{of} keep {kept_bytes // _MEGABYTE:,} MB here, and with this file they would keep "
            f"more than the {limit_bytes // _MEGABYTE:,} MB that this server gives. "
            f"Delete models that are not needed any more, {who}.",
            whose=whose,
            kept_bytes=kept_bytes,
            coming_bytes=coming_bytes,
            limit_megabytes=limit_bytes // _MEGABYTE,
        )


class ArtifactFormatError(InvalidError):
    """A model's file is of no kind that is taken."""

    code = "models.artifact_format"

    def __init__(self, sentence: str) -> None:
        super().__init__(sentence, fields={"artifact": sentence})


class ArtifactThereError(ConflictError):
    """The model has its files already, and what was handed in never changes."""

    code = "models.artifact_there"

    def __init__(self, *, name: str) -> None:
        super().__init__(
            f"“{name}” has its files already, and a version never changes. Submit the new files "
            "under the same name: they become its next version.",
            name=name,
        )


class NoArtifactError(ConflictError):
    """Models of this kind have no files."""

    code = "models.no_artifact"

    def __init__(self, *, kind: str) -> None:
        super().__init__(f"A model of kind “{kind}” has no files to upload.", kind=kind)


class CodeRefusedError(ForbiddenError):
    """This machine cannot keep uploaded code apart, and its operator does not trust it."""

    code = "models.code_refused"

    def __init__(self, *, reason: str) -> None:
        super().__init__(
            f"This server takes no code: {reason} Submit a model that answers over HTTP or files "
            "of predictions, or ask the operator.",
            reason=reason,
        )


class StorageFullError(UnavailableError):
    """There is no room left for files."""

    code = "models.storage_full"

    def __init__(self) -> None:
        super().__init__(
            "The server's disk is full, so nothing was stored. Nothing counts against you; tell "
            "the operator, and try again later."
        )


class NotYourModelError(ForbiddenError):
    """Only who submitted a model may do this to it."""

    code = "models.not_yours"

    def __init__(self) -> None:
        super().__init__(
            "Only the person who submitted this model may do that; the task's owners may "
            "withdraw, check again and delete it."
        )


class CardIncompleteError(InvalidError):
    """A published model's card must say some things."""

    code = "models.card_incomplete"

    def __init__(self, *, missing: tuple[str, ...]) -> None:
        names = ", ".join(name.replace("_", " ") for name in missing)
        super().__init__(
            f"A published model needs a card that says: {names}.",
            fields={f"card.{name}": "Say something here to publish." for name in missing},
        )


class NothingToRetryError(ConflictError):
    """The model's check is not over, or it passed."""

    code = "models.nothing_to_retry"

    def __init__(self, *, name: str, reason: str) -> None:
        super().__init__(f"“{name}” cannot be checked again: {reason}", name=name)


class InspectionFailedError(UnavailableError):
    """The platform could not check a model; it is no fault of the model."""

    code = "models.inspection_failed"

    def __init__(self, *, reason: str) -> None:
        super().__init__(
            f"The model could not be checked, which does not count against it: {reason}",
            reason=reason,
        )
