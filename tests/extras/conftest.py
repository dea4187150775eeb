"""What heavy extras need: missing, it is a failure where REQUIRE_EXTRAS=1 and else a skip."""

import os
from collections.abc import AsyncIterator, Callable
from importlib.util import find_spec

import pytest

from dynabench.engines.inference.adapters import TargetFactory, build_target
from dynabench.engines.inference.container_tool import ContainerTool, find_tool
from dynabench.engines.inference.protocol import TargetModel, TargetSpec
from dynabench.engines.sandbox.sandbox import Sandbox
from dynabench.engines.sandbox.values import SandboxLimits
from tests.extras.images import make_image

OpenTarget = Callable[[TargetSpec], TargetModel]


def missing(sentence: str) -> None:
    if os.environ.get("REQUIRE_EXTRAS") == "1":
        pytest.fail(sentence)
    pytest.skip(sentence)


@pytest.fixture(scope="session")
def transformers_library() -> None:
    for package in ("torch", "transformers"):
        if find_spec(package) is None:
            missing(f"{package} is not installed: make test-extras installs it.")


@pytest.fixture(scope="session")
def sandboxed() -> TargetFactory:
    """What builds a target in the sandbox, as the server does."""
    sandbox = Sandbox(SandboxLimits())
    if sandbox.report().reason is not None:
        missing(str(sandbox.report().reason))
    return lambda spec: build_target(spec, sandbox=sandbox.launcher())


@pytest.fixture(scope="session")
def container_tool() -> ContainerTool:
    found = find_tool()
    if isinstance(found, str):
        missing(found)
    assert isinstance(found, ContainerTool)
    return found


@pytest.fixture(scope="session")
def image(container_tool: ContainerTool) -> str:
    """An image of the interpreter that runs these tests, with a model that does as it is told."""
    if container_tool.name != "podman":
        missing("Podman is not installed, and images are imported with it.")
    return make_image(container_tool.path)


@pytest.fixture
async def open_target() -> AsyncIterator[OpenTarget]:
    """Build targets that are closed when the test is over."""
    opened: list[TargetModel] = []

    def build(spec: TargetSpec) -> TargetModel:
        opened.append(build_target(spec))
        return opened[-1]

    yield build
    for target in opened:
        await target.close()
