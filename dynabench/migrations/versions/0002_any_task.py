"""any task.

Revision: 0002
Revises: 0001
"""

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects import postgresql

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Apply the change."""
    op.create_table(
        "media_files",
        sa.Column("digest", sa.Text(), nullable=False),
        sa.Column("kind", sa.Text(), nullable=False),
        sa.Column("media_type", sa.Text(), nullable=False),
        sa.Column("size_bytes", sa.BigInteger(), nullable=False),
        sa.Column("width", sa.Integer(), nullable=True),
        sa.Column("height", sa.Integer(), nullable=True),
        sa.Column("duration_seconds", sa.Double(), nullable=True),
        sa.Column("thumbnail_digest", sa.Text(), nullable=True),
        sa.Column("source_url", sa.Text(), nullable=True),
        sa.Column("created_by", sa.Uuid(), nullable=True),
        sa.Column(
            "created_at",
            sa.DateTime(timezone=True),
            server_default=sa.text("now()"),
            nullable=False,
        ),
        sa.CheckConstraint("kind IN ('image', 'audio')", name=op.f("ck_media_files_kind_is_known")),
        sa.ForeignKeyConstraint(
            ["created_by"], ["users.id"], name=op.f("fk_media_files_created_by_users")
        ),
        sa.PrimaryKeyConstraint("digest", name=op.f("pk_media_files")),
    )
    op.create_index(op.f("ix_media_files_created_by"), "media_files", ["created_by"], unique=False)
    op.create_index(
        "ix_media_files_source_url", "media_files", ["source_url"], postgresql_using="hash"
    )
    op.create_table(
        "notifications",
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column("user_id", sa.Uuid(), nullable=False),
        sa.Column("kind", sa.Text(), nullable=False),
        sa.Column("details", postgresql.JSONB(astext_type=sa.Text()), nullable=False),
        sa.Column("path", sa.Text(), server_default="", nullable=False),
        sa.Column(
            "created_at",
            sa.DateTime(timezone=True),
            server_default=sa.text("now()"),
            nullable=False,
        ),
        sa.Column("read_at", sa.DateTime(timezone=True), nullable=True),
        sa.ForeignKeyConstraint(
            ["user_id"],
            ["users.id"],
            name=op.f("fk_notifications_user_id_users"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_notifications")),
    )
    op.create_index(
        "ix_notifications_user_id_created_at",
        "notifications",
        ["user_id", "created_at"],
        unique=False,
    )
    op.create_table(
        "task_proposals",
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column("slug", sa.Text(), nullable=False),
        sa.Column("config", sa.Text(), nullable=False),
        sa.Column("revision", sa.Integer(), server_default="1", nullable=False),
        sa.Column("reason", sa.Text(), server_default="", nullable=False),
        sa.Column("status", sa.Text(), server_default="open", nullable=False),
        sa.Column("proposed_by", sa.Uuid(), nullable=False),
        sa.Column("task_id", sa.Uuid(), nullable=True),
        sa.Column(
            "created_at",
            sa.DateTime(timezone=True),
            server_default=sa.text("now()"),
            nullable=False,
        ),
        sa.Column("updated_at", sa.DateTime(timezone=True), nullable=False),
        sa.CheckConstraint(
            "status IN ('open', 'changes_asked', 'accepted', 'rejected', 'withdrawn')",
            name=op.f("ck_task_proposals_status_is_known"),
        ),
        sa.ForeignKeyConstraint(
            ["proposed_by"], ["users.id"], name=op.f("fk_task_proposals_proposed_by_users")
        ),
        sa.ForeignKeyConstraint(
            ["task_id"], ["tasks.id"], name=op.f("fk_task_proposals_task_id_tasks")
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_task_proposals")),
    )
    op.create_index(
        op.f("ix_task_proposals_proposed_by"), "task_proposals", ["proposed_by"], unique=False
    )
    op.create_index(
        "ix_task_proposals_status_created_at",
        "task_proposals",
        ["status", "created_at"],
        unique=False,
    )
    op.create_index(op.f("ix_task_proposals_task_id"), "task_proposals", ["task_id"], unique=False)
    op.create_table(
        "chats",
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column("round_id", sa.Uuid(), nullable=False),
        sa.Column("context_id", sa.Uuid(), nullable=False),
        sa.Column("annotator_id", sa.Uuid(), nullable=False),
        sa.Column("field_name", sa.Text(), nullable=False),
        sa.Column("model_ids", postgresql.ARRAY(sa.Uuid()), nullable=False),
        sa.Column(
            "created_at",
            sa.DateTime(timezone=True),
            server_default=sa.text("now()"),
            nullable=False,
        ),
        sa.Column("submitted_at", sa.DateTime(timezone=True), nullable=True),
        sa.ForeignKeyConstraint(
            ["annotator_id"],
            ["users.id"],
            name=op.f("fk_chats_annotator_id_users"),
            ondelete="CASCADE",
        ),
        sa.ForeignKeyConstraint(
            ["context_id"],
            ["contexts.id"],
            name=op.f("fk_chats_context_id_contexts"),
            ondelete="CASCADE",
        ),
        sa.ForeignKeyConstraint(
            ["round_id"], ["rounds.id"], name=op.f("fk_chats_round_id_rounds"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_chats")),
    )
    op.create_index(
        "ix_chats_round_id_context_id_annotator_id",
        "chats",
        ["round_id", "context_id", "annotator_id"],
        unique=False,
    )
    op.create_table(
        "task_proposal_notes",
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column("proposal_id", sa.Uuid(), nullable=False),
        sa.Column("revision", sa.Integer(), nullable=False),
        sa.Column("status", sa.Text(), nullable=True),
        sa.Column("text", sa.Text(), server_default="", nullable=False),
        sa.Column("written_by", sa.Uuid(), nullable=False),
        sa.Column(
            "created_at",
            sa.DateTime(timezone=True),
            server_default=sa.text("now()"),
            nullable=False,
        ),
        sa.CheckConstraint(
            "status IN ('open', 'changes_asked', 'accepted', 'rejected', 'withdrawn')",
            name=op.f("ck_task_proposal_notes_status_is_known"),
        ),
        sa.ForeignKeyConstraint(
            ["proposal_id"],
            ["task_proposals.id"],
            name=op.f("fk_task_proposal_notes_proposal_id_task_proposals"),
            ondelete="CASCADE",
        ),
        sa.ForeignKeyConstraint(
            ["written_by"], ["users.id"], name=op.f("fk_task_proposal_notes_written_by_users")
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_task_proposal_notes")),
    )
    op.create_index(
        op.f("ix_task_proposal_notes_proposal_id"),
        "task_proposal_notes",
        ["proposal_id"],
        unique=False,
    )
    op.create_index(
        op.f("ix_task_proposal_notes_written_by"),
        "task_proposal_notes",
        ["written_by"],
        unique=False,
    )
    op.create_table(
        "chat_turns",
        sa.Column("chat_id", sa.Uuid(), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("text", sa.Text(), nullable=False),
        sa.Column("candidates", postgresql.JSONB(astext_type=sa.Text()), nullable=False),
        sa.Column("replaced", postgresql.JSONB(astext_type=sa.Text()), nullable=False),
        sa.Column("choice", sa.Text(), nullable=True),
        sa.Column("regenerated", sa.SmallInteger(), server_default="0", nullable=False),
        sa.Column(
            "created_at",
            sa.DateTime(timezone=True),
            server_default=sa.text("now()"),
            nullable=False,
        ),
        sa.CheckConstraint("number >= 1", name=op.f("ck_chat_turns_number_is_positive")),
        sa.ForeignKeyConstraint(
            ["chat_id"], ["chats.id"], name=op.f("fk_chat_turns_chat_id_chats"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("chat_id", "number", name=op.f("pk_chat_turns")),
    )
    op.add_column(
        "example_predictions",
        sa.Column(
            "judgement", postgresql.JSONB(none_as_null=True, astext_type=sa.Text()), nullable=True
        ),
    )
    op.add_column(
        "models", sa.Column("purpose", sa.Text(), server_default="target", nullable=False)
    )
    op.create_check_constraint(
        op.f("ck_models_purpose_is_known"), "models", "purpose IN ('target', 'judge')"
    )
    op.add_column(
        "task_config_versions",
        sa.Column(
            "summary", postgresql.JSONB(none_as_null=True, astext_type=sa.Text()), nullable=True
        ),
    )
    op.add_column("tasks", sa.Column("catalog_folder", sa.Text(), nullable=True))
    # Until now a task's slug said where its starter data lay.
    op.execute(
        "UPDATE tasks SET catalog_folder = 'tasks/' || slug"
        " WHERE slug IN ('nli', 'qa', 'sentiment', 'hate-speech') AND created_by IS NULL"
    )
    # Correlations and error rates are scores too.
    op.drop_constraint(op.f("ck_scores_value"), "scores", type_="check")
    op.create_check_constraint(op.f("ck_scores_value"), "scores", "value >= -1")


def downgrade() -> None:
    """Undo the change."""
    op.drop_constraint(op.f("ck_scores_value"), "scores", type_="check")
    op.create_check_constraint(
        op.f("ck_scores_value"), "scores", "value BETWEEN 0 AND 1", postgresql_not_valid=True
    )
    op.drop_column("tasks", "catalog_folder")
    op.drop_column("task_config_versions", "summary")
    op.drop_column("models", "purpose")
    op.drop_column("example_predictions", "judgement")
    op.drop_table("chat_turns")
    op.drop_index(op.f("ix_task_proposal_notes_written_by"), table_name="task_proposal_notes")
    op.drop_index(op.f("ix_task_proposal_notes_proposal_id"), table_name="task_proposal_notes")
    op.drop_table("task_proposal_notes")
    op.drop_index("ix_chats_round_id_context_id_annotator_id", table_name="chats")
    op.drop_table("chats")
    op.drop_index(op.f("ix_task_proposals_task_id"), table_name="task_proposals")
    op.drop_index("ix_task_proposals_status_created_at", table_name="task_proposals")
    op.drop_index(op.f("ix_task_proposals_proposed_by"), table_name="task_proposals")
    op.drop_table("task_proposals")
    op.drop_index("ix_notifications_user_id_created_at", table_name="notifications")
    op.drop_table("notifications")
    op.drop_index("ix_media_files_source_url", table_name="media_files")
    op.drop_index(op.f("ix_media_files_created_by"), table_name="media_files")
    op.drop_table("media_files")
