from datetime import timedelta
from pathlib import Path

import pytest

from dynabench.kit.settings import BadSettingError, LogLevel, Registration, Settings


def test_nothing_set_is_a_laptop_with_the_embedded_database() -> None:
    settings = Settings.from_environment({})

    assert settings.database_url is None
    assert settings.host == "127.0.0.1"
    assert settings.base_url == "http://127.0.0.1:8000"
    assert settings.who_may_register is Registration.OPEN
    assert settings.sign_up_note is None


def test_values_come_from_their_variables() -> None:
    settings = Settings.from_environment(
        {
            "DYNABENCH_HOME": "/srv/dynabench",
            "DYNABENCH_PORT": "9000",
            "DYNABENCH_REGISTRATION": "Invited",
            "DYNABENCH_LOG_LEVEL": "WARNING",
            "DYNABENCH_LOG_JSON": "true",
            "DYNABENCH_ALLOWED_TARGET_HOSTS": "models.lan, 10.0.0.7:9000,",
            "DYNABENCH_TARGET_API_KEYS": "OPENAI_API_KEY=API.openai.com, OTHER_KEY=chat.lan",
            "DYNABENCH_PUBLIC_URL": "https://bench.example/",
            "DYNABENCH_SESSION_DAYS": "",
            "DYNABENCH_REAL_DATA": "elsewhere",
        }
    )

    assert settings.blobs_folder == Path("/srv/dynabench/blobs")
    assert settings.port == 9000
    assert settings.who_may_register is Registration.INVITED
    assert settings.log_level is LogLevel.WARNING
    assert settings.log_json
    assert settings.allowed_target_hosts == ("models.lan", "10.0.0.7:9000")
    assert settings.target_api_keys == {
        "OPENAI_API_KEY": "api.openai.com",
        "OTHER_KEY": "chat.lan",
    }
    assert settings.base_url == "https://bench.example"
    assert settings.session_days == 30


@pytest.mark.parametrize(
    ("variable", "value", "reason"),
    [
        ("DYNABENCH_PORT", "http", "integer"),
        ("DYNABENCH_PORT", "70000", "65535"),
        ("DYNABENCH_REGISTRATION", "closed", "'open' or 'invited'"),
        ("DYNABENCH_DATABASE_URL", "sqlite:///x", "postgresql://"),
        ("DYNABENCH_PUBLIC_URL", "bench.example", "https://"),
        ("DYNABENCH_BLOBS_URL", "https://bucket.example", "s3://bucket"),
        ("DYNABENCH_BLOBS_URL", "s3://key:secret@bucket", "without keys"),
        ("DYNABENCH_TARGET_API_KEYS", "OPENAI_API_KEY", "VARIABLE=host"),
        ("DYNABENCH_TARGET_API_KEYS", "OPENAI_API_KEY=https://api.openai.com", "VARIABLE=host"),
        ("DYNABENCH_TARGET_API_KEYS", "key=api.openai.com", "VARIABLE=host"),
    ],
)
def test_a_value_that_cannot_be_used_is_refused_with_its_variable(
    variable: str, value: str, reason: str
) -> None:
    with pytest.raises(BadSettingError, match=f"{variable} cannot be used: .*{reason}"):
        Settings.from_environment({variable: value})


def test_an_address_of_version_6_is_put_in_brackets() -> None:
    assert Settings(host="::1").base_url == "http://[::1]:8000"


def test_the_installation_at_hand_is_meant_where_nothing_else_is_said(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    checkout, own = tmp_path / "checkout", tmp_path / "own"
    (checkout / "docs").mkdir(parents=True)
    monkeypatch.setattr("dynabench.kit.settings._CHECKOUT", checkout)
    monkeypatch.setenv("HOME", str(own))

    monkeypatch.chdir(checkout / "docs")
    before = Settings.from_environment({}).home
    (checkout / ".dynabench").mkdir()
    below = Settings.from_environment({}).home
    monkeypatch.chdir(checkout)
    inside = Settings.from_environment({}).home
    monkeypatch.chdir(tmp_path)
    outside = Settings.from_environment({}).home

    assert before == outside == own / ".dynabench"
    assert below == inside == checkout / ".dynabench"


@pytest.mark.parametrize(
    "beyond",
    [
        {"DYNABENCH_HOST": "0.0.0.0"},  # noqa: S104 - nothing listens
        {"DYNABENCH_HOST": "192.168.1.4"},
        {"DYNABENCH_PUBLIC_URL": "https://bench.example"},
    ],
)
def test_a_server_that_others_reach_lets_in_the_invited_unless_told_otherwise(
    beyond: dict[str, str],
) -> None:
    settings = Settings.from_environment(beyond)
    assert settings.who_may_register is Registration.INVITED
    assert settings.sign_up_note is not None
    assert "DYNABENCH_REGISTRATION=open" in settings.sign_up_note
    assert settings.validation_wait == timedelta(minutes=60)
    assert settings.same_address_window == timedelta(days=1)

    told = Settings.from_environment({**beyond, "DYNABENCH_REGISTRATION": "open"})
    assert told.who_may_register is Registration.OPEN
    assert told.sign_up_note is None


@pytest.mark.parametrize("host", ["127.0.0.1", "127.1.2.3", "::1", "localhost"])
def test_on_this_machine_alone_nobody_waits(host: str) -> None:
    settings = Settings.from_environment({"DYNABENCH_HOST": host})
    assert settings.who_may_register is Registration.OPEN
    assert not settings.validation_wait
    assert not settings.same_address_window


def test_an_operator_decides_how_long_new_accounts_wait() -> None:
    settings = Settings.from_environment(
        {
            "DYNABENCH_PUBLIC_URL": "https://bench.example",
            "DYNABENCH_VALIDATION_WAIT_MINUTES": "0",
            "DYNABENCH_SAME_ADDRESS_MINUTES": "5",
        }
    )
    assert not settings.validation_wait
    assert settings.same_address_window == timedelta(minutes=5)


@pytest.mark.parametrize("rest", ["u:SECRETPW@127.0.0.1:x/db", "u:SECRETPW@[bad/x", "h:0/db"])
def test_a_database_address_that_cannot_be_read_is_refused_without_its_password(
    rest: str,
) -> None:
    url = f"postgresql://{rest}"
    with pytest.raises(BadSettingError, match="host or port cannot be read") as refused:
        Settings.from_environment({"DYNABENCH_DATABASE_URL": url})
    assert "SECRETPW" not in str(refused.value)


@pytest.mark.parametrize(
    "url", ["postgresql:///db?host=/tmp", "postgresql://u:p@h/db", "postgresql://[::1]:5433/db"]
)
def test_a_database_address_may_be_a_socket_or_without_a_port(url: str) -> None:
    assert Settings(database_url=url).database_url == url
