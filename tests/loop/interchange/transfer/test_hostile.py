from typing import Any
from uuid import UUID

import pytest

from dynabench.kit.clock import Clock
from dynabench.loop.interchange.transfer.errors import TaskFileError
from dynabench.loop.interchange.transfer.importing.arrivals import arriving_people
from dynabench.loop.interchange.transfer.importing.contents import Contents
from dynabench.loop.interchange.transfer.importing.looking import Person
from dynabench.loop.interchange.transfer.parts import MEDIA_PART, PART_OF
from dynabench.loop.interchange.transfer.rules import leaving_model
from dynabench.loop.models.values import ModelKind, ModelStatus
from dynabench.loop.tasks.service import TaskService
from tests.factories.moving import Installation
from tests.factories.people import make_user
from tests.factories.stories import play
from tests.loop.interchange.transfer.test_refusals import STORY, Altered, Row


async def asked(installation: Installation, statement: str) -> list[Any]:
    async with installation.wiring.db.read() as session:
        return [*(await session.exec_driver_sql(statement))]


async def test_a_copy_makes_nobody_an_owner_or_author_whom_the_original_task_does_not_name(
    here: Installation,
) -> None:
    file = await here.export(await play(here.wiring, here.clock, STORY))
    members = await asked(here, "SELECT user_id FROM task_members WHERE role = 'owner'")
    outsider = (await make_user(here.wiring.db, username="outsider")).user_id
    altered = Altered(file)

    def add_owner(rows: list[Row]) -> None:
        rows.append({**rows[0], "user_id": str(outsider), "role": "owner"})
        rows.sort(key=lambda row: row["user_id"])

    def add_person(rows: list[Row]) -> None:
        rows.append({"id": str(outsider), "name": None, "is_pseudonym": False})
        rows.sort(key=lambda row: row["id"])

    def blame(rows: list[Row]) -> None:
        rows[0]["validator_id"] = str(outsider)

    altered.part("people", add_person)
    altered.part("task_members", add_owner)
    altered.part("validations", blame)

    await here.bring(altered.write(), slug="copied", is_copy=True)

    owners = await asked(
        here,
        "SELECT user_id, is_synthetic FROM task_members JOIN users ON users.id = user_id"
        " WHERE role = 'owner' AND task_id = (SELECT id FROM tasks WHERE slug = 'copied')",
    )
    assert {one.user_id for one in owners if not one.is_synthetic} == {
        one.user_id for one in members
    }
    assert sum(one.is_synthetic for one in owners) == 1
    voters = await asked(here, "SELECT validator_id FROM validations")
    assert outsider not in {one.validator_id for one in voters}
    assert await here.disagreements() == []


async def test_summary_and_catalogue_folder_are_never_taken_from_a_file(
    here: Installation, elsewhere: Installation
) -> None:
    altered = Altered(await here.export(await play(here.wiring, here.clock, STORY)))
    altered.part("task_config_versions", lambda rows: rows[0].update(summary={"title": 7}))
    altered.part("tasks", lambda rows: rows[0].update(catalog_folder="tasks/nli/../../.."))

    told = await elsewhere.bring(altered.write())

    task = await elsewhere.wiring.get(TaskService).get(told.task)
    assert task.catalog_folder is None
    (kept,) = await asked(elsewhere, "SELECT summary FROM task_config_versions")
    (original,) = await asked(here, "SELECT summary FROM task_config_versions")
    assert kept.summary == original.summary


def test_files_of_answers_and_addresses_of_pictures_do_not_travel() -> None:
    assert "prediction_files" not in PART_OF
    assert "source_url" not in {one.name for one in MEDIA_PART.columns}


@pytest.mark.parametrize("name", ["imported\u202egpj", "x" * 40, "two words", "a"])
def test_a_pseudonym_that_breaks_the_rule_of_names_gives_way(name: str, clock: Clock) -> None:
    one = Person(id=UUID(int=7), name=name, is_pseudonym=True)

    (account,) = arriving_people([one], taken=set(), now=clock.now())

    assert account["username"] == f"pseudonym-{one.id.hex}"
    assert account["display_name"] == name


def test_what_came_back_from_a_remote_model_stays_where_it_was() -> None:
    row = {
        "kind": ModelKind.ENDPOINT.value,
        "status": ModelStatus.REJECTED.value,
        "rejection": "https://inside.example.org/v1 gave 403.",
        "problems": [{"item": "1", "field": "", "problem": "https://inside.example.org"}],
        "source": {},
    }

    left = leaving_model(row)

    assert (left["rejection"], left["problems"]) == (None, None)
    assert leaving_model({**row, "status": ModelStatus.CHECKING.value})["rejection"]


@pytest.mark.parametrize(
    "evidence", [{"responses": {"correlation": -1, "models": 3}}, {"votes": {"label": 1}}, []]
)
def test_evidence_that_no_page_could_show_is_refused_with_its_line(evidence: object) -> None:
    with pytest.raises(TaskFileError, match="suspected_errors, line 4, evidence"):
        Contents().take("suspected_errors", 4, {"evidence": evidence})
