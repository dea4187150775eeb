"""Published rounds, replayed: what we derive is what their authors published."""

import gzip
import json
import os
import random
from collections.abc import AsyncIterator, Callable, Iterable
from pathlib import Path

import pytest

from dynabench.loop.interchange.schemas import ReplayRead
from dynabench.loop.interchange.values import SourceFormat
from dynabench.loop.validations.values import Verdict
from tests.factories.replays import Line, Replays, derived, replaying, write_lines

pytestmark = pytest.mark.real_data

LABELS = ("e", "n", "c")
SENTIMENTS = ("positive", "negative", "neutral")


@pytest.fixture
def real_data() -> Path:
    folder = os.environ.get("DYNABENCH_REAL_DATA")
    if folder is None:
        pytest.skip("DYNABENCH_REAL_DATA does not name the folder of the real datasets.")
    return Path(folder)


@pytest.fixture
async def replays(database_url: str, tmp_path: Path) -> AsyncIterator[Replays]:
    async with replaying(database_url, tmp_path / "home") as replays:
        yield replays


def lines_of(path: Path) -> list[Line]:
    with gzip.open(path, "rt", encoding="utf-8") as file:
        return [json.loads(line) for line in file]


def told(capsys: pytest.CaptureFixture[str], found: ReplayRead) -> None:
    """Print what was derived: it goes into the note that closes the work."""
    with capsys.disabled():
        for round_ in found.rounds:
            numbers = round_.model_dump(mode="json", exclude={"examples", "duplicates"})
            print(f"\n{found.title}, round {round_.number}: {json.dumps(numbers)}")  # noqa: T201


