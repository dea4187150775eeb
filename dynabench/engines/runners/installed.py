"""Whether this machine has the packages that a kind of model runs with."""

from importlib.util import find_spec

from dynabench.engines.inference.protocol import TargetKind
from dynabench.engines.runners.errors import RunnerNotInstalledError

_NEEDED: dict[TargetKind, tuple[str, tuple[str, ...]]] = {
    "onnx": ("onnx", ("onnxruntime", "tokenizers")),
    "huggingface": ("huggingface", ("torch", "transformers")),
}


def require_runner(kind: TargetKind) -> None:
    """Refuse a kind of model that nothing here can run.

    Raises:
        RunnerNotInstalledError: With the extra that brings what is missing.
    """
    extra, packages = _NEEDED.get(kind, ("", ()))
    missing = tuple(package for package in packages if find_spec(package) is None)
    if missing:
        raise RunnerNotInstalledError(kind=kind, extra=extra, missing=missing)
