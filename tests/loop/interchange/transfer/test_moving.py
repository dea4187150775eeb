from tests.conftest import HeldClock
from tests.factories.examples import make_stage
from tests.factories.moving import Installation
from tests.factories.validations import vote


async def test_a_task_is_the_same_in_another_installation(
    here: Installation, elsewhere: Installation, clock: HeldClock
) -> None:
    stage = await make_stage(here.wiring, clock)
    first = await stage.write()
    await stage.write(fooling=False)
    await stage.write(contrast_of=first.id, text=None)
    for _ in range(3):
        await vote(stage, first.id)
    file = await here.export(stage.task.slug)

    await elsewhere.bring(file)

    assert (await elsewhere.export(stage.task.slug)).read_bytes() == file.read_bytes()
    assert await elsewhere.disagreements() == []
