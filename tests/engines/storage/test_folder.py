import fcntl
import io
import os
import stat
import subprocess
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from dynabench.engines.storage.errors import BlobDamagedError
from dynabench.engines.storage.folder import FolderBlobStore
from dynabench.engines.storage.local_files import close_to_others, is_open_to_others
from dynabench.engines.storage.store import Digest


@pytest.fixture
def root(tmp_path: Path) -> Path:
    return tmp_path / "blobs"


def test_a_file_is_synced_before_it_gets_its_name(
    root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    steps: list[str] = []

    def noting(name: str, call: Callable[..., object]) -> Callable[..., object]:
        def noted(*args: object) -> object:
            steps.append(name)
            return call(*args)

        return noted

    store = FolderBlobStore(root)
    store.put(b"first")
    again = root / "sha256" / store.put(b"second")[:2]
    monkeypatch.setattr(os, "fsync", noting("sync", os.fsync))
    monkeypatch.setattr(Path, "replace", noting("rename", Path.replace))
    assert again.is_dir()

    store.put(b"third")

    assert steps.index("sync") < steps.index("rename") < len(steps) - 1
    assert steps[steps.index("rename") + 1 :] == ["sync"]


def test_a_read_that_breaks_off_leaves_nothing(root: Path) -> None:
    class Broken(io.BytesIO):
        def read(self, size: int | None = -1) -> bytes:
            del size
            raise OSError("the line went dead")

    with pytest.raises(OSError, match="the line went dead"):
        FolderBlobStore(root).put_stream(Broken())

    assert [path for path in root.rglob("*") if path.is_file()] == []


def test_a_damaged_file_is_never_returned(root: Path) -> None:
    store = FolderBlobStore(root)
    digest = store.put(b"content")
    stored = root / "sha256" / digest[:2] / digest[2:]
    stored.chmod(0o644)
    stored.write_bytes(b"c0ntent")

    with pytest.raises(BlobDamagedError, match="Restore it from a backup"):
        store.get(digest)


def test_changing_a_laid_out_folder_does_not_reach_what_is_stored(
    root: Path, tmp_path: Path
) -> None:
    store = FolderBlobStore(root)
    folder = tmp_path / "model"
    folder.mkdir()
    (folder / "model.py").write_text("original")
    found = store.folder(store.put_folder(folder))
    (found / "model.py").chmod(0o644)
    (found / "model.py").write_text("changed")

    assert store.get(store.put(b"original")) == b"original"


def test_many_at_once_may_put_and_ask_for_the_same_folder(root: Path, tmp_path: Path) -> None:
    store = FolderBlobStore(root)
    folder = tmp_path / "model"
    folder.mkdir()
    for number in range(20):
        (folder / f"{number}.bin").write_bytes(bytes([number]) * 1000)

    def put_and_find(_: int) -> tuple[Digest, list[str]]:
        digest = store.put_folder(folder)
        return digest, sorted(path.name for path in store.folder(digest).iterdir())

    with ThreadPoolExecutor(8) as threads:
        answers = list(threads.map(put_and_find, range(8)))

    assert all(answer == answers[0] for answer in answers)
    assert len(answers[0][1]) == 20
    assert list((root / "unfinished").iterdir()) == []


def test_what_a_killed_process_left_is_removed_and_what_is_written_is_not(root: Path) -> None:
    store = FolderBlobStore(root)
    store.put(b"first")
    unfinished = root / "unfinished"
    left, held, fresh, folder = (unfinished / name for name in ("left", "held", "fresh", "folder"))
    for path in (left, held, fresh):
        path.write_bytes(b"half")
    folder.mkdir()
    long_ago = time.time() - 100_000
    for path in (left, held, folder):
        os.utime(path, (long_ago, long_ago))

    with held.open("rb") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        store.put(b"second")

    assert sorted(path.name for path in unfinished.iterdir()) == ["fresh", "held"]


@pytest.fixture
def reached_root(tmp_path: Path) -> Path:
    """A folder of a store to which other accounts find their way."""
    for folder in (tmp_path, *tmp_path.parents):
        if folder.owner() == tmp_path.owner():
            folder.chmod(folder.stat().st_mode | 0o011)
    return tmp_path / "blobs"


def test_no_other_account_reads_what_is_stored_or_laid_out(
    reached_root: Path, tmp_path: Path
) -> None:
    store = FolderBlobStore(reached_root)
    folder = tmp_path / "model"
    folder.mkdir()
    (folder / "model.py").write_text("mine")
    before = os.umask(0o022)
    try:
        laid_out = store.folder(store.put_folder(folder))
    finally:
        os.umask(before)

    assert not is_open_to_others(reached_root)
    for path in (reached_root / "sha256").rglob("*"):
        assert path.stat().st_mode & 0o077 == 0, path
    assert not is_read_by_another(laid_out / "model.py")


def test_a_folder_of_an_earlier_version_is_closed_and_one_of_a_group_stays(
    reached_root: Path,
) -> None:
    close_to_others(reached_root)
    reached_root.mkdir()
    (reached_root / "stored").write_text("mine")
    reached_root.chmod(0o755)
    (reached_root / "stored").chmod(0o444)
    assert is_read_by_another(reached_root / "stored")

    close_to_others(reached_root)

    assert stat.S_IMODE(reached_root.stat().st_mode) == 0o700
    assert not is_read_by_another(reached_root / "stored")
    reached_root.chmod(0o750)
    close_to_others(reached_root)
    assert stat.S_IMODE(reached_root.stat().st_mode) == 0o750


def is_read_by_another(file: Path) -> bool:
    """Tell whether another account reads a file; only root can try it."""
    if os.geteuid() != 0:
        return all(path.stat().st_mode & 0o005 for path in (file, file.parent))
    nobody = 65534
    command = ["/bin/cat", str(file)]
    # What it runs is written above.
    done = subprocess.run(  # noqa: S603
        command, user=nobody, group=nobody, extra_groups=[], check=False, capture_output=True
    )
    return done.returncode == 0
