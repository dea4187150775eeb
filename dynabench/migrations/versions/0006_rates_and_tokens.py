"""rates, and tokens that were made with tokens.

Revision: 0006
Revises: 0005
"""

import sqlalchemy as sa
from alembic import op

revision = "0006"
down_revision = "0005"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Apply the change."""
    op.create_table(
        "rate_limits",
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("subject", sa.Text(), nullable=False),
        sa.Column("free_at", sa.Double(), nullable=False),
        sa.Column("granted", sa.Integer(), nullable=False),
        sa.PrimaryKeyConstraint("name", "subject", name=op.f("pk_rate_limits")),
        prefixes=["UNLOGGED"],
    )
    op.create_index(op.f("ix_rate_limits_free_at"), "rate_limits", ["free_at"])
    op.drop_table("sign_in_failures")
    op.add_column("api_tokens", sa.Column("minted_by", sa.Uuid(), nullable=True))
    op.create_foreign_key(
        op.f("fk_api_tokens_minted_by_api_tokens"),
        "api_tokens",
        "api_tokens",
        ["minted_by"],
        ["id"],
        ondelete="CASCADE",
    )
    op.create_index(op.f("ix_api_tokens_minted_by"), "api_tokens", ["minted_by"])


def downgrade() -> None:
    """Take the change back."""
    op.drop_index(op.f("ix_api_tokens_minted_by"), table_name="api_tokens")
    op.drop_constraint(op.f("fk_api_tokens_minted_by_api_tokens"), "api_tokens", type_="foreignkey")
    op.drop_column("api_tokens", "minted_by")
    op.create_table(
        "sign_in_failures",
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column("username_key", sa.Text(), nullable=False),
        sa.Column("address", sa.Text(), nullable=False),
        sa.Column("failed_at", sa.DateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_sign_in_failures")),
    )
    op.create_index(op.f("ix_sign_in_failures_failed_at"), "sign_in_failures", ["failed_at"])
    op.create_index(
        op.f("ix_sign_in_failures_username_key_address_failed_at"),
        "sign_in_failures",
        ["username_key", "address", "failed_at"],
    )
    op.drop_table("rate_limits")
