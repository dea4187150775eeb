from uuid import UUID

from hypothesis import given
from hypothesis import strategies as st

from dynabench.loop.chats.rules import draw_candidates, sample_of

IDS = st.lists(st.uuids(), min_size=1, max_size=6, unique=True)


@given(IDS, st.integers(1, 4), st.integers(), st.integers(0, 9))
def test_the_same_conversation_draws_the_same_models_in_the_same_order(
    model_ids: list[UUID], count: int, seed: int, number: int
) -> None:
    drawn = draw_candidates(model_ids, count=count, seed=seed, drawn_for=(number,))
    again = draw_candidates(model_ids[::-1], count=count, seed=seed, drawn_for=(number,))
    assert drawn == again
    assert len(drawn) == count
    assert len(set(drawn)) == min(count, len(model_ids))


@given(IDS, st.integers(1, 4))
def test_no_answer_of_a_model_is_asked_for_twice(model_ids: list[UUID], count: int) -> None:
    drawn = draw_candidates(model_ids, count=count, seed=0, drawn_for=())
    asked = [
        (model_id, sample_of(drawn, place, regenerated=times))
        for times in range(6)
        for place, model_id in enumerate(drawn)
    ]
    assert len(set(asked)) == len(asked)


def test_everybody_comes_first_at_times() -> None:
    ids = [UUID(int=number) for number in range(3)]
    first = {draw_candidates(ids, count=1, seed=1, drawn_for=(n,))[0] for n in range(40)}
    assert first == set(ids)
