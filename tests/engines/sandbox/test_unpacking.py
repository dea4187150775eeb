"""Unpacking in a process of its own: forged directories, bombs and full disks stay there."""

import struct
import zipfile
from pathlib import Path

import psutil
import pytest

from dynabench.engines.sandbox.archives import ArchiveLimits
from dynabench.engines.sandbox.errors import ArchiveError
from dynabench.engines.sandbox.unpacking import unpack_apart

SMALL = ArchiveLimits(max_bytes=4 * 2**20, max_files=50, max_ratio=100, ratio_from_bytes=2**20)
_END_64 = struct.Struct("<4sQHHIIQQQQ")
_ENTRIES = 200_000


def forged(path: Path, *, entries: int, with_locator: bool) -> Path:
    """Write a directory of many entries, and before its end a larger record that tells of one."""
    record = b"PK\x01\x02" + bytes(42)
    directory = record * entries
    small = _END_64.pack(b"PK\x06\x06", 44, 45, 45, 0, 0, 1, 1, 46, 0)
    locator = struct.pack("<4sIQI", b"PK\x06\x07", 0, len(directory), 1)
    between = locator if with_locator else b"\0" * len(locator)
    end = struct.pack(
        "<4s4H2LH", b"PK\x05\x06", 0, 0, entries & 0xFFFF, entries & 0xFFFF, len(directory), 0, 0
    )
    path.write_bytes(b"PK\x03\x04" + directory + small + between + end)
    return path


@pytest.mark.parametrize("with_locator", [False, True], ids=["without", "with"])
def test_a_forged_record_does_not_get_a_huge_directory_read(
    tmp_path: Path, *, with_locator: bool
) -> None:
    archive = forged(tmp_path / "a.zip", entries=_ENTRIES, with_locator=with_locator)
    before = psutil.Process().memory_info().rss

    with pytest.raises(ArchiveError):
        unpack_apart(archive, tmp_path / "out")

    assert psutil.Process().memory_info().rss - before < 20 * 2**20
    assert not any((tmp_path / "out").glob("*"))


def test_a_directory_that_needs_more_memory_than_the_process_has_is_refused(
    tmp_path: Path,
) -> None:
    size = 600 * 2**20
    path = tmp_path / "a.zip"
    with path.open("wb") as file:
        file.write(b"PK\x03\x04")
        # The hole takes no room on the disk; reading it takes all of it in memory.
        file.seek(4 + size)
        file.write(struct.pack("<4s4H2LH", b"PK\x05\x06", 0, 0, 1, 1, size, 4, 0))

    with pytest.raises(ArchiveError, match="directory is too large"):
        unpack_apart(path, tmp_path / "out", limits=ArchiveLimits(max_files=size))


def test_a_good_archive_comes_out_whole(tmp_path: Path) -> None:
    with zipfile.ZipFile(tmp_path / "a.zip", "w") as archive:
        archive.writestr("model.py", "x = 1")
        archive.writestr("weights/a.bin", bytes(1000))

    unpacked = unpack_apart(tmp_path / "a.zip", tmp_path / "out")

    assert (unpacked.files, unpacked.total_bytes) == (2, 1005)
    assert (tmp_path / "out" / "model.py").read_text() == "x = 1"


def test_a_refusal_names_the_entry(tmp_path: Path) -> None:
    with zipfile.ZipFile(tmp_path / "a.zip", "w") as archive:
        archive.writestr("../out.py", "x = 1")

    with pytest.raises(ArchiveError) as refused:
        unpack_apart(tmp_path / "a.zip", tmp_path / "out")

    assert "out.py" in str(refused.value.facts["entry"])


def test_a_bomb_is_stopped(tmp_path: Path) -> None:
    with zipfile.ZipFile(tmp_path / "a.zip", "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("zeros", bytes(8 * 2**20))

    with pytest.raises(ArchiveError):
        unpack_apart(tmp_path / "a.zip", tmp_path / "out", limits=SMALL)


def test_a_folder_that_cannot_be_written_is_no_fault_of_the_archive(tmp_path: Path) -> None:
    with zipfile.ZipFile(tmp_path / "a.zip", "w") as archive:
        archive.writestr("model.py", "x = 1")
    (tmp_path / "file").write_text("in the way")

    with pytest.raises(OSError, match="directory"):
        unpack_apart(tmp_path / "a.zip", tmp_path / "file" / "out")
