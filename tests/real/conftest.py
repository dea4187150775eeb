"""Real datasets: where they are, and the note of what was derived from them."""

import json
import os
from collections.abc import Callable
from pathlib import Path

import pytest

Note = Callable[..., None]


@pytest.fixture
def real_data() -> Path:
    folder = os.environ.get("DYNABENCH_REAL_DATA")
    if folder is None:
        pytest.skip("DYNABENCH_REAL_DATA does not name the folder of the real datasets.")
    return Path(folder)


@pytest.fixture
def note() -> Note:
    """Keep a derived number beside the published one, for the table of `make test-real`."""
    file = os.environ.get("DYNABENCH_REAL_NOTE")

    def write(source: str, what: str, *, derived: object, published: object = None) -> None:
        if file is None:
            return
        line = {"source": source, "what": what, "derived": derived, "published": published}
        # One short write, so that lines of tests that run side by side do not mix.
        with Path(file).open("a", encoding="utf-8") as notes:
            notes.write(json.dumps(line) + "\n")

    return write
