"""Every failure that a client may raise, by its class: `except dynabench.errors.NotFoundError`.

The six kinds are `NotFoundError`, `ForbiddenError` (and `UnauthenticatedError`), `InvalidError`,
`ConflictError`, `LimitError` and `UnavailableError`, all of them a `DynabenchError`; the others
are what exactly went wrong. Each has its public `code`, the sentence in `message`, wrong fields
in `fields` and what the sentence names in `facts`.
"""

# This page is these names, and every module of failures says itself what is its own.
# ruff: noqa: F403
from dynabench.client.errors import *
from dynabench.engines.baselines.errors import *
from dynabench.engines.finetuning.errors import *
from dynabench.engines.inference.errors import *
from dynabench.engines.jobs.errors import *
from dynabench.engines.media.errors import *
from dynabench.engines.runners.errors import *
from dynabench.engines.storage.errors import *
from dynabench.kit.actor import *
from dynabench.kit.errors import *
from dynabench.kit.paging import *
from dynabench.kit.rate_limits.errors import *
from dynabench.loop.assignments.errors import *
from dynabench.loop.contexts.errors import *
from dynabench.loop.datasets.errors import *
from dynabench.loop.evaluations.prediction_files.errors import *
from dynabench.loop.evaluations.removals.errors import *
from dynabench.loop.examples.errors import *
from dynabench.loop.media.errors import *
from dynabench.loop.models.errors import *
from dynabench.loop.models.submissions.errors import *
from dynabench.loop.proposals.errors import *
from dynabench.loop.rounds.errors import *
from dynabench.loop.tasks.errors import *
from dynabench.loop.training.errors import *
from dynabench.loop.validations.errors import *
from dynabench.people.errors import *
from dynabench.people.notifications.errors import *
from dynabench.science.task_config.problems import *


def __dir__() -> list[str]:
    """List the failures alone."""
    return sorted(name for name in globals() if name.endswith("Error"))
