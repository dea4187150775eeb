"""Boards from the terminal: shown with their doubts, saved, written to files."""

import asyncio
import json
import re
from pathlib import Path
from uuid import UUID

import pytest

from dynabench.app.wiring import wire
from dynabench.kit.settings import Settings
from dynabench.loop.leaderboards.scales.service import ScaleService
from dynabench.loop.tasks.service import TaskService
from tests.app.cli.conftest import Command
from tests.conftest import HeldClock
from tests.factories.boards import BoardStage


@pytest.fixture
def slug(database_url: str, tmp_path: Path, clock: HeldClock) -> str:
    """A task of which three models are on the board, and one lacks a set."""

    async def fill() -> str:
        wiring = wire(Settings(database_url=database_url, home=tmp_path / "home"), clock=clock)
        try:
            stage = await BoardStage.over(wiring, clock)
            await stage.add("best", 380, 370, throughput=5, memory_gib=9)
            await stage.add("tied", 301, 300, throughput=40, memory_gib=2, first=60)
            await stage.add("also-tied", 300, 299, throughput=20, memory_gib=4, first=180)
            await stage.add("half", 399, throughput=20, memory_gib=4)
            return stage.task.slug
        finally:
            await wiring.close()

    return asyncio.run(fill())


def test_a_board_shows_ties_weights_and_who_is_missing(owner: Command, slug: str) -> None:
    shown = owner("board", "show", slug, "-w", "accuracy=4", "-w", "memory=1", "-d", "First=2")
    full = owner("board", "show", slug)
    wrong = owner("board", "show", slug, "-w", "accuracy")
    unknown = owner("board", "show", slug, "-w", "speed=1")

    assert shown.status == 0, shown.err
    ranks = {line.split()[1]: line.split()[0] for line in shown.out.splitlines()[1:5]}
    assert ranks == {"half": "1", "best": "2", "tied": "3–4", "also-tied": "3–4"}
    assert "Weights: accuracy 4, memory 1; memory budget 32 GiB" in shown.out
    assert "Exchange rates (AMRS)" in shown.out
    assert "2–3" in full.out
    assert "Not ranked: half v1. It has not been evaluated on “Second”." in full.err
    assert (wrong.status, unknown.status) == (1, 1)
    assert "Write it like accuracy=4." in wrong.err
    assert "“speed” is not on this board" in unknown.err


def test_models_and_sets_stand_on_one_scale(
    owner: Command, slug: str, database_url: str, tmp_path: Path, clock: HeldClock
) -> None:
    async def compute() -> None:
        wiring = wire(Settings(database_url=database_url, home=tmp_path / "home"), clock=clock)
        try:
            task = await wiring.get(TaskService).get(slug)
            await wiring.get(ScaleService).compute(task.id)
        finally:
            await wiring.close()

    early = owner("board", "scale", slug)
    asyncio.run(compute())
    shown = owner("board", "scale", slug)
    as_json = owner("board", "scale", slug, "--json")

    assert early.status == 0, early.err
    assert "a worker computes this anew" in early.err
    lines = [line for line in shown.out.splitlines() if " v1" in line]
    assert [line.split()[0] for line in lines][1:] == ["best", "tied", "also-tied"]
    assert "6 of 6" in shown.out or "5 of 6" in shown.out
    assert "items are taken to tell models apart equally well" in shown.err
    assert json.loads(as_json.out)["sets"][0]["name"] == "First"


def test_the_history_has_every_model_on_every_set(owner: Command, slug: str) -> None:
    shown = owner("board", "history", slug)
    first = owner("board", "history", slug, "--limit", "1", "--json")

    assert shown.status == 0, shown.err
    assert shown.out.splitlines()[0].split() == ["model", "First", "Second"]
    assert re.search(r"half v1 +99\.8 \(9.\.. to 100\.0\) +–", shown.out)
    assert "accuracy, times 100, on test items, with 95 % intervals." in shown.out
    assert json.loads(first.out)["models"] == 4


def test_boards_are_saved_listed_and_written_to_files(
    owner: Command, slug: str, tmp_path: Path
) -> None:
    fork = owner("board", "fork", slug, "--name", "Small", "-w", "accuracy=1", "-w", "memory=5")
    snapshot = owner("board", "snapshot", slug, "--name", "Today")
    listed = owner("board", "list", slug, "--json")
    saved = [one["id"] for one in json.loads(listed.out)]
    live = owner("board", "export", slug, "-o", tmp_path / "board.csv")
    frozen = owner("board", "export", slug, "-o", tmp_path / "board.tex", "--saved", saved[0])
    strange = owner("board", "export", slug, "-o", tmp_path / "board.doc")

    assert fork.out.startswith("Saved the fork Small: ")
    assert "sha256 " in snapshot.out
    assert all(UUID(one) for one in saved)
    assert (live.status, frozen.status, strange.status) == (0, 0, 1)
    assert (tmp_path / "board.csv").read_text().count("\n") == 4
    assert "\\toprule" in (tmp_path / "board.tex").read_text()
    assert "Call it .csv, .tex, .json, .md, .html." in strange.err


def test_a_board_goes_into_a_paper(owner: Command, slug: str, tmp_path: Path) -> None:
    look = ["--caption", "All models.", "--label", "tab:all", "--column", "accuracy"]
    for form in ("tex", "md", "html"):
        file = tmp_path / f"board.{form}"
        done = owner("board", "export", slug, "-o", file, *look, "--column", "rank")
        plain = owner("board", "export", slug, "-o", tmp_path / f"plain.{form}")
        assert (done.status, plain.status) == (0, 0), done.err
        text = file.read_text()
        assert "All models. " in text
        assert "weights: accuracy" in text
        assert "Left one out" not in text
        assert "Left one out" in (tmp_path / f"plain.{form}").read_text()
    wrong = owner("board", "export", slug, "-o", tmp_path / "x.tex", "--column", "speed")

    tex = (tmp_path / "board.tex").read_text()
    assert "\\label{tab:all}" in tex
    assert re.search(r"^Model & \w+ & Rank \\\\$", tex, re.MULTILINE)
    assert re.search(r"^\| best v1 \| 9.+ \| 1", (tmp_path / "board.md").read_text(), re.MULTILINE)
    assert '<table id="tab:all">' in (tmp_path / "board.html").read_text()
    assert "There is no column “speed”. There are: accuracy" in wrong.err
