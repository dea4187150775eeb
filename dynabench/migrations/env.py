"""Alembic's entry point: runs the revisions on the connection that `run.py` hands over."""

from alembic import context
from sqlalchemy import Connection

from dynabench.kit.db.metadata import metadata


def _run() -> None:
    connection = context.config.attributes["connection"]
    assert isinstance(connection, Connection)
    context.configure(connection=connection, target_metadata=metadata, compare_server_default=True)
    with context.begin_transaction():
        context.run_migrations()


_run()
