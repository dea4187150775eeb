"""Leases that run out: nothing is handed out twice, and nothing that was written is lost."""

from typing import Any

from tests.stories.conftest import Browser, SignedIn
from tests.stories.test_the_loop import get, open_round, post, write

_ONE_VOTE = {"quorum": 1, "maximum": 1}


async def _lent(browser: Browser, round_id: str) -> list[str]:
    found = await get(browser, f"/rounds/{round_id}/next-to-validate")
    return [item["example_id"] for item in found["items"]]


async def test_an_example_that_one_validator_holds_is_handed_to_nobody_else(
    sign_in: SignedIn, clock: Any
) -> None:
    admin, ada = await sign_in("admin"), await sign_in("ada")
    ben, cleo, dan = await sign_in("ben"), await sign_in("cleo"), await sign_in("dan")
    round_id = (await open_round(admin, validation=_ONE_VOTE))["id"]
    example = await write(ada, round_id, says="entailment", means="neutral")
    assert await _lent(ben, round_id) == [example["id"]]
    assert await _lent(cleo, round_id) == []

    clock.advance(minutes=11)
    assert await _lent(cleo, round_id) == [example["id"]]
    # Ben's lease ran out and Cleo holds it now: it is lent to nobody a second time.
    assert await _lent(ben, round_id) == []
    assert await _lent(dan, round_id) == []


async def test_an_example_lent_on_takes_no_vote_of_who_held_it_too_long(
    sign_in: SignedIn, clock: Any
) -> None:
    admin, ada = await sign_in("admin"), await sign_in("ada")
    ben, cleo = await sign_in("ben"), await sign_in("cleo")
    round_id = (await open_round(admin, validation=_ONE_VOTE))["id"]
    example = await write(ada, round_id, says="entailment", means="neutral")
    path = f"/examples/{example['id']}/validations"
    await _lent(ben, round_id)
    clock.advance(minutes=11)
    await _lent(cleo, round_id)

    refused = await post(ben, path, {"vote": "incorrect"}, 409)
    await post(cleo, path, {"vote": "correct"})

    assert refused["code"] == "validations.not_lent"
    assert "Go on with the next one." in refused["detail"]
    outcome = await get(admin, f"/examples/{example['id']}/outcome")
    assert [vote["validator"] for vote in outcome["votes"]] == ["cleo"]
    assert outcome["verdict"] == "correct"


async def test_a_text_written_after_the_lease_is_kept(sign_in: SignedIn, clock: Any) -> None:
    admin, ada, ben = await sign_in("admin"), await sign_in("ada"), await sign_in("ben")
    round_id = (await open_round(admin, contexts=1))["id"]
    lent = await post(ada, f"/rounds/{round_id}/next-context", {}, 200)
    clock.advance(hours=2)
    await post(ben, f"/rounds/{round_id}/next-context", {}, 200)

    example = await post(
        ada,
        f"/rounds/{round_id}/examples",
        {
            "context_id": lent["context"]["id"],
            "inputs": {"hypothesis": "Written over a long lunch."},
            "answer": {"label": "neutral"},
        },
    )

    assert (await get(ada, f"/examples/{example['id']}"))["inputs"] == example["inputs"]


async def test_contexts_whose_leases_ran_out_come_first_again(
    sign_in: SignedIn, clock: Any
) -> None:
    admin, ada, ben = await sign_in("admin"), await sign_in("ada"), await sign_in("ben")
    round_id = (await open_round(admin, contexts=2))["id"]
    first = await post(ada, f"/rounds/{round_id}/next-context", {}, 200)
    other = await post(ben, f"/rounds/{round_id}/next-context", {}, 200)
    assert other["context"]["id"] != first["context"]["id"]

    clock.advance(minutes=31)
    await write(ben, round_id, says="entailment", means="neutral")
    cleo = await sign_in("cleo")
    third = await post(cleo, f"/rounds/{round_id}/next-context", {}, 200)

    used = (await get(ben, f"/rounds/{round_id}/examples/mine"))[0]["context_id"]
    assert third["context"]["id"] != used
