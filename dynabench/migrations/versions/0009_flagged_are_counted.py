"""flagged are counted.

Revision: 0009
Revises: 0008
"""

from alembic import op

revision = "0009"
down_revision = "0008"
branch_labels = None
depends_on = None

MOVED = """
    UPDATE annotator_days d
       SET collected = d.collected {sign} f.collected,
           fooled = d.fooled {sign} f.fooled,
           undecided = d.undecided {sign} f.undecided
      FROM (SELECT round_id, annotator_id, arm,
                   (example_created_at AT TIME ZONE 'UTC')::date AS day,
                   count(*) AS collected,
                   count(*) FILTER (WHERE NOT is_retracted AND fooled) AS fooled,
                   count(*) FILTER (WHERE NOT is_retracted AND fooled IS NULL) AS undecided
              FROM outcomes
             WHERE voided_at IS NULL AND verdict = 'flagged'
             GROUP BY 1, 2, 3, 4) f
     WHERE d.round_id = f.round_id AND d.annotator_id = f.annotator_id
       AND d.arm = f.arm AND d.day = f.day
"""


def upgrade() -> None:
    """Apply the change."""
    op.execute(MOVED.format(sign="+"))


def downgrade() -> None:
    """Take the change back."""
    op.execute(MOVED.format(sign="-"))
