from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from dynabench.kit.actor import Actor
from dynabench.loop.examples.service import ExampleService
from dynabench.loop.interchange.errors import RoundTakenError, SourceFileError
from dynabench.loop.interchange.service import ReplayProgress, ReplayStage
from dynabench.loop.interchange.values import SourceFormat
from dynabench.loop.rounds.errors import RoundReleasedError
from dynabench.loop.rounds.service import RoundService
from dynabench.loop.rounds.values import RoundStatus
from dynabench.loop.tasks.errors import TaskNotFoundError
from dynabench.loop.tasks.service import TaskService
from dynabench.loop.validations.outcomes.service import OutcomeService
from dynabench.loop.validations.rates.service import ErrorRateService
from dynabench.loop.validations.values import Verdict
from dynabench.people.directory.service import UserDirectory
from dynabench.science.statistics.beta_binomial import clustered_interval
from dynabench.science.statistics.rates import Rate
from tests.factories.replays import (
    Line,
    Replays,
    anli_line,
    derived,
    dynasent_line,
    hatemoji_table,
    replaying,
    round_id_of,
    write_lines,
)
from tests.factories.rounds import make_round
from tests.factories.tasks import make_task

ADMIN = Actor(user_id=None, username="operator", is_admin=True)
FIVE = ("w2", "w3", "w4", "w5", "w6")


@pytest.fixture
async def replays(database_url: str, tmp_path: Path) -> AsyncIterator[Replays]:
    async with replaying(database_url, tmp_path / "home", batch_size=2) as replays:
        yield replays


# It stands for a signal, not for a failure.
class Killed(Exception):  # noqa: N818
    """The replay was killed here."""


async def test_verifiers_make_the_verdict_in_the_order_in_which_they_answered(
    replays: Replays, tmp_path: Path
) -> None:
    lines = [
        anli_line("agreed", verifiers="ee"),
        anli_line("third-decides", verifiers="ene"),
        anli_line("refuted", verifiers="nen"),
        anli_line("wide-apart", verifiers="enc", label="c", model_label="c"),
        anli_line("waits", verifiers="en"),
    ]
    file = write_lines(tmp_path / "R1_dev_merged.jsonl.gz", lines)

    found = await replays.run(SourceFormat.ANLI, file)

    outcomes = {uid: one.verdict for (_, uid), one in derived(found).items()}
    assert outcomes == {
        "agreed": Verdict.CORRECT,
        "third-decides": Verdict.CORRECT,
        "refuted": Verdict.INCORRECT,
        "wide-apart": Verdict.INCORRECT,
        "waits": Verdict.PENDING,
    }
    assert derived(found)[1, "wide-apart"].fooled is False
    (round_,) = found.rounds
    assert (round_.error_rate.fooled, round_.error_rate.verified_fooled) == (4, 2)
    assert [(one.what, one.derived_the_same) for one in round_.comparisons] == [
        ("verdict", 2),
        ("gold", 2),
        ("fooled", 4),
    ]


async def test_people_whom_the_source_does_not_name_are_in_no_statistic(
    replays: Replays, tmp_path: Path
) -> None:
    file = write_lines(tmp_path / "dev.jsonl", [anli_line("one"), anli_line("two")])

    found = await replays.run(SourceFormat.ANLI, file)

    rate = found.rounds[0].error_rate
    rates = replays.wiring.get(ErrorRateService)
    assert rate.macro_model_error_rate is None
    assert rate.reason is not None
    assert "pseudonyms" in rate.reason
    assert rate.annotators is None
    board = await rates.annotators(round_id_of(found), actor=ADMIN)
    assert board.rows == []
    assert board.reason is not None
    assert "pseudonyms" in board.reason
    assert await rates.credit("anli-one-author") == []
    person = await replays.wiring.get(UserDirectory).find("anli-one-author")
    assert person.is_synthetic


