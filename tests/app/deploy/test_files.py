"""The files for deployment name commands, settings and paths that are there.

No container is built here; that takes a container tool and the network.
"""

import configparser
import re
import shutil
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml
from typer.main import get_command

from dynabench.app.cli.main import assemble
from dynabench.kit.settings import PREFIX, Settings
from dynabench.migrations.start import _OLDEST_SERVER

ROOT = Path(__file__).resolve().parents[3]
DEPLOY = ROOT / "packaging" / "deploy"
UNITS = sorted(DEPLOY.glob("*.service"))
PROCESSES = {"up", "server", "worker"}


def is_command(words: list[str]) -> bool:
    """Tell whether `dynabench` with these words is a command."""
    command: Any = get_command(assemble([]))
    for word in words:
        command = getattr(command, "commands", {}).get(word)
        if command is None:
            return False
    return not hasattr(command, "commands")


def settings_in(text: str) -> set[str]:
    return set(re.findall(rf"{PREFIX}[A-Z_]*[A-Z]", text))


def test_every_setting_that_is_named_is_one() -> None:
    known = {PREFIX + name.upper() for name in Settings.model_fields}
    named = {file.name: settings_in(file.read_text()) - known for file in DEPLOY.iterdir()}

    assert {name: unknown for name, unknown in named.items() if unknown} == {}
    assert settings_in((DEPLOY / "compose.yaml").read_text())


def unit(path: Path) -> configparser.ConfigParser:
    parser = configparser.ConfigParser(strict=False, interpolation=None)
    parser.optionxform = str  # type: ignore[assignment, method-assign] # as documented
    parser.read_string(path.read_text())
    return parser


@pytest.mark.parametrize("path", UNITS, ids=lambda path: path.stem)
def test_a_unit_starts_a_command_as_another_account_than_root(path: Path) -> None:
    service = unit(path)["Service"]
    program, *words = service["ExecStart"].split()

    assert Path(program).name == "dynabench"
    assert is_command(words)
    assert service["User"] == "dynabench"
    assert service["EnvironmentFile"] == "/etc/dynabench/dynabench.env"


def test_there_is_a_unit_for_every_kind_of_process() -> None:
    started = {unit(path)["Service"]["ExecStart"].split()[1] for path in UNITS}

    assert started == PROCESSES


@pytest.mark.skipif(shutil.which("systemd-analyze") is None, reason="systemd is not installed")
def test_systemd_understands_the_units(tmp_path: Path) -> None:
    program = str(Path(sys.executable).with_name("dynabench"))
    for path in UNITS:
        text = path.read_text().replace("/opt/dynabench/bin/dynabench", program)
        # Older ones do not know it, and say so.
        (tmp_path / path.name).write_text(text.replace("DelegateSubgroup=server\n", ""))

    done = subprocess.run(  # noqa: S603 - systemd's own program
        ["systemd-analyze", "verify", *sorted(tmp_path.iterdir())],  # noqa: S607
        capture_output=True,
        text=True,
        check=False,
    )

    complaints = [line for line in done.stderr.splitlines() if str(tmp_path) in line]
    complaints += [line for line in done.stderr.splitlines() if line.startswith("dynabench")]
    assert (done.returncode, complaints) == (0, []), done.stderr


def instructions() -> Iterator[tuple[str, str]]:
    """Give the instructions of the Containerfile, each on one line."""
    lines = [
        line
        for line in (DEPLOY / "Containerfile").read_text().splitlines()
        if not line.startswith("#")
    ]
    for line in re.sub(r"\\\n\s*", " ", "\n".join(lines)).splitlines():
        if line.strip():
            word, _, rest = line.strip().partition(" ")
            yield word, rest


def test_the_image_installs_the_wheel_and_runs_as_another_account_than_root() -> None:
    given = list(instructions())
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    wheel = project["name"].replace("-", "_")
    words = dict(given)

    assert words["COPY"] == f"dist/{wheel}-*.whl /tmp/"
    (extras,) = re.findall(r'"\$wheel\[([\w,-]+)\]"', " ".join(rest for _, rest in given))
    assert set(extras.split(",")) <= set(project["optional-dependencies"])
    assert words["USER"] == "dynabench"
    assert [word for word, _ in given].index("USER") < [word for word, _ in given].index("CMD")
    assert f"useradd --system --uid 10001 --create-home {words['USER']}" in words["RUN"] or any(
        word == "RUN" and "useradd" in rest for word, rest in given
    )
    command = yaml.safe_load(words["CMD"])
    assert command[0] == "dynabench"
    assert is_command(command[1:])
    port = Settings.model_fields["port"].default
    assert f"http://127.0.0.1:{port}/readyz" in words["HEALTHCHECK"]
    version = re.fullmatch(r"docker\.io/library/python:(3\.\d+)-.*", words["FROM"])
    assert version is not None
    assert project["requires-python"] == ">=3.11"
    assert version[1] in {"3.11", "3.12", "3.13"}


def test_compose_runs_commands_on_a_database_that_is_supported() -> None:
    compose = yaml.safe_load((DEPLOY / "compose.yaml").read_text())
    services = compose["services"]

    assert set(services) == {"database", "schema", "server", "worker"}
    for name in ("schema", "server", "worker"):
        program, *words = services[name]["command"]
        assert program == "dynabench"
        assert is_command(words)
        assert (DEPLOY / services[name]["build"]["context"]).resolve() == ROOT
        assert (ROOT / services[name]["build"]["dockerfile"]).is_file()
        waited = services[name]["depends_on"]
        assert set(waited) <= set(services)
        volumes = [one.split(":")[0] for one in services[name]["volumes"]]
        assert set(volumes) <= set(compose["volumes"])
    major = int(services["database"]["image"].rpartition(":")[2])
    assert major * 10_000 >= _OLDEST_SERVER
    (published,) = services["server"]["ports"]
    assert published.startswith("127.0.0.1:")
