"""Alembic's entry point: runs the revisions on the connection that `run.py` hands over."""

from typing import Literal

from alembic import context
from alembic.autogenerate.api import AutogenContext
from sqlalchemy import Connection

from dynabench.kit.db.columns import EnumText
from dynabench.kit.db.metadata import metadata


def _render(kind: str, item: object, _: AutogenContext) -> str | Literal[False]:
    """Write our own column type as what it is in the database, so that revisions stand alone."""
    if kind == "type" and isinstance(item, EnumText):
        return "sa.Text()"
    return False


def _run() -> None:
    connection = context.config.attributes["connection"]
    assert isinstance(connection, Connection)
    context.configure(
        connection=connection,
        target_metadata=metadata,
        compare_server_default=True,
        render_item=_render,
    )
    with context.begin_transaction():
        context.run_migrations()


_run()
