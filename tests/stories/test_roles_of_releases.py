"""Who comes through which door of releases, trainings, scales and live numbers."""

from dynabench.app.wiring import Wiring
from dynabench.kit.actor import VISITOR
from dynabench.kit.clock import Clock
from dynabench.kit.ids import new_id
from dynabench.loop.datasets.values import Split
from dynabench.loop.tasks.service import TaskService
from tests.factories.datasets import make_dataset, make_item
from tests.stories.conftest import Browser, SignedIn
from tests.stories.test_the_loop import open_round, post

TRAINING = {"name": "mine", "with_starter_data": False}
# What a visitor, somebody signed in, and an owner are answered.
FOR_ALL, FOR_OWNERS, OF_ONES_OWN = (200, 200, 200), (401, 403, 200), (401, 404, 404)
DOORS = [
    ("GET", "/rounds/{round}/release-plan", None, FOR_OWNERS),
    ("GET", "/rounds/{round}/release-order", None, FOR_OWNERS),
    ("DELETE", "/rounds/{round}/release-order", None, (401, 403, 404)),
    ("POST", "/rounds/{round}/release", {}, (401, 403, 409)),
    ("GET", "/rounds/{round}/suspected-errors", None, FOR_OWNERS),
    ("POST", "/examples/{any}/suspected-error", {"finding": "wrong"}, (401, 404, 404)),
    ("GET", "/rounds/{round}/arms", None, FOR_ALL),
    ("GET", "/rounds/{round}/numbers", None, FOR_ALL),
    ("GET", "/tasks/nli/numbers", None, FOR_ALL),
    ("GET", "/tasks/nli/history", None, FOR_ALL),
    ("GET", "/tasks/nli/scale", None, FOR_ALL),
    ("POST", "/tasks/nli/scale", {}, (401, 403, 202)),
    ("GET", "/tasks/nli/next-round", None, FOR_OWNERS),
    ("GET", "/tasks/nli/recipes", None, FOR_ALL),
    ("GET", "/tasks/nli/trainings", None, FOR_OWNERS),
    ("POST", "/tasks/nli/trainings", TRAINING, (401, 403, 422)),
    ("POST", "/tasks/nli/training-plan", TRAINING, FOR_OWNERS),
    ("GET", "/tasks/nli/trainings/{any}/log", None, (401, 403, 404)),
    ("GET", "/tasks/nli/trainings/{any}/live", None, (401, 403, 404)),
    ("POST", "/tasks/nli/trainings/{any}/cancel", {}, (401, 403, 404)),
    ("POST", "/tasks/nli/trainings/{any}/resume", {}, (401, 403, 404)),
    ("GET", "/jobs/{any}/live", None, OF_ONES_OWN),
    ("GET", "/dataset-versions/{version}/archive/state", None, FOR_ALL),
    ("GET", "/dataset-versions/{version}/archive", None, (409, 409, 409)),
    ("GET", "/dataset-versions/{version}/errata", None, FOR_ALL),
    ("POST", "/dataset-versions/{version}/archive", {}, (202, 202, 202)),
    ("POST", "/dataset-versions/{version}/open-test", {}, FOR_OWNERS),
]


async def test_each_door_opens_for_those_it_is_for_and_for_no_other_site(
    sign_in: SignedIn, visitor: Browser, wiring: Wiring, clock: Clock
) -> None:
    admin, stranger = await sign_in("admin"), await sign_in("ada")
    round_id = (await open_round(admin))["id"]
    await post(admin, f"/rounds/{round_id}/close", {}, 200)
    task = await wiring.get(TaskService).get_for("nli", VISITOR)
    version = await make_dataset(wiring.db, task, [make_item(1, split=Split.TEST)], clock=clock)
    named = {"round": round_id, "version": version.id, "any": new_id()}

    found, elsewhere = {}, {}
    for method, path, body, _ in DOORS:
        address = f"/api/v1{path.format_map(named)}"
        statuses = []
        for browser in (visitor, stranger, admin):
            answer = await browser.request(method, address, json=body)
            statuses.append(answer.status_code)
        found[method, path] = tuple(statuses)
        if method != "GET":
            headers = {"Sec-Fetch-Site": "cross-site"}
            answer = await admin.request(method, address, json=body, headers=headers)
            elsewhere[path] = answer.status_code

    assert found == {(method, path): wanted for method, path, _, wanted in DOORS}
    assert set(elsewhere.values()) == {403}
