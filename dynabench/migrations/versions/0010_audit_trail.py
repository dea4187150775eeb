"""audit trail.

Revision: 0010
Revises: 0009
"""

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects import postgresql

revision = "0010"
down_revision = "0009"
branch_labels = None
depends_on = None

_FORBID = """
CREATE FUNCTION audit_is_kept() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION 'The audit trail is only added to.' USING ERRCODE = 'restrict_violation';
END $$
"""
# Arguments: the act's first word, the columns that are kept, columns of which it is only said
# that they changed, and the columns of the subject's id, its name, its task and the reason.
_NOTE = """
CREATE FUNCTION audit_note() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    was jsonb := CASE WHEN TG_OP = 'INSERT' THEN NULL ELSE to_jsonb(OLD) END;
    is_now jsonb := CASE WHEN TG_OP = 'DELETE' THEN NULL ELSE to_jsonb(NEW) END;
    any_row jsonb := coalesce(is_now, was);
    asked jsonb := nullif(current_setting('dynabench.asked_by', true), '')::jsonb;
    before jsonb;
    after jsonb;
BEGIN
    SELECT jsonb_object_agg(name, CASE WHEN name = ANY (TG_ARGV[2]::text[])
               THEN to_jsonb('hidden'::text) ELSE was -> name END)
           FILTER (WHERE was IS NOT NULL),
           jsonb_object_agg(name, CASE WHEN name = ANY (TG_ARGV[2]::text[])
               THEN to_jsonb('hidden'::text) ELSE is_now -> name END)
           FILTER (WHERE is_now IS NOT NULL)
      INTO before, after
      FROM unnest(TG_ARGV[1]::text[] || TG_ARGV[2]::text[]) AS name
     WHERE was -> name IS DISTINCT FROM is_now -> name;
    IF TG_OP = 'UPDATE' AND before IS NULL THEN
        RETURN NULL;
    END IF;
    INSERT INTO audit_entries
        (at, actor_id, actor_name, request_id, act, subject_id, subject_name, task_id, reason,
         before, after)
    VALUES
        (clock_timestamp(), (asked ->> 'user_id')::uuid, coalesce(asked ->> 'name', 'system'),
         nullif(asked ->> 'request_id', ''),
         TG_ARGV[0] || '.' || CASE TG_OP WHEN 'INSERT' THEN 'added' WHEN 'DELETE' THEN 'removed'
                                         ELSE 'changed' END,
         any_row ->> TG_ARGV[3], any_row ->> TG_ARGV[4], (any_row ->> TG_ARGV[5])::uuid,
         nullif(is_now ->> TG_ARGV[6], ''), before, after);
    RETURN NULL;
END $$
"""
# table: the act's word, when, kept, hidden, id, name, task, reason.
_ALL = "INSERT OR UPDATE OR DELETE"
_WATCHED = {
    "users": (
        "account",
        "INSERT OR UPDATE OF username, is_admin, disabled_at, password_hash OR DELETE",
        ("username", "is_admin", "disabled_at"),
        ("password_hash",),
        ("id", "username", "", ""),
    ),
    "api_tokens": (
        "token",
        "INSERT OR DELETE",
        ("user_id", "name", "scope", "expires_at"),
        (),
        ("id", "name", "", ""),
    ),
    "invitations": (
        "invitation",
        "INSERT OR DELETE",
        ("note", "expires_at"),
        (),
        ("id", "note", "", ""),
    ),
    "password_resets": (
        "password_reset",
        "INSERT",
        ("user_id", "expires_at"),
        (),
        ("user_id", "", "", ""),
    ),
    "tasks": (
        "task",
        _ALL,
        ("slug", "status", "is_open_to_everyone", "active_config_version", "visitors_may_try"),
        (),
        ("id", "slug", "id", ""),
    ),
    "task_members": ("member", _ALL, ("role",), (), ("user_id", "", "task_id", "")),
    "task_join_links": (
        "join_link",
        "INSERT OR DELETE",
        ("role", "expires_at"),
        (),
        ("id", "", "task_id", ""),
    ),
    "rounds": (
        "round",
        _ALL,
        (
            *("number", "status", "target_policy", "context_policy", "context_tags"),
            *("validation_mode", "quorum", "maximum", "gold_from", "share_of_others", "max_tries"),
            *("budget_examples", "budget_days", "budget_validated_fooling", "config_version"),
            *("control_no_model_share", "control_earlier_share", "control_model_id"),
        ),
        (),
        ("id", "number", "task_id", "close_reason"),
    ),
    "datasets": (
        "dataset",
        "INSERT OR UPDATE OF name, access, tags, subtask_of OR DELETE",
        ("name", "access", "origin", "tags", "subtask_of"),
        (),
        ("id", "name", "task_id", ""),
    ),
    "dataset_versions": (
        "dataset_version",
        "INSERT OR UPDATE OF test_opened_at OR DELETE",
        ("dataset_id", "version", "digest", "test_opened_at"),
        (),
        ("id", "version", "", ""),
    ),
    "models": (
        "model",
        "INSERT OR UPDATE OF is_published, is_anonymous, deleted_at OR DELETE",
        ("name", "version", "kind", "is_published", "is_anonymous", "deleted_at"),
        (),
        ("id", "name", "task_id", ""),
    ),
    "boards": (
        "board",
        "INSERT OR UPDATE OF deleted_at OR DELETE",
        ("kind", "name", "digest", "deleted_at"),
        (),
        ("id", "name", "task_id", ""),
    ),
    "outcomes": (
        "void",
        "UPDATE OF voided_at",
        ("voided_at", "void_reason"),
        (),
        ("example_id", "", "", "void_reason"),
    ),
}