async def test_people_whom_the_source_names_are_counted_as_people(
    replays: Replays, tmp_path: Path
) -> None:
    lines = [
        dynasent_line("a", {"positive": FIVE}),
        dynasent_line("b", {"negative": FIVE}, sentence="It was bad, and cold."),
        dynasent_line("c", {"neutral": FIVE}, sentence_author="w9", sentence="It opens at nine."),
    ]
    file = write_lines(tmp_path / "round02.jsonl", lines)

    found = await replays.run(SourceFormat.DYNASENT, file)

    (round_,) = found.rounds
    board = await replays.wiring.get(ErrorRateService).annotators(round_.round_id, actor=ADMIN)
    assert {(row.username, row.collected, row.fooled) for row in board.rows} == {
        ("dynasent-w1", 2, 1),
        ("dynasent-w9", 1, 1),
    }
    assert round_.error_rate.macro_model_error_rate == 0.75
    # The model was right on one of the first person's two and on none of the second's.
    by_person = clustered_interval([Rate(1, 2), Rate(0, 1)])
    right = round_.model_right
    assert by_person is not None
    assert (right.part, right.whole) == (1, 3)
    assert (right.low, right.high) == (by_person.low, by_person.high)


async def test_gold_is_what_three_of_five_validators_share(
    replays: Replays, tmp_path: Path
) -> None:
    lines = [
        dynasent_line("clear", {"positive": FIVE[:3], "mixed": FIVE[3:]}),
        dynasent_line("mixed", {"mixed": FIVE[:4], "neutral": FIVE[4:]}, sentence="Good and bad."),
        dynasent_line(
            "split",
            {"positive": FIVE[:2], "neutral": FIVE[2:4], "mixed": FIVE[4:]},
            sentence="Well, well.",
        ),
        dynasent_line(
            "right", {"negative": FIVE}, sentence="Never again.", prompt_data=None, has_prompt=False
        ),
    ]
    file = write_lines(tmp_path / "round02.jsonl.gz", lines)

    found = await replays.run(SourceFormat.DYNASENT, file)

    outcomes = {uid: one for (_, uid), one in derived(found).items()}
    assert {uid: one.gold for uid, one in outcomes.items()} == {
        "clear": {"label": "positive"},
        "mixed": {"label": "mixed"},
        "split": None,
        "right": {"label": "negative"},
    }
    assert {uid: one.fooled for uid, one in outcomes.items()} == {
        "clear": True,
        "mixed": True,
        "split": None,
        "right": False,
    }
    assert outcomes["split"].verdict is Verdict.DISPUTED
    assert {one.agrees_with_author for one in outcomes.values()} == {None}
    right = found.rounds[0].model_right
    assert (right.part, right.whole) == (1, 3)
    # The source does not say who wrote what, so nothing tells how sure that is.
    assert (right.low, right.high) == (None, None)


async def test_without_votes_and_answers_nothing_is_derived_and_the_reason_is_given(
    replays: Replays, tmp_path: Path
) -> None:
    file = tmp_path / "build.csv"
    rows = [
        {
            "entry_id": 7,
            "text": "I could eat all of these 🍎",
            "round.base": 5,
            "round.set": "5b",
            "label_gold": 0,
            "matched_id": 8,
        },
        {
            "entry_id": 8,
            "text": "I could eat all of these 🙂",
            "round.base": 5,
            "round.set": "5a",
            "label_gold": 1,
            "matched_id": 7,
        },
        {
            "entry_id": 9,
            "text": "My neighbour sings",
            "round.base": 6,
            "round.set": "6a",
            "label_gold": 0,
            "matched_id": "",
        },
    ]
    file.write_text(hatemoji_table(rows), encoding="utf-8")

    found = await replays.run(SourceFormat.HATEMOJI, file)

    assert [round_.number for round_ in found.rounds] == [5, 6]
    for round_ in found.rounds:
        assert round_.verdicts is None
        assert round_.verdicts_reason
        assert round_.error_rate.model_error_rate.value is None
        assert round_.error_rate.validated_model_error_rate.value is None
        assert round_.error_rate.reason
        assert {(one.verdict, one.fooled) for one in round_.examples} == {(None, None)}
    assert (found.rounds[0].duplicates.same, found.rounds[0].duplicates.near) == (0, 1)


