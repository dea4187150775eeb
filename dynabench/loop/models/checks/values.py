"""What a check asks a model, and what it found."""

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class TrialItem:
    """One input that a model is asked in a check; `name` says in words which."""

    name: str
    inputs: Mapping[str, object]


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckProblem:
    """One thing that is wrong with a model.

    `item` is the name of the trial input, None where it is about the model as a whole; `field`
    the output field or the option, None where there is no such one.
    """

    item: str | None
    field: str | None
    problem: str

    def __str__(self) -> str:
        where = ", ".join(
            part
            for part in (
                f"input “{self.item}”" if self.item else "",
                f"field “{self.field}”" if self.field else "",
            )
            if part
        )
        return f"{where}: {self.problem}" if where else self.problem


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckReport:
    """What a check found; a model without problems has passed.

    Attributes:
        problems: What the model is rejected for.
        log: What was asked, and what the model printed.
        asked: How many inputs were sent, each time counted.
        seconds: How long the whole check took.
        memory_peak_bytes: The most memory that its processes held; None where nobody measured.
        warnings: What its author should know; no reason to reject it.
        digest: What the model says of its version; None if it could not be loaded.
    """

    problems: tuple[CheckProblem, ...]
    log: str
    asked: int
    seconds: float
    memory_peak_bytes: int | None = None
    warnings: tuple[str, ...] = ()
    digest: str | None = None

    @property
    def has_passed(self) -> bool:
        """Whether nothing is wrong with the model."""
        return not self.problems
