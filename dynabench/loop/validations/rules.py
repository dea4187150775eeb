"""Decisions about votes: what a vote needs in each mode, and whether it may still change."""

from datetime import datetime
from typing import TypedDict

from dynabench.kit.wire import Values
from dynabench.loop.examples.values import StoredExample
from dynabench.loop.rounds.values import Round, RoundStatus, ValidationMode
from dynabench.loop.validations.errors import (
    NotWaitingError,
    TooManySkipsError,
    VoteNeededError,
    WithdrawalTooLateError,
)
from dynabench.loop.validations.outcomes.rules import votes_wanted
from dynabench.loop.validations.outcomes.values import Outcome, Rule
from dynabench.loop.validations.values import (
    FREE_SKIPS,
    SKIPS_PER_VOTE,
    WITHDRAWAL_WINDOW,
    Verdict,
    Vote,
)
from dynabench.science.task_config.conversations import without_models
from dynabench.science.task_config.schema import TaskConfig


def require_vote_fits(mode: ValidationMode, *, vote: Vote | None, answer: Values | None) -> None:
    """Refuse a vote that lacks what the mode needs, or carries what it must not.

    Raises:
        VoteNeededError: Naming the field and what to send.
    """
    if mode is ValidationMode.REVIEW:
        if vote is None:
            raise VoteNeededError(
                field="vote", sentence="Say whether the answer is correct, incorrect or flagged."
            )
        if answer is not None:
            raise VoteNeededError(
                field="answer",
                sentence="This round shows the author's answer; send a vote, not an answer.",
            )
        return
    if answer is None and vote is not Vote.FLAGGED:
        raise VoteNeededError(
            field="answer", sentence="Answer the task yourself, or flag the example."
        )
    if answer is not None and vote is not None:
        raise VoteNeededError(
            field="vote", sentence="Send either an answer or the vote “flagged”, not both."
        )


def require_skip_left(*, skipped: int, judged: int) -> None:
    """Refuse to pass over one more example: who skips on and on chooses what to judge.

    Args:
        skipped: How many examples of the round the person passed over.
        judged: How many of it they judged.

    Raises:
        TooManySkipsError: If those are as many as may be for what was judged.
    """
    most = FREE_SKIPS + SKIPS_PER_VOTE * judged
    if skipped >= most:
        raise TooManySkipsError(skipped=skipped)


def takes_votes(round_: Round) -> bool:
    """Tell whether people here judge a round's examples.

    A draft has none, a released one is settled, and of one that was collected elsewhere the
    votes were cast there, too: only a replay adds to them.
    """
    return not round_.is_replay and round_.status in {RoundStatus.OPEN, RoundStatus.CLOSED}


def require_collected_here(round_: Round) -> None:
    """Refuse a vote of a person here on what was collected elsewhere.

    Raises:
        NotWaitingError: If the round is a replay.
    """
    if round_.is_replay:
        raise NotWaitingError(reason="it was collected elsewhere, and so were the votes on it.")


def require_wanted(
    outcome: Outcome, *, example: StoredExample, rule: Rule, status: RoundStatus
) -> None:
    """Refuse a vote on an example that wants none.

    What its author took back a moment ago, its outcome may not know yet.

    Raises:
        NotWaitingError: With the reason.
    """
    if status is RoundStatus.RELEASED:
        raise NotWaitingError(reason="its round is released.")
    if status is RoundStatus.DRAFT:
        raise NotWaitingError(reason="its round is not open.")
    if outcome.verdict is not Verdict.PENDING:
        raise NotWaitingError(reason="its verdict is reached.")
    if not outcome.is_wanted or example.retracted_at or example.flagged_at:
        raise NotWaitingError(reason="it was taken back or is not up for validation.")
    if votes_wanted(votes=outcome.votes, leading=outcome.leading, rule=rule) == 0:
        raise NotWaitingError(reason="it has all the votes it needs.")


def require_withdrawable(*, cast_at: datetime, now: datetime, is_withdrawn: bool) -> None:
    """Refuse to withdraw a vote that stands ten seconds after it was cast.

    Raises:
        WithdrawalTooLateError: If the vote stands.
    """
    if is_withdrawn or now > cast_at + WITHDRAWAL_WINDOW:
        raise WithdrawalTooLateError(seconds=int(WITHDRAWAL_WINDOW.total_seconds()))


def unnamed(inputs: Values, config: TaskConfig) -> Values:
    """Return what was written; candidates of a conversation are judged without their names."""
    chat = config.chat_field
    if chat is None or chat.name not in inputs:
        return inputs
    return {**inputs, chat.name: without_models(inputs[chat.name])}


class Claim(TypedDict):
    """What an author says of the targets, where that is what is judged."""

    author_says_wrong: bool | None
    model_answers: list[Values] | None


def claim_of(example: StoredExample | None) -> Claim:
    """Return what an author said of the targets' answers; nothing where nobody asked them."""
    if example is None:
        return {"author_says_wrong": None, "model_answers": None}
    return {
        "author_says_wrong": example.fooled_by_author_answer,
        "model_answers": [found.outputs for found in example.predictions],
    }
