"""Models of the transformers library, made here with random weights, run in the sandbox."""

import json
import random
from dataclasses import replace
from importlib import import_module
from pathlib import Path

import pytest

from dynabench.engines.inference.adapters import ISOLATION, SANDBOX, TargetFactory
from dynabench.engines.runners.hub import fetch_from_hub
from dynabench.engines.runners.starters.files import starter_files
from dynabench.engines.runners.starters.onnx import tokenizer_file
from dynabench.engines.runners.starters.values import Starter
from dynabench.loop.models.checks.service import check_folder
from dynabench.loop.models.rules import spec_for
from dynabench.loop.models.values import ModelKind
from dynabench.science.task_config.loader import load_task_config
from dynabench.science.task_config.schema import TaskConfig
from tests.factories.hubs import serving

pytestmark = [pytest.mark.extras, pytest.mark.usefixtures("transformers_library")]

CATALOG = Path(__file__).parents[2] / "dynabench" / "catalog"
# One of each kind of answer: a label, words of a passage, marked words, a text, a reply.
TASKS = ("nli", "qa", "hate-targets", "translation-spanish", "red-team-assistant")
TOLERANCE = 1e-4


def config_of(task: str) -> TaskConfig:
    (path,) = CATALOG.glob(f"*/{task}/task.yaml")
    return load_task_config(path.read_text(encoding="utf-8"))


def write(folder: Path, task: str) -> dict[str, object]:
    """Write the starter of a task and return its options."""
    starter = Starter(task=task, config=config_of(task), kind="huggingface")
    for name, content in starter_files(starter).items():
        (folder / name).write_bytes(content if isinstance(content, bytes) else content.encode())
    return {"max_new_tokens": 4, "pipeline": "text-generation"} if task in TASKS[3:] else {}


@pytest.mark.parametrize("task", TASKS)
async def test_a_folder_of_save_pretrained_passes_the_checks(
    task: str, tmp_path: Path, sandboxed: TargetFactory
) -> None:
    config = config_of(task)
    options = {**write(tmp_path, task), ISOLATION: SANDBOX}
    spec = spec_for(config, kind=ModelKind.HUGGINGFACE, name="Mine", options=options)

    report = await check_folder(tmp_path, spec, config, factory=sandboxed)

    assert report.has_passed, report.log
    assert report.warnings == (), "a batch answers as each alone"


async def test_probabilities_are_the_library_s_own_whatever_stands_beside_them(
    tmp_path: Path, sandboxed: TargetFactory
) -> None:
    config = config_of("sentiment")
    labels = {"LABEL_0": "neutral", "LABEL_1": "positive", "LABEL_2": "negative"}
    texts = _texts()
    expected = _made(tmp_path, texts)
    options = {"inputs": ["statement"], "labels": labels, ISOLATION: SANDBOX}
    spec = spec_for(config, kind=ModelKind.HUGGINGFACE, name="Mine", options=options)
    report = await check_folder(tmp_path, spec, config, factory=sandboxed)
    assert report.has_passed, report.log

    target = sandboxed(replace(spec, options={**options, "folder": str(tmp_path)}))
    answers = await target.predict([{"prompt": "", "statement": text} for text in texts])
    await target.close()

    for answer, shares in zip(answers, expected, strict=True):
        told = dict(zip(labels.values(), shares, strict=True))
        assert answer.error is None
        assert answer.outputs["label"] == max(told, key=lambda name: told[name])
        assert answer.probabilities == pytest.approx(told, abs=TOLERANCE)


async def test_a_hub_id_is_fetched_outside_and_runs_inside(
    tmp_path: Path, sandboxed: TargetFactory, monkeypatch: pytest.MonkeyPatch
) -> None:
    config = config_of("nli")
    made, fetched = tmp_path / "made", tmp_path / "fetched"
    made.mkdir()
    fetched.mkdir()
    write(made, "nli")
    files = {path.name: path.read_bytes() for path in made.iterdir()}
    options = {"hub": "acme/small", ISOLATION: SANDBOX}
    spec = spec_for(config, kind=ModelKind.HUGGINGFACE, name="Mine", options=options)

    with serving({"acme/small": {**files, "pytorch_model.bin": b"a pickle"}}) as address:
        monkeypatch.setenv("HF_ENDPOINT", address)
        fetch_from_hub("acme/small", into=fetched, max_bytes=10_000_000)
    report = await check_folder(fetched, spec, config, factory=sandboxed)

    assert report.has_passed, report.log
    assert not (fetched / "pytorch_model.bin").exists()


def _texts() -> list[str]:
    chance = random.Random(7)
    words = ["the", "a", "not", "it", "is", "was", "he", "she", "they", "unknown"]
    lengths = [1, 60, 3, 25, 8, 60, 2, 14]
    return [" ".join(chance.choices(words, k=length)) for length in lengths]


def _made(folder: Path, texts: list[str]) -> list[list[float]]:
    """Make a model with the library itself, and return its probabilities text by text."""
    # Only the environment of the extras has them.
    torch, transformers = import_module("torch"), import_module("transformers")
    torch.manual_seed(3)
    (folder / "tokenizer.json").write_text(tokenizer_file(), encoding="utf-8")
    size = len(json.loads(tokenizer_file())["model"]["vocab"])
    tokenizer = transformers.PreTrainedTokenizerFast(
        tokenizer_file=str(folder / "tokenizer.json"), pad_token="[PAD]", unk_token="[UNK]"
    )
    config = transformers.BertConfig(
        vocab_size=size,
        hidden_size=32,
        num_hidden_layers=2,
        num_attention_heads=4,
        intermediate_size=64,
        num_labels=3,
        pad_token_id=0,
        initializer_range=0.5,
    )
    model = transformers.BertForSequenceClassification(config).eval()
    model.save_pretrained(folder)
    tokenizer.save_pretrained(folder)
    with torch.inference_mode():
        return [
            model(**tokenizer(text, return_tensors="pt")).logits.softmax(dim=-1)[0].tolist()
            for text in texts
        ]
