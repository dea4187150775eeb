"""Proposals from the terminal."""

import json
from pathlib import Path

import pytest

from dynabench import DynabenchClient
from tests.app.cli.conftest import CONFIG, Command
from tests.factories.live_servers import live_server

PUBLIC = "http://bench.example.org"
PASSWORD = "correct horse battery"


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


def test_links_that_are_sent_name_the_address_that_the_operator_has_said(
    command: Command, database_url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("DYNABENCH_DATABASE_URL", database_url)
    file = tmp_path / "task.yaml"
    file.write_text(CONFIG, encoding="utf-8")
    password = command("user", "create", "ada", "--admin").out.strip()
    home = tmp_path / "home"
    with (
        live_server(database_url=database_url, home=home, public_url=PUBLIC) as url,
        DynabenchClient("", base_url=url) as ada,
    ):
        assert command("login", url, "-u", "ada", "--password", password).status == 0
        assert command("task", "create", "mine", file, "--activate").status == 0
        assert command("task", "links", "create", "mine").out.startswith(f"{PUBLIC}/join/")
        ada.account.sign_in("ada", password)
        assert ada.invitations.create().url.startswith(f"{PUBLIC}/sign-up?invitation=")
        reset = ada.users.create_reset_link("ada")
        assert reset.url.startswith(f"{PUBLIC}/password-reset/")


def test_who_may_not_create_a_task_is_told_how_to_propose_it(
    owner: Command, server_url: str, tmp_path: Path
) -> None:
    file = tmp_path / "task.yaml"
    file.write_text(CONFIG, encoding="utf-8")
    with DynabenchClient("", base_url=server_url) as grace:
        grace.account.sign_up("grace", PASSWORD)
    assert owner("login", server_url, "-u", "grace", "--password", PASSWORD).status == 0

    refused = owner("task", "create", "mine", file)

    assert refused.status == 1
    assert f"dynabench task propose {file} --slug mine --reason" in refused.err


def test_an_owner_says_who_may_try_and_who_may_take_part(owner: Command, tmp_path: Path) -> None:
    file = tmp_path / "task.yaml"
    file.write_text(CONFIG, encoding="utf-8")
    assert owner("task", "create", "mine", file, "--activate").status == 0

    closed = owner("task", "change", "mine", "--visitors-may-not-try")

    assert "Visitors may not try" in closed.out
    assert "Everybody with an account" in closed.out
    assert "may not try" in owner("task", "show", "mine").out
    told = json.loads(owner("task", "show", "mine", "--json").out)
    assert (told["visitors_may_try"], told["is_open_to_everyone"]) == (False, True)
    both = owner("task", "change", "mine", "--visitors-may-try", "--members-only")
    assert ("Members alone" in both.out, "Visitors may try" in both.out) == (True, True)
    nothing = owner("task", "change", "mine")
    assert (nothing.status, "--visitors-may-try" in nothing.err) == (1, True)


def test_members_and_links_of_a_task(owner: Command, server_url: str, tmp_path: Path) -> None:
    file = tmp_path / "task.yaml"
    file.write_text(CONFIG, encoding="utf-8")
    assert owner("task", "create", "mine", file, "--activate").status == 0
    with DynabenchClient("", base_url=server_url) as grace:
        grace.account.sign_up("grace", PASSWORD)
        made = owner("task", "links", "create", "mine", "--role", "expert")
        assert made.out.startswith(f"{server_url}/join/")
        assert grace.members.join(made.out.strip()).role == "expert"
    (link,) = json.loads(owner("task", "links", "list", "mine", "--json").out)
    assert link["uses"] == 1
    assert owner("task", "links", "delete", "mine", link["id"]).status == 0
    assert "no join links" in owner("task", "links", "list", "mine").err

    changed = owner("task", "members", "change", "mine", "grace", "--role", "owner")
    assert changed.out.strip() == "grace is owner of mine."
    assert "grace" in owner("task", "members", "list", "mine").out
    assert owner("task", "members", "remove", "mine", "grace").status == 0
    assert "grace" not in owner("task", "members", "list", "mine").out
    added = owner("task", "members", "add", "mine", "grace")
    assert added.out.strip() == "grace is annotator of mine."
    wrong = owner("task", "members", "add", "mine", "grace", "--role", "emperor")
    assert (wrong.status, "role" in wrong.err) == (1, True)
