"""From an empty server to exported votes, by the command line and the client alone."""

import asyncio
import json
import stat
from functools import partial
from pathlib import Path

import pytest

from dynabench import AsyncDynabenchClient, DynabenchClient
from dynabench.app.cli.credentials import credentials_file, load_credentials
from dynabench.loop.examples.errors import DuplicateExampleError
from dynabench.loop.examples.schemas import ExampleRead
from dynabench.loop.validations.errors import OwnExampleError
from tests.app.cli.conftest import CONFIG, Command

PASSWORD = "correct horse battery"


def _open_round(owner: Command, tmp_path: Path) -> None:
    config = tmp_path / "nli.yaml"
    config.write_text(CONFIG, encoding="utf-8")
    contexts = tmp_path / "contexts.jsonl"
    contexts.write_text(
        "".join(
            json.dumps({"context": {"premise": f"The {word} is open."}, "tag": "a"}) + "\n"
            for word in ("door", "shop", "road")
        ),
        encoding="utf-8",
    )
    for words in (
        ("task", "create", "nli", config, "--activate"),
        ("contexts", "upload", "nli", contexts),
        ("round", "open", "nli", "--target", "http://127.0.0.1:9/v2/models/mine", "--quorum", 2),
    ):
        done = owner(*words)
        assert done.status == 0, (words, done.err)


def _person(url: str, name: str) -> DynabenchClient:
    client = DynabenchClient("", base_url=url)
    client.account.sign_up(name, PASSWORD)
    return client


def _write(url: str, name: str, *, hypothesis: str) -> ExampleRead:
    with _person(url, name) as client:
        current = client.rounds.current("nli")
        assert current is not None
        lent = client.rounds.next_context(current.round.id)
        return client.examples.submit(
            current.round.id,
            context_id=lent.context.id,
            inputs={"hypothesis": hypothesis},
            answer={"label": "neutral"},
        )


def test_a_config_is_pulled_pushed_and_activated(owner: Command, tmp_path: Path) -> None:
    config = tmp_path / "nli.yaml"
    config.write_text(CONFIG, encoding="utf-8")
    owner("task", "create", "nli", config, "--activate")
    pulled = tmp_path / "pulled.yaml"
    assert owner("task", "config", "pull", "nli", pulled).status == 0
    assert pulled.read_text(encoding="utf-8") == CONFIG
    again = owner("task", "config", "pull", "nli", pulled)
    assert (again.status, "--force" in again.err) == (1, True)
    pulled.write_text(CONFIG.replace("title: Inference", "title: Entailment"), encoding="utf-8")

    pushed = owner("task", "config", "push", "nli", pulled)
    assert "dynabench task config activate nli 2" in pushed.out
    assert owner("task", "config", "pull", "nli").out == CONFIG
    assert owner("task", "config", "pull", "nli", "-").out == CONFIG
    assert "Version 2" in owner("task", "config", "activate", "nli", 2).out
    listed = json.loads(owner("task", "config", "list", "nli", "--json").out)
    assert [(one["version"], one["is_active"]) for one in listed] == [(2, True), (1, False)]
    assert owner("task", "config", "pull", "nli", "--version", 1).out == CONFIG


def test_a_round_is_played_from_the_terminal(
    owner: Command, server_url: str, tmp_path: Path
) -> None:
    _open_round(owner, tmp_path)
    example = _write(server_url, "grace", hypothesis="It has been open since Tuesday.")
    for name in ("alan", "edsger"):
        with _person(server_url, name) as client:
            items = client.votes.next(example.round_id).items
            assert [item.example_id for item in items] == [example.id]
            client.votes.cast(example.id, vote="correct")

    shown = owner("round", "show", "nli")
    target = tmp_path / "round.jsonl"
    exported = owner("export", "nli/1", "-o", target)
    closed = owner("round", "close", "nli", "--yes")

    assert example.fooled is True
    assert "1 of 1" in shown.out
    assert exported.status == 0
    (line,) = target.read_text(encoding="utf-8").splitlines()
    assert "It has been open since Tuesday." in line
    assert closed.status == 0
    assert "closed" in owner("round", "list", "nli").out


def test_the_private_target_is_noticed_and_allowed(owner: Command, tmp_path: Path) -> None:
    _open_round(owner, tmp_path)

    (round_,) = json.loads(owner("round", "list", "nli", "--json").out)
    (model,) = json.loads(owner("model", "list", "nli", "--json").out)

    assert [target["name"] for target in round_["targets"]] == ["mine"]
    assert round_["validation"]["quorum"] == 2
    assert model["kind"] == "endpoint"


