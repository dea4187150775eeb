"""entries by subject.

Revision: 0014
Revises: 0013
"""

from alembic import op

revision = "0014"
down_revision = "0013"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Apply the change."""
    op.create_index("ix_audit_entries_subject_id_number", "audit_entries", ["subject_id", "number"])


def downgrade() -> None:
    """Take the change back."""
    op.drop_index("ix_audit_entries_subject_id_number", table_name="audit_entries")
