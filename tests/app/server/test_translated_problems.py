"""What the page calls a failure in another language: codes that exist, facts that are sent."""

import ast
import json
import re
from pathlib import Path

import pytest

import dynabench
import dynabench.app.server.factory
from dynabench.app.server.problems import all_errors

_ROOT = Path(dynabench.__file__).parent
_TRANSLATIONS = sorted(_ROOT.parent.glob("frontend/src/lib/i18n/*/problems.json"))
_PLACE = re.compile(r"\{\{(\w+)\}\}")


def _facts_by_code() -> dict[str, set[str]]:
    """Read from the sources which facts each failure of ours is made with."""
    found: dict[str, set[str]] = {}
    for path in _ROOT.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.ClassDef) and (code := _code_of(node)) is not None:
                found[code] = _named_in_init(node)
    return found


def _code_of(node: ast.ClassDef) -> str | None:
    for statement in node.body:
        match statement:
            case ast.Assign(targets=[ast.Name(id="code")], value=ast.Constant(value=str(code))):
                return code
    return None


def _named_in_init(node: ast.ClassDef) -> set[str]:
    return {
        keyword.arg
        for call in ast.walk(node)
        if isinstance(call, ast.Call)
        and isinstance(call.func, ast.Attribute)
        and call.func.attr == "__init__"
        for keyword in call.keywords
        if keyword.arg is not None
    }


@pytest.mark.parametrize("path", _TRANSLATIONS, ids=lambda path: path.parent.name)
def test_a_translated_failure_exists_and_names_only_its_facts(path: Path) -> None:
    assert dynabench.app.server.factory.__name__
    known = all_errors()
    facts = _facts_by_code()
    for code, sentence in json.loads(path.read_text(encoding="utf-8")).items():
        assert code in known
        assert set(_PLACE.findall(sentence)) <= facts[code], code


def test_there_is_a_translation_to_check() -> None:
    assert _TRANSLATIONS
