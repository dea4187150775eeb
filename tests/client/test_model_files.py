"""What of a model's folder is sent, and what is refused before anything is."""

import zipfile
from pathlib import Path

import httpx2
import pytest

from dynabench import DynabenchClient
from dynabench.client.model_files import kind_of, packed
from dynabench.kit.errors import InvalidError

REFUSING = httpx2.MockTransport(lambda _: httpx2.Response(500))


def test_a_folder_is_packed_without_what_nobody_needs(tmp_path: Path) -> None:
    folder = tmp_path / "mine"
    for name in ("model.py", "data/words.txt", ".git/config", "__pycache__/model.pyc"):
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(name, encoding="utf-8")
    with packed(folder) as archive, zipfile.ZipFile(archive) as found:
        assert sorted(found.namelist()) == ["data/words.txt", "model.py"]
    lone = tmp_path / "nli.onnx"
    lone.write_bytes(b"network")
    (tmp_path / "tokenizer.json").write_text("{}", encoding="utf-8")
    with packed(lone) as archive, zipfile.ZipFile(archive) as found:
        assert sorted(found.namelist()) == ["model.onnx", "tokenizer.json"]
    assert [kind_of(one) for one in (folder, lone)] == ["handler", "onnx"]


@pytest.mark.parametrize("name", ["missing", "empty", "notes.txt", "linked"])
def test_what_cannot_be_packed_is_said_before_anything_is_sent(tmp_path: Path, name: str) -> None:
    (tmp_path / "empty").mkdir()
    (tmp_path / "notes.txt").write_text("no model", encoding="utf-8")
    (tmp_path / "linked").mkdir()
    (tmp_path / "linked" / "model.py").symlink_to("/etc/passwd")
    with (
        DynabenchClient(base_url="http://server", transport=REFUSING, retries=0) as client,
        pytest.raises(InvalidError) as refused,
    ):
        client.models.submit(tmp_path / name, task="nli")
    assert set(refused.value.fields) == {"model_path"}
