"""Unpacking archives: what is good comes out, and no trick leaves the folder or fills the disk."""

import contextlib
import gzip
import io
import os
import random
import resource
import stat
import struct
import tarfile
import zipfile
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dynabench.engines.sandbox.archives import ArchiveLimits, unpack_archive
from dynabench.engines.sandbox.entries import Entries, EntryKind
from dynabench.engines.sandbox.errors import ArchiveError

SMALL = ArchiveLimits(max_bytes=4 * 2**20, max_files=50, max_ratio=100, ratio_from_bytes=2**20)


def zipped(
    path: Path, files: Mapping[str, bytes], *, links: Mapping[str, str] | None = None
) -> Path:
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files.items():
            archive.writestr(name, content)
        for name, target in (links or {}).items():
            info = zipfile.ZipInfo(name)
            info.create_system = 3
            info.external_attr = (stat.S_IFLNK | 0o777) << 16
            archive.writestr(info, target)
    return path


def tarred(path: Path, entries: list[tuple[tarfile.TarInfo, bytes]]) -> Path:
    with tarfile.open(path, "w:gz") as archive:
        for info, content in entries:
            info.size = len(content) if info.isreg() else 0
            archive.addfile(info, io.BytesIO(content))
    return path


def entry(name: str, kind: bytes = tarfile.REGTYPE, target: str = "") -> tarfile.TarInfo:
    info = tarfile.TarInfo(name)
    info.type = kind
    info.linkname = target
    return info


def everything_below(folder: Path) -> dict[str, bytes]:
    return {
        str(path.relative_to(folder)): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }


FILES = {"model.py": b"def predict(batch): ...", "weights/deep/w.bin": os.urandom(70_000)}


@pytest.mark.parametrize("kind", ["zip", "tar"])
def test_a_good_archive_comes_out_whole_and_readable_by_everyone(tmp_path: Path, kind: str) -> None:
    if kind == "zip":
        source = zipped(tmp_path / "a", {**FILES, "empty/": b""})
    else:
        folders = [(entry("./", tarfile.DIRTYPE), b""), (entry("empty", tarfile.DIRTYPE), b"")]
        files = [(entry(f"./{name}"), content) for name, content in FILES.items()]
        source = tarred(tmp_path / "a", [*folders, *files])
    before = os.umask(0o077)
    try:
        unpacked = unpack_archive(source, tmp_path / "into")
    finally:
        os.umask(before)
    assert everything_below(tmp_path / "into") == FILES
    assert unpacked.files == 2
    assert unpacked.total_bytes == sum(map(len, FILES.values()))
    modes = {path.is_dir(): path.stat().st_mode & 0o777 for path in (tmp_path / "into").rglob("*")}
    assert modes == {True: 0o755, False: 0o644}


BAD_NAMES = {
    "../escape.py": "leaves the folder",
    "a/../../escape.py": "leaves the folder",
    "/etc/cron.d/escape": "absolute",
    "..\\escape.py": "character",
    "C:escape.py": "character",
    "a\u202ecod.yp": "cannot be seen",
    "x" * 300: "too long",
    "/".join("a" * 40): "too deep",
}


@pytest.mark.parametrize("kind", ["zip", "tar"])
@pytest.mark.parametrize("name", BAD_NAMES)
def test_a_name_that_leads_elsewhere_is_refused(tmp_path: Path, kind: str, name: str) -> None:
    if kind == "zip":
        source = zipped(tmp_path / "a", {name: b"x"})
    else:
        source = tarred(tmp_path / "a", [(entry(name), b"x")])
    folder = tmp_path / "deep" / "into"
    folder.parent.mkdir()
    with pytest.raises(ArchiveError, match=BAD_NAMES[name]):
        unpack_archive(source, folder)
    assert everything_below(tmp_path / "deep") == {}
    assert not list(tmp_path.rglob("escape*"))


