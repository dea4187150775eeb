"""The laws of verdicts: from votes to an outcome."""

from collections.abc import Sequence
from uuid import UUID, uuid4

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dynabench.loop.rounds.values import GoldFrom
from dynabench.loop.validations.outcomes.rules import (
    Answer,
    decide,
    decide_verdict,
    is_wanted,
    votes_wanted,
)
from dynabench.loop.validations.outcomes.values import CastVote, Decision, Rule
from dynabench.loop.validations.values import Verdict, Vote

votes = st.lists(st.sampled_from(Vote), max_size=12)
labels = st.sampled_from(["entailment", "neutral", "contradiction"])


def cast(
    vote: Vote,
    *,
    answer: Answer | None = None,
    is_expert: bool = False,
    withdrawn: bool = False,
) -> CastVote:
    return CastVote(
        validator_id=uuid4(), vote=vote, answer=answer, is_expert=is_expert, withdrawn=withdrawn
    )


def same(one: Answer, other: Answer) -> bool:
    return one == other


def shared(answers: Sequence[Answer], quorum: int) -> Answer | None:
    for answer in answers:
        if answers.count(answer) >= quorum:
            return answer
    return None


def outcome_of(
    cast_votes: Sequence[CastVote],
    *,
    author: str = "neutral",
    quorum: int = 3,
    maximum: int = 5,
    gold_from: GoldFrom = GoldFrom.AUTHOR,
) -> Decision:
    return decide(
        cast_votes,
        author={"label": author},
        rule=Rule(quorum=quorum, maximum=maximum, gold_from=gold_from),
        answers_match=same,
        shared_answer=shared,
    )


@given(before=votes, after=votes, quorum=st.integers(1, 5), maximum=st.integers(5, 9))
def test_a_verdict_once_reached_is_not_changed_by_later_ordinary_votes(
    before: list[Vote], after: list[Vote], quorum: int, maximum: int
) -> None:
    verdict = decide_verdict(before, quorum=quorum, maximum=maximum)
    if verdict not in {Verdict.PENDING, Verdict.DISPUTED}:
        assert decide_verdict(before + after, quorum=quorum, maximum=maximum) is verdict


@given(given_votes=votes, quorum=st.integers(1, 5), maximum=st.integers(5, 9))
def test_a_verdict_has_its_quorum_and_a_pending_example_has_none(
    given_votes: list[Vote], quorum: int, maximum: int
) -> None:
    verdict = decide_verdict(given_votes, quorum=quorum, maximum=maximum)
    largest = max((given_votes.count(vote) for vote in Vote), default=0)
    if verdict is Verdict.PENDING:
        assert largest < quorum
        assert len(given_votes) < maximum
    elif verdict is Verdict.DISPUTED:
        assert largest < quorum
    else:
        assert given_votes.count(Vote(verdict.value)) >= quorum


@given(given_votes=votes, quorum=st.integers(1, 5), maximum=st.integers(5, 9))
def test_nobody_is_asked_for_a_vote_once_the_verdict_is_reached(
    given_votes: list[Vote], quorum: int, maximum: int
) -> None:
    rule = Rule(quorum=quorum, maximum=maximum, gold_from=GoldFrom.AUTHOR)
    decision = outcome_of([cast(vote) for vote in given_votes], quorum=quorum, maximum=maximum)
    wanted = votes_wanted(votes=decision.votes, leading=decision.leading, rule=rule)
    assert (wanted > 0) == (decision.verdict is Verdict.PENDING)


def test_withdrawn_votes_count_nowhere() -> None:
    standing = [cast(Vote.CORRECT), cast(Vote.CORRECT)]
    withdrawn = cast(Vote.CORRECT, withdrawn=True)
    decision = outcome_of([*standing, withdrawn])
    assert decision.verdict is Verdict.PENDING
    assert decision.votes == 2


