"""Proposals from the terminal."""

import json
from pathlib import Path

from tests.app.cli.conftest import CONFIG, Command


def test_a_task_is_proposed_sent_back_revised_and_accepted(owner: Command, tmp_path: Path) -> None:
    file = tmp_path / "task.yaml"
    file.write_text(CONFIG, encoding="utf-8")

    proposed = owner("task", "propose", file, "--slug", "mine", "--reason", "To see.")
    assert (proposed.status, "Proposed mine" in proposed.out) == (0, True)
    (found,) = json.loads(owner("proposals", "list", "--json").out)
    asked = owner("proposals", "ask", found["id"], "--revision", 1, "--reason", "Another title.")
    assert asked.out.strip() == "ada is asked for changes."
    file.write_text(CONFIG.replace("Inference", "Entailment"), encoding="utf-8")
    revised = owner("proposals", "revise", found["id"], file, "--answer", "Done.")
    assert "at revision 2" in revised.out
    stale = owner("proposals", "accept", found["id"], "--revision", 1)
    assert (stale.status, "Look at it again first." in stale.err) == (1, True)
    accepted = owner("proposals", "accept", found["id"], "--revision", 2)
    assert accepted.out.strip() == "Task mine is a draft; ada owns it."

    shown = owner("proposals", "show", found["id"]).out
    assert all(word in shown for word in ("Another title.", "Done.", "accepted"))
    assert "Entailment" in owner("proposals", "show", found["id"], "--config").out
    over = owner("proposals", "withdraw", found["id"])
    assert (over.status, "“accepted”" in over.err) == (1, True)
    assert owner("proposals", "reject", found["id"], "--revision", 2).status == 2
