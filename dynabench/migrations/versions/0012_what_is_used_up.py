"""what is used up.

Revision: 0012
Revises: 0011
"""

import sqlalchemy as sa
from alembic import op

revision = "0012"
down_revision = "0011"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Apply the change."""
    op.add_column("jobs", sa.Column("subject_id", sa.Uuid()))
    op.create_index(
        "ix_jobs_subject_id_started_at",
        "jobs",
        ["subject_id", "started_at"],
        postgresql_where=sa.text("subject_id IS NOT NULL"),
    )
    op.add_column(
        "evaluations", sa.Column("retries", sa.Integer(), server_default="0", nullable=False)
    )


def downgrade() -> None:
    """Take the change back."""
    op.drop_column("evaluations", "retries")
    op.drop_index("ix_jobs_subject_id_started_at", table_name="jobs")
    op.drop_column("jobs", "subject_id")
