"""What a task's file keeps from the owner who downloads it while a round is open."""

import zipfile
from pathlib import Path
from uuid import UUID

from sqlalchemy import func, select

from dynabench.loop.examples.tables import example_predictions, examples
from dynabench.loop.interchange.transfer.exporting.service import TaskExporter
from dynabench.loop.rounds.service import RoundService
from dynabench.loop.rounds.values import Arm, RoundControls, RoundPlan
from tests.conftest import HeldClock
from tests.factories.examples import Stage, make_stage
from tests.factories.moving import Installation
from tests.factories.validations import vote


async def _written(stage: Stage) -> dict[Arm, list[UUID]]:
    """Write on all contexts, each attempt the contrast of the one before; return them by arm."""
    before: UUID | None = None
    for context in stage.contexts:
        before = (await stage.write(context=context, contrast_of=before)).id
        await vote(stage, before)
    async with stage.db.read() as session:
        rows = (await session.execute(select(examples.c.id, examples.c.arm))).all()
    return {arm: [row.id for row in rows if row.arm is arm] for arm in (Arm.TARGET, Arm.NO_MODEL)}


def _named(file: Path, ids: list[UUID]) -> set[UUID]:
    """Return those of some attempts that a file names anywhere."""
    with zipfile.ZipFile(file) as archive:
        held = b"".join(archive.read(one) for one in archive.namelist() if one.startswith("parts/"))
    return {one for one in ids if str(one).encode() in held}


async def test_own_attempts_without_a_model_stay_out_until_the_round_closes(
    here: Installation, elsewhere: Installation, clock: HeldClock
) -> None:
    plan = RoundPlan(controls=RoundControls(no_model_share=0.5))
    stage = await make_stage(here.wiring, clock, plan=plan, contexts=12)
    written = await _written(stage)
    assert all(written.values())
    exporter, reader = here.wiring.get(TaskExporter), stage.author.user_id
    file, theirs = here.folder / "mine.zip", here.folder / "theirs.zip"

    await exporter.export(stage.task.slug, file, reader=reader)
    await exporter.export(stage.task.slug, theirs, reader=(await stage.person()).user_id)

    assert _named(file, written[Arm.NO_MODEL]) == set()
    assert _named(file, written[Arm.TARGET]) == set(written[Arm.TARGET])
    assert _named(theirs, written[Arm.NO_MODEL]) == set(written[Arm.NO_MODEL])
    await elsewhere.bring(file)
    assert await elsewhere.disagreements() == []
    async with elsewhere.wiring.db.read() as session:
        told = [
            await session.scalar(select(func.count()).select_from(table))
            for table in (examples, example_predictions)
        ]
    assert told == [len(written[Arm.TARGET])] * 2

    rounds = here.wiring.get(RoundService)
    await rounds.close_for_budget(stage.round_.id, reason="Enough.")
    await exporter.export(stage.task.slug, file, reader=reader)
    assert _named(file, written[Arm.NO_MODEL]) == set(written[Arm.NO_MODEL])
