"""`dynabench sandbox`: what an operator is told of this machine."""

import json

import pytest

from dynabench.engines.sandbox.sandbox import Sandbox
from dynabench.engines.sandbox.values import IsolationReport, MemoryKeeper
from tests.app.cli.conftest import Command

GOOD = IsolationReport(
    tool="bubblewrap 0.8.0", has_own_user=True, filters_calls=True, memory=MemoryKeeper.CGROUP_V2
)


def test_an_operator_sees_what_isolates_and_what_a_model_may_use(
    command: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Sandbox, "report", lambda _self: GOOD)
    monkeypatch.setenv("DYNABENCH_SUBMISSION_MEMORY_MB", "3072")

    done = command("sandbox")

    assert done.status == 0
    for word in ("bubblewrap 0.8.0", "cgroup v2", "3 GiB"):
        assert word in done.out
    assert json.loads(command("sandbox", "--json").out)["own_user"] is True


def test_an_operator_learns_why_nothing_isolates(
    command: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    report = IsolationReport(reason="bubblewrap is not installed.")
    monkeypatch.setattr(Sandbox, "report", lambda _self: report)
    monkeypatch.setenv("DYNABENCH_TRUST_SUBMITTERS", "1")

    done = command("sandbox")

    assert done.status == 1
    assert "bubblewrap is not installed" in done.err
    assert "without protection" in done.err