def test_a_round_is_not_opened_beside_another_one_and_leaves_nothing(
    owner: Command, tmp_path: Path
) -> None:
    _open_round(owner, tmp_path)
    words = ("round", "open", "nli", "--target", "http://127.0.0.1:9/v2/models/other")

    refused = owner(*words)
    models_then = json.loads(owner("model", "list", "nli", "--json").out)
    rounds_then = json.loads(owner("round", "list", "nli", "--json").out)
    opened = owner(*words, "--close-current")

    assert refused.status == 1
    assert "nli/1 is open" in refused.err
    assert "--close-current" in refused.err
    assert [model["name"] for model in models_then] == ["mine"]
    assert [round_["status"] for round_ in rounds_then] == ["open"]
    assert opened.status == 0, opened.err
    assert "Round nli/2 is open against other v1." in opened.out
    rounds_now = json.loads(owner("round", "list", "nli", "--json").out)
    assert [round_["status"] for round_ in rounds_now] == ["open", "closed"]


def test_a_draft_with_the_same_settings_is_opened_instead_of_another(
    owner: Command, tmp_path: Path
) -> None:
    _open_round(owner, tmp_path)
    words = ("round", "open", "nli", "--target", "mine")

    for _ in range(2):
        assert owner(*words, "--draft").status == 0
    done = owner(*words, "--close-current")

    assert "Round nli/2 is open" in done.out
    rounds_now = json.loads(owner("round", "list", "nli", "--json").out)
    assert [round_["number"] for round_ in rounds_now] == [2, 1]


def test_failures_reach_the_program_as_the_servers_classes(
    owner: Command, server_url: str, tmp_path: Path
) -> None:
    _open_round(owner, tmp_path)
    with _person(server_url, "grace") as client:
        current = client.rounds.current("nli")
        assert current is not None
        round_id = current.round.id
        submit = partial(
            client.examples.submit,
            round_id,
            context_id=client.rounds.next_context(round_id).context.id,
            inputs={"hypothesis": "Nobody is there at all."},
            answer={"label": "neutral"},
        )
        example = submit(idempotency_key="once")
        again = submit(idempotency_key="once")
        with pytest.raises(DuplicateExampleError) as caught:
            submit()
        with pytest.raises(OwnExampleError):
            client.votes.cast(example.id, vote="correct")

    assert again.id == example.id
    assert caught.value.facts["resembles"] == str(example.id)


def test_the_same_on_the_event_loop(owner: Command, server_url: str, tmp_path: Path) -> None:
    _open_round(owner, tmp_path)

    async def play() -> bool | None:
        async with AsyncDynabenchClient("", base_url=server_url) as client:
            await client.account.sign_up("grace", PASSWORD)
            current = await client.rounds.current("nli")
            assert current is not None
            lent = await client.rounds.next_context(current.round.id)
            example = await client.examples.submit(
                current.round.id,
                context_id=lent.context.id,
                inputs={"hypothesis": "There is a dog."},
                answer={"label": "entailment"},
            )
            mine = await client.examples.list_mine(current.round.id)
            assert [one.id for one in mine] == [example.id]
            return example.fooled

    assert asyncio.run(play()) is False


def test_a_login_keeps_a_token_that_only_its_owner_reads(owner: Command, server_url: str) -> None:
    file = credentials_file()

    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert load_credentials().servers[server_url].token.startswith("dyb_")
    assert "ada, an administrator" in owner("whoami").out

    assert owner("logout").status == 0
    signed_out = owner("whoami")
    assert signed_out.status == 1
    assert "dynabench login" in signed_out.err


def test_a_token_is_made_listed_and_revoked(owner: Command, server_url: str) -> None:
    secret = owner("token", "create", "script", "--scope", "read").out.strip()
    found = json.loads(owner("token", "list", "--json").out)
    (made,) = [token for token in found if token["name"] == "script"]

    with DynabenchClient(secret, base_url=server_url) as client:
        assert client.account.get().user is not None
    assert owner("token", "revoke", made["id"]).status == 0
    assert len(json.loads(owner("token", "list", "--json").out)) == len(found) - 1


def test_contexts_of_a_csv_file_are_added(owner: Command, tmp_path: Path) -> None:
    _open_round(owner, tmp_path)
    table = tmp_path / "more.csv"
    table.write_text('premise,tag,page\n"Rain, rain.",b,7\nSnow.,b,\n', encoding="utf-8")
    wrong = tmp_path / "wrong.csv"
    wrong.write_text("sentence\nRain.\n", encoding="utf-8")

    added = owner("contexts", "upload", "nli", table)
    refused = owner("contexts", "upload", "nli", wrong)

    assert added.status == 0, added.err
    assert "Added 2 contexts" in added.out
    assert refused.status == 1
    assert "Line 2: no column is a field of the task. They are: premise." in refused.err
    assert json.loads(owner("contexts", "tags", "nli", "--json").out) == [
        {"tag": "a", "contexts": 3},
        {"tag": "b", "contexts": 2},
    ]


