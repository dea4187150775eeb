"""Opens the store that an operator chose."""

from collections.abc import Mapping
from importlib.util import find_spec
from pathlib import Path

from dynabench.engines.storage.folder import FolderBlobStore
from dynabench.engines.storage.store import BlobStore
from dynabench.kit.settings import PREFIX, BadSettingError

_VARIABLE = f"{PREFIX}BLOBS_URL"
_ENDPOINTS = ("AWS_ENDPOINT_URL", "AWS_ENDPOINT", "AWS_ENDPOINT_URL_S3")


def open_store(url: str | None, *, folder: Path, environment: Mapping[str, str]) -> BlobStore:
    """Return the store of a URL, or one in a folder where there is none.

    Args:
        url: `s3://bucket/prefix`, or None.
        folder: The folder of files; with a URL, of those that are on their way or laid out.
        environment: Of this process; an endpoint there that begins with `http://` is one that the
            operator wants to be spoken to so.

    Raises:
        BadSettingError: If the library for such stores is not installed, or the URL has no bucket.
    """
    if url is None:
        return FolderBlobStore(folder)
    if find_spec("obstore") is None:
        reason = "a bucket needs the extra s3; install dynabench-platform[server,s3]"
        raise BadSettingError(variable=_VARIABLE, reason=reason)
    # The library is an extra, and takes its time to load.
    from dynabench.engines.storage.s3 import S3BlobStore  # noqa: PLC0415

    endpoints = (environment.get(name, "") for name in _ENDPOINTS)
    allow_http = any(endpoint.startswith("http://") for endpoint in endpoints)
    return S3BlobStore(url, cache=folder, allow_http=allow_http)
