"""how people do on releases is computed anew: its interval is over validators too.

Revision: 0015
Revises: 0014
"""

from alembic import op

revision = "0015"
down_revision = "0014"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Apply the change; the next look at a board computes what is forgotten here."""
    op.execute("DELETE FROM human_scores")
    op.execute("UPDATE board_figures SET stamp = ''")


def downgrade() -> None:
    """Take the change back: intervals over contexts alone would be computed in their place."""
    op.execute("DELETE FROM human_scores")
    op.execute("UPDATE board_figures SET stamp = ''")
