"""`dynabench worker --engine ray`: where models are evaluated, and what that needs."""

import os

import pytest

from dynabench.app.worker import __main__ as worker
from dynabench.engines.cluster import ray_engine
from dynabench.kit.settings import Settings
from tests.app.cli.conftest import Command


@pytest.fixture(autouse=True)
def _own_environment(monkeypatch: pytest.MonkeyPatch, database_url: str) -> None:
    for name in ("EVALUATION_ENGINE", "RAY_ADDRESS"):
        # Set first, so that what the command sets is taken away again.
        monkeypatch.setenv(f"DYNABENCH_{name}", "")
    monkeypatch.setenv("DYNABENCH_DATABASE_URL", database_url)


def test_a_worker_without_ray_tells_which_extra_is_missing(
    command: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(ray_engine, "find_spec", lambda _name: None)

    done = command("worker", "--engine", "ray")

    assert done.status == 1
    assert "dynabench-platform[server,ray]" in done.err
    assert "DYNABENCH_EVALUATION_ENGINE" in done.err


def test_options_of_a_worker_are_settings(
    command: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen: list[Settings] = []

    def work() -> int:
        seen.append(Settings.from_environment(os.environ))
        return 0

    monkeypatch.setattr(worker, "main", work)

    assert command("worker").status == 0
    assert command("worker", "--engine", "ray", "--ray-address", "head:6379").status == 0

    assert [(one.evaluation_engine, one.ray_address) for one in seen] == [
        ("local", None),
        ("ray", "head:6379"),
    ]
