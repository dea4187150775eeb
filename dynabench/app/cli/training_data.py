"""What a person types for the data of a training: rounds, names, ids, each with a weight."""

import re
from collections.abc import Sequence
from uuid import UUID

from dynabench.client.addresses import as_id
from dynabench.kit.errors import InvalidError, NotFoundError
from dynabench.loop.datasets.schemas import DatasetVersionRead
from dynabench.loop.datasets.values import DatasetOrigin

_WEIGHTED = re.compile(r"(?P<what>.+):(?P<weight>[0-9]{1,12})", re.DOTALL)
_ROUND = re.compile(r"round\s*(?P<number>[0-9]{1,6})", re.IGNORECASE)
_VERSION = re.compile(r"(?P<name>.+)@(?P<version>[0-9]{1,6})", re.DOTALL)
_ALL_ROUNDS, _LAST_ROUND = "all rounds", "last round"


def read_sources(
    texts: Sequence[str], versions: Sequence[DatasetVersionRead]
) -> dict[UUID | str, int]:
    """Return what texts such as `Round 1:2` name among a task's sets, with their weights.

    A set that is named twice has the weight that was said last.

    Raises:
        NotFoundError: If a text names none, with what there is.
    """
    usable = [one for one in versions if one.origin is not DatasetOrigin.PERTURBATION]
    found: dict[UUID | str, int] = {}
    for text in texts:
        weighted = None if _named(text, usable) else _WEIGHTED.fullmatch(text)
        what = text if weighted is None else weighted["what"]
        weight = 1 if weighted is None else int(weighted["weight"])
        chosen = _named(what, usable)
        if not chosen:
            raise NotFoundError(f"“{what}” names no data of this task. {_known(usable)}")
        found.update((one.id, weight) for one in chosen)
    return found


def read_options(texts: Sequence[str]) -> dict[str, str]:
    """Return what texts such as `epochs=3` say.

    Raises:
        InvalidError: If one is not of that form.
    """
    found: dict[str, str] = {}
    for text in texts:
        name, sign, value = text.partition("=")
        if not sign or not name.strip():
            raise InvalidError(f"“{text}” sets no option. Write it like epochs=3.")
        found[name.strip()] = value.strip()
    return found


def _named(text: str, versions: Sequence[DatasetVersionRead]) -> list[DatasetVersionRead]:
    """Return the sets that a text names; the newest version where it names several of one."""
    wanted = text.strip()
    # A name may stand with its task, as everywhere.
    for slug in {one.task_slug for one in versions}:
        wanted = wanted.removeprefix(f"{slug}/")
    released = [one for one in versions if one.round_number is not None and one.is_newest]
    if wanted.casefold() == _ALL_ROUNDS:
        return released
    if wanted.casefold() == _LAST_ROUND:
        return sorted(released, key=lambda one: one.round_number or 0)[-1:]
    by_round = _ROUND.fullmatch(wanted)
    if by_round is not None:
        number = int(by_round["number"])
        return [one for one in released if one.round_number == number]
    version_id = as_id(wanted)
    if version_id is not None:
        return [one for one in versions if one.id == version_id]
    by_version = _VERSION.fullmatch(wanted)
    if by_version is not None:
        name, number = by_version["name"], int(by_version["version"])
        return [one for one in versions if (one.name, one.version) == (name, number)]
    return [one for one in versions if one.name == wanted and one.is_newest]


def _known(versions: Sequence[DatasetVersionRead]) -> str:
    newest = [one for one in versions if one.is_newest]
    if not newest:
        return "It has no released round and no uploaded set yet."
    names = [
        one.name if one.round_number is None else f"Round {one.round_number} ({one.name})"
        for one in newest
    ]
    return (
        f"There are: {', '.join(names)}. “all rounds” and “last round” are understood too, and "
        "“:2” behind a name lets each of its items count twice."
    )
