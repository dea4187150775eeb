"""Models that are named by their id on a hub: fetched once, outside the sandbox, and then kept."""

import os
import re
import shutil
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path

import httpx2

from dynabench.engines.runners.errors import (
    HubUnavailableError,
    RunnerNotInstalledError,
    UnusableModelError,
)
from dynabench.engines.runners.weights import weights_problem

_ID = re.compile(r"[A-Za-z0-9][\w.-]*/[A-Za-z0-9][\w.-]*", re.ASCII)
_REVISION = re.compile(r"[A-Za-z0-9][\w./-]{0,199}", re.ASCII)
# Numbers, settings and word lists; nothing that can be run.
_FETCHED = (".safetensors", ".json", ".txt", ".model", ".jinja")
_PACKAGE = "huggingface_hub"
_MIB = 1024 * 1024


def fetch_from_hub(hub_id: str, *, into: Path, max_bytes: int, revision: str | None = None) -> str:
    """Fetch a public model's files into an empty folder and return the commit they are of.

    The hub is the one of `HF_ENDPOINT`, else the library's own. No token of this machine is
    ever sent: whoever submits an id must not read what only the operator may.

    Raises:
        UnusableModelError: If there is no such public model, its weights could hold code, or
            it is too large.
        HubUnavailableError: If the hub does not answer.
        RunnerNotInstalledError: If the library that asks hubs is not installed.
    """
    if _ID.fullmatch(hub_id) is None:
        raise UnusableModelError({"hub": "It is no hub id; write it like organisation/name."})
    if revision is not None and (_REVISION.fullmatch(revision) is None or ".." in revision):
        raise UnusableModelError({"revision": "It is neither a branch, a tag nor a commit."})
    if find_spec(_PACKAGE) is None:
        raise RunnerNotInstalledError(kind="huggingface", extra="huggingface", missing=(_PACKAGE,))
    try:
        commit, names = _look(hub_id, revision, max_bytes)
        _download(hub_id, commit, names, into)
    except _failures() as error:
        raise _told(error, hub_id) from error
    return commit


def _failures() -> tuple[type[Exception], ...]:
    """Return how the library's HTTP client fails: versions of it ask by one of two clients."""
    older = import_module("httpx") if find_spec("httpx") is not None else httpx2
    error: type[Exception] = older.HTTPError
    return (httpx2.HTTPError, error, OSError, ValueError)


def _endpoint() -> str | None:
    return os.environ.get("HF_ENDPOINT") or None


def _look(hub_id: str, revision: str | None, max_bytes: int) -> tuple[str, list[str]]:
    """Return the commit, and which of its files are worth fetching."""
    # Only who fetches a model pays for this library, and it need not be installed.
    from huggingface_hub import HfApi  # noqa: PLC0415

    info = HfApi(endpoint=_endpoint(), token=False).model_info(
        hub_id, revision=revision, files_metadata=True, timeout=30.0
    )
    # Folders hold other forms of the same weights.
    sizes = {
        one.rfilename: one.size or 0 for one in info.siblings or [] if "/" not in one.rfilename
    }
    names = [name for name in sizes if name.endswith(_FETCHED)]
    problem = weights_problem(names)
    if problem is not None:
        raise UnusableModelError({"hub": weights_problem(list(sizes)) or problem})
    if info.sha is None:
        raise UnusableModelError({"hub": f"{hub_id} has no commit on the hub."})
    total = sum(sizes[name] for name in names)
    if total > max_bytes:
        raise UnusableModelError(
            {
                "hub": f"{hub_id} has {total // _MIB:,} MiB; at most {max_bytes // _MIB:,} MiB "
                "can be handed in."
            }
        )
    return info.sha, names


def _download(hub_id: str, commit: str, names: list[str], into: Path) -> None:
    # As above.
    from huggingface_hub import hf_hub_download  # noqa: PLC0415
    from huggingface_hub.utils.tqdm import disable_progress_bars  # noqa: PLC0415 - as above

    disable_progress_bars()
    for name in names:
        hf_hub_download(
            hub_id, name, revision=commit, local_dir=into, endpoint=_endpoint(), token=False
        )
    # The library's own notes about the download.
    shutil.rmtree(into / ".cache", ignore_errors=True)


def _told(error: Exception, hub_id: str) -> UnusableModelError | HubUnavailableError:
    """Tell a model that is not there from a hub that is not."""
    # As above.
    from huggingface_hub.errors import (  # noqa: PLC0415
        GatedRepoError,
        HFValidationError,
        RepositoryNotFoundError,
        RevisionNotFoundError,
    )

    if isinstance(error, GatedRepoError):
        sentence = f"{hub_id} is open to some people only. Hand its folder in instead."
        return UnusableModelError({"hub": sentence})
    if isinstance(error, RevisionNotFoundError):
        return UnusableModelError({"revision": f"{hub_id} has no such revision."})
    if isinstance(error, RepositoryNotFoundError | HFValidationError):
        return UnusableModelError({"hub": f"The hub has no public model {hub_id}."})
    reason = f"{type(error).__name__}."
    return HubUnavailableError(hub_id=hub_id, reason=reason)
