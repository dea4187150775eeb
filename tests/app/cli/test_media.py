"""Pictures go up with a file of contexts and come back with an export."""

import hashlib
import json
from pathlib import Path

import pytest

from dynabench import DynabenchClient
from tests.app.cli.conftest import Command
from tests.factories.media import picture

CONFIG = """\
title: Scenes
context:
  - {name: scene, type: image}
input:
  - {name: hypothesis, type: string}
  - {name: label, type: multiclass, labels: [entailment, neutral, contradiction]}
output:
  - {name: label}
model_wrong_metric: {type: exact_match, reference_names: [label]}
perf_metric: {type: accuracy, reference_name: label}
"""


def _contexts(folder: Path, *scenes: object) -> Path:
    file = folder / "contexts.jsonl"
    lines = [json.dumps({"context": {"scene": scene}}) for scene in scenes]
    file.write_text("\n".join(lines), encoding="utf-8")
    return file


@pytest.fixture
def task(owner: Command, tmp_path: Path) -> str:
    config = tmp_path / "scenes.yaml"
    config.write_text(CONFIG, encoding="utf-8")
    assert owner("task", "create", "scenes", config, "--activate").status == 0
    return "scenes"


def test_pictures_of_this_machine_go_up_and_come_back(
    owner: Command, task: str, server_url: str, tmp_path: Path
) -> None:
    (tmp_path / "pictures").mkdir()
    (tmp_path / "pictures" / "red.png").write_bytes(picture())
    scene = {"file": "pictures/red.png", "alt": "A red field"}
    done = owner("contexts", "upload", task, _contexts(tmp_path, scene, scene))
    assert done.status == 0, done.err
    assert "Added 1 context" in done.out

    round_ = owner("round", "open", task, "--target", "http://127.0.0.1:9/v2/models/mine")
    assert round_.status == 0, round_.err
    with DynabenchClient("", base_url=server_url) as grace:
        grace.account.sign_up("grace", "correct horse battery")
        current = grace.rounds.current(task)
        assert current is not None
        lent = grace.rounds.next_context(current.round.id)
        grace.examples.submit(
            current.round.id,
            context_id=lent.context.id,
            inputs={"hypothesis": "It is red."},
            answer={"label": "neutral"},
        )
    digest = hashlib.sha256(picture()).hexdigest()
    output, media = tmp_path / "round.jsonl", tmp_path / "media"
    done = owner("export", task, "--output", output, "--media", media)
    assert done.status == 0, done.err
    assert digest in output.read_text(encoding="utf-8")
    assert [file.name for file in media.iterdir()] == [f"{digest}.png"]
    assert (media / f"{digest}.png").read_bytes() == picture()
    refused = owner("export", task, "--output", "-", "--media", media)
    assert refused.status == 1


@pytest.mark.parametrize(
    ("named", "told"),
    [
        ("missing.png", "there is no file"),
        ("../secret.png", "outside the folder"),
        ("/etc/passwd", "outside the folder"),
        ("page.html", "no picture"),
    ],
)
def test_a_file_that_cannot_be_sent_is_told(
    owner: Command, task: str, tmp_path: Path, named: str, told: str
) -> None:
    inner = tmp_path / "inner"
    inner.mkdir()
    (tmp_path / "secret.png").write_bytes(picture())
    (inner / "page.html").write_bytes(b"<html>")
    done = owner("contexts", "upload", task, _contexts(inner, {"file": named}))
    assert done.status == 1
    assert told in done.err
    assert "Line 1, scene" in done.err
    assert Path(named).name in done.err