def _array(names: tuple[str, ...]) -> str:
    return "'{" + ",".join(names) + "}'"


def upgrade() -> None:
    """Apply the change."""
    op.create_table(
        "audit_entries",
        sa.Column("number", sa.BigInteger(), sa.Identity(always=True), nullable=False),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("actor_id", sa.Uuid(), nullable=True),
        sa.Column("actor_name", sa.Text(), nullable=False),
        sa.Column("request_id", sa.Text(), nullable=True),
        sa.Column("act", sa.Text(), nullable=False),
        sa.Column("subject_id", sa.Text(), nullable=True),
        sa.Column("subject_name", sa.Text(), nullable=True),
        sa.Column("task_id", sa.Uuid(), nullable=True),
        sa.Column("reason", sa.Text(), nullable=True),
        sa.Column("before", postgresql.JSONB(astext_type=sa.Text()), nullable=True),
        sa.Column("after", postgresql.JSONB(astext_type=sa.Text()), nullable=True),
        sa.PrimaryKeyConstraint("number", name=op.f("pk_audit_entries")),
    )
    op.create_index("ix_audit_entries_task_id_number", "audit_entries", ["task_id", "number"])
    op.create_index("ix_audit_entries_actor_id_number", "audit_entries", ["actor_id", "number"])
    op.execute(_FORBID)
    op.execute(_NOTE)
    op.execute(
        "CREATE TRIGGER audit_is_kept BEFORE UPDATE OR DELETE OR TRUNCATE ON audit_entries"
        " FOR EACH STATEMENT EXECUTE FUNCTION audit_is_kept()"
    )
    for table, (word, when, kept, hidden, named) in _WATCHED.items():
        told = ", ".join(f"'{column}'" for column in named)
        op.execute(
            f"CREATE TRIGGER audit AFTER {when} ON {table} FOR EACH ROW"
            f" EXECUTE FUNCTION audit_note('{word}', {_array(kept)}, {_array(hidden)}, {told})"
        )
    op.execute(
        "CREATE TRIGGER audit AFTER INSERT ON validations FOR EACH ROW WHEN (NEW.is_expert)"
        " EXECUTE FUNCTION audit_note('expert_decision', '{vote,answer}', '{}',"
        " 'example_id', '', '', '')"
    )


def downgrade() -> None:
    """Take the change back."""
    for table in (*_WATCHED, "validations"):
        op.execute(f"DROP TRIGGER audit ON {table}")
    op.drop_table("audit_entries")
    op.execute("DROP FUNCTION audit_note()")
    op.execute("DROP FUNCTION audit_is_kept()")
