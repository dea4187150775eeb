"""Where the data of a home is looked for, after its folders were opened or closed."""

import os
import stat
from collections.abc import Iterator
from pathlib import Path

import psycopg
import pytest

from dynabench.app.backups.unfinished import in_use
from dynabench.kit.embedded_postgres import folders
from dynabench.kit.embedded_postgres.embedded import EmbeddedPostgres
from dynabench.kit.embedded_postgres.errors import ClusterClosedError, TwoClustersError
from dynabench.kit.embedded_postgres.folders import (
    cluster_folder,
    has_cluster,
    inner_folder,
    make_home,
    outer_folder,
)
from tests.kit.test_embedded_postgres import count_rows, open_folder, write_row

__all__ = ["open_folder"]

as_root = pytest.mark.skipif(os.geteuid() != 0, reason="only root needs another account")


@pytest.fixture(autouse=True)
def _system_folder(open_folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(folders, "_SYSTEM_FOLDER", open_folder / "system")


@pytest.fixture
def home(open_folder: Path) -> Path:
    return open_folder / "home"


@pytest.fixture
def _closed_umask() -> Iterator[None]:
    before = os.umask(0o077)
    yield
    os.umask(before)


def with_row(home: Path) -> None:
    with EmbeddedPostgres(home, for_tests=True) as url:
        write_row(url)


@as_root
def test_a_home_that_was_closed_after_it_got_rows_is_refused_with_the_command_that_opens_it(
    home: Path,
) -> None:
    with_row(home)
    home.chmod(0o700)

    with pytest.raises(ClusterClosedError) as refused:
        EmbeddedPostgres(home, for_tests=True).start()

    assert str(inner_folder(home)) in refused.value.message
    assert f"chmod o+x {home}" in refused.value.message
    assert has_cluster(home)
    assert not outer_folder(home).exists()
    home.chmod(0o711)
    with EmbeddedPostgres(home, for_tests=True) as url:
        assert count_rows(url) == 1


@as_root
def test_a_home_that_was_opened_after_it_got_rows_keeps_them_where_they_are(home: Path) -> None:
    home.mkdir(mode=0o700)
    with_row(home)
    assert has_cluster(home)
    home.chmod(0o711)

    with EmbeddedPostgres(home, for_tests=True) as url:
        assert count_rows(url) == 1
    assert cluster_folder(home) == outer_folder(home)
    assert not inner_folder(home).exists()


@as_root
def test_data_in_two_places_is_refused_with_both(home: Path) -> None:
    home.mkdir(mode=0o700)
    with_row(home)
    outer_folder(home).rename(home / "kept")
    home.chmod(0o711)
    with EmbeddedPostgres(home, for_tests=True) as url, psycopg.connect(url) as connection:
        connection.execute("SELECT 1")
    (home / "kept").rename(outer_folder(home))

    with pytest.raises(TwoClustersError) as refused:
        EmbeddedPostgres(home, for_tests=True).start()

    for folder in (inner_folder(home), outer_folder(home)):
        assert str(folder) in refused.value.message
    assert "made on 2" in refused.value.message
    inner_folder(home).rename(home / "postgres.unused")
    with EmbeddedPostgres(home, for_tests=True) as url:
        assert count_rows(url) == 1


@pytest.mark.usefixtures("_closed_umask")
def test_whatever_the_umask_a_new_home_lets_the_database_s_account_pass(home: Path) -> None:
    with in_use(home):
        assert stat.S_IMODE(home.stat().st_mode) == 0o711

    home.chmod(0o700)
    make_home(home)
    assert stat.S_IMODE(home.stat().st_mode) == 0o700, "what is there stays as it is"


@as_root
@pytest.mark.usefixtures("_closed_umask")
def test_under_a_closed_umask_data_outside_of_a_closed_home_is_reached(home: Path) -> None:
    home.mkdir()

    with_row(home)

    assert cluster_folder(home) == outer_folder(home)
    with EmbeddedPostgres(home, for_tests=True) as url:
        assert count_rows(url) == 1
