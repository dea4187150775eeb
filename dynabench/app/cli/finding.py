"""Finding a round or a model by what a person types."""

from uuid import UUID

from dynabench.client.client import DynabenchClient
from dynabench.kit.errors import InvalidError, NotFoundError
from dynabench.loop.models.schemas import ModelRead
from dynabench.loop.rounds.schemas import RoundRead
from dynabench.loop.rounds.values import RoundStatus


def as_id(text: str) -> UUID | None:
    """Return the id that a text is, if it is one."""
    try:
        return UUID(text)
    except ValueError:
        return None


def find_round(
    client: DynabenchClient, text: str, *, status: RoundStatus | None = None
) -> RoundRead:
    """Return a round by its id, as `TASK/NUMBER`, or the latest one of a task.

    Args:
        client: The server to ask.
        text: What the person typed.
        status: With a task alone: the latest round in this state.

    Raises:
        NotFoundError: If there is none, with the ones that there are.
    """
    round_id = as_id(text)
    if round_id is not None:
        return client.read_round(round_id)
    slug, _, number = text.partition("/")
    if number and not number.isdecimal():
        raise InvalidError(f"“{text}” names no round. Write TASK, TASK/NUMBER or a round's id.")
    rounds = client.list_rounds(slug)
    for round_ in rounds:
        if number and round_.number == int(number):
            return round_
        if not number and status in {None, round_.status}:
            return round_
    known = ", ".join(f"{round_.number} ({round_.status})" for round_ in rounds) or "none"
    wanted = f"round {number}" if number else f"{status or ''} round".strip()
    raise NotFoundError(f"Task {slug} has no {wanted}. Its rounds: {known}.")


def find_model(client: DynabenchClient, slug: str, text: str) -> ModelRead:
    """Return a model by its id, by `NAME:VERSION`, or the newest of a name within a task."""
    model_id = as_id(text)
    if model_id is not None:
        return client.read_model(model_id)
    named = [
        model
        for model in client.list_models(slug)
        if text in {model.name, f"{model.name}:{model.version}"}
    ]
    if not named:
        raise NotFoundError(
            f"Task {slug} has no model called “{text}”. See them: dynabench model list {slug}"
        )
    return max(named, key=lambda model: model.version)


def find_any_model(client: DynabenchClient, text: str) -> ModelRead:
    """Return a model by its id, or as `TASK/NAME`, of which the newest version is meant.

    Raises:
        InvalidError: If the text is neither.
        NotFoundError: If there is none.
    """
    slug, sign, name = text.partition("/")
    if as_id(text) is None and not (sign and slug and name):
        raise InvalidError(f"“{text}” names no model. Write its id, or TASK/NAME.")
    return find_model(client, slug, name if sign else text)


def find_dataset_version(client: DynabenchClient, slug: str, text: str) -> UUID:
    """Return a dataset version's id by itself, or the newest version of a name within a task.

    Raises:
        NotFoundError: If there is none, with the names that there are.
    """
    version_id = as_id(text)
    if version_id is not None:
        return version_id
    versions = client.list_datasets(slug)
    named = [one for one in versions if one.name == text]
    if not named:
        known = ", ".join(dict.fromkeys(one.name for one in versions)) or "none"
        raise NotFoundError(f"Task {slug} has no dataset called “{text}”. Its datasets: {known}.")
    return max(named, key=lambda one: one.version).id
