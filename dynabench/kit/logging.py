"""Log lines: text for people or JSON for machines, each with what it is about."""

import io
import logging
import re
import sys
from typing import Any, TextIO

import structlog
from structlog.typing import ExcInfo, Processor

from dynabench.kit.settings import LogLevel

# To the end of the line or of what else psycopg says: a value may have lines of its own.
_QUOTED_ROW = re.compile(
    r"^(DETAIL:|CONTEXT:|QUERY:|LINE \d+:)"
    r"(?:(?!^(?:DETAIL|CONTEXT|QUERY|HINT|LINE \d+):|^\[SQL:|^Traceback|^\(Background).)*(?<!\n)",
    re.MULTILINE | re.DOTALL,
)
_QUOTED_STATEMENT = re.compile(r"(\[parameters: ).*?\]$", re.MULTILINE | re.DOTALL)
_QUOTED_INPUT = re.compile(r"input_value=.*?, input_type=", re.DOTALL)
_QUIET = (
    "dbos",
    "sqlalchemy.engine",
    "sqlalchemy.pool",
    "httpx2",
    "httpcore",
    "httpcore2",
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


def without_values(text: str) -> str:
    r"""Return a failure's text without what it quotes of rows and of what was sent.

    PostgreSQL and pydantic quote whole values: what people wrote, withheld answers, secrets.

    Example:
        >>> without_values("duplicate key\nDETAIL:  Key (email)=(ada) already exists.")
        'duplicate key\nDETAIL:  …'
    """
    text = _QUOTED_ROW.sub(r"\1  …", text)
    text = _QUOTED_STATEMENT.sub(r"\1…]", text)
    return _QUOTED_INPUT.sub("input_value=…, input_type=", text)


def _rendering(*, as_json: bool, colors: bool) -> list[Processor]:
    """Return what writes a line, with a failure's trace but not with its variables or values.

    Variables hold passwords and tokens, and writing them takes seconds in which the server
    answers nobody.
    """
    if as_json:
        traces = structlog.tracebacks.ExceptionDictTransformer(show_locals=False)

        def told_as_data(exc_info: ExcInfo) -> list[dict[str, Any]]:
            return [_without_values_inside(part) for part in traces(exc_info)]

        return [
            structlog.processors.ExceptionRenderer(told_as_data),
            structlog.processors.JSONRenderer(),
        ]

    def told_as_text(stream: TextIO, info: ExcInfo) -> None:
        whole = io.StringIO()
        structlog.dev.plain_traceback(whole, info)
        stream.write(without_values(whole.getvalue()))

    return [structlog.dev.ConsoleRenderer(colors=colors, exception_formatter=told_as_text)]


# The shape is structlog's: lists and dictionaries of texts and numbers.
def _without_values_inside(part: Any) -> Any:
    if isinstance(part, str):
        return without_values(part)
    if isinstance(part, list):
        return [_without_values_inside(one) for one in part]
    if isinstance(part, dict):
        return {key: _without_values_inside(one) for key, one in part.items()}
    return part
