"""`dynabench model compare` against a whole server."""

import asyncio
import json

from dynabench.kit.clock import SystemClock
from dynabench.kit.db.database import Database
from tests.app.cli.conftest import CONFIG, Command
from tests.factories.answered import answer_items
from tests.factories.datasets import make_dataset, make_item
from tests.factories.models import make_model
from tests.factories.tasks import make_task


async def _write(database_url: str) -> None:
    """Write two models: `mine` errs on one item of forty, `theirs` on twelve others."""
    database = Database.from_url(database_url, pool_size=2)
    task = await make_task(database, slug="nli", config=CONFIG)
    items = [make_item(number) for number in range(40)]
    both = await make_dataset(database, task, items, name="Both", clock=SystemClock())
    lone = await make_dataset(database, task, items, name="Lone", clock=SystemClock())
    for name, wrong, versions in (
        ("mine", range(1), (both, lone)),
        ("theirs", range(1, 13), (both,)),
    ):
        model = await make_model(database, task, name=name)
        for version in versions:
            await answer_items(
                database,
                model_id=model.id,
                version_id=version.id,
                items=items,
                answers=dict.fromkeys(wrong, "entailment"),
            )
    await database.close()


def test_two_models_are_compared_and_no_more_is_claimed_than_the_test_says(
    owner: Command, database_url: str
) -> None:
    asyncio.run(_write(database_url))
    shown = owner("model", "compare", "nli", "mine", "theirs")
    assert shown.status == 0, shown.err
    row = next(line for line in shown.out.splitlines() if line.startswith("Both"))
    for part in ("97.5", "70.0", "+27.5", "12 : 1 (p 0.003)", "mine v1 is better"):
        assert part in row
    assert "theirs v1 is not scored on Lone v1." in shown.err
    found = json.loads(owner("model", "compare", "nli", "theirs", "mine", "--json").out)
    assert found["datasets"][0]["paired"]["mcnemar"]["only_left"] == 1
    same = owner("model", "compare", "nli", "mine", "mine")
    assert same.status == 1
    assert "two different models" in same.err
