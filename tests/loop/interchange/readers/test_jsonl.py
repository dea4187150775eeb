"""Rounds of one's own come in as JSON lines, and through the same rules as those made here."""

import json
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

from dynabench.app.cli.replay import replay_service
from dynabench.loop.interchange.errors import SourceFileError, TaskNeededError
from dynabench.loop.interchange.readers.jsonl import JsonlReader
from dynabench.loop.interchange.schemas import ReplayRead
from dynabench.loop.interchange.service import ReplayService
from dynabench.loop.rounds.errors import RoundSettingsError
from dynabench.loop.rounds.values import GoldFrom
from dynabench.loop.validations.values import Verdict
from tests.factories.replays import Replays, derived, replaying
from tests.factories.tasks import make_task

pytestmark = pytest.mark.anyio

LINE: dict[str, Any] = {
    "id": "one",
    "round": 3,
    "context": {"premise": "A man walks his dog."},
    "inputs": {"hypothesis": "The dog is outside."},
    "answer": {"label": "entailment"},
    "author": "ada",
    "prediction": {"label": "neutral", "prob": {"entailment": 0.2, "neutral": 0.8}},
    "votes": [{"by": "bea", "vote": "correct"}, {"by": "cem", "answer": {"label": "entailment"}}],
}


@pytest.fixture
async def replays(database_url: str, tmp_path: Path) -> AsyncIterator[Replays]:
    async with replaying(database_url, tmp_path / "home", batch_size=2) as replays:
        yield replays


@pytest.fixture
async def task(replays: Replays) -> str:
    return (await make_task(replays.wiring.db)).slug


def write(folder: Path, *lines: object) -> Path:
    file = folder / "mine.jsonl"
    file.write_text("".join(json.dumps(line) + "\n" for line in lines))
    return file


async def run(
    replays: Replays, task: str | None, file: Path, reader: JsonlReader | None = None
) -> ReplayRead:
    service: ReplayService = replay_service(replays.wiring, batch_size=2)
    reader = reader or JsonlReader(quorum=2, maximum=3)
    return await service.replay(reader, [file], task_slug=task)


async def test_an_id_that_is_there_twice_is_refused_with_both_lines(
    replays: Replays, task: str, tmp_path: Path
) -> None:
    lines = [LINE, LINE | {"id": "two"}, LINE | {"round": 4}, LINE | {"author": "eva"}]

    with pytest.raises(SourceFileError, match=r"“one” is the id of line 1 too") as refused:
        await run(replays, task, write(tmp_path, *lines))

    assert (refused.value.facts["line"], refused.value.facts["field"]) == (4, "id")
    done = await run(replays, task, write(tmp_path, *lines[:3]))
    assert [(one.number, one.examples_added) for one in done.rounds] == [(3, 2), (4, 1)]


async def test_votes_of_both_kinds_make_verdicts_in_the_round_of_each_line(
    replays: Replays, task: str, tmp_path: Path
) -> None:
    wrong = LINE | {
        "id": "two",
        "round": 4,
        "inputs": {"hypothesis": "It is a cat that walks there."},
        "votes": [{"by": "bea", "vote": "incorrect"}, {"by": "cem", "vote": "incorrect"}],
    }
    bare = {key: LINE[key] for key in ("context", "answer", "author")} | {
        "id": "three",
        "inputs": {"hypothesis": "Somebody owns a pet of some kind."},
    }

    found = await run(replays, task, write(tmp_path, LINE, wrong, bare))

    assert [one.number for one in found.rounds] == [1, 3, 4]
    outcomes = {uid: one for (_, uid), one in derived(found).items()}
    assert outcomes["one"].verdict is Verdict.CORRECT
    assert outcomes["two"].verdict is Verdict.INCORRECT
    assert (outcomes["one"].fooled, outcomes["three"].fooled) == (True, None)
    assert all(one.people_are_known for one in found.rounds)
    again = await run(replays, task, tmp_path / "mine.jsonl")
    assert [one.examples_added for one in again.rounds] == [0, 0, 0]


async def test_validators_may_give_the_gold_answer(
    replays: Replays, task: str, tmp_path: Path
) -> None:
    said = [{"by": name, "answer": {"label": "neutral"}} for name in ("bea", "cem")]
    line = {key: value for key, value in LINE.items() if key != "answer"} | {"votes": said}
    reader = JsonlReader(quorum=2, maximum=3, gold_from=GoldFrom.VALIDATORS)

    found = await run(replays, task, write(tmp_path, line), reader)

    ((_, one),) = derived(found).items()
    assert (one.gold, one.fooled) == ({"label": "neutral"}, False)
    with pytest.raises(SourceFileError, match="each vote is an answer"):
        await run(replays, task, write(tmp_path, LINE), reader)


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"autor": "ada"}, "autor: There is no such field"),
        ({"author": "ada@example.org "}, "take a pseudonym"),
        ({"votes": [{"by": "ada", "vote": "correct"}]}, "judged an example of their own"),
        ({"votes": [{"by": "bea", "vote": "correct"}] * 2}, "judged the example twice"),
        ({"votes": [{"by": "bea", "vote": "yes"}]}, "votes\\[0\\].vote: It must be one of"),
        ({"votes": [{"by": "bea"}]}, "either a `vote` or an `answer`"),
        ({"votes": ["correct"]}, "It must be an object"),
        ({"answer": {"label": "maybe"}}, "label"),
        ({"inputs": {}}, "hypothesis"),
        ({"round": -1}, "round: Rounds are numbered from 1"),
    ],
)
async def test_a_wrong_line_is_named_and_leaves_nothing(
    replays: Replays, task: str, tmp_path: Path, change: dict[str, object], words: str
) -> None:
    file = write(tmp_path, LINE | {"id": "fine"}, LINE | change)
    with pytest.raises(SourceFileError, match=words) as refused:
        await run(replays, task, file)
    assert "mine.jsonl, line 2" in str(refused.value)
    found = await run(replays, task, write(tmp_path, LINE))
    assert found.rounds[0].records == 1


async def test_a_task_is_needed_and_a_quorum_that_can_be_reached(
    replays: Replays, task: str, tmp_path: Path
) -> None:
    file = write(tmp_path, LINE)
    for slug in (None, "not-there"):
        with pytest.raises(TaskNeededError, match="--task SLUG"):
            await run(replays, slug, file)
    with pytest.raises(RoundSettingsError, match="never be reached"):
        await run(replays, task, file, JsonlReader(quorum=4, maximum=3))
