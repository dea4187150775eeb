"""the loop.

Revision: 0001
Revises:
"""

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects import postgresql

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Apply the change."""
    op.create_table(
        "idempotency_keys",
        sa.Column("scope_digest", sa.LargeBinary(), nullable=False),
        sa.Column("request_digest", sa.LargeBinary(), nullable=False),
        sa.Column("resource_id", sa.Uuid(), nullable=False),
        sa.Column(
            "created_at",
            sa.DateTime(timezone=True),
            server_default=sa.text("now()"),
            nullable=False,
        ),
        sa.PrimaryKeyConstraint("scope_digest", name=op.f("pk_idempotency_keys")),
    )
    op.create_table(
        "jobs",
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("payload", postgresql.JSONB(astext_type=sa.Text()), nullable=False),
        sa.Column("state", sa.Text(), server_default="queued", nullable=False),
        sa.Column("progress", sa.Float(), server_default="0", nullable=False),
        sa.Column("message", sa.Text(), server_default="", nullable=False),
        sa.Column("result", postgresql.JSONB(astext_type=sa.Text()), nullable=True),
        sa.Column("error", sa.Text(), nullable=True),
        sa.Column("attempts", sa.Integer(), server_default="0", nullable=False),
        sa.Column("executor_id", sa.Text(), nullable=True),
        sa.Column("created_by", sa.Uuid(), nullable=True),
        sa.Column(
            "created_at",
            sa.DateTime(timezone=True),
            server_default=sa.text("now()"),
            nullable=False,
        ),
        sa.Column("started_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("finished_at", sa.DateTime(timezone=True), nullable=True),
        sa.CheckConstraint(
            "state IN ('queued', 'running', 'done', 'failed', 'cancelled')",
            name=op.f("ck_jobs_state_is_known"),
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_jobs")),
    )
    op.create_index("ix_jobs_created_at", "jobs", ["created_at"], unique=False)
    op.create_index("ix_jobs_name_state", "jobs", ["name", "state"], unique=False)
    op.create_table(
        "outbox",
        sa.Column("id", sa.BigInteger(), sa.Identity(always=True), nullable=False),
        sa.Column("consumer", sa.Text(), nullable=False),
        sa.Column("payload", postgresql.JSONB(astext_type=sa.Text()), nullable=False),
        sa.Column(
            "created_at",
            sa.DateTime(timezone=True),
            server_default=sa.text("now()"),
            nullable=False,
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_outbox")),
    )
    op.create_index("ix_outbox_consumer_id", "outbox", ["consumer", "id"], unique=False)
    op.create_table(
        "sign_in_failures",
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column("username_key", sa.Text(), nullable=False),
        sa.Column("address", sa.Text(), nullable=False),
        sa.Column("failed_at", sa.DateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_sign_in_failures")),
    )
    op.create_index(
        op.f("ix_sign_in_failures_failed_at"), "sign_in_failures", ["failed_at"], unique=False
    )
    op.create_index(
        op.f("ix_sign_in_failures_username_key_address_failed_at"),
        "sign_in_failures",
        ["username_key", "address", "failed_at"],
        unique=False,
    )
    op.create_table(
        "users",
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column("username", sa.Text(), nullable=False),
        sa.Column("username_key", sa.Text(), nullable=False),
        sa.Column("display_name", sa.Text(), server_default="", nullable=False),
        sa.Column("password_hash", sa.Text(), nullable=True),
        sa.Column("is_admin", sa.Boolean(), server_default=sa.text("false"), nullable=False),
        sa.Column("is_synthetic", sa.Boolean(), server_default=sa.text("false"), nullable=False),
        sa.Column(
            "created_at",
            sa.DateTime(timezone=True),
            server_default=sa.text("now()"),
            nullable=False,
        ),
        sa.Column("disabled_at", sa.DateTime(timezone=True), nullable=True),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_users")),
        sa.UniqueConstraint("username_key", name=op.f("uq_users_username_key")),
    )
    op.create_table(
        "api_tokens",
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column("user_id", sa.Uuid(), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("scope", sa.Text(), nullable=False),
        sa.Column("secret_digest", sa.LargeBinary(), nullable=False),
        sa.Column(
            "created_at",
            sa.DateTime(timezone=True),
            server_default=sa.text("now()"),
            nullable=False,
        ),
        sa.Column("expires_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("last_used_at", sa.DateTime(timezone=True), nullable=True),
        sa.CheckConstraint("scope IN ('read', 'write')", name=op.f("ck_api_tokens_scope_is_known")),
        sa.ForeignKeyConstraint(
            ["user_id"], ["users.id"], name=op.f("fk_api_tokens_user_id_users"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_api_tokens")),
        sa.UniqueConstraint("secret_digest", name=op.f("uq_api_tokens_secret_digest")),
    )
    op.create_index(op.f("ix_api_tokens_user_id"), "api_tokens", ["user_id"], unique=False)
    op.create_table(
        "invitations",
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column("note", sa.Text(), server_default="", nullable=False),
        sa.Column("secret_digest", sa.LargeBinary(), nullable=False),
        sa.Column("created_by", sa.Uuid(), nullable=True),
        sa.Column(
            "created_at",
            sa.DateTime(timezone=True),
            server_default=sa.text("now()"),
            nullable=False,
        ),
        sa.Column("expires_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("accepted_by", sa.Uuid(), nullable=True),
        sa.Column("accepted_at", sa.DateTime(timezone=True), nullable=True),
        sa.ForeignKeyConstraint(
            ["accepted_by"], ["users.id"], name=op.f("fk_invitations_accepted_by_users")
        ),
        sa.ForeignKeyConstraint(
            ["created_by"], ["users.id"], name=op.f("fk_invitations_created_by_users")
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_invitations")),
        sa.UniqueConstraint("secret_digest", name=op.f("uq_invitations_secret_digest")),
    )
    op.create_index(
        op.f("ix_invitations_accepted_by"), "invitations", ["accepted_by"], unique=False
    )
    op.create_index(op.f("ix_invitations_created_by"), "invitations", ["created_by"], unique=False)
    op.create_table(
        "job_log_lines",
        sa.Column("id", sa.BigInteger(), sa.Identity(always=True), nullable=False),
        sa.Column("job_id", sa.Uuid(), nullable=False),
        sa.Column("line", sa.Text(), nullable=False),
        sa.Column(
            "created_at",
            sa.DateTime(timezone=True),
            server_default=sa.text("now()"),
            nullable=False,
        ),
        sa.ForeignKeyConstraint(
            ["job_id"], ["jobs.id"], name=op.f("fk_job_log_lines_job_id_jobs"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_job_log_lines")),
    )
    op.create_index("ix_job_log_lines_job_id_id", "job_log_lines", ["job_id", "id"], unique=False)
    op.create_table(
        "job_steps",
        sa.Column("job_id", sa.Uuid(), nullable=False),
        sa.Column("key", sa.Text(), nullable=False),
        sa.Column("result", postgresql.JSONB(astext_type=sa.Text()), nullable=True),
        sa.Column(
            "finished_at",
            sa.DateTime(timezone=True),
            server_default=sa.text("now()"),
            nullable=False,
        ),
        sa.ForeignKeyConstraint(
            ["job_id"], ["jobs.id"], name=op.f("fk_job_steps_job_id_jobs"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("job_id", "key", name=op.f("pk_job_steps")),
    )
    op.create_table(
        "password_resets",
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column("user_id", sa.Uuid(), nullable=False),
        sa.Column("secret_digest", sa.LargeBinary(), nullable=False),
        sa.Column("created_by", sa.Uuid(), nullable=True),
        sa.Column(
            "created_at",
            sa.DateTime(timezone=True),
            server_default=sa.text("now()"),
            nullable=False,
        ),
        sa.Column("expires_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("used_at", sa.DateTime(timezone=True), nullable=True),
        sa.ForeignKeyConstraint(
            ["created_by"], ["users.id"], name=op.f("fk_password_resets_created_by_users")
        ),
        sa.ForeignKeyConstraint(
            ["user_id"],
            ["users.id"],
            name=op.f("fk_password_resets_user_id_users"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_password_resets")),
        sa.UniqueConstraint("secret_digest", name=op.f("uq_password_resets_secret_digest")),
    )
    op.create_index(
        op.f("ix_password_resets_created_by"), "password_resets", ["created_by"], unique=False
    )
    op.create_index(
        op.f("ix_password_resets_user_id"), "password_resets", ["user_id"], unique=False
    )
    op.create_table(
        "sessions",
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column("user_id", sa.Uuid(), nullable=False),
        sa.Column("secret_digest", sa.LargeBinary(), nullable=False),
        sa.Column(
            "created_at",
            sa.DateTime(timezone=True),
            server_default=sa.text("now()"),
            nullable=False,
        ),
        sa.Column("expires_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("last_used_at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(
            ["user_id"], ["users.id"], name=op.f("fk_sessions_user_id_users"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_sessions")),
        sa.UniqueConstraint("secret_digest", name=op.f("uq_sessions_secret_digest")),
    )
    op.create_index(op.f("ix_sessions_user_id"), "sessions", ["user_id"], unique=False)
    op.create_table(
        "tasks",
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column("slug", sa.Text(), nullable=False),
        sa.Column("status", sa.Text(), server_default="draft", nullable=False),
        sa.Column(
            "is_open_to_everyone", sa.Boolean(), server_default=sa.text("true"), nullable=False
        ),
        sa.Column("active_config_version", sa.Integer(), nullable=False),
        sa.Column("created_by", sa.Uuid(), nullable=True),
        sa.Column(
            "created_at",
            sa.DateTime(timezone=True),
            server_default=sa.text("now()"),
            nullable=False,
        ),
        sa.Column("activated_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("archived_at", sa.DateTime(timezone=True), nullable=True),
        sa.CheckConstraint(
            "status IN ('draft', 'active', 'archived')", name=op.f("ck_tasks_status_is_known")
        ),
        sa.ForeignKeyConstraint(
            ["created_by"], ["users.id"], name=op.f("fk_tasks_created_by_users")
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_tasks")),
        sa.UniqueConstraint("slug", name=op.f("uq_tasks_slug")),
    )
    op.create_index(op.f("ix_tasks_created_by"), "tasks", ["created_by"], unique=False)
    op.create_table(
        "contexts",
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column("task_id", sa.Uuid(), nullable=False),
        sa.Column("content", postgresql.JSONB(astext_type=sa.Text()), nullable=False),
        sa.Column("digest", sa.LargeBinary(), nullable=False),
        sa.Column("tag", sa.Text(), server_default="", nullable=False),
        sa.Column("metadata", postgresql.JSONB(astext_type=sa.Text()), nullable=False),
        sa.Column("shuffle_key", sa.Double(), nullable=False),
        sa.Column(
            "created_at",
            sa.DateTime(timezone=True),
            server_default=sa.text("now()"),
            nullable=False,
        ),
        sa.Column("uploaded_by", sa.Uuid(), nullable=True),
        sa.Column("retired_at", sa.DateTime(timezone=True), nullable=True),
        sa.ForeignKeyConstraint(["task_id"], ["tasks.id"], name=op.f("fk_contexts_task_id_tasks")),
        sa.ForeignKeyConstraint(
            ["uploaded_by"], ["users.id"], name=op.f("fk_contexts_uploaded_by_users")
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_contexts")),
        sa.UniqueConstraint("task_id", "digest", name=op.f("uq_contexts_task_id_digest")),
    )
    op.create_index("ix_contexts_task_id_id", "contexts", ["task_id", "id"], unique=False)
    op.create_index(
        "ix_contexts_task_id_shuffle_key", "contexts", ["task_id", "shuffle_key"], unique=False
    )
    op.create_index(
        "ix_contexts_task_id_tag_shuffle_key",
        "contexts",
        ["task_id", "tag", "shuffle_key"],
        unique=False,
    )
    op.create_table(
        "models",
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column("task_id", sa.Uuid(), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("kind", sa.Text(), nullable=False),
        sa.Column("status", sa.Text(), nullable=False),
        sa.Column("rejection", sa.Text(), nullable=True),
        sa.Column("source", postgresql.JSONB(astext_type=sa.Text()), nullable=False),
        sa.Column("digest", sa.Text(), nullable=False),
        sa.Column("description", sa.Text(), server_default="", nullable=False),
        sa.Column("submitted_by", sa.Uuid(), nullable=True),
        sa.Column(
            "created_at",
            sa.DateTime(timezone=True),
            server_default=sa.text("now()"),
            nullable=False,
        ),
        sa.Column("is_published", sa.Boolean(), server_default=sa.text("true"), nullable=False),
        sa.Column("is_anonymous", sa.Boolean(), server_default=sa.text("false"), nullable=False),
        sa.CheckConstraint(
            "kind IN ('handler', 'endpoint', 'openai', 'recorded')",
            name=op.f("ck_models_kind_is_known"),
        ),
        sa.CheckConstraint(
            "status IN ('submitted', 'checking', 'ready', 'rejected')",
            name=op.f("ck_models_status_is_known"),
        ),
        sa.CheckConstraint("version >= 1", name=op.f("ck_models_version")),
        sa.ForeignKeyConstraint(
            ["submitted_by"], ["users.id"], name=op.f("fk_models_submitted_by_users")
        ),
        sa.ForeignKeyConstraint(["task_id"], ["tasks.id"], name=op.f("fk_models_task_id_tasks")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_models")),
        sa.UniqueConstraint(
            "task_id", "name", "version", name=op.f("uq_models_task_id_name_version")
        ),
    )
    op.create_index(op.f("ix_models_submitted_by"), "models", ["submitted_by"], unique=False)
    op.create_table(
        "rounds",
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column("task_id", sa.Uuid(), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("status", sa.Text(), nullable=False),
        sa.Column("config_version", sa.Integer(), nullable=False),
        sa.Column("target_policy", sa.Text(), nullable=False),
        sa.Column("context_policy", sa.Text(), nullable=False),
        sa.Column("context_tags", postgresql.ARRAY(sa.Text()), nullable=False),
        sa.Column("validation_mode", sa.Text(), nullable=False),
        sa.Column("quorum", sa.Integer(), nullable=False),
        sa.Column("maximum", sa.Integer(), nullable=False),
        sa.Column("gold_from", sa.Text(), nullable=False),
        sa.Column("share_of_others", sa.Float(), nullable=False),
        sa.Column("max_tries", sa.Integer(), nullable=False),
        sa.Column("budget_examples", sa.Integer(), nullable=True),
        sa.Column("budget_days", sa.Integer(), nullable=True),
        sa.Column("budget_validated_fooling", sa.Integer(), nullable=True),
        sa.Column("seed", sa.BigInteger(), nullable=False),
        sa.Column("is_replay", sa.Boolean(), server_default=sa.text("false"), nullable=False),
        sa.Column("people_are_known", sa.Boolean(), server_default=sa.text("true"), nullable=False),
        sa.Column("created_by", sa.Uuid(), nullable=True),
        sa.Column(
            "created_at",
            sa.DateTime(timezone=True),
            server_default=sa.text("now()"),
            nullable=False,
        ),
        sa.Column("opened_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("closed_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("released_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("close_reason", sa.Text(), nullable=True),
        sa.CheckConstraint(
            "context_policy IN ('min', 'uniform', 'least_fooled', 'validation_failed')",
            name=op.f("ck_rounds_context_policy_is_known"),
        ),
        sa.CheckConstraint(
            "gold_from IN ('author', 'validators')", name=op.f("ck_rounds_gold_from_is_known")
        ),
        sa.CheckConstraint(
            "status IN ('draft', 'open', 'closed', 'released')",
            name=op.f("ck_rounds_status_is_known"),
        ),
        sa.CheckConstraint(
            "target_policy IN ('single', 'random', 'any-fooled', 'all-fooled', 'majority')",
            name=op.f("ck_rounds_target_policy_is_known"),
        ),
        sa.CheckConstraint(
            "validation_mode IN ('review', 'blind')",
            name=op.f("ck_rounds_validation_mode_is_known"),
        ),
        sa.CheckConstraint("number >= 0", name=op.f("ck_rounds_number")),
        sa.CheckConstraint("quorum >= 1 AND quorum <= maximum", name=op.f("ck_rounds_quorum")),
        sa.ForeignKeyConstraint(
            ["created_by"], ["users.id"], name=op.f("fk_rounds_created_by_users")
        ),
        sa.ForeignKeyConstraint(["task_id"], ["tasks.id"], name=op.f("fk_rounds_task_id_tasks")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_rounds")),
        sa.UniqueConstraint("task_id", "number", name=op.f("uq_rounds_task_id_number")),
    )
    op.create_index(
        "uq_rounds_one_open_per_task",
        "rounds",
        ["task_id"],
        unique=True,
        postgresql_where=sa.text("status = 'open'"),
    )
    op.create_table(
        "task_config_versions",
        sa.Column("task_id", sa.Uuid(), nullable=False),
        sa.Column("version", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("config", sa.Text(), nullable=False),
        sa.Column("created_by", sa.Uuid(), nullable=True),
        sa.Column(
            "created_at",
            sa.DateTime(timezone=True),
            server_default=sa.text("now()"),
            nullable=False,
        ),
        sa.CheckConstraint(
            "version >= 1", name=op.f("ck_task_config_versions_version_is_positive")
        ),
        sa.ForeignKeyConstraint(
            ["created_by"], ["users.id"], name=op.f("fk_task_config_versions_created_by_users")
        ),
        sa.ForeignKeyConstraint(
            ["task_id"],
            ["tasks.id"],
            name=op.f("fk_task_config_versions_task_id_tasks"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("task_id", "version", name=op.f("pk_task_config_versions")),
    )
    op.create_index(
        op.f("ix_task_config_versions_created_by"),
        "task_config_versions",
        ["created_by"],
        unique=False,
    )
    op.create_table(
        "task_join_links",
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column("task_id", sa.Uuid(), nullable=False),
        sa.Column("role", sa.Text(), nullable=False),
        sa.Column("secret_digest", sa.LargeBinary(), nullable=False),
        sa.Column("created_by", sa.Uuid(), nullable=True),
        sa.Column(
            "created_at",
            sa.DateTime(timezone=True),
            server_default=sa.text("now()"),
            nullable=False,
        ),
        sa.Column("expires_at", sa.DateTime(timezone=True), nullable=False),
        sa.CheckConstraint(
            "role IN ('owner', 'expert', 'annotator')",
            name=op.f("ck_task_join_links_role_is_known"),
        ),
        sa.ForeignKeyConstraint(
            ["created_by"], ["users.id"], name=op.f("fk_task_join_links_created_by_users")
        ),
        sa.ForeignKeyConstraint(
            ["task_id"],
            ["tasks.id"],
            name=op.f("fk_task_join_links_task_id_tasks"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_task_join_links")),
        sa.UniqueConstraint("secret_digest", name=op.f("uq_task_join_links_secret_digest")),
    )
    op.create_index(
        op.f("ix_task_join_links_created_by"), "task_join_links", ["created_by"], unique=False
    )
    op.create_index(
        op.f("ix_task_join_links_task_id"), "task_join_links", ["task_id"], unique=False
    )
    op.create_table(
        "task_members",
        sa.Column("task_id", sa.Uuid(), nullable=False),
        sa.Column("user_id", sa.Uuid(), nullable=False),
        sa.Column("role", sa.Text(), nullable=False),
        sa.Column(
            "added_at", sa.DateTime(timezone=True), server_default=sa.text("now()"), nullable=False
        ),
        sa.CheckConstraint(
            "role IN ('owner', 'expert', 'annotator')", name=op.f("ck_task_members_role_is_known")
        ),
        sa.ForeignKeyConstraint(
            ["task_id"],
            ["tasks.id"],
            name=op.f("fk_task_members_task_id_tasks"),
            ondelete="CASCADE",
        ),
        sa.ForeignKeyConstraint(
            ["user_id"],
            ["users.id"],
            name=op.f("fk_task_members_user_id_users"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("task_id", "user_id", name=op.f("pk_task_members")),
    )
    op.create_index(op.f("ix_task_members_user_id"), "task_members", ["user_id"], unique=False)
    op.create_table(
        "annotator_days",
        sa.Column("round_id", sa.Uuid(), nullable=False),
        sa.Column("annotator_id", sa.Uuid(), nullable=False),
        sa.Column("day", sa.Date(), nullable=False),
        sa.Column("collected", sa.Integer(), nullable=False),
        sa.Column("fooled", sa.Integer(), nullable=False),
        sa.Column("verified_fooled", sa.Integer(), nullable=False),
        sa.Column("undecided", sa.Integer(), nullable=False),
        sa.Column("pending", sa.Integer(), nullable=False),
        sa.Column("disputed", sa.Integer(), nullable=False),
        sa.Column("retracted", sa.Integer(), nullable=False),
        sa.Column("flagged", sa.Integer(), nullable=False),
        sa.Column("as_of", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(
            ["annotator_id"], ["users.id"], name=op.f("fk_annotator_days_annotator_id_users")
        ),
        sa.ForeignKeyConstraint(
            ["round_id"], ["rounds.id"], name=op.f("fk_annotator_days_round_id_rounds")
        ),
        sa.PrimaryKeyConstraint("round_id", "annotator_id", "day", name=op.f("pk_annotator_days")),
    )
    op.create_table(
        "context_counts",
        sa.Column("round_id", sa.Uuid(), nullable=False),
        sa.Column("context_id", sa.Uuid(), nullable=False),
        sa.Column("annotators", sa.Integer(), nullable=False),
        sa.Column("attempts", sa.Integer(), nullable=False),
        sa.Column("fooled", sa.Integer(), nullable=False),
        sa.Column("failed_validation", sa.Integer(), nullable=False),
        sa.Column("as_of", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(
            ["context_id"], ["contexts.id"], name=op.f("fk_context_counts_context_id_contexts")
        ),
        sa.ForeignKeyConstraint(
            ["round_id"], ["rounds.id"], name=op.f("fk_context_counts_round_id_rounds")
        ),
        sa.PrimaryKeyConstraint("round_id", "context_id", name=op.f("pk_context_counts")),
    )
    op.create_table(
        "context_leases",
        sa.Column("round_id", sa.Uuid(), nullable=False),
        sa.Column("context_id", sa.Uuid(), nullable=False),
        sa.Column("annotator_id", sa.Uuid(), nullable=False),
        sa.Column("expires_at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(
            ["annotator_id"],
            ["users.id"],
            name=op.f("fk_context_leases_annotator_id_users"),
            ondelete="CASCADE",
        ),
        sa.ForeignKeyConstraint(
            ["context_id"],
            ["contexts.id"],
            name=op.f("fk_context_leases_context_id_contexts"),
            ondelete="CASCADE",
        ),
        sa.ForeignKeyConstraint(
            ["round_id"],
            ["rounds.id"],
            name=op.f("fk_context_leases_round_id_rounds"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint(
            "round_id", "context_id", "annotator_id", name=op.f("pk_context_leases")
        ),
    )
    op.create_index(
        "ix_context_leases_round_id_annotator_id",
        "context_leases",
        ["round_id", "annotator_id"],
        unique=False,
    )
    op.create_index(
        "ix_context_leases_round_id_expires_at",
        "context_leases",
        ["round_id", "expires_at"],
        unique=False,
    )
    op.create_table(
        "datasets",
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column("task_id", sa.Uuid(), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("round_id", sa.Uuid(), nullable=True),
        sa.ForeignKeyConstraint(
            ["round_id"], ["rounds.id"], name=op.f("fk_datasets_round_id_rounds")
        ),
        sa.ForeignKeyConstraint(["task_id"], ["tasks.id"], name=op.f("fk_datasets_task_id_tasks")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_datasets")),
        sa.UniqueConstraint("round_id", name=op.f("uq_datasets_round_id")),
        sa.UniqueConstraint("task_id", "name", name=op.f("uq_datasets_task_id_name")),
    )
    op.create_table(
        "examples",
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column("task_id", sa.Uuid(), nullable=False),
        sa.Column("round_id", sa.Uuid(), nullable=False),
        sa.Column("context_id", sa.Uuid(), nullable=False),
        sa.Column("annotator_id", sa.Uuid(), nullable=False),
        sa.Column("attempt_number", sa.Integer(), nullable=False),
        sa.Column("inputs", postgresql.JSONB(astext_type=sa.Text()), nullable=False),
        sa.Column("answer", postgresql.JSONB(astext_type=sa.Text()), nullable=False),
        sa.Column(
            "explanations",
            postgresql.JSONB(astext_type=sa.Text()),
            server_default=sa.text("'{}'::jsonb"),
            nullable=False,
        ),
        sa.Column("fooled_by_author_answer", sa.Boolean(), nullable=True),
        sa.Column("origin", sa.Text(), nullable=False),
        sa.Column("suggestion_kept", sa.Float(), nullable=True),
        sa.Column("time_spent_seconds", sa.Float(), nullable=True),
        sa.Column("contrast_of", sa.Uuid(), nullable=True),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("retracted_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("flagged_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("flag_reason", sa.Text(), nullable=True),
        sa.Column("duplicate_key", sa.LargeBinary(), nullable=True),
        sa.Column("similarity_bands", postgresql.ARRAY(sa.Integer()), nullable=False),
        sa.CheckConstraint(
            "origin IN ('human', 'assisted', 'machine')", name=op.f("ck_examples_origin_is_known")
        ),
        sa.ForeignKeyConstraint(
            ["annotator_id"], ["users.id"], name=op.f("fk_examples_annotator_id_users")
        ),
        sa.ForeignKeyConstraint(
            ["context_id"], ["contexts.id"], name=op.f("fk_examples_context_id_contexts")
        ),
        sa.ForeignKeyConstraint(
            ["contrast_of"], ["examples.id"], name=op.f("fk_examples_contrast_of_examples")
        ),
        sa.ForeignKeyConstraint(
            ["round_id"], ["rounds.id"], name=op.f("fk_examples_round_id_rounds")
        ),
        sa.ForeignKeyConstraint(["task_id"], ["tasks.id"], name=op.f("fk_examples_task_id_tasks")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_examples")),
        sa.UniqueConstraint("duplicate_key", name=op.f("uq_examples_duplicate_key")),
        sa.UniqueConstraint(
            "round_id",
            "annotator_id",
            "context_id",
            "attempt_number",
            name=op.f("uq_examples_round_id_annotator_id_context_id_attempt_number"),
        ),
    )
    op.create_index(
        "ix_examples_annotator_id",
        "examples",
        ["annotator_id", "round_id", "created_at"],
        unique=False,
    )
    op.create_index(
        "ix_examples_round_id_context_id", "examples", ["round_id", "context_id"], unique=False
    )
    op.create_index(
        "ix_examples_round_id_created_at",
        "examples",
        ["round_id", "created_at", "id"],
        unique=False,
    )
    op.create_index(
        "ix_examples_similarity_bands",
        "examples",
        ["similarity_bands"],
        unique=False,
        postgresql_using="gin",
        postgresql_with={"fastupdate": "off"},
    )
    op.create_table(
        "round_parents",
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column("round_id", sa.Uuid(), nullable=False),
        sa.Column("parent_round_id", sa.Uuid(), nullable=True),
        sa.Column("parent_model_id", sa.Uuid(), nullable=True),
        sa.Column("position", sa.Integer(), nullable=False),
        sa.CheckConstraint(
            "num_nonnulls(parent_round_id, parent_model_id) = 1",
            name=op.f("ck_round_parents_one_parent"),
        ),
        sa.ForeignKeyConstraint(
            ["parent_model_id"], ["models.id"], name=op.f("fk_round_parents_parent_model_id_models")
        ),
        sa.ForeignKeyConstraint(
            ["parent_round_id"],
            ["rounds.id"],
            name=op.f("fk_round_parents_parent_round_id_rounds"),
            ondelete="CASCADE",
        ),
        sa.ForeignKeyConstraint(
            ["round_id"],
            ["rounds.id"],
            name=op.f("fk_round_parents_round_id_rounds"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_round_parents")),
        sa.UniqueConstraint(
            "round_id", "parent_model_id", name=op.f("uq_round_parents_round_id_parent_model_id")
        ),
        sa.UniqueConstraint(
            "round_id", "parent_round_id", name=op.f("uq_round_parents_round_id_parent_round_id")
        ),
    )
    op.create_index(
        op.f("ix_round_parents_parent_model_id"), "round_parents", ["parent_model_id"], unique=False
    )
    op.create_index(
        op.f("ix_round_parents_parent_round_id"), "round_parents", ["parent_round_id"], unique=False
    )
    op.create_table(
        "round_targets",
        sa.Column("round_id", sa.Uuid(), nullable=False),
        sa.Column("model_id", sa.Uuid(), nullable=False),
        sa.Column("position", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(
            ["model_id"], ["models.id"], name=op.f("fk_round_targets_model_id_models")
        ),
        sa.ForeignKeyConstraint(
            ["round_id"],
            ["rounds.id"],
            name=op.f("fk_round_targets_round_id_rounds"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("round_id", "model_id", name=op.f("pk_round_targets")),
    )
    op.create_index(op.f("ix_round_targets_model_id"), "round_targets", ["model_id"], unique=False)
    op.create_table(
        "task_join_link_uses",
        sa.Column("link_id", sa.Uuid(), nullable=False),
        sa.Column("user_id", sa.Uuid(), nullable=False),
        sa.Column(
            "used_at", sa.DateTime(timezone=True), server_default=sa.text("now()"), nullable=False
        ),
        sa.ForeignKeyConstraint(
            ["link_id"],
            ["task_join_links.id"],
            name=op.f("fk_task_join_link_uses_link_id_task_join_links"),
            ondelete="CASCADE",
        ),
        sa.ForeignKeyConstraint(
            ["user_id"],
            ["users.id"],
            name=op.f("fk_task_join_link_uses_user_id_users"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("link_id", "user_id", name=op.f("pk_task_join_link_uses")),
    )
    op.create_index(
        op.f("ix_task_join_link_uses_user_id"), "task_join_link_uses", ["user_id"], unique=False
    )
    op.create_table(
        "dataset_versions",
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column("dataset_id", sa.Uuid(), nullable=False),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("digest", sa.Text(), nullable=False),
        sa.Column("licence", sa.Text(), nullable=False),
        sa.Column("card", postgresql.JSONB(astext_type=sa.Text()), nullable=False),
        sa.Column(
            "created_at",
            sa.DateTime(timezone=True),
            server_default=sa.text("now()"),
            nullable=False,
        ),
        sa.CheckConstraint("version >= 1", name=op.f("ck_dataset_versions_version")),
        sa.ForeignKeyConstraint(
            ["dataset_id"], ["datasets.id"], name=op.f("fk_dataset_versions_dataset_id_datasets")
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_dataset_versions")),
        sa.UniqueConstraint(
            "dataset_id", "digest", name=op.f("uq_dataset_versions_dataset_id_digest")
        ),
        sa.UniqueConstraint(
            "dataset_id", "version", name=op.f("uq_dataset_versions_dataset_id_version")
        ),
    )
    op.create_table(
        "example_predictions",
        sa.Column("example_id", sa.Uuid(), nullable=False),
        sa.Column("position", sa.SmallInteger(), nullable=False),
        sa.Column("model_id", sa.Uuid(), nullable=False),
        sa.Column("outputs", postgresql.JSONB(astext_type=sa.Text()), nullable=False),
        sa.Column("probabilities", postgresql.JSONB(astext_type=sa.Text()), nullable=True),
        sa.Column("is_wrong", sa.Boolean(), nullable=True),
        sa.Column("latency_ms", sa.Float(), nullable=True),
        sa.ForeignKeyConstraint(
            ["example_id"],
            ["examples.id"],
            name=op.f("fk_example_predictions_example_id_examples"),
            ondelete="CASCADE",
        ),
        sa.ForeignKeyConstraint(
            ["model_id"], ["models.id"], name=op.f("fk_example_predictions_model_id_models")
        ),
        sa.PrimaryKeyConstraint("example_id", "position", name=op.f("pk_example_predictions")),
    )
    op.create_table(
        "outcomes",
        sa.Column("example_id", sa.Uuid(), nullable=False),
        sa.Column("round_id", sa.Uuid(), nullable=False),
        sa.Column("annotator_id", sa.Uuid(), nullable=False),
        sa.Column("context_id", sa.Uuid(), nullable=False),
        sa.Column("is_wanted", sa.Boolean(), nullable=False),
        sa.Column("priority", sa.SmallInteger(), nullable=False),
        sa.Column("verdict", sa.Text(), nullable=False),
        sa.Column("gold", postgresql.JSONB(astext_type=sa.Text()), nullable=True),
        sa.Column("fooled", sa.Boolean(), nullable=True),
        sa.Column("agrees_with_author", sa.Boolean(), nullable=True),
        sa.Column("votes", sa.SmallInteger(), server_default=sa.text("0"), nullable=False),
        sa.Column("leading", sa.SmallInteger(), server_default=sa.text("0"), nullable=False),
        sa.Column("example_created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("is_retracted", sa.Boolean(), server_default=sa.text("false"), nullable=False),
        sa.Column("decided_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("voided_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("voided_by", sa.Uuid(), nullable=True),
        sa.Column("void_reason", sa.Text(), nullable=True),
        sa.CheckConstraint(
            "verdict IN ('pending', 'correct', 'incorrect', 'flagged', 'disputed')",
            name=op.f("ck_outcomes_verdict_is_known"),
        ),
        sa.ForeignKeyConstraint(
            ["annotator_id"], ["users.id"], name=op.f("fk_outcomes_annotator_id_users")
        ),
        sa.ForeignKeyConstraint(
            ["context_id"], ["contexts.id"], name=op.f("fk_outcomes_context_id_contexts")
        ),
        sa.ForeignKeyConstraint(
            ["example_id"],
            ["examples.id"],
            name=op.f("fk_outcomes_example_id_examples"),
            ondelete="CASCADE",
        ),
        sa.ForeignKeyConstraint(
            ["round_id"], ["rounds.id"], name=op.f("fk_outcomes_round_id_rounds")
        ),
        sa.ForeignKeyConstraint(
            ["voided_by"], ["users.id"], name=op.f("fk_outcomes_voided_by_users")
        ),
        sa.PrimaryKeyConstraint("example_id", name=op.f("pk_outcomes")),
    )
    op.create_index(
        "ix_outcomes_annotator_id",
        "outcomes",
        ["annotator_id", "round_id", "example_created_at"],
        unique=False,
    )
    op.create_index(
        "ix_outcomes_queue",
        "outcomes",
        [
            "round_id",
            "priority",
            sa.literal_column('"leading" DESC'),
            "example_created_at",
            "example_id",
        ],
        unique=False,
        postgresql_where=sa.text("verdict = 'pending' AND is_wanted"),
    )
    op.create_index(
        "ix_outcomes_round_id_context_id",
        "outcomes",
        ["round_id", "context_id"],
        unique=False,
        postgresql_include=["annotator_id", "fooled", "verdict", "is_retracted", "voided_at"],
    )
    op.create_index(
        "ix_outcomes_round_id_verdict",
        "outcomes",
        ["round_id", "verdict", "example_created_at"],
        unique=False,
    )
    op.create_table(
        "validation_leases",
        sa.Column("example_id", sa.Uuid(), nullable=False),
        sa.Column("validator_id", sa.Uuid(), nullable=False),
        sa.Column("expires_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("is_skipped", sa.Boolean(), server_default=sa.text("false"), nullable=False),
        sa.ForeignKeyConstraint(
            ["example_id"],
            ["examples.id"],
            name=op.f("fk_validation_leases_example_id_examples"),
            ondelete="CASCADE",
        ),
        sa.ForeignKeyConstraint(
            ["validator_id"], ["users.id"], name=op.f("fk_validation_leases_validator_id_users")
        ),
        sa.PrimaryKeyConstraint("example_id", "validator_id", name=op.f("pk_validation_leases")),
    )
    op.create_index(
        "ix_validation_leases_validator_id",
        "validation_leases",
        ["validator_id", "expires_at"],
        unique=False,
    )
    op.create_table(
        "validations",
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column("example_id", sa.Uuid(), nullable=False),
        sa.Column("round_id", sa.Uuid(), nullable=False),
        sa.Column("validator_id", sa.Uuid(), nullable=False),
        sa.Column("vote", sa.Text(), nullable=False),
        sa.Column("answer", postgresql.JSONB(astext_type=sa.Text()), nullable=True),
        sa.Column(
            "metadata",
            postgresql.JSONB(astext_type=sa.Text()),
            server_default=sa.text("'{}'::jsonb"),
            nullable=False,
        ),
        sa.Column("is_expert", sa.Boolean(), server_default=sa.text("false"), nullable=False),
        sa.Column("time_spent_seconds", sa.Float(), nullable=True),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("withdrawn_at", sa.DateTime(timezone=True), nullable=True),
        sa.CheckConstraint(
            "vote IN ('correct', 'incorrect', 'flagged')", name=op.f("ck_validations_vote_is_known")
        ),
        sa.ForeignKeyConstraint(
            ["example_id"], ["examples.id"], name=op.f("fk_validations_example_id_examples")
        ),
        sa.ForeignKeyConstraint(
            ["round_id"], ["rounds.id"], name=op.f("fk_validations_round_id_rounds")
        ),
        sa.ForeignKeyConstraint(
            ["validator_id"], ["users.id"], name=op.f("fk_validations_validator_id_users")
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_validations")),
    )
    op.create_index(
        "ix_validations_example_id", "validations", ["example_id", "created_at"], unique=False
    )
    op.create_index(
        "ix_validations_validator_id", "validations", ["validator_id", "round_id"], unique=False
    )
    op.create_index(
        "uq_validations_one_ordinary_vote",
        "validations",
        ["example_id", "validator_id"],
        unique=True,
        postgresql_where=sa.text("NOT is_expert AND withdrawn_at IS NULL"),
    )
    op.create_table(
        "dataset_items",
        sa.Column("version_id", sa.Uuid(), nullable=False),
        sa.Column("uid", sa.Text(), nullable=False),
        sa.Column("split", sa.Text(), nullable=False),
        sa.Column("position", sa.Integer(), nullable=False),
        sa.Column("context", postgresql.JSONB(astext_type=sa.Text()), nullable=False),
        sa.Column("inputs", postgresql.JSONB(astext_type=sa.Text()), nullable=False),
        sa.Column("gold", postgresql.JSONB(astext_type=sa.Text()), nullable=False),
        sa.Column("tags", sa.ARRAY(sa.Text()), nullable=False),
        sa.Column("annotator", sa.Text(), nullable=False),
        sa.Column("is_fooling", sa.Boolean(), nullable=True),
        sa.Column("is_verified", sa.Boolean(), nullable=False),
        sa.Column("context_digest", sa.LargeBinary(), nullable=False),
        sa.CheckConstraint(
            "split IN ('train', 'dev', 'test')", name=op.f("ck_dataset_items_split_is_known")
        ),
        sa.ForeignKeyConstraint(
            ["version_id"],
            ["dataset_versions.id"],
            name=op.f("fk_dataset_items_version_id_dataset_versions"),
        ),
        sa.PrimaryKeyConstraint("version_id", "uid", name=op.f("pk_dataset_items")),
    )
    op.create_index(
        "ix_dataset_items_version_id_split_position",
        "dataset_items",
        ["version_id", "split", "position"],
        unique=False,
    )
    op.create_table(
        "evaluations",
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column("model_id", sa.Uuid(), nullable=False),
        sa.Column("dataset_version_id", sa.Uuid(), nullable=False),
        sa.Column("state", sa.Text(), server_default="pending", nullable=False),
        sa.Column("job_id", sa.Uuid(), nullable=True),
        sa.Column("reason", sa.Text(), nullable=True),
        sa.Column("failed_items", sa.Integer(), nullable=True),
        sa.Column("seconds", sa.Double(), nullable=True),
        sa.Column("evaluated_at", sa.DateTime(timezone=True), nullable=True),
        sa.CheckConstraint(
            "state <> 'done' OR num_nulls(failed_items, seconds, evaluated_at) = 0",
            name=op.f("ck_evaluations_done_says_all"),
        ),
        sa.CheckConstraint(
            "state IN ('pending', 'done', 'failed')", name=op.f("ck_evaluations_state_is_known")
        ),
        sa.ForeignKeyConstraint(
            ["dataset_version_id"],
            ["dataset_versions.id"],
            name=op.f("fk_evaluations_dataset_version_id_dataset_versions"),
        ),
        sa.ForeignKeyConstraint(
            ["job_id"], ["jobs.id"], name=op.f("fk_evaluations_job_id_jobs"), ondelete="SET NULL"
        ),
        sa.ForeignKeyConstraint(
            ["model_id"], ["models.id"], name=op.f("fk_evaluations_model_id_models")
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_evaluations")),
        sa.UniqueConstraint(
            "model_id",
            "dataset_version_id",
            name=op.f("uq_evaluations_model_id_dataset_version_id"),
        ),
    )
    op.create_index(
        op.f("ix_evaluations_dataset_version_id"),
        "evaluations",
        ["dataset_version_id"],
        unique=False,
    )
    op.create_index(op.f("ix_evaluations_job_id"), "evaluations", ["job_id"], unique=False)
    op.create_table(
        "predictions",
        sa.Column("evaluation_id", sa.Uuid(), nullable=False),
        sa.Column("uid", sa.Text(), nullable=False),
        sa.Column("outputs", postgresql.JSONB(astext_type=sa.Text()), nullable=False),
        sa.Column("probabilities", postgresql.JSONB(astext_type=sa.Text()), nullable=True),
        sa.Column("error", sa.Text(), nullable=True),
        sa.Column("score", sa.Double(), nullable=True),
        sa.ForeignKeyConstraint(
            ["evaluation_id"],
            ["evaluations.id"],
            name=op.f("fk_predictions_evaluation_id_evaluations"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("evaluation_id", "uid", name=op.f("pk_predictions")),
    )
    op.create_table(
        "scores",
        sa.Column("evaluation_id", sa.Uuid(), nullable=False),
        sa.Column("split", sa.Text(), nullable=False),
        sa.Column("metric", sa.Text(), nullable=False),
        sa.Column("is_principal", sa.Boolean(), nullable=False),
        sa.Column("value", sa.Double(), nullable=True),
        sa.Column("low", sa.Double(), nullable=True),
        sa.Column("high", sa.Double(), nullable=True),
        sa.Column("items", sa.Integer(), nullable=False),
        sa.CheckConstraint(
            "split IN ('train', 'dev', 'test')", name=op.f("ck_scores_split_is_known")
        ),
        sa.CheckConstraint("value BETWEEN 0 AND 1", name=op.f("ck_scores_value")),
        sa.ForeignKeyConstraint(
            ["evaluation_id"],
            ["evaluations.id"],
            name=op.f("fk_scores_evaluation_id_evaluations"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("evaluation_id", "split", "metric", name=op.f("pk_scores")),
    )


def downgrade() -> None:
    """Undo the change."""
    op.drop_table("scores")
    op.drop_table("predictions")
    op.drop_index(op.f("ix_evaluations_job_id"), table_name="evaluations")
    op.drop_index(op.f("ix_evaluations_dataset_version_id"), table_name="evaluations")
    op.drop_table("evaluations")
    op.drop_index("ix_dataset_items_version_id_split_position", table_name="dataset_items")
    op.drop_table("dataset_items")
    op.drop_index(
        "uq_validations_one_ordinary_vote",
        table_name="validations",
        postgresql_where=sa.text("NOT is_expert AND withdrawn_at IS NULL"),
    )
    op.drop_index("ix_validations_validator_id", table_name="validations")
    op.drop_index("ix_validations_example_id", table_name="validations")
    op.drop_table("validations")
    op.drop_index("ix_validation_leases_validator_id", table_name="validation_leases")
    op.drop_table("validation_leases")
    op.drop_index("ix_outcomes_round_id_verdict", table_name="outcomes")
    op.drop_index("ix_outcomes_round_id_context_id", table_name="outcomes")
    op.drop_index(
        "ix_outcomes_queue",
        table_name="outcomes",
        postgresql_where=sa.text("verdict = 'pending' AND is_wanted"),
    )
    op.drop_index("ix_outcomes_annotator_id", table_name="outcomes")
    op.drop_table("outcomes")
    op.drop_table("example_predictions")
    op.drop_table("dataset_versions")
    op.drop_index(op.f("ix_task_join_link_uses_user_id"), table_name="task_join_link_uses")
    op.drop_table("task_join_link_uses")
    op.drop_index(op.f("ix_round_targets_model_id"), table_name="round_targets")
    op.drop_table("round_targets")
    op.drop_index(op.f("ix_round_parents_parent_round_id"), table_name="round_parents")
    op.drop_index(op.f("ix_round_parents_parent_model_id"), table_name="round_parents")
    op.drop_table("round_parents")
    op.drop_index(
        "ix_examples_similarity_bands",
        table_name="examples",
        postgresql_using="gin",
        postgresql_with={"fastupdate": "off"},
    )
    op.drop_index("ix_examples_round_id_created_at", table_name="examples")
    op.drop_index("ix_examples_round_id_context_id", table_name="examples")
    op.drop_index("ix_examples_annotator_id", table_name="examples")
    op.drop_table("examples")
    op.drop_table("datasets")
    op.drop_index("ix_context_leases_round_id_expires_at", table_name="context_leases")
    op.drop_index("ix_context_leases_round_id_annotator_id", table_name="context_leases")
    op.drop_table("context_leases")
    op.drop_table("context_counts")
    op.drop_table("annotator_days")
    op.drop_index(op.f("ix_task_members_user_id"), table_name="task_members")
    op.drop_table("task_members")
    op.drop_index(op.f("ix_task_join_links_task_id"), table_name="task_join_links")
    op.drop_index(op.f("ix_task_join_links_created_by"), table_name="task_join_links")
    op.drop_table("task_join_links")
    op.drop_index(op.f("ix_task_config_versions_created_by"), table_name="task_config_versions")
    op.drop_table("task_config_versions")
    op.drop_index(
        "uq_rounds_one_open_per_task",
        table_name="rounds",
        postgresql_where=sa.text("status = 'open'"),
    )
    op.drop_table("rounds")
    op.drop_index(op.f("ix_models_submitted_by"), table_name="models")
    op.drop_table("models")
    op.drop_index("ix_contexts_task_id_tag_shuffle_key", table_name="contexts")
    op.drop_index("ix_contexts_task_id_shuffle_key", table_name="contexts")
    op.drop_index("ix_contexts_task_id_id", table_name="contexts")
    op.drop_table("contexts")
    op.drop_index(op.f("ix_tasks_created_by"), table_name="tasks")
    op.drop_table("tasks")
    op.drop_index(op.f("ix_sessions_user_id"), table_name="sessions")
    op.drop_table("sessions")
    op.drop_index(op.f("ix_password_resets_user_id"), table_name="password_resets")
    op.drop_index(op.f("ix_password_resets_created_by"), table_name="password_resets")
    op.drop_table("password_resets")
    op.drop_table("job_steps")
    op.drop_index("ix_job_log_lines_job_id_id", table_name="job_log_lines")
    op.drop_table("job_log_lines")
    op.drop_index(op.f("ix_invitations_created_by"), table_name="invitations")
    op.drop_index(op.f("ix_invitations_accepted_by"), table_name="invitations")
    op.drop_table("invitations")
    op.drop_index(op.f("ix_api_tokens_user_id"), table_name="api_tokens")
    op.drop_table("api_tokens")
    op.drop_table("users")
    op.drop_index(
        op.f("ix_sign_in_failures_username_key_address_failed_at"), table_name="sign_in_failures"
    )
    op.drop_index(op.f("ix_sign_in_failures_failed_at"), table_name="sign_in_failures")
    op.drop_table("sign_in_failures")
    op.drop_index("ix_outbox_consumer_id", table_name="outbox")
    op.drop_table("outbox")
    op.drop_index("ix_jobs_name_state", table_name="jobs")
    op.drop_index("ix_jobs_created_at", table_name="jobs")
    op.drop_table("jobs")
    op.drop_table("idempotency_keys")
