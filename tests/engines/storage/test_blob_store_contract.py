import hashlib
import io
from collections.abc import Callable
from pathlib import Path

import pytest

from dynabench.engines.storage.errors import BlobNotFoundError, FolderRefusedError
from dynabench.engines.storage.folder import FolderBlobStore
from dynabench.engines.storage.s3 import S3BlobStore
from dynabench.engines.storage.store import BlobStore, Digest

NOWHERE = Digest("0" * 64)


@pytest.fixture(params=["folder", "s3"])
def store(request: pytest.FixtureRequest, tmp_path: Path) -> BlobStore:
    """Every kind of store there is; a new kind adds its name and is held to the same tests."""
    kinds: dict[str, Callable[[], BlobStore]] = {
        "folder": lambda: FolderBlobStore(tmp_path / "blobs"),
        "s3": lambda: S3BlobStore(
            request.getfixturevalue("bucket"), cache=tmp_path / "cache", allow_http=True
        ),
    }
    return kinds[request.param]()


class TestBlobStoreContract:
    def test_what_was_put_is_found_under_the_digest_of_its_content(self, store: BlobStore) -> None:
        digest = store.put(b"content")

        assert digest == hashlib.sha256(b"content").hexdigest()
        assert store.exists(digest)
        assert store.get(digest) == b"content"
        with store.open(digest) as file:
            assert file.read() == b"content"

    def test_putting_the_same_again_changes_nothing(self, store: BlobStore) -> None:
        assert store.put(b"content") == store.put(b"content")

    def test_an_empty_file_is_a_file(self, store: BlobStore) -> None:
        assert store.get(store.put(b"")) == b""

    def test_a_stream_is_kept_from_where_it_stands(self, store: BlobStore) -> None:
        stream = io.BytesIO(b"header" + b"x" * 3_000_000)
        stream.seek(6)

        assert store.get(store.put_stream(stream)) == b"x" * 3_000_000

    def test_everything_that_is_stored_is_listed_once(
        self, store: BlobStore, tmp_path: Path
    ) -> None:
        assert list(store.digests()) == []
        (tmp_path / "folder").mkdir()
        (tmp_path / "folder" / "a.txt").write_bytes(b"a")
        put = {store.put(b"content"), store.put(b"a"), store.put_folder(tmp_path / "folder")}
        store.delete(gone := store.put(b"gone"))

        assert sorted(store.digests()) == sorted(put)
        assert gone not in put

    def test_what_was_never_put_is_not_found(self, store: BlobStore) -> None:
        assert not store.exists(NOWHERE)
        for read in (store.get, store.open, store.folder):
            with pytest.raises(BlobNotFoundError):
                read(NOWHERE)

    @pytest.mark.parametrize("text", ["", "../../etc/passwd", "A" * 64, "0" * 63, "0" * 64 + "\n"])
    def test_what_is_no_digest_is_never_looked_up(self, store: BlobStore, text: str) -> None:
        with pytest.raises(ValueError, match="not a SHA-256 digest"):
            store.exists(Digest(text))

    def test_a_folder_comes_back_as_it_was(self, store: BlobStore, tmp_path: Path) -> None:
        folder = make_folder(tmp_path / "model")

        found = store.folder(store.put_folder(folder))

        assert (found / "model.py").read_text() == "def load(): ..."
        assert (found / "weights" / "first.bin").read_bytes() == bytes(1000)
        assert sorted(path.name for path in found.rglob("*")) == [
            *("first.bin", "model.py", "weights")
        ]

    def test_a_folder_s_digest_covers_names_and_contents(
        self, store: BlobStore, tmp_path: Path
    ) -> None:
        one, same, other = (make_folder(tmp_path / name) for name in ("one", "same", "other"))
        (other / "model.py").rename(other / "renamed.py")

        assert store.put_folder(one) == store.put_folder(same)
        assert store.put_folder(one) != store.put_folder(other)

    def test_a_folder_with_a_link_is_refused(self, store: BlobStore, tmp_path: Path) -> None:
        folder = make_folder(tmp_path / "model")
        (folder / "secrets").symlink_to("/etc")

        with pytest.raises(FolderRefusedError, match="secrets is a link"):
            store.put_folder(folder)

    def test_a_file_that_is_no_folder_is_not_laid_out(self, store: BlobStore) -> None:
        with pytest.raises(BlobNotFoundError):
            store.folder(store.put(b'{"format": "another"}'))

    @pytest.mark.parametrize(
        "files",
        ['{"a": "zz"}', '{"a": 1}', "3", f'{{"../a": "{NOWHERE}"}}', f'{{"/a": "{NOWHERE}"}}'],
    )
    def test_nor_is_one_that_only_begins_like_a_folder(self, store: BlobStore, files: str) -> None:
        data = f'{{"format": "dynabench-folder-1", "files": {files}}}'.encode()
        for one in (data, b"[" * 200_000, data + b" " * 30_000_000):
            with pytest.raises(BlobNotFoundError):
                store.files_of(store.put(one))

    def test_an_open_file_is_read_piece_by_piece(self, store: BlobStore) -> None:
        content = bytes(range(256)) * 20_000
        with store.open(store.put_stream(io.BytesIO(content))) as file:
            pieces = [file.read(1000), file.read(3_000_000), file.read()]
            file.seek(-10, io.SEEK_END)
            end = file.read()

        assert b"".join(pieces) == content
        assert end == content[-10:]

    def test_a_folder_asked_for_twice_is_the_same_one(
        self, store: BlobStore, tmp_path: Path
    ) -> None:
        digest = store.put_folder(make_folder(tmp_path / "model"))

        assert store.folder(digest).samefile(store.folder(digest))

    def test_a_folder_tells_its_files(self, store: BlobStore, tmp_path: Path) -> None:
        digest = store.put_folder(make_folder(tmp_path / "model"))

        files = store.files_of(digest)

        assert sorted(files) == ["model.py", "weights/first.bin"]
        assert store.get(files["model.py"]) == b"def load(): ..."
        with pytest.raises(BlobNotFoundError):
            store.files_of(files["model.py"])

    def test_what_was_deleted_is_gone_and_the_rest_stays(
        self, store: BlobStore, tmp_path: Path
    ) -> None:
        digest = store.put_folder(make_folder(tmp_path / "model"))
        laid_out, files = store.folder(digest), store.files_of(digest)

        store.delete(digest)
        store.delete(digest)

        assert not store.exists(digest)
        assert not laid_out.exists()
        assert store.exists(files["model.py"])
        with pytest.raises(BlobNotFoundError):
            store.folder(digest)


def make_folder(path: Path) -> Path:
    (path / "weights").mkdir(parents=True)
    (path / "model.py").write_text("def load(): ...")
    (path / "weights" / "first.bin").write_bytes(bytes(1000))
    return path
