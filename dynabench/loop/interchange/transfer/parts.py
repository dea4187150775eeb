"""The parts of a task's file: which rows of which tables are a task's, and in which order.

Every table of the product is named here, as a part or with the reason why it is none; a test
holds that. A part's rows are found from the task by one foreign key after the other.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any
from uuid import UUID

from sqlalchemy import Column, ColumnElement, Table, exists, select, true

from dynabench.loop.chats.tables import chat_turns, chats
from dynabench.loop.contexts.tables import contexts
from dynabench.loop.datasets.tables import dataset_items, dataset_versions, datasets
from dynabench.loop.evaluations.tables import (
    deltas,
    evaluation_shards,
    evaluations,
    human_scores,
    measurements,
    predictions,
    scores,
    tag_scores,
)
from dynabench.loop.evaluations.values import EvaluationState
from dynabench.loop.examples.tables import example_predictions, examples
from dynabench.loop.interchange.transfer.values import MEDIA
from dynabench.loop.leaderboards.tables import boards, suspected_errors
from dynabench.loop.media.tables import media_files
from dynabench.loop.models.tables import models
from dynabench.loop.rounds.tables import round_parents, round_targets, rounds
from dynabench.loop.rounds.values import Arm, RoundStatus
from dynabench.loop.tasks.tables import task_config_versions, task_members, tasks
from dynabench.loop.validations.outcomes.tables import outcomes
from dynabench.loop.validations.tables import validations
from dynabench.people.tables import users


@dataclass(frozen=True)
class Part:
    """The rows of one table that are a task's.

    Attributes:
        table: The table.
        via: The column by which a row belongs to the task, itself or through another part.
        left_out: Columns that do not travel.
        late: Columns that name rows of the same part, filled in once all of them are there.
        only: Which of the rows travel, and with them what belongs to them.
    """

    table: Table
    via: str = ""
    left_out: frozenset[str] = frozenset()
    late: frozenset[str] = frozenset()
    only: ColumnElement[bool] = field(default_factory=true)

    @property
    def name(self) -> str:
        """How the part is called in files."""
        return self.table.name

    @property
    # Columns of every type.
    def columns(self) -> tuple[Column[Any], ...]:
        """The columns that travel, in the table's order; jobs stay where they are."""
        return tuple(
            one
            for one in self.table.columns
            if one.name not in self.left_out and not one.name.endswith("job_id")
        )

    @property
    # The same as above.
    def key(self) -> tuple[Column[Any], ...]:
        """The columns by which rows are told apart and sorted."""
        return tuple(self.table.primary_key.columns)

    def refers_to(self, column: str) -> str | None:
        """Return the table whose rows a column names."""
        return next((one.column.table.name for one in self.table.c[column].foreign_keys), None)


_FINISHED = evaluations.c.state != EvaluationState.PENDING

# In the order in which rows can be written: what is referred to comes first.
PARTS = (
    Part(tasks),
    Part(task_config_versions, "task_id"),
    Part(task_members, "task_id"),
    Part(models, "task_id"),
    Part(contexts, "task_id"),
    # Where it arrives a round gets a secret of its own; its attempts keep their arms.
    Part(rounds, "task_id", left_out=frozenset({"arm_secret"})),
    Part(round_targets, "round_id"),
    Part(round_parents, "round_id"),
    Part(chats, "round_id"),
    Part(chat_turns, "chat_id"),
    Part(examples, "task_id", late=frozenset({"contrast_of"})),
    Part(example_predictions, "example_id"),
    Part(validations, "example_id"),
    Part(outcomes, "example_id"),
    Part(datasets, "task_id"),
    Part(dataset_versions, "dataset_id", late=frozenset({"perturbs_id"})),
    Part(dataset_items, "version_id"),
    Part(evaluations, "model_id", only=_FINISHED),
    Part(evaluation_shards, "evaluation_id"),
    Part(predictions, "evaluation_id"),
    Part(scores, "evaluation_id"),
    Part(tag_scores, "evaluation_id"),
    Part(measurements, "evaluation_id"),
    Part(deltas, "evaluation_id"),
    Part(human_scores, "dataset_version_id"),
    Part(boards, "task_id"),
    Part(suspected_errors, "task_id"),
)
PART_OF = {one.name: one for one in PARTS}

# Its rows are those whose files are named somewhere in the parts above.
MEDIA_PART = Part(media_files, left_out=frozenset({"created_by", "source_url"}))
assert MEDIA_PART.name == MEDIA, "the file calls the part as the table is called"

ACCOUNTS = users.name
NO_PARTS = {
    "accounts": (
        *("users", "sessions", "api_tokens", "invitations", "password_resets"),
        *("rate_limits", "audit_entries"),
    ),
    # Their bytes do not travel, and a digest from outside could name anybody's.
    "answers": ("prediction_files", "dataset_files"),
    "jobs": ("jobs", "job_steps", "job_log_lines", "outbox", "idempotency_keys"),
    "leases": ("context_leases", "validation_leases"),
    "orders": ("release_orders",),
    "links": (
        *("task_join_links", "task_join_link_uses", "task_proposals", "task_proposal_notes"),
        "notifications",
    ),
    "derived": (
        *("annotator_days", "context_counts", "board_figures", "task_scales"),
        "dataset_archives",
    ),
}
"""Tables that are no parts, under the word by which `NEVER_HELD` says why."""


def belongs(part: Part, task_id: object, *, reader: UUID | None = None) -> ColumnElement[bool]:
    """Return the condition that holds for a task's rows of a part.

    Without those that are kept from the reader, if there is one, and all that belongs to them.
    """
    if part.table is tasks:
        return tasks.c.id == task_id
    column = part.table.c[part.via]
    (key,) = column.foreign_keys
    parent = key.column.table.name
    only = part.only
    if part.table is examples and reader is not None:
        only &= ~is_kept_from(reader)
    if parent == tasks.name:
        return (column == task_id) & only
    found = select(key.column).where(belongs(PART_OF[parent], task_id, reader=reader))
    return column.in_(found) & only


def is_kept_from(reader: UUID) -> ColumnElement[bool]:
    """Return the condition of attempts whose author may not know yet what models made of them.

    That is their own ones without a model in a round that is open, as everywhere.
    """
    is_open = exists().where(
        rounds.c.id == examples.c.round_id, rounds.c.status == RoundStatus.OPEN
    )
    return (examples.c.annotator_id == reader) & (examples.c.arm == Arm.NO_MODEL) & is_open


@dataclass(frozen=True)
class Claim:
    """A place in which a file names people: a column, and of members the role.

    Attributes:
        part: The part.
        column: The column of it.
        role: As what; of members alone.
    """

    part: str
    column: str
    role: str | None = None


def claim_of(part: Part, column: str, row: Mapping[str, object]) -> Claim:
    """Return the place in which a row names somebody."""
    role = str(row["role"]) if part.table is task_members else None
    return Claim(part.name, column, role)


def people_columns(part: Part) -> tuple[str, ...]:
    """Return the columns of a part that name people."""
    return tuple(one.name for one in part.columns if part.refers_to(one.name) == ACCOUNTS)
