"""The README's quick start: its server is asked through the adapter that a round uses."""

import threading
from collections.abc import Iterator
from http.server import ThreadingHTTPServer
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from types import ModuleType

import pytest

from dynabench.engines.inference.adapters import build_target
from dynabench.engines.inference.json_caller import HttpSettings
from dynabench.engines.inference.protocol import TargetModel, TargetSpec
from dynabench.loop.models.addresses.rules import read_options
from dynabench.loop.models.rules import spec_for, trial_input
from dynabench.loop.models.values import ModelKind
from dynabench.science.task_config.loader import load_task_config
from dynabench.science.task_config.schema import TaskConfig

ROOT = Path(__file__).parents[2]
SERVER = ROOT / "examples" / "oip_server.py"


def load_server() -> ModuleType:
    found = spec_from_file_location("oip_server", SERVER)
    assert found is not None
    assert found.loader is not None
    module = module_from_spec(found)
    found.loader.exec_module(module)
    return module


@pytest.fixture
def module() -> ModuleType:
    return load_server()


@pytest.fixture
def url(module: ModuleType) -> Iterator[str]:
    # The module is loaded by its path, where mypy cannot follow.
    class Quiet(module.Handler):  # type: ignore[name-defined,misc]
        def log_message(self, *arguments: object) -> None:
            """Keep the test's output clean."""

    with ThreadingHTTPServer(("127.0.0.1", 0), Quiet) as server:
        thread = threading.Thread(target=server.serve_forever, daemon=True)
        thread.start()
        yield f"http://127.0.0.1:{server.server_port}/v2/models/mine"
        server.shutdown()
        thread.join()


@pytest.fixture
def config() -> TaskConfig:
    folder = ROOT / "dynabench" / "catalog" / "tasks" / "sentiment"
    return load_task_config((folder / "task.yaml").read_text(encoding="utf-8"))


def target_at(url: str, config: TaskConfig) -> tuple[TargetModel, TargetSpec]:
    options = read_options(ModelKind.ENDPOINT, {"url": url}, config=config)
    spec = spec_for(config, kind=ModelKind.ENDPOINT, name="mine", options=options)
    settings = HttpSettings(allowed_hosts=frozenset({"127.0.0.1"}))
    return build_target(spec, http=settings), spec


async def test_the_example_server_passes_the_trial_that_every_endpoint_must(
    url: str, config: TaskConfig
) -> None:
    target, spec = target_at(url, config)

    description = await target.describe()
    (prediction,) = await target.predict([spec.visible(trial_input(config))])
    await target.close()

    assert description.name == "mine"
    assert prediction.error is None
    assert prediction.outputs["label"] in {"positive", "negative", "neutral"}


async def test_the_example_server_answers_a_batch_in_order_with_probabilities(
    url: str, config: TaskConfig
) -> None:
    target, _ = target_at(url, config)
    statements = ["A great and lovely evening.", "A terrible, rude waiter."]

    found = await target.predict(
        [{"prompt": "A meal.", "statement": statement} for statement in statements]
    )
    await target.close()

    assert [one.outputs["label"] for one in found] == ["positive", "negative"]
    assert all(one.probabilities is not None for one in found)
    assert all(sum((one.probabilities or {}).values()) == pytest.approx(1) for one in found)


@pytest.mark.parametrize(
    ("name", "values", "expected"),
    [
        ("answer", ["Paris", "Rome"], ("BYTES", [2], ["Paris", "Rome"])),
        ("score", [1, 0.5], ("FP64", [2], [1, 0.5])),
        ("labels", [["a", "b"], []], ("BYTES", [2], ['["a", "b"]', "[]"])),
        ("prob", [{"a": 0.5, "b": 0.5}] * 2, ("FP32", [2, 2], [0.5, 0.5, 0.5, 0.5])),
    ],
)
def test_any_output_of_a_task_becomes_a_tensor(
    name: str, values: list[object], expected: tuple[str, list[int], list[object]]
) -> None:
    made = load_server().tensor(name, values)

    assert (made["datatype"], made["shape"], made["data"]) == expected


async def test_a_server_of_another_task_is_told_what_came(
    url: str, config: TaskConfig, module: ModuleType, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "answer", lambda _: {"verdict": "good", "strength": 0.5})
    target, spec = target_at(url, config)

    (prediction,) = await target.predict([spec.visible(trial_input(config))])
    await target.close()

    assert prediction.error is not None
    assert "'label' is missing. What came: 'verdict', 'strength'." in prediction.error


def test_the_readme_shows_the_example_as_it_is() -> None:
    readme = (ROOT / "README.md").read_text(encoding="utf-8")

    assert f"```python\n{SERVER.read_text(encoding='utf-8')}```" in readme
