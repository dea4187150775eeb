"""Tasks of the gallery in the running product."""

from dynabench.app.wiring import wire
from dynabench.kit.actor import Actor
from dynabench.kit.settings import Settings
from dynabench.loop.interchange.setups.service import SetUpService
from dynabench.loop.interchange.setups.values import CatalogFolder
from dynabench.loop.rounds.service import RoundService
from dynabench.people.directory.service import UserDirectory
from tests.browser.installation import ADMIN, Installation, MadeTask


def add_from_gallery(product: Installation, name: str, *, slug: str | None = None) -> MadeTask:
    """Add a task as an administrator does, once per product; no worker runs here.

    By default it is called as in the gallery.
    """
    return product.run(_add(product.settings, name, slug or name))


async def _add(settings: Settings, name: str, slug: str) -> MadeTask:
    wiring = wire(settings)
    try:
        person = await wiring.get(UserDirectory).find(ADMIN)
        admin = Actor(user_id=person.id, username=person.username, is_admin=True)
        folder = CatalogFolder(f"gallery/{name}")
        task = await wiring.get(SetUpService).set_up(folder, slug, owner=admin)
        rounds = wiring.get(RoundService)
        (made,) = await rounds.of_task(task.id)
        described = await rounds.read(made.id, actor=admin)
        return MadeTask(slug=slug, model_id=made.targets[0].model_id, round=described)
    finally:
        await wiring.close()
