"""What a look at one thing finds."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from enum import StrEnum

from dynabench.kit.errors import DynabenchError


class State(StrEnum):
    """How something is; the worst of all is that of the installation."""

    OK = "ok"
    WARNING = "warning"
    PROBLEM = "problem"


@dataclass(frozen=True, slots=True)
class Finding:
    """What was found of one thing.

    Attributes:
        name: What was looked at, in a word or two.
        state: How it is.
        says: What was found, as a sentence.
        do: What to do about it; empty where it is well.
    """

    name: str
    state: State
    says: str
    do: str = ""


def ok(name: str, says: str) -> Finding:
    """Return that something is as it should be."""
    return Finding(name, State.OK, says)


def warning(name: str, says: str, *, do: str) -> Finding:
    """Return that something works, and not as well or as safely as it could."""
    return Finding(name, State.WARNING, says, do)


def problem(name: str, says: str, *, do: str) -> Finding:
    """Return that something does not work."""
    return Finding(name, State.PROBLEM, says, do)


def worst(findings: Iterable[Finding]) -> State:
    """Return how all of it is together; `ok` where nothing was looked at."""
    order = list(State)
    return max((finding.state for finding in findings), key=order.index, default=State.OK)


def looked_at(name: str, look: Callable[[], Finding], *, do: str) -> Finding:
    """Return what a look finds; where it fails, that is what was found.

    Args:
        name: What is looked at.
        look: Looks at it.
        do: What to do where it fails.
    """
    try:
        return look()
    except DynabenchError as error:
        return problem(name, error.message, do=do)
    # Whatever goes wrong with one thing, the others are looked at all the same.
    except Exception as error:  # noqa: BLE001
        said = str(error).strip().splitlines() or [type(error).__name__]
        return problem(name, f"It cannot be looked at: {said[0]}.", do=do)