def test_a_round_and_a_report_are_told_to_programs(owner: Command, tmp_path: Path) -> None:
    _open_round(owner, tmp_path)

    shown = json.loads(owner("round", "show", "nli", "--json").out)
    signed = json.loads(owner("report", "nli/mine").out)
    by_option = json.loads(owner("report", "mine", "--task", "nli").out)
    nameless = owner("report", "mine")

    assert shown["number"] == 1
    assert shown["error_rate"]["model_error_rate"]["whole"] == 0
    assert signed["content"]["model"]["name"] == "mine"
    assert by_option["content"]["model"] == signed["content"]["model"]
    assert "Write its id, or TASK/NAME" in nameless.err


def test_a_check_prints_an_object(command: Command, tmp_path: Path) -> None:
    config = tmp_path / "nli.yaml"
    config.write_text(CONFIG, encoding="utf-8")
    good = command("task", "check", config, "--json")
    config.write_text(CONFIG.replace("type: exact_match", "type: exact_mach"), encoding="utf-8")
    wrong = command("task", "check", config, "--json")

    assert json.loads(good.out) == {"problems": []}
    (problem,) = json.loads(wrong.out)["problems"]
    assert problem["line"] == 9
    assert wrong.status == 1


def test_wrong_lines_of_an_upload_are_told_and_nothing_is_stored(
    owner: Command, tmp_path: Path
) -> None:
    _open_round(owner, tmp_path)
    broken = tmp_path / "broken.jsonl"
    broken.write_text('{"context": {"premise": "Good."}}\n{"context": \n', encoding="utf-8")

    done = owner("contexts", "upload", "nli", broken)

    assert done.status == 1
    assert "Line 2" in done.err
    assert json.loads(owner("contexts", "tags", "nli", "--json").out) == [
        {"tag": "a", "contexts": 3}
    ]


def test_accounts_are_made_without_a_sign_in(owner: Command, server_url: str) -> None:
    password = owner("user", "create", "grace").out.strip()
    link = owner("user", "reset-password", "grace")
    made = owner("user", "make-admin", "grace")
    listed = json.loads(owner("user", "list", "--json").out)

    assert len(password) >= 10
    assert "/password-reset/" in link.out
    assert "an administrator" in made.out
    assert {user["username"]: user["is_admin"] for user in listed} == {"ada": True, "grace": True}
    assert owner("user", "disable", "grace").status == 0
    with DynabenchClient("", base_url=server_url) as client:
        assert client.account.get().user is None


def test_a_link_leads_to_the_server_that_was_started(owner: Command, tmp_path: Path) -> None:
    (tmp_path / "home").mkdir(exist_ok=True)
    (tmp_path / "home" / "address").write_text("http://127.0.0.1:8123\n", encoding="utf-8")

    link = owner("user", "reset-password", "ada")

    assert link.out.startswith("http://127.0.0.1:8123/")


def test_the_schema_is_shown_and_compared(owner: Command) -> None:
    assert owner("db", "current").status == 0
    assert owner("db", "upgrade").status == 0
    assert owner("db", "url").out.startswith("postgresql")


def test_what_is_derived_is_recomputed(owner: Command, server_url: str, tmp_path: Path) -> None:
    _open_round(owner, tmp_path)
    _write(server_url, "grace", hypothesis="It closes at noon.")

    done = owner("db", "verify")

    assert (done.status, done.err) == (0, "")
    assert "agrees" in done.out


def test_the_next_round_is_proposed_and_made_with_what_is_wanted_otherwise(
    owner: Command, tmp_path: Path
) -> None:
    _open_round(owner, tmp_path)

    shown = owner("round", "next", "nli")
    plan = json.loads(owner("round", "next", "nli", "--json").out)
    words = ("--target", "mine:1", "--tag", "a", "--budget-days", 3, "--control-no-model", 0.1)
    made = owner("round", "next", "nli", *words, "--create")

    assert shown.status == 0, shown.err
    assert "! Round 1 still collects." in shown.out
    assert "mine v1" in shown.out
    assert "at least 381 attempts" in shown.out
    assert "not known: nothing was collected yet" in shown.out
    assert plan["next_number"] == 2
    assert "Round nli/2 is a draft." in made.out, made.err
    draft = json.loads(owner("round", "list", "nli", "--json").out)[0]
    assert draft["budget"] == {"examples": None, "days": 3, "validated_fooling": None}
    assert (draft["context_tags"], draft["controls"]["no_model_share"]) == (["a"], 0.1)
    assert [target["name"] for target in draft["targets"]] == ["mine"]
    refused = owner("round", "next", "nli", "--control-earlier", 0.2, "--create")
    assert refused.status == 1
    assert "controls.model_id" in refused.err or "earlier target" in refused.err
