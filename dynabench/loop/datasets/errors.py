"""What can go wrong with datasets."""

from collections.abc import Mapping, Sequence

from dynabench.kit.errors import ConflictError, InvalidError, LimitError, NotFoundError


class DatasetNotFoundError(NotFoundError):
    """There is no such dataset version or split."""

    code = "datasets.not_found"

    def __init__(self) -> None:
        super().__init__("There is no such dataset version or split.")


class ReportNotFoundError(NotFoundError):
    """There is no such job of datasets, or it has not ended well yet."""

    code = "datasets.report_not_found"

    def __init__(self) -> None:
        super().__init__("There is no report of this job; it is not done, or not yours.")


class NothingToReleaseError(ConflictError):
    """A round has no example that could be released."""

    code = "datasets.nothing_to_release"

    def __init__(self, *, reason: str) -> None:
        super().__init__(f"This round cannot be released: {reason}")


class SplitSharesError(InvalidError):
    """Dev and test together would leave too little to learn from."""

    code = "datasets.split_shares"

    def __init__(self, *, most: float) -> None:
        sentence = (
            f"Dev and test together take at most {most:g} of the verified fooling examples; lower "
            "one of them."
        )
        super().__init__(sentence, fields={"dev_share": sentence})


class ReleaseIncompleteError(ConflictError):
    """A release would have no dev or test, one author or one label."""

    code = "datasets.release_incomplete"

    def __init__(self, *, missing: Sequence[str]) -> None:
        super().__init__(
            f"This release would be incomplete. {' '.join(missing)} Collect or validate more, or "
            "allow an incomplete release, which says so on its card.",
            missing=list(missing),
        )


class VerdictsOpenError(ConflictError):
    """Examples of a round wait for their verdict, and its release for them."""

    code = "datasets.verdicts_open"

    def __init__(self, *, waiting: int) -> None:
        what = "1 example still waits" if waiting == 1 else f"{waiting:,} examples still wait"
        super().__init__(
            f"{what} for a verdict. Wait until all are decided, or release them as they are.",
            waiting=waiting,
        )
        self.waiting = waiting


class ReleaseOrderNotFoundError(NotFoundError):
    """Nothing is to be released once the verdicts of a round are in."""

    code = "datasets.no_release_order"

    def __init__(self) -> None:
        super().__init__("No release of this round waits for verdicts.")


class DatasetNameTakenError(ConflictError):
    """A dataset of another origin has this name in the task."""

    code = "datasets.name_taken"

    def __init__(self, *, name: str, reason: str) -> None:
        super().__init__(
            f"“{name}” cannot be the name of an upload: {reason} Choose another name.",
            fields={"name": reason},
            name=name,
        )


class DatasetFileMissingError(InvalidError):
    """The file that is to be read was never sent."""

    code = "datasets.file_missing"

    def __init__(self) -> None:
        sentence = "No file with this digest was sent; send it first, then name its digest."
        super().__init__(sentence, fields={"file": sentence})


class DatasetFileTooLargeError(InvalidError):
    """The file is larger than may be sent."""

    code = "datasets.file_too_large"

    def __init__(self, *, limit_bytes: int) -> None:
        limit = limit_bytes // 1_000_000
        super().__init__(
            f"The file is larger than {limit:,} MB. Write it as Parquet, or in several datasets "
            "that are sub-tasks of one.",
            limit_bytes=limit_bytes,
        )


class DatasetUploadsBusyError(LimitError):
    """Somebody is sending several large files at once already."""

    code = "datasets.uploads_busy"

    def __init__(self, most: int) -> None:
        super().__init__(
            f"{most} of your files are on their way already. Wait until one of them is here.",
            most=most,
        )


class DatasetFileError(InvalidError):
    """Rows of an uploaded file are wrong; nothing of it was stored."""

    code = "datasets.file_invalid"

    def __init__(self, *, problems: Sequence[dict[str, object]], more: int = 0) -> None:
        first = problems[0]
        where = "" if first["line"] is None else f"Line {first['line']}"
        place = ", ".join(filter(None, [where, str(first.get("path") or "")]))
        where = f"{place}: " if place else ""
        super().__init__(
            f"{where}{first['message']} Nothing was stored; correct the file and send it again.",
            problems=list(problems),
            more=more,
        )


class ColumnMapError(InvalidError):
    """What is said about columns or labels does not fit the task."""

    code = "datasets.column_map_invalid"

    def __init__(self, fields: dict[str, str]) -> None:
        listed = " ".join(f"{name}: {sentence}" for name, sentence in fields.items())
        super().__init__(listed, fields=fields)


class NothingToPerturbError(ConflictError):
    """No text of a dataset can be varied."""

    code = "datasets.nothing_to_perturb"

    def __init__(self, *, name: str, kind: str) -> None:
        super().__init__(
            f"No text of “{name}” could be varied for {kind}: its test and dev items hold no text "
            "that a transform of this task and language changes.",
            name=name,
            kind=kind,
        )


class NotPerturbableError(ConflictError):
    """A set that varies another one is not varied itself."""

    code = "datasets.not_perturbable"

    def __init__(self, *, name: str) -> None:
        super().__init__(
            f"“{name}” varies another dataset; vary that one.",
            name=name,
        )


class PerturbationInUseError(ConflictError):
    """Models were scored on a perturbed set, so it stays."""

    code = "datasets.perturbation_in_use"

    def __init__(self, *, name: str) -> None:
        super().__init__(
            f"Models are scored on “{name}” already, so it stays. Make it anew: the newest one "
            "takes its place.",
            name=name,
        )


class PerturbationTooOpenError(InvalidError):
    """A perturbed set holds the right answers of the set that it varies."""

    code = "datasets.perturbation_too_open"

    def __init__(self, *, name: str, access: str) -> None:
        message = (
            f"“{name}” has the right answers of the set that it varies, which is {access}. "
            "Change that one, and this one follows."
        )
        super().__init__(message, fields={"access": message})


class UnknownTransformError(InvalidError):
    """A transform was named that there is not."""

    code = "datasets.unknown_transform"

    def __init__(self, *, reasons: Mapping[str, str]) -> None:
        listed = " ".join(f"{name}: {reason}" for name, reason in reasons.items())
        super().__init__(listed, fields={"transforms": listed})
