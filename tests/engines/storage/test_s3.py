import io
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import obstore
import pytest
from obstore.store import S3Store

from dynabench.engines.storage import opening
from dynabench.engines.storage.errors import BlobDamagedError, StorageUnreachableError
from dynabench.engines.storage.folder import FolderBlobStore
from dynabench.engines.storage.opening import open_store
from dynabench.engines.storage.s3 import S3BlobStore
from dynabench.engines.storage.store import BlobStore, Digest
from dynabench.kit.settings import BadSettingError

ABSENT = Digest("0" * 64)


@pytest.fixture
def store(bucket: str, tmp_path: Path) -> S3BlobStore:
    return S3BlobStore(bucket, cache=tmp_path / "cache", allow_http=True)


def in_bucket(bucket: str) -> S3Store:
    return S3Store.from_url(bucket, client_options={"allow_http": True})


def test_objects_lie_below_the_prefix_and_nothing_stays_on_its_way(
    store: S3BlobStore, bucket: str, tmp_path: Path
) -> None:
    digest = store.put_stream(io.BytesIO(b"x" * 12_000_000))

    found = [one["path"] for page in obstore.list(in_bucket(bucket)) for one in page]
    assert found == [f"sha256/{digest[:2]}/{digest[2:]}"]
    assert list((tmp_path / "cache" / "unfinished").iterdir()) == []


def test_a_damaged_object_is_never_returned(
    store: S3BlobStore, bucket: str, tmp_path: Path
) -> None:
    folder = tmp_path / "model"
    folder.mkdir()
    (folder / "model.py").write_text("original")
    digest = store.put_folder(folder)
    file = store.files_of(digest)["model.py"]
    obstore.put(in_bucket(bucket), f"sha256/{file[:2]}/{file[2:]}", b"changed.")

    for read in (lambda: store.get(file), lambda: store.folder(digest)):
        with pytest.raises(BlobDamagedError, match="Restore it from a backup"):
            read()
    assert list((tmp_path / "cache" / "unfinished").iterdir()) == []


def test_two_machines_share_a_bucket(store: S3BlobStore, bucket: str, tmp_path: Path) -> None:
    other = S3BlobStore(bucket, cache=tmp_path / "other", allow_http=True)
    folder = tmp_path / "model"
    folder.mkdir()
    (folder / "model.py").write_text("def load(): ...")

    digest = store.put_folder(folder)

    with ThreadPoolExecutor(4) as threads:
        found = set(threads.map(lambda _: other.folder(digest), range(4)))
    assert found == {tmp_path / "other" / "folders" / digest}
    assert (found.pop() / "model.py").read_text() == "def load(): ..."


@pytest.mark.parametrize(
    "use",
    [
        lambda store: store.put(b"content"),
        lambda store: store.put_stream(io.BytesIO(b"content")),
        lambda store: store.get(ABSENT),
        lambda store: store.open(ABSENT),
        lambda store: store.exists(ABSENT),
        lambda store: store.delete(ABSENT),
    ],
)
def test_a_service_that_does_not_answer_is_named_without_its_keys(
    use: Callable[[BlobStore], object],
    bucket: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("AWS_ENDPOINT_URL", "http://127.0.0.1:9")
    monkeypatch.setattr("dynabench.engines.storage.s3._RETRIES", 0)
    store = S3BlobStore(bucket, cache=tmp_path, allow_http=True)

    with pytest.raises(StorageUnreachableError, match=r"AWS_… variables") as caught:
        use(store)

    assert "test-secret" not in str(caught.value)


def test_a_bucket_that_is_not_there_is_no_missing_file(bucket: str, tmp_path: Path) -> None:
    del bucket
    store = S3BlobStore("s3://never-made", cache=tmp_path, allow_http=True)

    with pytest.raises(StorageUnreachableError):
        store.put(b"content")


def test_an_operator_chooses_the_store(
    bucket: str, moto_endpoint: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    environment = {"AWS_ENDPOINT_URL": moto_endpoint}

    assert isinstance(open_store(None, folder=tmp_path, environment={}), FolderBlobStore)
    chosen = open_store(bucket, folder=tmp_path, environment=environment)
    assert isinstance(chosen, S3BlobStore)
    assert chosen.get(chosen.put(b"content")) == b"content"
    encrypted = open_store(bucket, folder=tmp_path, environment={})
    with pytest.raises(StorageUnreachableError):
        encrypted.put(b"content")
    monkeypatch.setattr(opening, "find_spec", lambda _: None)
    with pytest.raises(BadSettingError, match=r"DYNABENCH_BLOBS_URL cannot be used: .*extra s3"):
        open_store(bucket, folder=tmp_path, environment={})
