"""The job engine's own tables, made beside ours when a database is migrated."""

import logging

from dynabench.kit.db.database import libpq_url


def install(url: str) -> None:
    """Create or migrate the job engine's schema `dbos`; does nothing when it is current."""
    # It takes a second to import, and only this function and the worker need it.
    from dbos import DBOS  # noqa: PLC0415

    quiet_engine_log()
    DBOS.migrate(libpq_url(url))


def quiet_engine_log() -> None:
    """Keep the job engine from greeting and advertising; its warnings go where ours go."""
    logger = logging.getLogger("dbos")
    logger.setLevel(logging.WARNING)
    if not logger.handlers:
        # Without one the engine adds its own, and its lines no longer reach ours.
        logger.addHandler(logging.NullHandler())
