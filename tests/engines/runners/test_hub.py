"""Models by their hub id, from a hub on this machine."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from dynabench.engines.runners.errors import HubUnavailableError, UnusableModelError
from dynabench.engines.runners.hub import fetch_from_hub
from tests.factories.hubs import COMMIT, Hub, serving

FILES = {
    "acme/small": {
        "config.json": b'{"model_type": "bert"}',
        "model.safetensors": b"weights",
        "pytorch_model.bin": b"a pickle",
        "modeling_own.py": b"print('code')",
        "onnx/model.onnx": b"another form",
    },
    "acme/pickled": {"config.json": b"{}", "pytorch_model.bin": b"a pickle"},
}


@pytest.fixture(autouse=True)
def hub(monkeypatch: pytest.MonkeyPatch) -> Iterator[type[Hub]]:
    with serving(FILES) as address:
        monkeypatch.setenv("HF_ENDPOINT", address)
        monkeypatch.setenv("HF_TOKEN", "the operator's own")
        yield Hub


def test_numbers_and_settings_are_fetched_and_nothing_that_can_be_run(
    tmp_path: Path, hub: type[Hub]
) -> None:
    commit = fetch_from_hub("acme/small", into=tmp_path, max_bytes=1_000)

    assert commit == COMMIT
    assert {path.name for path in tmp_path.iterdir()} == {"config.json", "model.safetensors"}
    assert (tmp_path / "model.safetensors").read_bytes() == b"weights"
    assert set(hub.tokens) == {None}, "the operator's token stays here"


@pytest.mark.parametrize(
    ("hub_id", "most", "words"),
    [
        ("acme/pickled", 1_000, "pytorch_model.bin may hold code"),
        ("acme/nobody", 1_000, "no public model acme/nobody"),
        ("acme/small", 10, "at most"),
        ("../../etc", 1_000, "no hub id"),
        ("acme/small/../pickled", 1_000, "no hub id"),
    ],
)
def test_a_model_that_cannot_be_used_is_refused_with_the_reason(
    tmp_path: Path, hub_id: str, most: int, words: str
) -> None:
    with pytest.raises(UnusableModelError, match=words):
        fetch_from_hub(hub_id, into=tmp_path, max_bytes=most)

    assert list(tmp_path.iterdir()) == []


def test_a_hub_that_does_not_answer_is_no_fault_of_the_model(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HF_ENDPOINT", "http://127.0.0.1:9")

    with pytest.raises(HubUnavailableError):
        fetch_from_hub("acme/small", into=tmp_path, max_bytes=1_000)
