"""From judged messages to the board."""

from uuid import UUID, uuid4

from dynabench.loop.leaderboards.preferences.rules import rank_models
from dynabench.loop.leaderboards.preferences.values import JudgedMessage
from dynabench.science.metrics.preference import Unranked

A, B, C = (str(uuid4()) for _ in range(3))


def message(number: int, choice: str, *models: str) -> JudgedMessage:
    return JudgedMessage(UUID(int=number), models or (A, B), choice, UUID(int=number))


def test_what_was_all_bad_is_counted_and_compares_nothing() -> None:
    chosen = [message(1, "0"), message(2, "1"), message(3, "0"), message(4, "tie")]
    board = rank_models([*chosen, message(5, "all_bad"), message(6, "all_bad")])
    plain = rank_models(chosen)
    assert board.strengths == plain.strengths
    assert [one.model for one in board.strengths] == [A, B]
    assert (board.replies[A], board.all_bad[A]) == (6, 2)
    assert (plain.replies[A], plain.all_bad.get(A)) == (4, None)


def test_who_was_compared_with_nobody_is_listed_without_a_strength() -> None:
    board = rank_models(
        [message(1, "0"), message(2, "1"), message(3, "0", C, C), message(4, "all_bad", A, C)]
    )
    last = board.strengths[-1]
    assert (last.model, last.battles, last.value, last.unranked) == (C, 0, None, None)
    assert (board.replies[C], board.all_bad[C]) == (3, 1)


def test_one_best_of_three_beats_two() -> None:
    board = rank_models([message(1, "2", A, B, C)])
    found = {one.model: (one.battles, one.wins, one.unranked) for one in board.strengths}
    assert found[C] == (2, 2, Unranked.NEVER_LOST)
    assert found[A] == found[B] == (1, 0, Unranked.NEVER_WON)
