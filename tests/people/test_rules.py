import pytest
from hypothesis import given
from hypothesis import strategies as st

from dynabench.people.rules import (
    digest_of,
    is_reserved,
    new_secret,
    plain_name,
    username_key,
    why_not_shown,
)
from dynabench.people.values import TOKEN_PREFIX


@pytest.mark.parametrize(
    "name",
    ["me", "ME", "admin", "Admin.", "ad-min", "a_d_m_i_n", "аdmin", "ＡＤＭＩＮ", "àdmin",
     "r00t", "System", "dynabench", "Support ", "οperator"],
)  # fmt: skip
def test_names_that_could_be_the_platform_s_own_are_kept_back(name: str) -> None:
    assert is_reserved(name)


@pytest.mark.parametrize("name", ["", "ada", "Mela", "Adminah", "rooted", "Руслан", "山田", "meme"])
def test_people_s_names_are_theirs(name: str) -> None:
    assert not is_reserved(name)


def test_the_operator_gives_any_name_but_the_one_that_is_a_path() -> None:
    assert not is_reserved("admin", by_operator=True)
    assert is_reserved("Me", by_operator=True)


@pytest.mark.parametrize(
    "name",
    ["\u200b", "Ada\u200b", "\u202eadA", "\u3164", "\u2800", "Ada\u00adL", "a\u200db", "\ufeffAda",
     "\u2066Ada", "Z" + "\u0301" * 9, "\u0301", "\ue000", "\u115f"],
)  # fmt: skip
def test_a_name_that_does_not_show_is_refused(name: str) -> None:
    assert why_not_shown(plain_name(name)) is not None


@pytest.mark.parametrize(
    "name",
    [
        "",
        "Ada Lovelace",
        "José",
        "Jose\u0301",
        "नेहा",
        "می\u200cخواهم",
        "ක\u200d්\u200dර",
        "山田 太郎",
        "O'Neill-Ray",
        "Ada 🦊",
        "ב׳",
        "D'Arcy (she)",
    ],
)
def test_names_of_all_scripts_are_shown(name: str) -> None:
    assert why_not_shown(plain_name(name)) is None


@given(st.text(max_size=40))
def test_a_plain_name_stays_as_it_is(name: str) -> None:
    assert plain_name(plain_name(name)) == plain_name(name)


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
