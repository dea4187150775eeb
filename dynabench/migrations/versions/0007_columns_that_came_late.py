"""columns that came late.

Revision 0004 was changed after installations had applied it: columns and an index came late.
Those installations get here what they lack; the others have it already.

Revision: 0007
Revises: 0006
"""

from alembic import op

revision = "0007"
down_revision = "0006"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Apply the change."""
    op.execute("ALTER TABLE jobs ADD COLUMN IF NOT EXISTS told jsonb")
    op.execute(
        "ALTER TABLE rounds ADD COLUMN IF NOT EXISTS arm_secret uuid"
        " NOT NULL DEFAULT gen_random_uuid()"
    )
    op.execute(
        "CREATE INDEX IF NOT EXISTS ix_validations_round_id_created_at"
        " ON validations (round_id, created_at)"
    )


def downgrade() -> None:
    """Leave what belongs to revision 0004."""
