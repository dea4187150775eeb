"""files that were sent to become datasets count with their size.

Revision: 0017
Revises: 0016
"""

import sqlalchemy as sa
from alembic import op

revision = "0017"
down_revision = "0016"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Apply the change; a file counts with what its dataset says of it, and else with nothing."""
    op.add_column(
        "dataset_files",
        sa.Column("size_bytes", sa.BigInteger(), server_default="0", nullable=False),
    )
    op.execute(
        "UPDATE dataset_files SET size_bytes = (known.size_bytes)::bigint FROM ("
        " SELECT datasets.task_id, dataset_versions.card->'file'->>'digest' AS digest,"
        " max(dataset_versions.card->'file'->>'bytes') AS size_bytes"
        " FROM dataset_versions JOIN datasets ON datasets.id = dataset_versions.dataset_id"
        " WHERE dataset_versions.card->'file'->>'bytes' ~ '^[0-9]{1,12}$' GROUP BY 1, 2) AS known"
        " WHERE known.task_id = dataset_files.task_id AND known.digest = dataset_files.digest"
    )


def downgrade() -> None:
    """Take the change back."""
    op.drop_column("dataset_files", "size_bytes")
