"""why no speed.

Revision: 0011
Revises: 0010
"""

import sqlalchemy as sa
from alembic import op

revision = "0011"
down_revision = "0010"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Apply the change."""
    op.add_column("measurements", sa.Column("throughput_reason", sa.Text()))


def downgrade() -> None:
    """Take the change back."""
    op.drop_column("measurements", "throughput_reason")
