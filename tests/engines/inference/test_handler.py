"""Handler folders: unpacking them, and recorded answers read from a file."""

import json
from pathlib import Path

import pytest

from dynabench.engines.inference.adapters import build_target
from dynabench.engines.inference.errors import TargetSpecError
from dynabench.engines.inference.handler import unpack_handler
from dynabench.engines.inference.protocol import TargetSpec, digest_of

pytestmark = pytest.mark.anyio


async def test_a_stored_handler_is_unpacked_once_and_whole(tmp_path: Path) -> None:
    files = {"model.py": b"def predict(batch): ...", "weights/w.bin": b"\0\1"}
    folder = unpack_handler(files, root=tmp_path / "cache", digest="d1")
    assert (folder / "weights" / "w.bin").read_bytes() == b"\0\1"
    assert unpack_handler({}, root=tmp_path / "cache", digest="d1") == folder
    assert [path.name for path in (tmp_path / "cache").iterdir()] == ["d1"]


@pytest.mark.parametrize("name", ["../escape.py", "/etc/model.py", "a\\..\\b", ""])
async def test_a_file_name_cannot_leave_the_folder(tmp_path: Path, name: str) -> None:
    with pytest.raises(TargetSpecError, match="leaves the model's folder"):
        unpack_handler({name: b"x"}, root=tmp_path / "cache", digest="d")
    assert list((tmp_path / "cache").iterdir()) == []


async def test_a_handler_without_folder_is_refused() -> None:
    spec = TargetSpec(kind="handler", name="m", input_names=(), output_names=("label",))
    with pytest.raises(TargetSpecError, match="'folder' is needed"):
        build_target(spec)


def recorded(**options: object) -> TargetSpec:
    return TargetSpec(
        kind="recorded", name="m", input_names=("t",), output_names=("label",), options=options
    )


async def test_recorded_answers_are_read_from_a_file(tmp_path: Path) -> None:
    path = tmp_path / "answers.jsonl"
    row = {"input_digest": digest_of({"t": "x"}), "outputs": {"label": "y"}}
    path.write_text(json.dumps(row) + "\n\n", encoding="utf-8")
    target = build_target(recorded(path=str(path)))
    known, unknown = await target.predict([{"t": "x"}, {"t": "z"}])
    assert known.outputs == {"label": "y"}
    assert unknown.error == "No answer to this input is recorded."


async def test_recorded_answers_that_cannot_be_read_are_told(tmp_path: Path) -> None:
    with pytest.raises(TargetSpecError, match="cannot be read"):
        await build_target(recorded(path=str(tmp_path / "none"))).describe()
    with pytest.raises(TargetSpecError, match="'answers' must map"):
        build_target(recorded(answers=[]))
