"""The sandboxes that the tests share: probing one takes a tenth of a second."""

from dataclasses import replace

import pytest

from dynabench.engines.sandbox.sandbox import Sandbox
from dynabench.engines.sandbox.values import MemoryKeeper
from tests.engines.sandbox.running import LIMITS, available


@pytest.fixture(scope="session")
def shared_sandbox() -> Sandbox:
    return Sandbox(LIMITS)


@pytest.fixture(scope="session")
def shared_sampled_sandbox() -> Sandbox:
    """A sandbox that has no control groups, as most accounts have none."""
    sandbox = Sandbox(LIMITS)
    report = sandbox.report()
    if report.is_available:
        sandbox._parents = None
        sandbox._report = replace(report, memory=MemoryKeeper.SAMPLING)
    return sandbox


@pytest.fixture
def sandbox(shared_sandbox: Sandbox) -> Sandbox:
    return available(shared_sandbox)


@pytest.fixture(params=["best", "sampled"])
def each_sandbox(
    request: pytest.FixtureRequest, shared_sandbox: Sandbox, shared_sampled_sandbox: Sandbox
) -> Sandbox:
    """The sandbox at its best here, and without control groups."""
    best = request.param == "best"
    return available(shared_sandbox if best else shared_sampled_sandbox)
