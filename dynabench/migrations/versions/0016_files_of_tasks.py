"""uploaded files are of the tasks that they were sent for.

Revision: 0016
Revises: 0015
"""

import sqlalchemy as sa
from alembic import op

revision = "0016"
down_revision = "0015"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Apply the change; files that wait for their jobs are of the tasks of those jobs."""
    op.create_table(
        "dataset_files",
        sa.Column("task_id", sa.Uuid(), nullable=False),
        sa.Column("digest", sa.Text(), nullable=False),
        sa.Column("created_by", sa.Uuid(), nullable=True),
        sa.Column(
            "created_at",
            sa.DateTime(timezone=True),
            server_default=sa.text("now()"),
            nullable=False,
        ),
        sa.ForeignKeyConstraint(
            ["created_by"], ["users.id"], name=op.f("fk_dataset_files_created_by_users")
        ),
        sa.ForeignKeyConstraint(
            ["task_id"],
            ["tasks.id"],
            name=op.f("fk_dataset_files_task_id_tasks"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("task_id", "digest", name=op.f("pk_dataset_files")),
    )
    op.execute(
        "INSERT INTO dataset_files (task_id, digest, created_by)"
        " SELECT DISTINCT ON (tasks.id, jobs.payload->'upload'->>'file')"
        " tasks.id, jobs.payload->'upload'->>'file',"
        " (SELECT users.id FROM users WHERE users.id = jobs.created_by)"
        " FROM jobs JOIN tasks ON tasks.id::text = jobs.payload->>'task_id'"
        " WHERE jobs.name = 'datasets.import' AND jobs.state IN ('queued', 'running')"
    )
    op.execute(
        "INSERT INTO dataset_files (task_id, digest, created_by)"
        " SELECT DISTINCT ON (datasets.task_id, jobs.payload->>'file')"
        " datasets.task_id, jobs.payload->>'file',"
        " (SELECT users.id FROM users WHERE users.id = jobs.created_by)"
        " FROM jobs JOIN dataset_versions"
        " ON dataset_versions.id::text = jobs.payload->>'version_id'"
        " JOIN datasets ON datasets.id = dataset_versions.dataset_id"
        " WHERE jobs.name = 'datasets.perturb' AND jobs.state IN ('queued', 'running')"
        " AND jobs.payload->>'file' IS NOT NULL ON CONFLICT DO NOTHING"
    )


def downgrade() -> None:
    """Take the change back: a digest alone would name any file again."""
    op.drop_table("dataset_files")
