"""Tables of tasks, their config versions, members and join links."""

from sqlalchemy import (
    Boolean,
    CheckConstraint,
    Column,
    ForeignKey,
    Integer,
    LargeBinary,
    Table,
    Text,
    Uuid,
    true,
)
from sqlalchemy.dialects.postgresql import JSONB

from dynabench.kit.db.columns import enum_column, id_column, time_column, utc_now
from dynabench.kit.db.metadata import metadata
from dynabench.loop.tasks.values import TaskRole, TaskStatus

tasks = Table(
    "tasks",
    metadata,
    id_column(),
    Column("slug", Text, nullable=False, unique=True),
    enum_column("status", TaskStatus, default=TaskStatus.DRAFT),
    # False: only members annotate and validate.
    Column("is_open_to_everyone", Boolean, nullable=False, server_default=true()),
    Column("visitors_may_try", Boolean, nullable=False, server_default=true()),
    Column("active_config_version", Integer, nullable=False),
    # Empty for a task that the installation itself made.
    Column("created_by", Uuid, ForeignKey("users.id"), index=True),
    # Where the starter data of a task from the catalogue lies, such as `tasks/nli`.
    Column("catalog_folder", Text),
    utc_now(),
    time_column("activated_at", nullable=True),
    time_column("archived_at", nullable=True),
)

task_config_versions = Table(
    "task_config_versions",
    metadata,
    Column("task_id", Uuid, ForeignKey("tasks.id", ondelete="CASCADE"), primary_key=True),
    Column(
        "version",
        Integer,
        CheckConstraint("version >= 1", name="version_is_positive"),
        primary_key=True,
        autoincrement=False,
    ),
    # The YAML as its author wrote it, comments included.
    Column("config", Text, nullable=False),
    # What the list of tasks shows of it (`rules.summary_of`), so that nobody parses a thousand
    # configs for a list. Empty in rows that are older than this column.
    Column("summary", JSONB(none_as_null=True)),
    Column("created_by", Uuid, ForeignKey("users.id"), index=True),
    utc_now(),
)

task_members = Table(
    "task_members",
    metadata,
    Column("task_id", Uuid, ForeignKey("tasks.id", ondelete="CASCADE"), primary_key=True),
    Column(
        "user_id",
        Uuid,
        ForeignKey("users.id", ondelete="CASCADE"),
        primary_key=True,
        index=True,
    ),
    enum_column("role", TaskRole),
    utc_now("added_at"),
)

task_join_links = Table(
    "task_join_links",
    metadata,
    id_column(),
    Column("task_id", Uuid, ForeignKey("tasks.id", ondelete="CASCADE"), nullable=False, index=True),
    enum_column("role", TaskRole),
    # Whom it is for, in its owners' words.
    Column("note", Text, nullable=False, server_default=""),
    Column("secret_digest", LargeBinary, nullable=False, unique=True),
    Column("created_by", Uuid, ForeignKey("users.id"), index=True),
    utc_now(),
    time_column("expires_at"),
)

# Who took a link; a link's uses are the number of these rows.
task_join_link_uses = Table(
    "task_join_link_uses",
    metadata,
    Column("link_id", Uuid, ForeignKey("task_join_links.id", ondelete="CASCADE"), primary_key=True),
    Column(
        "user_id",
        Uuid,
        ForeignKey("users.id", ondelete="CASCADE"),
        primary_key=True,
        index=True,
    ),
    utc_now("used_at"),
)
