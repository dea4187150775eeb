import io
import json
import logging
from collections.abc import Iterator

import pytest
import structlog

from dynabench.kit.logging import configure_logging
from dynabench.kit.settings import LogLevel


@pytest.fixture(autouse=True)
def _as_before() -> Iterator[None]:
    root = logging.getLogger()
    handlers, level = [*root.handlers], root.level
    config = structlog.get_config()
    yield
    root.handlers[:] = handlers
    root.setLevel(level)
    structlog.configure(**config)


def test_lines_of_ours_and_of_libraries_are_json_objects_with_what_they_are_about() -> None:
    stream = io.StringIO()
    configure_logging(as_json=True, stream=stream)

    with structlog.contextvars.bound_contextvars(request_id="r-1"):
        structlog.get_logger("dynabench.app").info("Served.", status=200)
        logging.getLogger("some.library").warning("Odd: %s", "thing")

    ours, theirs = [json.loads(line) for line in stream.getvalue().splitlines()]
    assert (ours["event"], ours["status"], ours["request_id"]) == ("Served.", 200, "r-1")
    assert (theirs["event"], theirs["level"], theirs["request_id"]) == (
        *("Odd: thing", "warning", "r-1"),
    )


def test_libraries_that_chatter_need_a_warning_to_be_heard() -> None:
    stream = io.StringIO()
    configure_logging(level=LogLevel.DEBUG, stream=stream)

    logging.getLogger("dbos").info("Visit our console!")
    logging.getLogger("dbos").warning("The database failed.")
    logging.getLogger("dynabench").debug("A detail.")

    assert "Visit" not in stream.getvalue()
    assert "The database failed." in stream.getvalue()
    assert "A detail." in stream.getvalue()


@pytest.mark.parametrize("as_json", [False, True])
def test_an_error_is_told_without_what_variables_held(*, as_json: bool) -> None:
    stream = io.StringIO()
    configure_logging(as_json=as_json, stream=stream)

    def sign_in(password: str) -> None:
        message = f"{len(password)} letters were too many"
        raise ValueError(message)

    try:
        sign_in("open " + "sesame")
    except ValueError:
        logging.getLogger("dynabench.app").exception("It broke.")

    assert "11 letters were too many" in stream.getvalue()
    assert "in sign_in" in stream.getvalue() or '"name": "sign_in"' in stream.getvalue()
    assert "open sesame" not in stream.getvalue()
