"""A submitted image is the one that was checked, whatever its name means later."""

from pathlib import Path

from dynabench.kit.db.database import Database
from dynabench.loop.models.values import ModelIsolation, ModelKind, ModelStatus
from tests.conftest import HeldClock
from tests.factories.models import always
from tests.factories.people import make_user
from tests.factories.submissions import Desk
from tests.factories.tasks import make_task


async def test_an_image_runs_by_its_digest_once_it_was_checked(
    database: Database, clock: HeldClock, tmp_path: Path
) -> None:
    ada = await make_user(database)
    desk = Desk.of(database, clock, await make_task(database), tmp_path)
    image: dict[str, object] = {"image": "localhost/mine:1"}
    submitted = await desk.submit(ada, kind=ModelKind.CONTAINER, options=image)

    assert await desk.check(submitted.id) is ModelStatus.READY

    model, spec = await desk.models.get(submitted.id), await desk.models.spec_of(submitted.id)
    told = await always(label="neutral")(spec).describe()
    assert (model.digest, spec.digest) == (told.digest, told.digest)
    assert model.isolation is ModelIsolation.CONTAINER
