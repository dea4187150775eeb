"""honest scores.

Revision: 0003
Revises: 0002
"""

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects import postgresql

revision = "0003"
down_revision = "0002"
branch_labels = None
depends_on = None

_OLD_KINDS = ("handler", "endpoint", "openai", "recorded")
_KINDS = (
    "handler",
    "huggingface",
    "onnx",
    "container",
    "endpoint",
    "openai",
    "predictions",
    "recorded",
)
_OLD_STATES = ("pending", "done", "failed")
_NEW_STATES = ("cancelled", "incomplete")
_ISOLATION = ("built_in", "sandbox", "container", "remote", "no_code", "trusted")


def _check(table: str, column: str, *values: str) -> None:
    allowed = ", ".join(f"'{value}'" for value in values)
    name = op.f(f"ck_{table}_{column}_is_known")
    op.create_check_constraint(name, table, f"{column} IN ({allowed})")


def upgrade() -> None:
    """Apply the change."""
    op.create_table(
        "board_figures",
        sa.Column("task_id", sa.Uuid(), nullable=False),
        sa.Column("stamp", sa.Text(), nullable=False),
        sa.Column("payload", sa.LargeBinary(), nullable=False),
        sa.Column(
            "computed_at",
            sa.DateTime(timezone=True),
            server_default=sa.text("now()"),
            nullable=False,
        ),
        sa.ForeignKeyConstraint(
            ["task_id"], ["tasks.id"], name=op.f("fk_board_figures_task_id_tasks")
        ),
        sa.PrimaryKeyConstraint("task_id", name=op.f("pk_board_figures")),
    )
    op.create_table(
        "boards",
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column("task_id", sa.Uuid(), nullable=False),
        sa.Column("kind", sa.Text(), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("description", sa.Text(), server_default="", nullable=False),
        sa.Column("weights", postgresql.JSONB(astext_type=sa.Text()), nullable=False),
        sa.Column("content", postgresql.JSONB(astext_type=sa.Text()), nullable=True),
        sa.Column("digest", sa.Text(), nullable=True),
        sa.Column("created_by", sa.Uuid(), nullable=True),
        sa.Column(
            "created_at",
            sa.DateTime(timezone=True),
            server_default=sa.text("now()"),
            nullable=False,
        ),
        sa.Column("deleted_at", sa.DateTime(timezone=True), nullable=True),
        sa.CheckConstraint("kind IN ('fork', 'snapshot')", name=op.f("ck_boards_kind_is_known")),
        sa.ForeignKeyConstraint(
            ["created_by"], ["users.id"], name=op.f("fk_boards_created_by_users")
        ),
        sa.ForeignKeyConstraint(["task_id"], ["tasks.id"], name=op.f("fk_boards_task_id_tasks")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_boards")),
        sa.UniqueConstraint("task_id", "name", name=op.f("uq_boards_task_id_name")),
    )
    op.create_index(op.f("ix_boards_created_by"), "boards", ["created_by"], unique=False)
    op.create_table(
        "human_scores",
        sa.Column("dataset_version_id", sa.Uuid(), nullable=False),
        sa.Column("split", sa.Text(), nullable=False),
        sa.Column("metric", sa.Text(), nullable=False),
        sa.Column("value", sa.Double(), nullable=True),
        sa.Column("low", sa.Double(), nullable=True),
        sa.Column("high", sa.Double(), nullable=True),
        sa.Column("items", sa.Integer(), nullable=False),
        sa.Column("votes", sa.Integer(), nullable=False),
        sa.Column("method", sa.Text(), nullable=False),
        sa.Column("reason", sa.Text(), nullable=True),
        sa.Column(
            "computed_at",
            sa.DateTime(timezone=True),
            server_default=sa.text("now()"),
            nullable=False,
        ),
        sa.ForeignKeyConstraint(
            ["dataset_version_id"],
            ["dataset_versions.id"],
            name=op.f("fk_human_scores_dataset_version_id_dataset_versions"),
        ),
        sa.PrimaryKeyConstraint(
            "dataset_version_id", "split", "metric", name=op.f("pk_human_scores")
        ),
    )
    op.create_table(
        "prediction_files",
        sa.Column("model_id", sa.Uuid(), nullable=False),
        sa.Column("dataset_version_id", sa.Uuid(), nullable=False),
        sa.Column("digest", sa.Text(), nullable=False),
        sa.Column("items", sa.Integer(), nullable=False),
        sa.Column(
            "created_at",
            sa.DateTime(timezone=True),
            server_default=sa.text("now()"),
            nullable=False,
        ),
        sa.ForeignKeyConstraint(
            ["dataset_version_id"],
            ["dataset_versions.id"],
            name=op.f("fk_prediction_files_dataset_version_id_dataset_versions"),
        ),
        sa.ForeignKeyConstraint(
            ["model_id"], ["models.id"], name=op.f("fk_prediction_files_model_id_models")
        ),
        sa.PrimaryKeyConstraint("model_id", "dataset_version_id", name=op.f("pk_prediction_files")),
    )
    op.create_index(
        op.f("ix_prediction_files_dataset_version_id"),
        "prediction_files",
        ["dataset_version_id"],
        unique=False,
    )
    op.create_table(
        "deltas",
        sa.Column("evaluation_id", sa.Uuid(), nullable=False),
        sa.Column("perturbed_version_id", sa.Uuid(), nullable=False),
        sa.Column("split", sa.Text(), nullable=False),
        sa.Column("transform", sa.Text(), nullable=False),
        sa.Column("kind", sa.Text(), nullable=False),
        sa.Column("value", sa.Double(), nullable=True),
        sa.Column("low", sa.Double(), nullable=True),
        sa.Column("high", sa.Double(), nullable=True),
        sa.Column("items", sa.Integer(), nullable=False),
        sa.Column("gold_value", sa.Double(), nullable=True),
        sa.CheckConstraint(
            "kind IN ('robustness', 'fairness')", name=op.f("ck_deltas_kind_is_known")
        ),
        sa.ForeignKeyConstraint(
            ["evaluation_id"],
            ["evaluations.id"],
            name=op.f("fk_deltas_evaluation_id_evaluations"),
            ondelete="CASCADE",
        ),
        sa.ForeignKeyConstraint(
            ["perturbed_version_id"],
            ["dataset_versions.id"],
            name=op.f("fk_deltas_perturbed_version_id_dataset_versions"),
        ),
        sa.PrimaryKeyConstraint(
            "evaluation_id", "perturbed_version_id", "split", "transform", name=op.f("pk_deltas")
        ),
    )
    op.create_index(
        op.f("ix_deltas_perturbed_version_id"), "deltas", ["perturbed_version_id"], unique=False
    )
    op.create_table(
        "evaluation_shards",
        sa.Column("evaluation_id", sa.Uuid(), nullable=False),
        sa.Column("split", sa.Text(), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("items", sa.Integer(), nullable=False),
        sa.Column("failed", sa.Integer(), nullable=False),
        sa.Column("seconds", sa.Double(), nullable=False),
        sa.Column("cpu_seconds", sa.Double(), nullable=True),
        sa.Column("memory_peak_bytes", sa.BigInteger(), nullable=True),
        sa.Column(
            "finished_at",
            sa.DateTime(timezone=True),
            server_default=sa.text("now()"),
            nullable=False,
        ),
        sa.ForeignKeyConstraint(
            ["evaluation_id"],
            ["evaluations.id"],
            name=op.f("fk_evaluation_shards_evaluation_id_evaluations"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint(
            "evaluation_id", "split", "number", name=op.f("pk_evaluation_shards")
        ),
    )
    op.create_table(
        "measurements",
        sa.Column("evaluation_id", sa.Uuid(), nullable=False),
        sa.Column("throughput", sa.Double(), nullable=True),
        sa.Column("throughput_low", sa.Double(), nullable=True),
        sa.Column("throughput_high", sa.Double(), nullable=True),
        sa.Column("batched_throughput", sa.Double(), nullable=True),
        sa.Column("is_measured_at_client", sa.Boolean(), nullable=False),
        sa.Column("memory_mean_bytes", sa.BigInteger(), nullable=True),
        sa.Column("memory_peak_bytes", sa.BigInteger(), nullable=True),
        sa.Column("cpu_seconds", sa.Double(), nullable=True),
        sa.Column("machine", postgresql.JSONB(astext_type=sa.Text()), nullable=False),
        sa.Column("reference_seconds", sa.Double(), nullable=True),
        sa.Column(
            "measured_at",
            sa.DateTime(timezone=True),
            server_default=sa.text("now()"),
            nullable=False,
        ),
        sa.ForeignKeyConstraint(
            ["evaluation_id"],
            ["evaluations.id"],
            name=op.f("fk_measurements_evaluation_id_evaluations"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("evaluation_id", name=op.f("pk_measurements")),
    )
    op.create_table(
        "tag_scores",
        sa.Column("evaluation_id", sa.Uuid(), nullable=False),
        sa.Column("split", sa.Text(), nullable=False),
        sa.Column("tag", sa.Text(), nullable=False),
        sa.Column("metric", sa.Text(), nullable=False),
        sa.Column("value", sa.Double(), nullable=True),
        sa.Column("low", sa.Double(), nullable=True),
        sa.Column("high", sa.Double(), nullable=True),
        sa.Column("items", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(
            ["evaluation_id"],
            ["evaluations.id"],
            name=op.f("fk_tag_scores_evaluation_id_evaluations"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint(
            "evaluation_id", "split", "tag", "metric", name=op.f("pk_tag_scores")
        ),
    )
    op.add_column("dataset_items", sa.Column("original_uid", sa.Text(), nullable=True))
    op.add_column("dataset_items", sa.Column("transform", sa.Text(), nullable=True))
    op.add_column("dataset_versions", sa.Column("created_by", sa.Uuid(), nullable=True))
    op.add_column("dataset_versions", sa.Column("perturbs_id", sa.Uuid(), nullable=True))
    op.add_column(
        "dataset_versions",
        sa.Column("perturbation", postgresql.JSONB(astext_type=sa.Text()), nullable=True),
    )
    op.create_index(
        op.f("ix_dataset_versions_perturbs_id"), "dataset_versions", ["perturbs_id"], unique=False
    )
    op.create_foreign_key(
        op.f("fk_dataset_versions_perturbs_id_dataset_versions"),
        "dataset_versions",
        "dataset_versions",
        ["perturbs_id"],
        ["id"],
    )
    op.create_foreign_key(
        op.f("fk_dataset_versions_created_by_users"),
        "dataset_versions",
        "users",
        ["created_by"],
        ["id"],
    )
    op.add_column(
        "datasets", sa.Column("access", sa.Text(), server_default="scoring", nullable=False)
    )
    op.add_column(
        "datasets", sa.Column("origin", sa.Text(), server_default="release", nullable=False)
    )
    op.add_column("datasets", sa.Column("subtask_of", sa.Text(), nullable=True))
    op.add_column(
        "datasets", sa.Column("tags", sa.ARRAY(sa.Text()), server_default="{}", nullable=False)
    )
    op.add_column(
        "models", sa.Column("isolation", sa.Text(), server_default="built_in", nullable=False)
    )
    op.add_column(
        "models", sa.Column("card", postgresql.JSONB(astext_type=sa.Text()), nullable=True)
    )
    op.add_column(
        "models", sa.Column("problems", postgresql.JSONB(astext_type=sa.Text()), nullable=True)
    )
    op.add_column("models", sa.Column("job_id", sa.Uuid(), nullable=True))
    op.add_column("models", sa.Column("artifact_bytes", sa.BigInteger(), nullable=True))
    op.add_column("models", sa.Column("passed_at", sa.DateTime(timezone=True), nullable=True))
    op.add_column("models", sa.Column("deleted_at", sa.DateTime(timezone=True), nullable=True))
    op.drop_index(op.f("ix_models_submitted_by"), table_name="models")
    op.create_index(op.f("ix_models_job_id"), "models", ["job_id"], unique=False)
    op.create_index(
        op.f("ix_models_submitted_by_passed_at"),
        "models",
        ["submitted_by", "passed_at"],
        unique=False,
    )
    op.create_foreign_key(
        op.f("fk_models_job_id_jobs"), "models", "jobs", ["job_id"], ["id"], ondelete="SET NULL"
    )
    # What may stand in these columns has grown.
    _check("datasets", "access", "scoring", "standard", "hidden")
    _check("datasets", "origin", "release", "upload", "perturbation")
    _check("models", "isolation", *_ISOLATION)
    op.drop_constraint(op.f("ck_models_kind_is_known"), "models", type_="check")
    _check("models", "kind", *_KINDS)
    op.drop_constraint(op.f("ck_evaluations_state_is_known"), "evaluations", type_="check")
    _check("evaluations", "state", *_OLD_STATES, *_NEW_STATES)
    op.add_column("evaluations", sa.Column("probes", sa.Text(), nullable=True))
    op.add_column("jobs", sa.Column("priority", sa.Integer(), server_default="0", nullable=False))
    op.execute("UPDATE models SET isolation = 'remote' WHERE kind IN ('endpoint', 'openai')")
    op.execute("UPDATE models SET isolation = 'no_code' WHERE kind = 'recorded'")
    op.execute("UPDATE models SET passed_at = created_at WHERE status = 'ready'")


def downgrade() -> None:
    """Undo the change."""
    op.drop_column("jobs", "priority")
    op.drop_column("evaluations", "probes")
    op.drop_constraint(op.f("ck_evaluations_state_is_known"), "evaluations", type_="check")
    _check("evaluations", "state", *_OLD_STATES)
    op.drop_constraint(op.f("ck_models_kind_is_known"), "models", type_="check")
    _check("models", "kind", *_OLD_KINDS)
    op.drop_constraint(op.f("fk_models_job_id_jobs"), "models", type_="foreignkey")
    op.drop_index(op.f("ix_models_submitted_by_passed_at"), table_name="models")
    op.drop_index(op.f("ix_models_job_id"), table_name="models")
    op.create_index(op.f("ix_models_submitted_by"), "models", ["submitted_by"], unique=False)
    op.drop_column("models", "deleted_at")
    op.drop_column("models", "passed_at")
    op.drop_column("models", "artifact_bytes")
    op.drop_column("models", "job_id")
    op.drop_column("models", "problems")
    op.drop_column("models", "card")
    op.drop_column("models", "isolation")
    op.drop_column("datasets", "tags")
    op.drop_column("datasets", "subtask_of")
    op.drop_column("datasets", "origin")
    op.drop_column("datasets", "access")
    op.drop_constraint(
        op.f("fk_dataset_versions_created_by_users"), "dataset_versions", type_="foreignkey"
    )
    op.drop_constraint(
        op.f("fk_dataset_versions_perturbs_id_dataset_versions"),
        "dataset_versions",
        type_="foreignkey",
    )
    op.drop_index(op.f("ix_dataset_versions_perturbs_id"), table_name="dataset_versions")
    op.drop_column("dataset_versions", "perturbation")
    op.drop_column("dataset_versions", "perturbs_id")
    op.drop_column("dataset_versions", "created_by")
    op.drop_column("dataset_items", "transform")
    op.drop_column("dataset_items", "original_uid")
    op.drop_table("tag_scores")
    op.drop_table("measurements")
    op.drop_table("evaluation_shards")
    op.drop_index(op.f("ix_deltas_perturbed_version_id"), table_name="deltas")
    op.drop_table("deltas")
    op.drop_index(op.f("ix_prediction_files_dataset_version_id"), table_name="prediction_files")
    op.drop_table("prediction_files")
    op.drop_table("human_scores")
    op.drop_index(op.f("ix_boards_created_by"), table_name="boards")
    op.drop_table("boards")
    op.drop_table("board_figures")