async def test_every_example_of_anli_fooled_and_was_verified(
    replays: Replays, real_data: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    paths = [real_data / "anli" / f"R{number}_dev_merged.jsonl.gz" for number in (1, 2)]

    found = await replays.run(SourceFormat.ANLI, *paths)

    told(capsys, found)
    examples = derived(found).values()
    assert len(examples) == 2000
    assert sum(one.fooled is True for one in examples) == 2000
    assert sum(one.verdict is Verdict.CORRECT for one in examples) == 2000
    unanimous = [round_.agreement.unanimous for round_ in found.rounds]
    assert [(one.part, one.whole) for one in unanimous] == [(702, 1000), (710, 1000)]
    for round_ in found.rounds:
        assert round_.error_rate.validated_model_error_rate.part == 1000
        assert round_.error_rate.macro_model_error_rate is None
        assert [one.derived_the_same for one in round_.comparisons] == [1000, 1000, 1000]


async def test_dynasent_s_gold_is_the_published_majority_and_its_model_is_right_once_in_three(
    replays: Replays, real_data: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = real_data / "dynasent" / "dynasent-v1.1-round02-dynabench-dev.jsonl.gz"

    found = await replays.run(SourceFormat.DYNASENT, path)

    told(capsys, found)
    published = {str(line["text_id"]): line["gold_label"] for line in lines_of(path)}
    gold = {uid: one.gold and one.gold["label"] for (_, uid), one in derived(found).items()}
    (round_,) = found.rounds
    assert len(gold) == 720
    assert gold == published
    assert (round_.model_right.part, round_.model_right.whole) == (240, 720)
    assert round_.agreement.fleiss_kappa == pytest.approx(0.681, abs=5e-4)
    assert round_.error_rate.macro_model_error_rate is not None


async def test_hatemoji_leaves_open_what_its_source_does_not_tell(
    replays: Replays, real_data: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = real_data / "hatemoji" / "HatemojiBuild_rounds5-6.csv.gz"

    found = await replays.run(SourceFormat.HATEMOJI, path)

    told(capsys, found)
    assert [(round_.number, round_.records) for round_ in found.rounds] == [(5, 1994), (6, 1966)]
    assert {(one.fooled, one.verdict) for one in derived(found).values()} == {(None, None)}
    for round_ in found.rounds:
        assert round_.error_rate.validated_model_error_rate.value is None
        assert round_.error_rate.reason
        assert round_.verdicts_reason


def change_some(
    lines: list[Line], chosen: Iterable[int], change: Callable[[Line], None], uid: str
) -> set[str]:
    """Change the lines at these places; returns their ids."""
    changed = set()
    for place in chosen:
        change(lines[place])
        changed.add(str(lines[place][uid]))
    return changed


def differing(one: ReplayRead, other: ReplayRead) -> set[str]:
    """Return the ids of the records whose outcome is not the same in both."""
    before, after = derived(one), derived(other)
    assert before.keys() == after.keys()
    return {uid for key, uid in ((key, key[1]) for key in before) if before[key] != after[key]}


async def test_in_anli_exactly_the_flipped_votes_and_swapped_answers_change_outcomes(
    replays: Replays, real_data: Path, tmp_path: Path
) -> None:
    path = real_data / "anli" / "R1_dev_merged.jsonl.gz"
    lines = lines_of(path)
    places = random.Random(20).sample(range(len(lines)), 20)

    def flip(line: Line) -> None:
        # One of the two labels that made the quorum.
        labels = [str(one) for one in line["verifier_labels"]]  # type: ignore[attr-defined]
        slot = labels.index(str(line["label"]))
        labels[slot] = next(one for one in LABELS if one != line["label"])
        line["verifier_labels"] = labels

    def swap(line: Line) -> None:
        line["model_label"] = line["label"]

    flipped = change_some(lines, places[:10], flip, "uid")
    swapped = change_some(lines, places[10:], swap, "uid")
    copy = write_lines(tmp_path / "R1_dev_merged.jsonl.gz", lines)

    original = await replays.run(SourceFormat.ANLI, path)
    changed = await replays.run(SourceFormat.ANLI, copy, task="anli-changed")

    outcomes = derived(changed)
    assert (len(flipped), len(swapped)) == (10, 10)
    assert differing(original, changed) == flipped | swapped
    assert {uid for (_, uid), one in outcomes.items() if one.verdict is not Verdict.CORRECT} == (
        flipped
    )
    assert {uid for (_, uid), one in outcomes.items() if one.fooled is not True} == swapped


async def test_in_dynasent_exactly_the_flipped_votes_and_swapped_answers_change_outcomes(
    replays: Replays, real_data: Path, tmp_path: Path
) -> None:
    path = real_data / "dynasent" / "dynasent-v1.1-round02-dynabench-dev.jsonl.gz"
    lines = lines_of(path)
    narrow = [place for place, line in enumerate(lines) if votes_for_gold(line) == 3]
    chooser = random.Random(20)
    to_flip = chooser.sample(narrow, 10)
    to_swap = chooser.sample(sorted(set(range(len(lines))) - set(to_flip)), 10)

    def flip(line: Line) -> None:
        votes = distribution(line)
        gold = str(line["gold_label"])
        # To a label with no vote more than one, so that no other majority comes about.
        other = min((one for one in votes if one != gold), key=lambda one: len(votes[one]))
        votes[other].append(votes[gold].pop())

    def swap(line: Line) -> None:
        # From right to wrong and from wrong to right: the outcome changes either way.
        gold = str(line["gold_label"])
        is_right = line["model_1_label"] == gold
        line["model_1_label"] = next(one for one in SENTIMENTS if one != gold) if is_right else gold

    flipped = change_some(lines, to_flip, flip, "text_id")
    swapped = change_some(lines, to_swap, swap, "text_id")
    copy = write_lines(tmp_path / "dynasent.jsonl.gz", lines)

    original = await replays.run(SourceFormat.DYNASENT, path)
    changed = await replays.run(SourceFormat.DYNASENT, copy, task="dynasent-changed")

    outcomes = derived(changed)
    assert differing(original, changed) == flipped | swapped
    assert {uid for (_, uid), one in outcomes.items() if one.verdict is Verdict.DISPUTED} == flipped
    assert all(outcomes[2, uid].gold is None for uid in flipped)


def distribution(line: Line) -> dict[str, list[str]]:
    found = line["label_distribution"]
    assert isinstance(found, dict)
    return found


def votes_for_gold(line: Line) -> int:
    return len(distribution(line)[str(line["gold_label"])])
