"""The files of the client's wheel: what the client and its commands import, and nothing else."""

import ast
import sys
from collections.abc import Iterator
from pathlib import Path

from hatchling.builders.config import BuilderConfig
from hatchling.builders.hooks.plugin.interface import BuildHookInterface

ROOT = Path(__file__).resolve().parents[2]
PACKAGE = ROOT / "dynabench"
# What `dynabench model init` writes.
TEMPLATES = "engines/runners/templates"
# Commands of the client ask for these only after they looked that the server is installed.
NEED_SERVER = frozenset({"dynabench.app.cli.model_trial", "dynabench.app.cli.moves"})


class ClientFilesHook(BuildHookInterface[BuilderConfig]):
    """Chooses the files of the wheel."""

    def initialize(self, version: str, build_data: dict[str, object]) -> None:
        """Name every file of the client."""
        del version
        build_data["force_include"] = {
            str(path): path.relative_to(ROOT).as_posix() for path in client_files()
        }


def client_files() -> list[Path]:
    """Return the files of the client, sorted: its modules, their packages, type information."""
    roots = [_name_of(path) for path in (PACKAGE / "client").rglob("*.py")]
    roots += [f"dynabench.app.cli.{module}" for module in ("main", *_chapters_of_the_client())]
    found: set[Path] = {PACKAGE / "__init__.pyi", *(PACKAGE / TEMPLATES).glob("*.*")}
    waiting = list(roots)
    seen: set[str] = set()
    while waiting:
        name = waiting.pop()
        path = _file_of(name)
        if name in seen or name in NEED_SERVER or path is None:
            continue
        seen.add(name)
        found.add(path)
        waiting += [name.rpartition(".")[0], *_imported_by(path)]
    return sorted(found)


def _chapters_of_the_client() -> Iterator[str]:
    sys.path.insert(0, str(ROOT))
    from dynabench.app.cli.chapters import CHAPTERS  # noqa: PLC0415 - the tree being packed

    for chapter in CHAPTERS:
        if not chapter.needs_server:
            yield chapter.module


def _imported_by(path: Path) -> Iterator[str]:
    for node in _walked(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            yield node.module
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


def _walked(node: ast.AST) -> Iterator[ast.AST]:
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.If) and ast.unparse(child.test) == "TYPE_CHECKING":
            continue
        yield child
        yield from _walked(child)


def _file_of(name: str) -> Path | None:
    if not name.startswith("dynabench"):
        return None
    place = ROOT.joinpath(*name.split("."))
    candidates = (place.with_suffix(".py"), place / "__init__.py")
    return next((path for path in candidates if path.is_file()), None)


def _name_of(path: Path) -> str:
    parts = path.relative_to(ROOT).with_suffix("").parts
    return ".".join(part for part in parts if part != "__init__")