@pytest.mark.parametrize(
    "kind",
    [tarfile.SYMTYPE, tarfile.LNKTYPE, tarfile.CHRTYPE, tarfile.BLKTYPE, tarfile.FIFOTYPE],
)
def test_links_and_devices_are_refused(tmp_path: Path, kind: bytes) -> None:
    secret = tmp_path / "secret"
    secret.write_text("gold", encoding="utf-8")
    source = tarred(
        tmp_path / "a", [(entry("weights", kind, str(secret)), b""), (entry("weights/x"), b"y")]
    )
    with pytest.raises(ArchiveError, match="link or a device"):
        unpack_archive(source, tmp_path / "into")
    assert everything_below(tmp_path / "into") == {}
    # The control: plain unpacking follows the trick.
    if kind == tarfile.SYMTYPE:
        with tarfile.open(source) as archive:
            archive.extract("weights", tmp_path / "naive", filter="fully_trusted")
        assert (tmp_path / "naive" / "weights").read_text(encoding="utf-8") == "gold"


def test_a_link_in_a_zip_is_refused(tmp_path: Path) -> None:
    source = zipped(tmp_path / "a", {"model.py": b"x"}, links={"gold": "/etc/passwd"})
    with pytest.raises(ArchiveError, match="'gold' is a link"):
        unpack_archive(source, tmp_path / "into")


@pytest.mark.parametrize(
    ("first", "second"),
    [("a.py", "a.py"), ("a.py", "A.py"), ("\u00e9", "e\u0301"), ("a", "a/b"), ("a/b", "a")],
)
@pytest.mark.filterwarnings("ignore:Duplicate name")
def test_two_entries_that_mean_one_place_are_refused(
    tmp_path: Path, first: str, second: str
) -> None:
    with zipfile.ZipFile(tmp_path / "a", "w") as archive:
        archive.writestr(first, b"checked")
        archive.writestr(second, b"used")
    with pytest.raises(ArchiveError, match=r"is there twice|lies below a file"):
        unpack_archive(tmp_path / "a", tmp_path / "into")


@pytest.mark.parametrize("kind", ["zip", "tar"])
@pytest.mark.parametrize(
    ("content", "told"),
    [(bytes(3 * 2**20), "times its size"), (os.urandom(5 * 2**20), "more than 4 MiB")],
    ids=["ratio", "size"],
)
def test_a_bomb_is_stopped_while_it_unpacks(
    tmp_path: Path, kind: str, content: bytes, told: str
) -> None:
    source = tmp_path / "a"
    if kind == "zip":
        zipped(source, {"a": content})
    else:
        tarred(source, [(entry("a"), content)])
    with pytest.raises(ArchiveError, match=told):
        unpack_archive(source, tmp_path / "into", limits=SMALL)
    written = sum(map(len, everything_below(tmp_path / "into").values()))
    assert written <= SMALL.max_bytes


@pytest.mark.parametrize("kind", ["zip", "tar"])
def test_very_many_files_are_refused(tmp_path: Path, kind: str) -> None:
    names = [f"f{n}" for n in range(60)]
    if kind == "zip":
        zipped(tmp_path / "a", dict.fromkeys(names, b""))
    else:
        tarred(tmp_path / "a", [(entry(name), b"") for name in names])
    with pytest.raises(ArchiveError, match="more than 50 files"):
        unpack_archive(tmp_path / "a", tmp_path / "into", limits=SMALL)


def test_what_a_zip_says_of_its_sizes_is_not_believed(tmp_path: Path) -> None:
    source = zipped(tmp_path / "a", {"a": bytes(3 * 2**20)})
    packed = bytearray(source.read_bytes())
    for signature, place in ((b"PK\x03\x04", 22), (b"PK\x01\x02", 24)):
        start = packed.find(signature)
        packed[start + place : start + place + 4] = struct.pack("<I", 10)
    source.write_bytes(packed)
    with pytest.raises(ArchiveError):
        unpack_archive(source, tmp_path / "into", limits=SMALL)
    assert sum(map(len, everything_below(tmp_path / "into").values())) <= 10


def test_a_header_that_asks_for_the_whole_memory_is_refused(tmp_path: Path) -> None:
    info = entry("huge", tarfile.XHDTYPE)
    info.size = 2**40
    header = info.tobuf(tarfile.GNU_FORMAT)
    with gzip.open(tmp_path / "a", "wb") as file:
        file.write(header + bytes(4096))
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    with pytest.raises(ArchiveError, match="header that is far too large"):
        unpack_archive(tmp_path / "a", tmp_path / "into")
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 50_000


