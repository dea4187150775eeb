"""A model's folder on its way to the server: packed as it is, without what nobody needs."""

import tempfile
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from dynabench.kit.errors import InvalidError
from dynabench.loop.models.values import ModelKind

_ARCHIVES = (".zip", ".tar.gz", ".tgz")
_ONNX = ".onnx"
# What makes a model of a lone .onnx file, where it lies beside it.
_BESIDE_ONNX = ("tokenizer.json", "config.json")
_LEFT_OUT = frozenset({"__pycache__", "__MACOSX", "node_modules"})
# Weights hardly get smaller, and packing them would take longer than sending them.
_LARGEST_SQUEEZED_BYTES = 4 << 20


def kind_of(path: Path) -> ModelKind:
    """Return what a path most likely holds: by its name, or by what a folder has in it.

    Example:
        >>> kind_of(Path("model.onnx")).value, kind_of(Path("model.zip")).value
        ('onnx', 'handler')
    """
    if path.suffix == _ONNX:
        return ModelKind.ONNX
    if path.is_dir() and not (path / "model.py").is_file():
        if (path / "model.onnx").is_file():
            return ModelKind.ONNX
        if (path / "config.json").is_file():
            return ModelKind.HUGGINGFACE
    return ModelKind.HANDLER


@contextmanager
def packed(path: Path) -> Iterator[Path]:
    """Give one file to send for a folder, an archive or an .onnx file.

    Hidden files and folders of compiled code are left out. A tokenizer beside a lone .onnx
    file goes with it.

    Raises:
        InvalidError: If there is nothing to send, or a link or a special file is among it.
    """
    if path.is_dir():
        files = list(_files(path, path))
        if not files:
            raise _refused(f"The folder {path} holds no files.")
    elif not path.is_file():
        raise _refused(f"There is no file or folder {path}.")
    elif path.suffix == _ONNX:
        beside = [path.parent / name for name in _BESIDE_ONNX]
        files = [("model.onnx", path), *((one.name, one) for one in beside if one.is_file())]
    elif path.name.endswith(_ARCHIVES):
        yield path
        return
    else:
        raise _refused(f"{path} is no folder, zip or tar.gz archive, or .onnx file.")
    with tempfile.TemporaryDirectory(prefix="dynabench-model-") as folder:
        archive = Path(folder) / "model.zip"
        with zipfile.ZipFile(archive, "w") as target:
            for name, file in files:
                target.write(file, name, compress_type=_way(file))
        yield archive


def _files(folder: Path, root: Path) -> Iterator[tuple[str, Path]]:
    for path in sorted(folder.iterdir()):
        name = path.relative_to(root).as_posix()
        if path.name.startswith(".") or path.name in _LEFT_OUT:
            continue
        if path.is_symlink() or not (path.is_dir() or path.is_file()):
            raise _refused(f"{name} is a link or a special file. Put the file itself there.")
        if path.is_dir():
            yield from _files(path, root)
        else:
            yield name, path


def _way(file: Path) -> int:
    is_small = file.stat().st_size <= _LARGEST_SQUEEZED_BYTES
    return zipfile.ZIP_DEFLATED if is_small else zipfile.ZIP_STORED


def _refused(sentence: str) -> InvalidError:
    return InvalidError(sentence, fields={"model_path": sentence})
