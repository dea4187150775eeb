from hypothesis import given
from hypothesis import strategies as st

from dynabench.people.rules import digest_of, new_secret, username_key
from dynabench.people.values import TOKEN_PREFIX


@given(st.text())
def test_a_name_has_one_key_in_any_case_of_letters(name: str) -> None:
    assert username_key(name.upper().lower()) == username_key(username_key(name.upper().lower()))
    assert "\x00" not in username_key(name)


def test_a_name_with_characters_that_cannot_be_stored_is_nobodys() -> None:
    assert username_key("ada\x00") == "ada\ufffd"
    assert username_key("ada\ud800") == "ada?"
    assert username_key("Ada") == username_key("aDA")


def test_secrets_are_long_and_never_the_same() -> None:
    secrets = {new_secret(TOKEN_PREFIX) for _ in range(200)}
    assert len(secrets) == 200
    assert all(secret.startswith("dyb_") and len(secret) >= 40 for secret in secrets)


@given(st.text(), st.text())
def test_only_the_same_secret_has_the_same_digest(one: str, other: str) -> None:
    assert (digest_of(one) == digest_of(other)) == (one == other)
    assert len(digest_of(one)) == 32


def test_a_secret_with_a_broken_character_has_a_digest_like_any_other() -> None:
    assert digest_of("\ud800") != digest_of("?")
