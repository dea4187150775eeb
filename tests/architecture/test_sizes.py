import ast
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parents[2]
PYTHON_FILE_LINES = 400
FUNCTION_LINES = 50
TYPESCRIPT_FILE_LINES = 250
# A revision is generated once, read seldom and never changed again.
REVISIONS = ROOT / "dynabench" / "migrations" / "versions"


def python_files() -> Iterator[Path]:
    for folder in ("dynabench", "tests"):
        for path in (ROOT / folder).rglob("*.py"):
            if not path.is_relative_to(REVISIONS):
                yield path


def typescript_files() -> Iterator[Path]:
    for pattern in ("*.ts", "*.tsx"):
        for path in (ROOT / "frontend" / "src").rglob(pattern):
            if not path.stem.endswith(".gen"):
                yield path


def lines_of(path: Path) -> int:
    return len(path.read_text().splitlines())


def test_no_python_file_is_longer_than_one_can_keep_in_mind() -> None:
    too_long = {
        str(path.relative_to(ROOT)): lines
        for path in python_files()
        if (lines := lines_of(path)) > PYTHON_FILE_LINES
    }

    assert too_long == {}


def test_no_typescript_file_is_longer_than_one_can_keep_in_mind() -> None:
    too_long = {
        str(path.relative_to(ROOT)): lines
        for path in typescript_files()
        if (lines := lines_of(path)) > TYPESCRIPT_FILE_LINES
    }

    assert too_long == {}


def test_no_function_is_longer_than_a_page() -> None:
    too_long = {
        f"{path.relative_to(ROOT)}:{node.name}": lines
        for path in python_files()
        for node in ast.walk(ast.parse(path.read_text()))
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
        if node.end_lineno is not None
        if (lines := node.end_lineno - node.lineno + 1) > FUNCTION_LINES
    }

    assert too_long == {}