async def test_a_replay_killed_in_the_middle_ends_as_if_it_had_not_been(
    replays: Replays, tmp_path: Path
) -> None:
    file = write_lines(tmp_path / "dev.jsonl", [anli_line(f"r{one}") for one in range(9)])
    moments: list[int] = []

    def kill(progress: ReplayProgress) -> None:
        if progress.stage is ReplayStage.CHECKING:
            return
        moments.append(progress.records)
        if len(moments) == 3:
            raise Killed

    with pytest.raises(Killed):
        await replays.run(SourceFormat.ANLI, file, on_progress=kill)
    second = await replays.run(SourceFormat.ANLI, file)
    third = await replays.run(SourceFormat.ANLI, file)
    whole = await replays.run(SourceFormat.ANLI, file, task="in-one-go")

    assert moments == [2, 4, 6]
    assert [one.rounds[0].examples_added for one in (second, third, whole)] == [3, 0, 9]
    assert [one.rounds[0].votes_added for one in (second, third, whole)] == [6, 0, 18]
    assert derived(second) == derived(third) == derived(whole)
    assert second.rounds[0].error_rate.collected == 9


async def test_verifiers_published_later_are_added_to_what_is_there(
    replays: Replays, tmp_path: Path
) -> None:
    plain = write_lines(tmp_path / "R1_dev.jsonl", [anli_line("one", verifiers=None)])
    merged = write_lines(tmp_path / "R1_dev_merged.jsonl", [anli_line("one")])

    first = await replays.run(SourceFormat.ANLI, plain)
    second = await replays.run(SourceFormat.ANLI, merged)
    both = await replays.run(SourceFormat.ANLI, plain, merged, task="both")

    assert derived(first)[1, "one"].verdict is Verdict.PENDING
    assert (second.rounds[0].examples_added, second.rounds[0].votes_added) == (0, 2)
    assert derived(second) == derived(both)
    assert second.rounds[0].error_rate.verified_fooled == 1


async def test_duplicates_are_named_and_kept(replays: Replays, tmp_path: Path) -> None:
    same = {"hypothesis": "There has been light for several days in that house."}
    near = {"hypothesis": "There has been light for several days in that houses"}
    lines = [anli_line("one", **same), anli_line("two", **same), anli_line("three", **near)]
    file = write_lines(tmp_path / "dev.jsonl", lines)

    found = await replays.run(SourceFormat.ANLI, file)

    twins = found.rounds[0].duplicates
    assert found.rounds[0].error_rate.collected == 3
    assert (twins.same, twins.near) == (1, 1)
    assert [(one.uid, one.resembles) for one in twins.first] == [("two", "one"), ("three", "two")]


async def test_one_person_s_tries_on_one_context_are_numbered(
    replays: Replays, tmp_path: Path
) -> None:
    texts = ("Fine food.", "Awful chairs!", "It is on the corner.")
    lines = [
        dynasent_line(str(place), {"neutral": FIVE}, sentence=text)
        for place, text in enumerate(texts)
    ]

    for place, line in enumerate(lines):
        file = write_lines(tmp_path / f"{place}.jsonl", [line])
        found = await replays.run(SourceFormat.DYNASENT, file)

    assert found.rounds[0].error_rate.collected == 3


async def test_the_rows_say_what_the_outcomes_hold(replays: Replays, tmp_path: Path) -> None:
    lines: list[Line] = [
        dynasent_line("a", {"positive": FIVE[:3], "mixed": FIVE[3:]}),
        dynasent_line("b", {"mixed": FIVE[:2], "neutral": FIVE[2:4]}, sentence="Hm."),
    ]
    file = write_lines(tmp_path / "round02.jsonl", lines)

    found = await replays.run(SourceFormat.DYNASENT, file)

    async with replays.wiring.db.read() as session:
        pages = await replays.wiring.get(ExampleService).page_ids(
            session, round_id=round_id_of(found), after=None, limit=10
        )
        ids = [example_id for _, example_id in pages]
        wrong = await replays.wiring.get(OutcomeService).mismatches(session, ids)
    assert (len(ids), wrong) == (2, [])


