"""From votes to a verdict: the one function that decides, and the order of the queue."""

import hashlib
from collections import Counter
from collections.abc import Callable, Sequence
from typing import TypeAlias
from uuid import UUID

from dynabench.loop.rounds.values import GoldFrom
from dynabench.loop.validations.outcomes.values import CastVote, Decision, Rule
from dynabench.loop.validations.values import Verdict, Vote

Answer: TypeAlias = dict[str, object]
AnswersMatch: TypeAlias = Callable[[Answer, Answer], bool]
SharedAnswer: TypeAlias = Callable[[Sequence[Answer], int], Answer | None]

_VERDICT_OF = {
    Vote.CORRECT: Verdict.CORRECT,
    Vote.INCORRECT: Verdict.INCORRECT,
    Vote.FLAGGED: Verdict.FLAGGED,
}


def decide_verdict(votes: Sequence[Vote], *, quorum: int, maximum: int) -> Verdict:
    """Return the vote that `quorum` validators share, taking votes in the order cast.

    The first judgement to reach the quorum decides; votes cast after that change nothing.
    Without one the example is pending, and disputed once `maximum` votes are in.
    """
    counts: Counter[Vote] = Counter()
    for vote in votes:
        counts[vote] += 1
        if counts[vote] >= quorum:
            return _VERDICT_OF[vote]
    return Verdict.DISPUTED if len(votes) >= maximum else Verdict.PENDING


def _decide_by_author(votes: Sequence[CastVote], *, author: Answer, rule: Rule) -> Decision:
    verdict = decide_verdict(
        [cast.vote for cast in votes], quorum=rule.quorum, maximum=rule.maximum
    )
    counts = Counter(cast.vote for cast in votes)
    is_correct = verdict is Verdict.CORRECT
    return Decision(
        verdict=verdict,
        gold=author if is_correct else None,
        agrees_with_author=True if is_correct else None,
        votes=len(votes),
        leading=max(counts.values(), default=0),
    )


def _decide_by_validators(
    votes: Sequence[CastVote],
    *,
    author: Answer,
    rule: Rule,
    answers_match: AnswersMatch,
    shared_answer: SharedAnswer,
) -> Decision:
    """Take as gold the answer that a quorum of validators share, in the order cast."""
    answers: list[Answer] = []
    flags = 0
    verdict, gold = Verdict.PENDING, None
    for cast in votes:
        if cast.answer is None:
            flags += 1
        else:
            answers.append(cast.answer)
        if flags >= rule.quorum:
            verdict = Verdict.FLAGGED
            break
        gold = shared_answer(answers, rule.quorum)
        if gold is not None:
            verdict = Verdict.CORRECT
            break
    else:
        if len(votes) >= rule.maximum:
            verdict = Verdict.DISPUTED
    return Decision(
        verdict=verdict,
        gold=gold,
        agrees_with_author=_agrees(author, gold, answers_match),
        votes=len(votes),
        leading=_leading(votes, answers_match),
    )


def _leading(votes: Sequence[CastVote], answers_match: AnswersMatch) -> int:
    """Return how many votes share the most frequent answer, or are flags if those are more."""
    answers = [cast.answer for cast in votes if cast.answer is not None]
    largest = max(
        (sum(answers_match(one, other) for other in answers) for one in answers), default=0
    )
    return max(largest, len(votes) - len(answers))


def _agrees(author: Answer, gold: Answer | None, answers_match: AnswersMatch) -> bool | None:
    """Tell whether the author's answer is the gold one; None where either is not known."""
    return answers_match(author, gold) if author and gold is not None else None


def decide(
    votes: Sequence[CastVote],
    *,
    author: Answer,
    rule: Rule,
    answers_match: AnswersMatch,
    shared_answer: SharedAnswer,
) -> Decision:
    """Return what the votes on an example add up to.

    The latest expert vote decides, even after a verdict; withdrawn votes count nowhere.

    Args:
        votes: Every vote on the example, in the order cast.
        author: The author's answer; empty where the source of a replay lacks it.
        rule: The round's quorum, maximum and source of gold.
        answers_match: Whether two answers are equal by the task's rule.
        shared_answer: The answer that at least so many of the answers share, if any.
    """
    standing = [cast for cast in votes if not cast.withdrawn]
    ordinary = [cast for cast in standing if not cast.is_expert]
    if rule.gold_from is GoldFrom.VALIDATORS:
        decision = _decide_by_validators(
            ordinary,
            author=author,
            rule=rule,
            answers_match=answers_match,
            shared_answer=shared_answer,
        )
    else:
        decision = _decide_by_author(ordinary, author=author, rule=rule)
    experts = [cast for cast in standing if cast.is_expert]
    if not experts:
        return decision
    vote = experts[-1].vote
    is_correct = vote is Vote.CORRECT
    gold = (decision.gold or author or None) if is_correct else None
    return Decision(
        verdict=_VERDICT_OF[vote],
        gold=gold,
        agrees_with_author=_agrees(author, gold, answers_match),
        votes=decision.votes,
        leading=decision.leading,
    )


def votes_wanted(*, votes: int, leading: int, rule: Rule) -> int:
    """Return how many more votes may be collected at once without one too many.

    The leading judgement needs `quorum - leading` more votes to decide, if they all agree;
    never more than `maximum` are collected.
    """
    return max(min(rule.quorum - leading, rule.maximum - votes), 0)


def is_wanted(
    *, example_id: UUID, seems_fooled: bool | None, rule: Rule, share_of_others: float
) -> bool:
    """Tell whether ordinary validators are asked about an example.

    They are where it fooled the targets, where only their answers can tell, and for a share
    of the others that is drawn by the example's id, so that it can be recomputed.
    """
    if seems_fooled or (seems_fooled is None and rule.gold_from is GoldFrom.VALIDATORS):
        return True
    digest = hashlib.sha256(b"share-of-others" + example_id.bytes).digest()
    return int.from_bytes(digest[:8], "big") < share_of_others * 2**64
