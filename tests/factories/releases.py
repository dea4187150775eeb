"""Releases for tests: a collection whose digest is known, and what releases write."""

from random import Random
from uuid import UUID, uuid5

from sqlalchemy import func, insert, select

from dynabench.kit.actor import Actor
from dynabench.kit.clock import Clock
from dynabench.kit.db.database import Database
from dynabench.loop.datasets.tables import dataset_items, dataset_versions, datasets
from dynabench.loop.rounds.values import Round
from dynabench.loop.validations.values import Vote
from dynabench.people.tables import users
from tests.factories.contexts import make_context
from tests.factories.datasets import close, judge, make_example
from tests.factories.people import make_user
from tests.factories.rounds import make_round
from tests.factories.tasks import make_task

PLANTED_SEED = 7
# Of what `plant_round` writes, released with that seed: it must never change.
PLANTED_DIGEST = "8f7b63622d759c523076da1db0830e729e90596eaa03e047e4812490df15d2b2"
_NAMES = UUID("b6f0b3b0-7b0e-4c43-9a51-0e2b56a3f0a1")


async def release_rows(db: Database) -> list[int]:
    """Count the datasets, versions and items there are."""
    async with db.read() as session:
        return [
            int(await session.scalar(select(func.count()).select_from(table)) or 0)
            for table in (datasets, dataset_versions, dataset_items)
        ]


async def plant_round(db: Database, clock: Clock, *, order: Random) -> Round:
    """Write a small collection in which everything that a digest hangs on has a fixed name."""
    task = await make_task(db)
    round_ = await make_round(db, task)
    people = [uuid5(_NAMES, f"person {number}") for number in range(5)]
    async with db.transaction() as session:
        for number, person in enumerate(people):
            name = f"planted-{number}"
            await session.execute(
                insert(users).values(
                    id=person, username=name, username_key=name, created_at=clock.now()
                )
            )
    texts = [f"Premise {number}: „näh“ 😀" for number in range(12)]
    about = [(await make_context(db, task, content={"premise": text})).id for text in texts]
    places = list(range(60))
    order.shuffle(places)
    for place in places:
        await make_example(
            db,
            round_,
            example_id=uuid5(_NAMES, f"example {place}"),
            inputs={"hypothesis": f"Hypothesis {place}."},
            context_id=about[place % 12],
            author=Actor(user_id=people[place * place % 5]),
            answer={"label": ("entailment", "neutral", "contradiction")[place // 2 % 3]},
            fooled=place % 4 != 0,
            clock=clock,
        )
    expert = await make_user(db)
    judged = [uuid5(_NAMES, f"example {place}") for place in places if place % 4]
    await judge(db, round_, dict.fromkeys(judged, Vote.CORRECT), expert=expert, clock=clock)
    await close(db, round_, clock=clock)
    return round_
