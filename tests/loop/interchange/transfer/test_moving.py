import asyncio
import tempfile
from datetime import UTC, datetime
from pathlib import Path

from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from dynabench.loop.rounds.values import TargetPolicy
from dynabench.loop.validations.values import Vote
from tests.conftest import HeldClock
from tests.factories.moving import installed
from tests.factories.stories import Attempt, Told, play

VOTES = st.sampled_from([Vote.CORRECT, Vote.INCORRECT, Vote.FLAGGED])
ATTEMPTS = st.builds(
    Attempt,
    fools=st.booleans(),
    votes=st.lists(VOTES, max_size=2).map(tuple),
    expert=st.none() | VOTES,
    fate=st.sampled_from(["", "retracted", "voided", "flagged", "withdrawn"]),
    is_contrast=st.booleans(),
)
ROUNDS = st.lists(
    st.builds(
        Told,
        attempts=st.lists(ATTEMPTS, min_size=1, max_size=4).map(tuple),
        policy=st.sampled_from([TargetPolicy.ANY_FOOLED, TargetPolicy.ALL_FOOLED]),
        no_model_share=st.sampled_from([0.0, 0.5]),
        is_released=st.booleans(),
    ),
    min_size=1,
    max_size=2,
)
FULL = Told(attempts=tuple(Attempt(votes=(Vote.CORRECT,) * 2) for _ in range(3)))


@given(rounds=ROUNDS)
@settings(
    max_examples=3,
    # A story that fails is small already, and a smaller one takes its time to find.
    phases=[Phase.generate],
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
def test_a_task_is_the_same_in_another_installation_whatever_happened_in_it(
    database_url: str, elsewhere_url: str, rounds: list[Told]
) -> None:
    asyncio.run(move_there_and_back([FULL, *rounds], database_url, elsewhere_url))


async def move_there_and_back(rounds: list[Told], one: str, other: str) -> None:
    clock = HeldClock(datetime(2030, 1, 15, 12, tzinfo=UTC))
    with tempfile.TemporaryDirectory() as folder:
        async with (
            installed(one, Path(folder) / "here", clock) as here,
            installed(other, Path(folder) / "elsewhere", clock) as elsewhere,
        ):
            slug = await play(here.wiring, clock, rounds)
            file = await here.export(slug, has_names=True)

            told = await elsewhere.bring(file)

            again = await elsewhere.export(slug, has_names=True)
            assert again.read_bytes() == file.read_bytes()
            assert told.rows["dataset_items"] > 0
            assert told.rows["predictions"] > 0
            assert await elsewhere.disagreements() == []
