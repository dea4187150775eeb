"""Log lines: text for people or JSON for machines, each with what it is about."""

import logging
import sys
from typing import TextIO

import structlog
from structlog.typing import Processor

from dynabench.kit.settings import LogLevel

_QUIET = (
    "dbos",
    "sqlalchemy.engine",
    "sqlalchemy.pool",
    "httpx2",
    "httpcore",
    "asyncio",
    "alembic",
)


def configure_logging(
    *, level: LogLevel = LogLevel.INFO, as_json: bool = False, stream: TextIO | None = None
) -> None:
    """Send every log line of this process, ours and the libraries', through one formatter.

    Calling it again replaces what an earlier call set up.

    Args:
        level: The least important lines written; libraries that chatter need a warning.
        as_json: Whether each line is a JSON object instead of text.
        stream: Where lines go; standard error by default, as standard output is for answers.
    """
    target = stream or sys.stderr
    shared: list[Processor] = [
        structlog.contextvars.merge_contextvars,
        structlog.stdlib.add_log_level,
        structlog.stdlib.add_logger_name,
        structlog.stdlib.ExtraAdder(),
        structlog.processors.TimeStamper(fmt="iso", utc=True),
    ]
    rendering = _rendering(as_json=as_json, colors=target.isatty())
    handler = logging.StreamHandler(target)
    handler.setFormatter(
        structlog.stdlib.ProcessorFormatter(
            foreign_pre_chain=shared,
            processors=[structlog.stdlib.ProcessorFormatter.remove_processors_meta, *rendering],
        )
    )
    root = logging.getLogger()
    root.handlers[:] = [handler]
    number = logging.getLevelNamesMapping()[level.value.upper()]
    root.setLevel(number)
    for name in _QUIET:
        logger = logging.getLogger(name)
        # A library that finds no handler of its own may add one and keep its lines from ours.
        logger.handlers[:] = [logging.NullHandler()]
        logger.propagate = True
        logger.disabled = False
        logger.setLevel(max(number, logging.WARNING))
    structlog.configure(
        processors=[*shared, structlog.stdlib.ProcessorFormatter.wrap_for_formatter],
        wrapper_class=structlog.stdlib.BoundLogger,
        logger_factory=structlog.stdlib.LoggerFactory(),
        cache_logger_on_first_use=True,
    )


def _rendering(*, as_json: bool, colors: bool) -> list[Processor]:
    """Return what writes a line, with a failure's trace but not with its variables.

    Those hold passwords and tokens, and writing them takes seconds in which the server answers
    nobody.
    """
    if as_json:
        traces = structlog.tracebacks.ExceptionDictTransformer(show_locals=False)
        told = structlog.processors.ExceptionRenderer(traces)
        return [told, structlog.processors.JSONRenderer()]
    return [
        structlog.dev.ConsoleRenderer(
            colors=colors, exception_formatter=structlog.dev.plain_traceback
        )
    ]