@pytest.mark.parametrize("vote", list(Vote))
def test_the_latest_expert_decides_even_after_a_verdict(vote: Vote) -> None:
    ordinary = [cast(Vote.INCORRECT) for _ in range(3)]
    earlier = cast(Vote.FLAGGED, is_expert=True)
    decision = outcome_of([*ordinary, earlier, cast(vote, is_expert=True)])
    assert decision.verdict.value == vote.value
    assert (decision.gold == {"label": "neutral"}) == (vote is Vote.CORRECT)


def test_a_correct_verdict_makes_the_authors_answer_the_gold_one() -> None:
    decision = outcome_of([cast(Vote.CORRECT) for _ in range(3)])
    assert decision.gold == {"label": "neutral"}
    assert decision.agrees_with_author is True


def test_an_incorrect_verdict_leaves_no_gold_answer() -> None:
    decision = outcome_of([cast(Vote.INCORRECT) for _ in range(3)])
    assert decision.verdict is Verdict.INCORRECT
    assert decision.gold is None


@given(answers=st.lists(labels, max_size=5), author=labels)
def test_validators_make_gold_what_a_quorum_of_them_shares(answers: list[str], author: str) -> None:
    given_votes = [
        cast(Vote.CORRECT if answer == author else Vote.INCORRECT, answer={"label": answer})
        for answer in answers
    ]
    decision = outcome_of(given_votes, author=author, gold_from=GoldFrom.VALIDATORS)
    winner = next((one for one in answers if answers.count(one) >= 3), None)
    if winner is None:
        expected = Verdict.DISPUTED if len(answers) >= 5 else Verdict.PENDING
        assert decision.verdict is expected
        assert decision.gold is None
        assert decision.agrees_with_author is None
    else:
        assert decision.verdict is Verdict.CORRECT
        assert decision.gold == {"label": winner}
        assert decision.agrees_with_author == (winner == author)


def test_a_quorum_of_flags_flags_where_validators_make_the_gold() -> None:
    flags = [cast(Vote.FLAGGED) for _ in range(3)]
    decision = outcome_of(flags, gold_from=GoldFrom.VALIDATORS)
    assert decision.verdict is Verdict.FLAGGED


def wanted(example_id: UUID, *, seems_fooled: bool | None, share: float, gold: GoldFrom) -> bool:
    rule = Rule(quorum=3, maximum=5, gold_from=gold)
    return is_wanted(
        example_id=example_id, seems_fooled=seems_fooled, rule=rule, share_of_others=share
    )


@given(example_id=st.uuids())
def test_fooling_examples_are_always_validated_and_others_by_their_share(
    example_id: UUID,
) -> None:
    author = GoldFrom.AUTHOR
    assert wanted(example_id, seems_fooled=True, share=0, gold=author)
    assert not wanted(example_id, seems_fooled=False, share=0, gold=author)
    assert wanted(example_id, seems_fooled=False, share=1, gold=author)
    assert not wanted(example_id, seems_fooled=None, share=0, gold=author)
    assert wanted(example_id, seems_fooled=None, share=0, gold=GoldFrom.VALIDATORS)


def test_a_share_of_the_others_is_about_that_share() -> None:
    found = sum(
        wanted(uuid4(), seems_fooled=False, share=0.25, gold=GoldFrom.AUTHOR) for _ in range(4000)
    )
    assert 850 < found < 1150


@pytest.mark.parametrize("gold_from", GoldFrom)
def test_votes_cast_after_the_verdict_are_counted_but_decide_nothing(gold_from: GoldFrom) -> None:
    agreeing = cast(Vote.CORRECT, answer={"label": "neutral"})
    opposed = cast(Vote.INCORRECT, answer={"label": "entailment"})

    decision = outcome_of([agreeing] * 3 + [opposed] * 4, gold_from=gold_from, maximum=9)

    assert (decision.verdict, decision.votes, decision.leading) == (Verdict.CORRECT, 7, 4)
