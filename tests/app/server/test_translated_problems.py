"""What the page says of the server in another language: codes that exist, facts that are sent."""

import ast
import json
import re
import string
from collections.abc import Iterator
from pathlib import Path

import pytest

import dynabench
import dynabench.app.server.factory
from dynabench.app.server.problems import all_errors

_ROOT = Path(dynabench.__file__).parent
_TRANSLATIONS = sorted(_ROOT.parent.glob("frontend/src/lib/i18n/*/problems.json"))
_TOLD = sorted(_ROOT.parent.glob("frontend/src/lib/i18n/*/told.json"))
_PLACE = re.compile(r"\{\{(\w+)\}\}")
_PLURAL = re.compile(r"_(zero|one|two|few|many|other)$")


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
    assert _TOLD


def _phrases() -> Iterator[tuple[str, set[str]]]:
    """Read from the sources every sentence that can be told: its code, and what it names."""
    for path in _ROOT.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and getattr(node.func, "id", None) == "Phrase":
                said = [ast.literal_eval(one) for one in (*node.args, *_values(node))]
                names = {name for text in said[1:] for name in _named(text)}
                yield said[0], names


def _values(node: ast.Call) -> list[ast.expr]:
    return [keyword.value for keyword in node.keywords]


def _named(text: str) -> set[str]:
    return {name for _, name, _, _ in string.Formatter().parse(text) if name is not None}


def test_no_two_sentences_have_one_code() -> None:
    codes = [code for code, _ in _phrases()]
    assert len(codes) == len(set(codes))
    assert not {code for code in codes if _PLURAL.search(code)}


@pytest.mark.parametrize("path", _TOLD, ids=lambda path: path.parent.name)
def test_every_sentence_that_can_be_told_is_translated_with_what_it_names(path: Path) -> None:
    known = dict(_phrases())
    translated = json.loads(path.read_text(encoding="utf-8"))
    bases = {code if code in known else _PLURAL.sub("", code) for code in translated}
    assert bases == set(known)
    for code, sentence in translated.items():
        named = known[code if code in known else _PLURAL.sub("", code)]
        assert set(_PLACE.findall(sentence)) == named, code
