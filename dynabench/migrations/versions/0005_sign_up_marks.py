"""sign up marks.

Revision: 0005
Revises: 0004
"""

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Apply the change."""
    op.add_column("users", sa.Column("sign_up_mark", sa.LargeBinary(), nullable=True))
    op.create_index(op.f("ix_users_sign_up_mark"), "users", ["sign_up_mark"])


def downgrade() -> None:
    """Take the change back."""
    op.drop_index(op.f("ix_users_sign_up_mark"), table_name="users")
    op.drop_column("users", "sign_up_mark")