def test_a_directory_that_would_fill_the_memory_is_not_read(tmp_path: Path) -> None:
    end = struct.pack("<4s4H2IH", b"PK\x05\x06", 0, 0, 0xFFFF, 0xFFFF, 2**31, 0, 0)
    (tmp_path / "a").write_bytes(b"PK\x03\x04" + bytes(100) + end)
    with pytest.raises(ArchiveError, match="more than 10,000 files"):
        unpack_archive(tmp_path / "a", tmp_path / "into")


@pytest.mark.parametrize("locator", [bytes(20), b"PK\x06\x07" + bytes(16)], ids=["no", "a"])
def test_a_larger_record_counts_only_with_its_locator(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, locator: bytes
) -> None:
    """Without one the library reads what the smaller record says, however much that is."""

    def refuse(*_: object) -> None:
        pytest.fail("The directory was read.")

    monkeypatch.setattr(zipfile, "ZipFile", refuse)
    told = (1, 46) if not any(locator) else (2**40, 2**44)
    larger = struct.pack("<4sQ2H2I4Q", b"PK\x06\x06", 44, 45, 45, 0, 0, 1, *told, 0)
    end = struct.pack("<4s4H2IH", b"PK\x05\x06", 0, 0, 0xFFFF, 0xFFFF, 2**31, 0, 0)
    (tmp_path / "a").write_bytes(b"PK\x03\x04" + bytes(100) + larger + locator + end)

    with pytest.raises(ArchiveError, match="more than 10,000 files"):
        unpack_archive(tmp_path / "a", tmp_path / "into")


def test_what_is_no_archive_is_told_so(tmp_path: Path) -> None:
    for content in (b"", b"MZ", b"<html>", b"BZh91AY"):
        (tmp_path / "a").write_bytes(content)
        with pytest.raises(ArchiveError, match="neither a zip nor a tar"):
            unpack_archive(tmp_path / "a", tmp_path / "into")
    zipped(tmp_path / "a", {})
    with pytest.raises(ArchiveError, match="no file"):
        unpack_archive(tmp_path / "a", tmp_path / "into")


def _zip(path: Path) -> Path:
    return zipped(path, FILES)


def _tar(path: Path) -> Path:
    return tarred(path, [(entry(name), content) for name, content in FILES.items()])


@pytest.mark.parametrize("make", [_zip, _tar])
def test_a_damaged_archive_is_refused_in_words_or_unpacked_within_its_limits(
    tmp_path: Path, make: Callable[[Path], Path]
) -> None:
    whole = make(tmp_path / "a").read_bytes()
    draw = random.Random(7)
    for number in range(150):
        damaged = bytearray(whole)
        # Half of the blows fall on the parts that say where everything is.
        places = [*range(60), *range(-150, 0), *draw.choices(range(len(damaged)), k=210)]
        for place in draw.choices(places, k=draw.randint(1, 6)):
            damaged[place] ^= draw.randint(1, 255)
        if number % 5 == 0:
            del damaged[draw.randrange(len(damaged)) :]
        (tmp_path / "b").write_bytes(damaged)
        into = tmp_path / f"into{number}"
        with contextlib.suppress(ArchiveError):
            unpack_archive(tmp_path / "b", into, limits=SMALL)
    assert {path.name.rstrip("0123456789") for path in tmp_path.iterdir()} <= {"a", "b", "into"}


@given(st.lists(st.text(max_size=12), max_size=12))
def test_whatever_the_names_none_leaves_and_none_is_taken_twice(names: list[str]) -> None:
    entries, taken = Entries(max_files=100), []
    for name in names:
        with contextlib.suppress(ArchiveError):
            taken.append(entries.add(name, EntryKind.FILE))
    assert len(set(taken)) == len(taken)
    for path in taken:
        assert path
        assert not {"", ".", ".."} & set(path)
        assert not any("/" in part or "\0" in part for part in path)
