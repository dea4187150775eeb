import io
import logging
from collections.abc import Iterator

import pytest
import structlog

# What making an engine does first; the engine itself would need a database.
from dbos._logger import init_logger

from dynabench.engines.jobs.install import quiet_engine_log
from dynabench.kit.logging import configure_logging


@pytest.fixture(autouse=True)
def _as_before() -> Iterator[None]:
    root, engine = logging.getLogger(), logging.getLogger("dbos")
    handlers, level = [*root.handlers], root.level
    engine_handlers, engine_level = [*engine.handlers], engine.level
    config = structlog.get_config()
    yield
    root.handlers[:], engine.handlers[:], engine.propagate = handlers, engine_handlers, True
    root.setLevel(level)
    engine.setLevel(engine_level)
    structlog.configure(**config)


@pytest.mark.parametrize("is_engine_first", [True, False])
def test_the_engine_s_warnings_reach_our_log(*, is_engine_first: bool) -> None:
    stream = io.StringIO()
    steps = [lambda: configure_logging(stream=stream), quiet_engine_log]
    for step in reversed(steps) if is_engine_first else steps:
        step()
        init_logger()
    logging.getLogger("dbos").warning("The database failed.")
    assert "The database failed." in stream.getvalue()