async def test_the_round_is_closed_and_its_number_is_its_own(
    replays: Replays, tmp_path: Path
) -> None:
    file = write_lines(tmp_path / "dev.jsonl", [anli_line("one")])
    task = await make_task(replays.wiring.db, slug="taken")
    await make_round(replays.wiring.db, task, number=1)

    found = await replays.run(SourceFormat.ANLI, file)
    with pytest.raises(RoundTakenError, match="“taken” collected round 1 here"):
        await replays.run(SourceFormat.ANLI, file, task="taken")

    round_ = await replays.wiring.get(RoundService).get(round_id_of(found))
    assert (round_.status, round_.is_replay) == (RoundStatus.CLOSED, True)
    assert [target.name for target in round_.targets] == ["anli-round-1-adversary"]


@pytest.mark.parametrize(
    ("last", "said"),
    [
        (anli_line("three", hypothesis="a\x00b"), "line 3: inputs.hypothesis: It holds a NUL"),
        (anli_line("three", label="z"), "line 3: label: It must be one of e, n, c"),
    ],
)
async def test_a_wrong_line_is_named_before_anything_is_stored(
    replays: Replays, tmp_path: Path, last: Line, said: str
) -> None:
    first = write_lines(tmp_path / "first.jsonl", [anli_line("zero")])
    lines = [anli_line("one"), anli_line("two"), last]
    broken = write_lines(tmp_path / "dev.jsonl", lines)

    with pytest.raises(SourceFileError) as caught:
        await replays.run(SourceFormat.ANLI, first, broken)

    assert caught.value.message.startswith(f"dev.jsonl, {said}")
    with pytest.raises(TaskNotFoundError):
        await replays.wiring.get(TaskService).get("anli")


async def test_a_file_without_records_is_refused(replays: Replays, tmp_path: Path) -> None:
    file = write_lines(tmp_path / "dev.jsonl", [])

    with pytest.raises(SourceFileError, match=r"dev\.jsonl: It holds no records\."):
        await replays.run(SourceFormat.ANLI, file)


async def test_a_record_stored_earlier_with_other_content_is_left_and_named(
    replays: Replays, tmp_path: Path
) -> None:
    uids = ("same", "vote", "answer", "text")
    file = write_lines(tmp_path / "dev.jsonl", [anli_line(uid) for uid in uids])
    changed = [
        anli_line("same"),
        anli_line("vote", verifiers="en"),
        anli_line("answer", model_label="e"),
        anli_line("text", hypothesis="Nobody lives there."),
        anli_line("twice"),
        anli_line("twice", model_label="c"),
    ]

    first = await replays.run(SourceFormat.ANLI, file)
    second = await replays.run(SourceFormat.ANLI, write_lines(file, changed))

    assert first.rounds[0].left_as_they_were.records == 0
    assert second.rounds[0].left_as_they_were.first == ["vote", "answer", "text", "twice"]
    assert derived(first).items() <= derived(second).items()
    assert (second.rounds[0].examples_added, second.rounds[0].votes_added) == (1, 2)


async def test_a_released_round_is_read_again_but_gets_nothing_more(
    replays: Replays, tmp_path: Path
) -> None:
    file = write_lines(tmp_path / "dev.jsonl", [anli_line("one"), anli_line("two")])
    first = await replays.run(SourceFormat.ANLI, file)
    async with replays.wiring.db.transaction() as session:
        await replays.wiring.get(RoundService).mark_released(session, round_id_of(first))

    again = await replays.run(SourceFormat.ANLI, file)
    assert derived(again) == derived(first)

    more = write_lines(tmp_path / "more.jsonl", [anli_line("three")])
    with pytest.raises(RoundReleasedError):
        await replays.run(SourceFormat.ANLI, more)
