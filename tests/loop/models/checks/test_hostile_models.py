"""Hostile code is a rejected submission with its reason, while another model's check goes on."""

import asyncio
from functools import partial
from pathlib import Path

import pytest

from dynabench.engines.inference.adapters import build_target
from dynabench.engines.sandbox.sandbox import Sandbox
from dynabench.loop.models.checks.service import check_folder
from dynabench.loop.models.checks.values import CheckReport
from dynabench.loop.models.rules import spec_for
from dynabench.loop.models.values import ModelKind
from dynabench.science.task_config.loader import load_task_config
from tests.engines.sandbox.running import LIMITS, available

pytestmark = pytest.mark.anyio

CONFIG = load_task_config(
    """
context: []
input:
  - {name: statement, type: string}
  - {name: label, type: multiclass, labels: [yes, no]}
output: [{name: label}]
model_wrong_metric: {type: exact_match, reference_names: [label]}
perf_metric: {type: accuracy, reference_name: label}
"""
)
HONEST = "def predict(batch):\n    return [{'label': 'yes'} for _ in batch]\n"
MODELS = {
    "bomb.py": ("held = []\nwhile True: held.append(bytearray(2**24))\n", "256 MiB of memory"),
    "forks.py": (
        "import os, time\ndef predict(batch):\n    while os.fork(): pass\n    time.sleep(60)\n",
        "more than 40 processes and threads",
    ),
    "noise.py": ("while True: print('x' * 100_000)\n", "printed more than 1 MiB"),
    "crash.py": ("import os, signal\nos.kill(os.getpid(), signal.SIGSEGV)\n", "SIGSEGV"),
    "gold.py": ("open('{secret}').read()\n" + HONEST, "No such file"),
    "home.py": (
        "import socket\nsocket.create_connection(('127.0.0.1', 5432), 1)\n" + HONEST,
        "Connection refused",
    ),
    "disk.py": (
        HONEST.replace("    return", "    open('/tmp/x', 'wb').write(bytes(2**26))\n    return"),
        "No space left|File too large",
    ),
}


@pytest.mark.parametrize("name", MODELS)
async def test_hostile_code_is_rejected_with_its_reason_and_others_pass(
    tmp_path: Path, name: str
) -> None:
    sandbox = available(Sandbox(LIMITS))
    secret = tmp_path / "gold.jsonl"
    secret.write_text("secret", encoding="utf-8")
    source, told = MODELS[name]

    async def checked(folder: str, source: str) -> CheckReport:
        place = tmp_path / folder
        place.mkdir()
        (place / "model.py").write_text(source.replace("{secret}", str(secret)), encoding="utf-8")
        spec = spec_for(
            CONFIG, kind=ModelKind.HANDLER, name="Mine", options={"isolation": "sandbox"}
        )
        factory = partial(build_target, sandbox=sandbox.launcher())
        return await check_folder(place, spec, CONFIG, factory=factory)

    hostile, honest = await asyncio.gather(checked("hostile", source), checked("honest", HONEST))

    assert not honest.problems
    assert honest.asked > 0
    said = " ".join(problem.problem for problem in hostile.problems)
    assert any(part in said for part in told.split("|")), said
