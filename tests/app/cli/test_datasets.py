"""Datasets from the terminal: brought, checked, shown, changed, varied."""

import asyncio
import json
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from zipfile import ZipFile

import pytest

from dynabench.app.wiring import job_handlers, wire
from dynabench.engines.jobs.runs import JobRunner
from dynabench.engines.jobs.values import Job, JobState
from dynabench.kit.settings import Settings
from tests.app.cli.conftest import CONFIG, Command, Done
from tests.factories.dataset_files import as_lines, rows

PATIENCE_SECONDS = 60

WithWorker = Callable[..., Done]


async def _do_the_next(settings: Settings, name: str) -> None:
    """Be the worker for one job, which is asked for while this waits."""
    wiring = wire(settings)
    try:
        started = time.monotonic()
        waiting: list[Job] = []
        while not waiting and time.monotonic() - started < PATIENCE_SECONDS:
            await asyncio.sleep(0.05)
            async with wiring.db.read() as session:
                waiting = await wiring.queue.list_jobs(session, name=name, states=[JobState.QUEUED])
        runner = JobRunner(wiring.db, job_handlers(wiring), executor_id="one")
        await runner.run(waiting[0].id)
    finally:
        await wiring.close()


@pytest.fixture
def with_worker(owner: Command, database_url: str, tmp_path: Path) -> WithWorker:
    """Run a command beside a worker that does the one job it asks for."""
    settings = Settings(database_url=database_url, home=tmp_path / "home")

    def carry_out(job: str, *words: object) -> Done:
        with ThreadPoolExecutor(max_workers=1) as thread:
            working = thread.submit(asyncio.run, _do_the_next(settings, job))
            done = owner(*words)
            working.result()
        return done

    return carry_out


def test_a_dataset_is_checked_brought_changed_and_varied(
    owner: Command, with_worker: WithWorker, tmp_path: Path
) -> None:
    config, file = tmp_path / "nli.yaml", tmp_path / "items.csv"
    config.write_text(CONFIG, encoding="utf-8")
    assert owner("task", "create", "nli", config, "--activate").status == 0
    lines = [
        "s1,s2,y,genre",
        *(f"It is day {n}.,It isn't night {n}.,{n % 2},news" for n in range(3)),
    ]
    file.write_text("\n".join(lines), encoding="utf-8")
    mapped = ["--column", "s1=premise", "--column", "s2=hypothesis", "--column", "y=label"]
    mapped += ["--split", "test", "--label", "label:0=neutral"]
    wrong = with_worker("datasets.import", "dataset", "check", "nli", file, *mapped)
    assert (wrong.status, "line 3: label: It must be one of" in wrong.err) == (1, True)
    mapped += ["--label", "label:1=entailment"]
    named = ["--name", "Days", "--licence", "CC0"]
    done = with_worker("datasets.import", "dataset", "upload", "nli", file, *mapped, *named)
    assert done.status == 0, done.err
    assert "Days v1 (0 train, 0 dev, 3 test)" in done.out
    assert "Passed over: genre." in done.err
    version_id = done.out.split()[-1]
    downloaded = with_worker(
        "datasets.archive", "dataset", "download", "nli", "Days", "--out", tmp_path / "days.zip"
    )
    assert "days.zip holds 5 files" in downloaded.out, downloaded.err
    with ZipFile(tmp_path / "days.zip") as archive:
        assert '"gold":null' in archive.read("data/test.jsonl").decode()
    opened = owner("dataset", "open-test", "nli", "Days", "--yes")
    assert "The right answers of Days v1 are given out since" in opened.out
    shown = owner("dataset", "show", version_id, "--items", "2")
    assert "hypothesis: It isn't night 0." in shown.out
    changed = owner("dataset", "update", version_id, "--access", "standard", "--tag", "days")
    assert "Days v1 is standard" in changed.out
    perturb = ["dataset", "perturb", version_id, "robustness", "--transform", "upper_case"]
    made = with_worker("datasets.perturb", *perturb)
    assert "Days (robustness) v1 (3 variants)" in made.out
    perturbed = made.out.splitlines()[0].split()[-1]
    variants = owner("dataset", "variants", perturbed, "upper_case", "--json")
    assert json.loads(variants.out)[0]["texts"][0]["variant"] == "IT IS DAY 0."
    listed = owner("dataset", "list", "nli")
    assert ("perturbation" in listed.out, "standard" in listed.out) == (True, True)
    own = tmp_path / "own.jsonl"
    own.write_bytes(as_lines([{"original_uid": "nobody", "premise": "x"}]))
    refused = with_worker("datasets.perturb", *perturb[:4], "--file", own)
    assert (refused.status, "line 1: original_uid" in refused.err) == (1, True)


def test_what_is_typed_wrong_is_told_before_anything_is_sent(
    owner: Command, tmp_path: Path
) -> None:
    file, odd = tmp_path / "items.jsonl", tmp_path / "items.txt"
    for one in (file, odd):
        one.write_bytes(as_lines(rows(1)))
    base = ["--name", "Mine", "--licence", "CC0"]
    for words, told in (
        ([file, *base, "--column", "premise"], "--column text=premise"),
        ([file, *base, "--label", "0=neutral"], "label:0=entailment"),
        ([odd, *base], "tells no format"),
        ([file, "--name", "x" * 101, "--licence", "CC0"], "name"),
    ):
        done = owner("dataset", "upload", "nli", *words)
        assert (done.status, told in done.err) == (1, True), done.err
