"""What can go wrong with archives."""

from uuid import UUID

from dynabench.kit.errors import ConflictError, UnavailableError


class ArchivePendingError(ConflictError):
    """The archive is not there yet."""

    code = "datasets.archive_pending"

    def __init__(
        self, *, name: str, job_id: UUID | None, progress: float | None, reason: str | None
    ) -> None:
        if reason is not None:
            sentence = f"The file of “{name}” could not be made: {reason} Ask for it again."
        elif progress is None:
            sentence = f"The file of “{name}” is not made yet. Ask for it, then download it."
        else:
            sentence = (
                f"The file of “{name}” is being made ({progress:.0%}). Ask again in a moment."
            )
        super().__init__(
            sentence, job_id=None if job_id is None else str(job_id), progress=progress
        )


class ArchiveNotWrittenError(UnavailableError):
    """The worker's disk, or the store, takes no more."""

    code = "datasets.archive_not_written"

    def __init__(self, *, reason: str) -> None:
        super().__init__(
            f"The file could not be written ({reason}). Free some space on the worker's disk, "
            "then ask for it again; nothing half-made was kept."
        )


class ArchiveMediaMissingError(UnavailableError):
    """Pictures or sounds that items name are not stored any more."""

    code = "datasets.archive_media_missing"

    def __init__(self, *, digest: str, files: int) -> None:
        others = "" if files == 1 else f" and {files - 1:,} more of its files"
        super().__init__(
            f"The file could not be made: {digest}{others}, which items name, "
            f"{'is' if files == 1 else 'are'} missing in the file store. An administrator can "
            "restore the store from a backup; then ask for the file again. Nothing half-made was "
            "kept.",
            digest=digest,
            files=files,
        )


class AnswersElsewhereError(ConflictError):
    """The answers of a set of variants are those of the set that it varies."""

    code = "datasets.opened_elsewhere"

    def __init__(self, *, name: str) -> None:
        super().__init__(
            f"“{name}” has the right answers of the set that it varies. Open those of that set."
        )
