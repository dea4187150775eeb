"""times of rounds.

Revision: 0013
Revises: 0012
"""

import sqlalchemy as sa
from alembic import op

revision = "0013"
down_revision = "0012"
branch_labels = None
depends_on = None

_ROUND = (
    *("number", "status", "target_policy", "context_policy", "context_tags"),
    *("validation_mode", "quorum", "maximum", "gold_from", "share_of_others", "max_tries"),
    *("budget_examples", "budget_days", "budget_validated_fooling", "config_version"),
    *("control_no_model_share", "control_earlier_share", "control_model_id"),
)
_LINK = ("role", "expires_at")


def _watch(table: str, told: str) -> None:
    """Have the audit trail keep other columns of a table's changes."""
    op.execute(f"DROP TRIGGER audit ON {table}")
    op.execute(f"CREATE TRIGGER audit AFTER {told}")


def _watch_rounds(*kept: str) -> None:
    _watch(
        "rounds",
        "INSERT OR UPDATE OR DELETE ON rounds FOR EACH ROW EXECUTE FUNCTION"
        f" audit_note('round', '{{{','.join(kept)}}}', '{{}}', 'id', 'number', 'task_id',"
        " 'close_reason')",
    )


def _watch_links(*kept: str, name: str) -> None:
    _watch(
        "task_join_links",
        "INSERT OR DELETE ON task_join_links FOR EACH ROW EXECUTE FUNCTION"
        f" audit_note('join_link', '{{{','.join(kept)}}}', '{{}}', 'id', '{name}', 'task_id', '')",
    )


def upgrade() -> None:
    """Apply the change."""
    op.add_column("rounds", sa.Column("opens_at", sa.DateTime(timezone=True)))
    op.add_column("rounds", sa.Column("closes_at", sa.DateTime(timezone=True)))
    op.create_check_constraint(op.f("ck_rounds_schedule"), "rounds", "opens_at < closes_at")
    op.add_column(
        "task_join_links", sa.Column("note", sa.Text(), server_default="", nullable=False)
    )
    _watch_rounds(*_ROUND, "opens_at", "closes_at")
    _watch_links(*_LINK, "note", name="note")


def downgrade() -> None:
    """Take the change back."""
    _watch_rounds(*_ROUND)
    _watch_links(*_LINK, name="")
    op.drop_column("task_join_links", "note")
    op.drop_constraint(op.f("ck_rounds_schedule"), "rounds")
    op.drop_column("rounds", "closes_at")
    op.drop_column("rounds", "opens_at")
