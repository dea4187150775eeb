"""The short form of `python tools/chaos.py`: six kills under load, real processes."""

import tempfile
from pathlib import Path

from tests.stories.chaos.storm import run_storm


async def test_every_promise_outlives_the_kill_of_any_process() -> None:
    with tempfile.TemporaryDirectory(prefix="dynabench-chaos-") as folder:
        report = await run_storm(Path(folder), kills=6)

    assert report.findings == [], report.log
    assert sum(report.kills.values()) == 6
    assert len(report.kills) == 5
    assert report.examples > 0
    assert report.votes > 0
    assert report.read_back == report.promised
