"""What can go wrong with a study."""

from dynabench.kit.errors import InvalidError, UnavailableError


class StudyDataMissingError(InvalidError):
    """A file of a published collection is not where it was looked for."""

    code = "study.data_missing"

    def __init__(self, *, file: str, source: str) -> None:
        super().__init__(
            f"{file} is not there. Download {source}, put the file there packed with gzip, or name "
            "the folder that holds the collections with --data. docs/studies/README.md says what "
            "each file holds.",
            file=file,
            source=source,
        )


class StudyDataUnusableError(InvalidError):
    """A file of a published collection does not hold what it should."""

    code = "study.data_unusable"

    def __init__(self, *, file: str, line: int | None, reason: str) -> None:
        where = file if line is None else f"{file}, line {line}"
        super().__init__(
            f"{where}: {reason}. Download the file once more.", file=file, line=line, reason=reason
        )


class PoolTooSmallError(InvalidError):
    """The pool does not suffice for a round: nothing that fools is left to learn from."""

    code = "study.pool_too_small"

    def __init__(self, *, study: str, round_number: int) -> None:
        super().__init__(
            f"Round {round_number} of the study {study} collected nothing to learn from. Take "
            "fewer rounds, or leave out --quick.",
            study=study,
            round_number=round_number,
        )


class StudyProcessError(UnavailableError):
    """A process that played a seed was ended from outside."""

    code = "study.process_ended"

    def __init__(self) -> None:
        super().__init__(
            "A process that played a seed was ended; the machine may have run out of memory. Run "
            "the command again with --processes 1: what is finished is kept."
        )
