"""Published rounds, replayed: what we derive is what their authors published."""

import gzip
import json
import random
from collections.abc import AsyncIterator, Callable, Iterable
from pathlib import Path

import pytest

from dynabench.kit.actor import Actor
from dynabench.loop.interchange.schemas import ReplayedRoundRead, ReplayRead
from dynabench.loop.interchange.values import SourceFormat
from dynabench.loop.validations.rates.service import ErrorRateService
from dynabench.loop.validations.schemas import RateRead
from dynabench.loop.validations.values import Verdict
from tests.factories.replays import Line, Replays, derived, replaying, write_lines
from tests.real.conftest import Note

pytestmark = pytest.mark.real_data

OPERATOR = Actor(user_id=None, username="operator", is_admin=True)
LABELS = ("e", "n", "c")
SENTIMENTS = ("positive", "negative", "neutral")


@pytest.fixture
async def replays(database_url: str, tmp_path: Path) -> AsyncIterator[Replays]:
    async with replaying(database_url, tmp_path / "home") as replays:
        yield replays


def lines_of(path: Path) -> list[Line]:
    with gzip.open(path, "rt", encoding="utf-8") as file:
        return [json.loads(line) for line in file]


def shown(rate: RateRead) -> str:
    return "null" if rate.value is None else f"{rate.part} of {rate.whole}"


def note_all_alike(note: Note, source: str, round_: ReplayedRoundRead) -> None:
    """Note how many records come out as their source says."""
    for one in round_.comparisons:
        derived = f"{one.derived_the_same} of {one.records}"
        note(source, f"{one.what} as published", derived=derived, published=one.records)


async def test_every_example_of_anli_fooled_and_was_verified(
    replays: Replays, real_data: Path, note: Note
) -> None:
    paths = [real_data / "anli" / f"R{number}_dev_merged.jsonl.gz" for number in (1, 2)]

    found = await replays.run(SourceFormat.ANLI, *paths)

    examples = derived(found).values()
    assert len(examples) == 2000
    assert sum(one.fooled is True for one in examples) == 2000
    assert sum(one.verdict is Verdict.CORRECT for one in examples) == 2000
    rates = replays.wiring.get(ErrorRateService)
    for round_, unanimous in zip(found.rounds, (702, 710), strict=True):
        source, error_rate = f"ANLI R{round_.number} dev", round_.error_rate
        vmer = error_rate.validated_model_error_rate
        note(source, "fooled", derived=shown(error_rate.model_error_rate), published="all")
        note(source, "fooled, verdict correct", derived=shown(vmer), published="all")
        agreed = shown(round_.agreement.unanimous)
        note(source, "unanimous verifiers", derived=agreed, published=unanimous)
        alpha = round_.agreement.krippendorff_alpha
        note(source, "Krippendorff's alpha", derived=f"{alpha:.3f}")
        note(source, "mean over authors", derived=error_rate.macro_model_error_rate)
        assert (vmer.part, vmer.whole, vmer.method) == (1000, 1000, "")
        assert (round_.agreement.unanimous.part, round_.agreement.examples) == (unanimous, 1000)
        assert error_rate.macro_model_error_rate is None
        assert error_rate.reason is not None
        assert round_.error_rate.annotators is None
        board = await rates.annotators(round_.round_id, actor=OPERATOR)
        assert (board.rows, board.reason is None) == ([], False)
        assert [one.derived_the_same for one in round_.comparisons] == [1000, 1000, 1000]


async def test_dynasent_s_gold_is_the_published_majority_and_its_model_is_right_once_in_three(
    replays: Replays, real_data: Path, note: Note
) -> None:
    path = real_data / "dynasent" / "dynasent-v1.1-round02-dynabench-dev.jsonl.gz"

    found = await replays.run(SourceFormat.DYNASENT, path)

    published = {str(line["text_id"]): line["gold_label"] for line in lines_of(path)}
    gold = {uid: one.gold and one.gold["label"] for (_, uid), one in derived(found).items()}
    (round_,) = found.rounds
    source, kappa, macro = (
        "DynaSent R2 dev",
        round_.agreement.fleiss_kappa,
        round_.error_rate.macro_model_error_rate,
    )
    note_all_alike(note, source, round_)
    note(source, "recorded model right", derived=shown(round_.model_right), published="1 in 3")
    note(source, "Fleiss' kappa", derived=f"{kappa:.3f}", published=".681")
    note(source, "MER of what is published", derived=shown(round_.error_rate.model_error_rate))
    note(source, "mean over authors", derived=f"{macro:.3f}")
    note(source, "duplicates, kept", derived=round_.duplicates.same + round_.duplicates.near)
    assert len(gold) == 720
    assert gold == published
    assert (round_.model_right.part, round_.model_right.whole) == (240, 720)
    assert kappa == pytest.approx(0.681, abs=5e-4)
    assert round_.error_rate.model_error_rate.method == "beta_binomial"
    assert macro is not None


