"""Finding a round, a model or a dataset by what a person types."""

from uuid import UUID

from dynabench.client.addresses import as_id, no_round
from dynabench.client.client import DynabenchClient
from dynabench.kit.errors import NotFoundError
from dynabench.loop.models.schemas import ModelRead
from dynabench.loop.rounds.schemas import RoundRead
from dynabench.loop.rounds.values import RoundStatus


def find_round(
    client: DynabenchClient, text: str, *, status: RoundStatus | None = None
) -> RoundRead:
    """Return a round by its id, as `TASK/NUMBER`, or a task's latest that was played here.

    Args:
        client: The server to ask.
        text: What the person typed.
        status: With a task alone: the latest round in this state; imported ones do not count.

    Raises:
        NotFoundError: If there is none, with the ones that there are.
    """
    if status is None or "/" in text or as_id(text) is not None:
        return client.rounds.get(text)
    rounds = client.rounds.list(text)
    for round_ in rounds:
        if round_.status is status and round_.provenance is None:
            return round_
    raise NotFoundError(no_round(text, wanted=f"{status} round", of=rounds))


def find_model(client: DynabenchClient, slug: str, text: str) -> ModelRead:
    """Return a model by its id, its address, or its name within a task."""
    return client.models.get(within(slug, text))


def find_dataset_version(client: DynabenchClient, slug: str, text: str) -> UUID:
    """Return a dataset version's id by itself, its address, or its name within a task."""
    return as_id(text) or client.datasets.get(within(slug, text)).id


def within(slug: str, text: str) -> str:
    """Return the address of a thing that may be named without its task.

    Example:
        >>> within("nli", "starter"), within("nli", "nli/starter")
        ('nli/starter', 'nli/starter')
    """
    return text if as_id(text) or text.startswith(f"{slug}/") else f"{slug}/{text}"
