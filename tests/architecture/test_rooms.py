import ast
import subprocess
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import TypeGuard

from dynabench.kit.db.metadata import metadata
from dynabench.migrations.tables import load_all_tables

ROOT = Path(__file__).parents[2]
PACKAGE = ROOT / "dynabench"
# Names under which anything could be found, and so nothing is.
VAGUE_NAMES = {"utils", "util", "helpers", "common", "core", "manager", "misc", "shared"}
# Domain packages, in the order in which they may know each other: later ones know earlier.
STORY = (
    *("people", "media", "tasks", "proposals", "models", "rounds", "contexts", "chats"),
    *("examples", "validations"),
    *("assignments", "datasets", "evaluations", "leaderboards", "training", "interchange"),
)


def modules() -> Iterator[Path]:
    yield from PACKAGE.rglob("*.py")


def test_every_import_goes_the_way_the_contracts_say() -> None:
    # In a process of its own: it closes every log handler of the process it runs in.
    linter = Path(sys.executable).with_name("lint-imports")

    done = subprocess.run(  # noqa: S603 - the environment's own program
        [linter, "--no-cache"], cwd=ROOT, capture_output=True, text=True, check=False
    )

    assert done.returncode == 0, done.stdout + done.stderr


def test_every_name_says_what_is_inside() -> None:
    vague = [
        str(path.relative_to(ROOT))
        for path in modules()
        if VAGUE_NAMES & {part.removesuffix(".py") for part in path.relative_to(ROOT).parts}
    ]

    assert vague == []


def test_below_the_root_an_init_holds_a_docstring_only() -> None:
    more = [
        str(path.relative_to(ROOT))
        for path in modules()
        if path.name == "__init__.py" and path.parent != PACKAGE
        if not is_docstring_only(ast.parse(path.read_text()))
    ]

    assert more == []


def is_docstring_only(module: ast.Module) -> bool:
    return len(module.body) == 1 and ast.get_docstring(module) is not None


def test_only_a_package_s_own_service_imports_its_repository() -> None:
    strangers = [
        f"{path.relative_to(ROOT)} imports {name}"
        for path in modules()
        for name in imported_modules(path)
        if name.startswith("dynabench.") and name.endswith(".repository")
        if not may_import_repository(path, PACKAGE.joinpath(*name.split(".")[1:-1]))
    ]

    assert strangers == []


def may_import_repository(path: Path, package: Path) -> bool:
    """Services, and their sub-packages' services and repositories, belong to the package."""
    if path == package / "service.py":
        return True
    return package in path.parents[1:] and path.name in {"service.py", "repository.py"}


@cache
def imported_modules(path: Path) -> frozenset[str]:
    found: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            found.update(alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module is not None:
            found |= {node.module, *(f"{node.module}.{alias.name}" for alias in node.names)}
    return frozenset(found)


def test_the_job_engine_is_imported_in_one_place() -> None:
    strangers = [
        str(path.relative_to(ROOT))
        for path in modules()
        if not path.is_relative_to(PACKAGE / "engines" / "jobs")
        if any(name.split(".")[0] == "dbos" for name in imported_modules(path))
    ]

    assert strangers == []


def table_homes() -> dict[str, str]:
    """Return the domain package that each table is defined in, by the table's name."""
    homes = {}
    for path in modules():
        if path.name != "tables.py":
            continue
        parts = path.relative_to(PACKAGE).parts
        home = parts[1] if parts[0] == "loop" else parts[0]
        for node in ast.walk(ast.parse(path.read_text())):
            if is_table(node):
                name = node.args[0]
                assert isinstance(name, ast.Constant)
                homes[str(name.value)] = home
    return homes


def is_table(node: ast.AST) -> TypeGuard[ast.Call]:
    return (
        isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "Table"
    )


def test_foreign_keys_point_the_way_imports_do() -> None:
    load_all_tables()
    homes = table_homes()
    rank = {home: number for number, home in enumerate(("engines", "kit", *STORY))}

    upwards = [
        f"{table.name} refers to {key.column.table.name}"
        for table in metadata.sorted_tables
        if table.name in homes
        for key in table.foreign_keys
        if rank[homes[key.column.table.name]] > rank[homes[table.name]]
    ]

    assert homes
    assert upwards == []
