"""Asking by the command line for larger parts of dev and test."""

import json
from pathlib import Path

from tests.app.cli.conftest import CONFIG, Command


def test_a_plan_takes_parts_and_refuses_too_large_ones(owner: Command, tmp_path: Path) -> None:
    config = tmp_path / "nli.yaml"
    config.write_text(CONFIG, encoding="utf-8")
    target = "http://127.0.0.1:9/v2/models/mine"
    for words in (
        ("task", "create", "nli", config, "--activate"),
        ("round", "open", "nli", "--target", target),
    ):
        assert owner(*words).status == 0
    planned = owner("release", "nli/1", "--dry-run", "--dev", "0.05", "--test", "0.3", "--json")
    assert planned.status == 0
    # One of them is a twentieth, so that twenty examples are the least.
    assert "at least 20" in json.dumps(json.loads(planned.out)["missing"])
    refused = owner("release", "nli/1", "--dry-run", "--dev", "0.5", "--test", "0.5")
    assert refused.status != 0
    assert "at most 0.9" in refused.err
