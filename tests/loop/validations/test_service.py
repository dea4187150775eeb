"""Votes and the states of their round."""

from pathlib import Path

import pytest

from dynabench.kit.clock import Clock
from dynabench.loop.rounds.errors import RoundReleasedError
from dynabench.loop.validations.errors import NotWaitingError
from dynabench.loop.validations.service import ValidationService
from tests.factories.examples import Stage, make_stage, make_wiring
from tests.factories.validations import lent, outcome_of, vote


async def test_a_released_round_takes_no_vote_and_lends_nothing(stage: Stage) -> None:
    example = await stage.write()
    # What this process remembers of the round is older than its release.
    validator = await stage.person()
    await lent(stage, validator)
    await stage.release()

    with pytest.raises(NotWaitingError, match="its round is released"):
        await vote(stage, example.id, by=validator)
    assert await lent(stage, await stage.person()) == []
    assert (await outcome_of(stage, example.id)).votes == 0


async def test_what_was_written_a_moment_after_a_fold_is_lent_at_once(
    database_url: str, tmp_path: Path, clock: Clock
) -> None:
    wiring = make_wiring(database_url, tmp_path, clock, fold_patience_seconds=3_600)
    stage = await make_stage(wiring, clock)
    validator = await stage.person()
    assert await lent(stage, validator) == []

    example = await stage.write()

    assert await lent(stage, validator) == [example.id]
    await wiring.close()


async def test_a_vote_in_a_released_round_stands(stage: Stage) -> None:
    example = await stage.write()
    validator = await stage.person()
    cast = await vote(stage, example.id, by=validator)
    await stage.release()

    with pytest.raises(RoundReleasedError):
        await stage.wiring.get(ValidationService).withdraw(cast.id, actor=validator)
    assert (await outcome_of(stage, example.id)).votes == 1
