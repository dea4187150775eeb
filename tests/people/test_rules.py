from datetime import UTC, datetime, timedelta

from hypothesis import given
from hypothesis import strategies as st

from dynabench.people.rules import digest_of, minutes_to_wait, new_secret, username_key
from dynabench.people.values import SIGN_IN_FAILURES_ALLOWED, SIGN_IN_WINDOW, TOKEN_PREFIX

NOW = datetime(2030, 1, 15, 12, tzinfo=UTC)
ages = st.lists(st.integers(0, 3600), max_size=40)


def _times(seconds_ago: list[int]) -> list[datetime]:
    return [NOW - timedelta(seconds=age) for age in seconds_ago]


@given(ages)
def test_an_attempt_is_allowed_exactly_while_fewer_than_ten_failed_in_the_window(
    seconds_ago: list[int],
) -> None:
    recent = [age for age in seconds_ago if age < SIGN_IN_WINDOW.total_seconds()]
    waits = minutes_to_wait(_times(seconds_ago), now=NOW)
    assert (waits is None) == (len(recent) < SIGN_IN_FAILURES_ALLOWED)


@given(ages)
def test_after_the_minutes_that_were_named_an_attempt_is_allowed(seconds_ago: list[int]) -> None:
    failures = _times(seconds_ago)
    minutes = minutes_to_wait(failures, now=NOW)
    if minutes is not None:
        assert 1 <= minutes <= 15
        assert minutes_to_wait(failures, now=NOW + timedelta(minutes=minutes)) is None


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