async def test_hatemoji_leaves_open_what_its_source_does_not_tell(
    replays: Replays, real_data: Path, note: Note
) -> None:
    path = real_data / "hatemoji" / "HatemojiBuild_rounds5-6.csv.gz"

    found = await replays.run(SourceFormat.HATEMOJI, path)

    assert [(round_.number, round_.records) for round_ in found.rounds] == [(5, 1994), (6, 1966)]
    assert {(one.fooled, one.verdict) for one in derived(found).values()} == {(None, None)}
    for round_, published in zip(found.rounds, (1994, 1966), strict=True):
        source, error_rate = f"HatemojiBuild R{round_.number}", round_.error_rate
        twins = round_.duplicates
        vmer = error_rate.validated_model_error_rate
        note(source, "records", derived=round_.records, published=published)
        note(source, "fooled, verdict, vMER", derived=shown(vmer))
        note(source, "duplicates, kept", derived=twins.same + twins.near)
        assert vmer.value is None
        assert error_rate.reason
        assert round_.verdicts is None
        assert round_.verdicts_reason
        assert error_rate.collected == published


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
    replays: Replays, real_data: Path, tmp_path: Path, note: Note
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
    told = differing(original, changed)
    note("ANLI R1 dev, changed copy", "outcomes changed", derived=len(told), published=20)
    assert (len(flipped), len(swapped)) == (10, 10)
    assert told == flipped | swapped
    assert {uid for (_, uid), one in outcomes.items() if one.verdict is not Verdict.CORRECT} == (
        flipped
    )
    assert {uid for (_, uid), one in outcomes.items() if one.fooled is not True} == swapped


async def test_in_dynasent_exactly_the_flipped_votes_and_swapped_answers_change_outcomes(
    replays: Replays, real_data: Path, tmp_path: Path, note: Note
) -> None:
    path = real_data / "dynasent" / "dynasent-v1.1-round02-dynabench-dev.jsonl.gz"
    lines = lines_of(path)
    chooser = random.Random(20)
    # Four or five of five share each published answer. Ten flipped votes, two each in five
    # records with four, leave those without a gold answer; ten more, one each in ten others,
    # leave the majority its quorum and must change nothing.
    narrow = [place for place, line in enumerate(lines) if votes_for_gold(line) == 4]
    to_break = chooser.sample(narrow, 5)
    others = sorted(set(range(len(lines))) - set(to_break))
    to_dent, to_swap = others[::36][:10], others[1::36][:10]

    broken = change_some(lines, to_break, flip_two, "text_id")
    dented = change_some(lines, to_dent, flip_one, "text_id")
    swapped = change_some(lines, to_swap, swap_sentiment, "text_id")
    copy = write_lines(tmp_path / "dynasent.jsonl.gz", lines)
    original = await replays.run(SourceFormat.DYNASENT, path)
    changed = await replays.run(SourceFormat.DYNASENT, copy, task="dynasent-changed")

    before, outcomes = derived(original), derived(changed)
    told = differing(original, changed)
    note("DynaSent R2 dev, changed copy", "outcomes changed", derived=len(told), published=15)
    assert (len(broken), len(dented), len(swapped)) == (5, 10, 10)
    assert told == broken | swapped
    assert not told & dented
    assert {uid for (_, uid), one in outcomes.items() if one.verdict is Verdict.DISPUTED} == broken
    assert {uid for (_, uid), one in outcomes.items() if one.gold is None} == broken
    assert {key[1] for key, one in before.items() if one.fooled is not outcomes[key].fooled} == (
        broken | swapped
    )
    assert changed.rounds[0].agreement.fleiss_kappa != original.rounds[0].agreement.fleiss_kappa


def flip_one(line: Line) -> None:
    """Move a vote from the gold label to the one that has fewest."""
    votes = distribution(line)
    gold = str(line["gold_label"])
    other = min((one for one in votes if one != gold), key=lambda one: len(votes[one]))
    votes[other].append(votes[gold].pop())


def flip_two(line: Line) -> None:
    """Move two votes to two labels, so that no other majority comes about."""
    flip_one(line)
    flip_one(line)


def swap_sentiment(line: Line) -> None:
    """Turn the model's answer from right to wrong or from wrong to right."""
    gold = str(line["gold_label"])
    is_right = line["model_1_label"] == gold
    line["model_1_label"] = next(one for one in SENTIMENTS if one != gold) if is_right else gold


def distribution(line: Line) -> dict[str, list[str]]:
    found = line["label_distribution"]
    assert isinstance(found, dict)
    return found


def votes_for_gold(line: Line) -> int:
    return len(distribution(line)[str(line["gold_label"])])
