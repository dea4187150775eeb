"""What is sent to a cluster's machines for an evaluation."""

from dataclasses import dataclass
from uuid import UUID

from dynabench.engines.inference.metering import Usage
from dynabench.engines.inference.protocol import TargetSpec
from dynabench.engines.storage.store import Digest
from dynabench.loop.evaluations.runs.asking.values import Patience
from dynabench.science.task_config.schema import TaskConfig


@dataclass(frozen=True, slots=True, kw_only=True)
class Order:
    """A model to be asked, on a machine that knows nothing of it yet.

    Attributes:
        spec: How it is reached, but for its folder.
        digest: Of the folder, which is laid out there from the store of files.
        config: Of the task, by which answers are checked.
        seed: Of the order in which items are asked.
        patience: The limits of asking.
    """

    spec: TargetSpec
    digest: Digest
    config: TaskConfig
    seed: UUID
    patience: Patience


@dataclass(frozen=True, slots=True, kw_only=True)
class Told:
    """What comes back from a copy of the model.

    Attributes:
        found: What was asked for; None where the model failed.
        copy: Which copy it was.
        usage: What its processes used so far.
        log: What the model printed, of its last processes.
        failure: Why the model cannot be asked any more.
    """

    found: object
    copy: UUID
    usage: Usage
    log: str
    failure: str | None
