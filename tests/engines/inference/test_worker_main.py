"""The worker's own code, called in this process: the host's tests see it from outside."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from dynabench.engines.inference import worker_main
from dynabench.engines.inference.worker_main import answer_items, encode_results, load_handler
from tests.engines.inference.handlers import write_handler

WORKER = Path(worker_main.__file__)


def items(*texts: str) -> list[dict[str, object]]:
    return [{"id": str(index), "inputs": {"text": text}} for index, text in enumerate(texts)]


@pytest.fixture(autouse=True)
def _own_imports(monkeypatch: pytest.MonkeyPatch) -> None:
    """A handler may change the import path and registers itself as `model`."""
    monkeypatch.setattr(sys, "path", list(sys.path))
    monkeypatch.setattr(sys, "modules", dict(sys.modules))


def test_a_handler_is_loaded_with_its_folder(tmp_path: Path) -> None:
    source = """
import beside
def load(path):
    beside.seen.append(path)
def predict(batch):
    return [{"loaded": beside.seen} for _ in batch]
"""
    (tmp_path / "beside.py").write_text("seen = []\n", encoding="utf-8")
    predict = load_handler(write_handler(tmp_path, source))
    assert answer_items(predict, items("x")) == [
        {"id": "0", "outputs": {"loaded": [str(tmp_path)]}}
    ]


def test_a_handler_needs_no_load(tmp_path: Path) -> None:
    predict = load_handler(write_handler(tmp_path, "def predict(batch): return batch"))
    assert answer_items(predict, items("x")) == [{"id": "0", "outputs": {"text": "x"}}]


@pytest.mark.parametrize("source", [None, "predict = 3"])
def test_a_folder_without_predict_is_refused(tmp_path: Path, source: str | None) -> None:
    if source is not None:
        write_handler(tmp_path, source)
    with pytest.raises((FileNotFoundError, TypeError), match=r"model\.py"):
        load_handler(tmp_path)


def test_one_input_that_raises_is_alone_in_it() -> None:
    def predict(batch: list[dict[str, object]]) -> object:
        if any(item["text"] == "bad" for item in batch):
            raise KeyError("bad")
        return [{"n": len(batch)} for _ in batch]

    good, bad = answer_items(predict, items("good", "bad"))
    assert good == {"id": "0", "outputs": {"n": 1}}
    assert "KeyError" in str(bad["error"])


@pytest.mark.parametrize(
    ("answer", "told"),
    [([{}], "a list of 2 answers, not 1"), ("no", "not str"), (None, "NoneType")],
)
def test_a_list_of_another_length_is_no_answer(answer: object, told: str) -> None:
    results = answer_items(lambda _batch: answer, items("a", "b"))
    assert [result["id"] for result in results] == ["0", "1"]
    assert all(told in str(result["error"]) for result in results)


def encoded(results: list[dict[str, object]]) -> list[dict[str, object]]:
    message = json.loads(encode_results("7", results))
    assert message["id"] == "7"
    return list(message["results"])


def test_what_is_not_json_or_too_large_is_told() -> None:
    answers = [{"x": object()}, {"x": "y" * 300_000}, {"x": "y"}]
    odd, large, good = encoded(answer_items(lambda _batch: answers, items("a", "b", "c")))
    assert "object is not JSON" in str(odd["error"])
    assert "larger than 256 KiB" in str(large["error"])
    assert good == {"id": "2", "outputs": {"x": "y"}}


def test_numbers_of_other_libraries_are_read() -> None:
    class Number:
        def tolist(self) -> float:
            return 0.5

    results = answer_items(lambda _batch: [{"x": Number()}], items("a"))
    assert encoded(results) == [{"id": "0", "outputs": {"x": 0.5}}]


def run_worker(folder: Path, *arguments: str, sent: str = "") -> tuple[int, list[object], str]:
    # The worker is ours, and so are its arguments.
    done = subprocess.run(  # noqa: S603
        [sys.executable, "-P", str(WORKER), str(folder), *arguments],
        input=sent,
        capture_output=True,
        check=False,
        text=True,
    )
    return done.returncode, [json.loads(line) for line in done.stdout.splitlines()], done.stderr


def test_the_protocol_is_one_json_line_each_way(tmp_path: Path) -> None:
    line = json.dumps({"id": "7", "items": items("good", "bad")})
    status, said, log = run_worker(write_handler(tmp_path), str(os.getpid()), sent=line + "\n")
    results = [
        {"id": "0", "outputs": {"label": "positive"}},
        {"id": "1", "outputs": {"label": "negative"}},
    ]
    assert said == [{"ready": True}, {"id": "7", "results": results}]
    assert status == 0
    assert "loading the mood model" in log


def test_a_worker_whose_parent_is_gone_ends_at_once(tmp_path: Path) -> None:
    status, said, _log = run_worker(write_handler(tmp_path), "1")
    assert (status, said) == (1, [])


def test_a_model_that_cannot_be_loaded_is_told_and_traced(tmp_path: Path) -> None:
    status, said, log = run_worker(write_handler(tmp_path, "1 / 0"))
    assert status == 1
    assert said == [
        {"failed": "The model failed while loading: ZeroDivisionError: division by zero"}
    ]
    assert "Traceback" in log
