"""rounds for years.

Revision: 0004
Revises: 0003
"""

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects import postgresql

revision = "0004"
down_revision = "0003"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Apply the change."""
    op.create_table(
        "task_scales",
        sa.Column("task_id", sa.Uuid(), nullable=False),
        sa.Column("inputs_digest", sa.Text(), nullable=False),
        sa.Column("result", postgresql.JSONB(astext_type=sa.Text()), nullable=False),
        sa.Column(
            "computed_at",
            sa.DateTime(timezone=True),
            server_default=sa.text("now()"),
            nullable=False,
        ),
        sa.ForeignKeyConstraint(
            ["task_id"], ["tasks.id"], name=op.f("fk_task_scales_task_id_tasks"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("task_id", name=op.f("pk_task_scales")),
    )
    op.create_table(
        "release_orders",
        sa.Column("round_id", sa.Uuid(), nullable=False),
        sa.Column("payload", postgresql.JSONB(astext_type=sa.Text()), nullable=False),
        sa.Column("created_by", sa.Uuid(), nullable=True),
        sa.Column(
            "created_at",
            sa.DateTime(timezone=True),
            server_default=sa.text("now()"),
            nullable=False,
        ),
        sa.ForeignKeyConstraint(
            ["created_by"], ["users.id"], name=op.f("fk_release_orders_created_by_users")
        ),
        sa.ForeignKeyConstraint(
            ["round_id"],
            ["rounds.id"],
            name=op.f("fk_release_orders_round_id_rounds"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("round_id", name=op.f("pk_release_orders")),
    )
    op.create_table(
        "dataset_archives",
        sa.Column("version_id", sa.Uuid(), nullable=False),
        sa.Column("made_from", sa.Text(), nullable=False),
        sa.Column("digest", sa.Text(), nullable=False),
        sa.Column("size_bytes", sa.BigInteger(), nullable=False),
        sa.Column("files", postgresql.JSONB(astext_type=sa.Text()), nullable=False),
        sa.Column(
            "created_at",
            sa.DateTime(timezone=True),
            server_default=sa.text("now()"),
            nullable=False,
        ),
        sa.ForeignKeyConstraint(
            ["version_id"],
            ["dataset_versions.id"],
            name=op.f("fk_dataset_archives_version_id_dataset_versions"),
        ),
        sa.PrimaryKeyConstraint("version_id", name=op.f("pk_dataset_archives")),
    )
    op.create_table(
        "suspected_errors",
        sa.Column("example_id", sa.Uuid(), nullable=False),
        sa.Column("task_id", sa.Uuid(), nullable=False),
        sa.Column("version_id", sa.Uuid(), nullable=False),
        sa.Column("evidence", postgresql.JSONB(astext_type=sa.Text()), nullable=False),
        sa.Column(
            "raised_at", sa.DateTime(timezone=True), server_default=sa.text("now()"), nullable=False
        ),
        sa.Column("settled_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("settled_by", sa.Uuid(), nullable=True),
        sa.Column("finding", sa.Text(), nullable=True),
        sa.CheckConstraint(
            "finding IN ('right', 'wrong')", name=op.f("ck_suspected_errors_finding_is_known")
        ),
        sa.ForeignKeyConstraint(
            ["example_id"],
            ["examples.id"],
            name=op.f("fk_suspected_errors_example_id_examples"),
            ondelete="CASCADE",
        ),
        sa.ForeignKeyConstraint(
            ["settled_by"], ["users.id"], name=op.f("fk_suspected_errors_settled_by_users")
        ),
        sa.ForeignKeyConstraint(
            ["task_id"], ["tasks.id"], name=op.f("fk_suspected_errors_task_id_tasks")
        ),
        sa.ForeignKeyConstraint(
            ["version_id"],
            ["dataset_versions.id"],
            name=op.f("fk_suspected_errors_version_id_dataset_versions"),
        ),
        sa.PrimaryKeyConstraint("example_id", name=op.f("pk_suspected_errors")),
    )
    op.create_index(
        op.f("ix_suspected_errors_task_id_settled_at"),
        "suspected_errors",
        ["task_id", "settled_at"],
        unique=False,
    )
    op.add_column(
        "dataset_versions", sa.Column("test_opened_at", sa.DateTime(timezone=True), nullable=True)
    )
    op.add_column("dataset_versions", sa.Column("test_opened_by", sa.Uuid(), nullable=True))
    op.add_column("dataset_versions", sa.Column("archive_job_id", sa.Uuid(), nullable=True))
    op.create_foreign_key(
        op.f("fk_dataset_versions_test_opened_by_users"),
        "dataset_versions",
        "users",
        ["test_opened_by"],
        ["id"],
    )
    op.add_column("examples", sa.Column("arm", sa.Text(), server_default="target", nullable=False))
    op.add_column("outcomes", sa.Column("arm", sa.Text(), server_default="target", nullable=False))
    op.add_column(
        "annotator_days", sa.Column("arm", sa.Text(), server_default="target", nullable=False)
    )
    op.drop_constraint(op.f("pk_annotator_days"), "annotator_days", type_="primary")
    op.create_primary_key(
        op.f("pk_annotator_days"), "annotator_days", ["round_id", "annotator_id", "day", "arm"]
    )
    op.create_index("ix_validations_round_id_created_at", "validations", ["round_id", "created_at"])
    op.drop_index("ix_outcomes_round_id_context_id", "outcomes")
    op.create_index(
        "ix_outcomes_round_id_context_id",
        "outcomes",
        ["round_id", "context_id"],
        postgresql_include=[
            "annotator_id",
            "fooled",
            "verdict",
            "is_retracted",
            "voided_at",
            "arm",
        ],
    )
    for table in ("examples", "outcomes", "annotator_days"):
        op.create_check_constraint(
            op.f(f"ck_{table}_arm_is_known"),
            table,
            "arm IN ('target', 'no_model', 'earlier_target')",
        )
    op.add_column(
        "rounds",
        sa.Column(
            "control_no_model_share", sa.Float(), server_default=sa.text("0"), nullable=False
        ),
    )
    op.add_column(
        "rounds",
        sa.Column("control_earlier_share", sa.Float(), server_default=sa.text("0"), nullable=False),
    )
    op.add_column("rounds", sa.Column("control_model_id", sa.Uuid(), nullable=True))
    op.add_column(
        "jobs",
        sa.Column(
            "told", postgresql.JSONB(none_as_null=True, astext_type=sa.Text()), nullable=True
        ),
    )
    # Each row gets a value of its own, those that exist too.
    op.add_column(
        "rounds",
        sa.Column(
            "arm_secret", sa.Uuid(), server_default=sa.text("gen_random_uuid()"), nullable=False
        ),
    )
    op.add_column(
        "rounds",
        sa.Column(
            "provenance", postgresql.JSONB(none_as_null=True, astext_type=sa.Text()), nullable=True
        ),
    )
    op.create_foreign_key(
        op.f("fk_rounds_control_model_id_models"), "rounds", "models", ["control_model_id"], ["id"]
    )


def downgrade() -> None:
    """Undo the change."""
    op.drop_column("jobs", "told")
    op.drop_constraint(op.f("fk_rounds_control_model_id_models"), "rounds", type_="foreignkey")
    for column in (
        "provenance",
        "arm_secret",
        "control_model_id",
        "control_earlier_share",
        "control_no_model_share",
    ):
        op.drop_column("rounds", column)
    # The counts of control arms go with them: those of the target's attempts stay as they are.
    op.execute("DELETE FROM annotator_days WHERE arm <> 'target'")
    op.drop_constraint(op.f("pk_annotator_days"), "annotator_days", type_="primary")
    op.create_primary_key(
        op.f("pk_annotator_days"), "annotator_days", ["round_id", "annotator_id", "day"]
    )
    op.drop_column("annotator_days", "arm")
    op.drop_index("ix_validations_round_id_created_at", "validations")
    op.drop_index("ix_outcomes_round_id_context_id", "outcomes")
    op.drop_column("outcomes", "arm")
    op.create_index(
        "ix_outcomes_round_id_context_id",
        "outcomes",
        ["round_id", "context_id"],
        postgresql_include=["annotator_id", "fooled", "verdict", "is_retracted", "voided_at"],
    )
    op.drop_column("examples", "arm")
    op.drop_constraint(
        op.f("fk_dataset_versions_test_opened_by_users"), "dataset_versions", type_="foreignkey"
    )
    op.drop_column("dataset_versions", "archive_job_id")
    op.drop_column("dataset_versions", "test_opened_by")
    op.drop_column("dataset_versions", "test_opened_at")
    op.drop_table("suspected_errors")
    op.drop_table("dataset_archives")
    op.drop_table("release_orders")
    op.drop_table("task_scales")
