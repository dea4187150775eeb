"""The word lists in `data`, each read once; their sources and licences are in `SOURCES.md`."""

from collections.abc import Mapping
from functools import cache
from importlib import resources

_PACKAGE = "dynabench.science.perturbations"


def lines(name: str) -> list[str]:
    """Return a list's lines without its comments."""
    text = (resources.files(_PACKAGE) / "data" / name).read_text(encoding="utf-8")
    return [line for line in text.splitlines() if line and not line.startswith("#")]


def rows(name: str) -> list[list[str]]:
    """Return a list's lines, each cut at its tabs."""
    return [line.split("\t") for line in lines(name)]


@cache
def words(name: str) -> frozenset[str]:
    """Return a list of words, several a line."""
    return frozenset(word for line in lines(name) for word in line.split())


@cache
def choices(name: str) -> Mapping[str, tuple[str, ...]]:
    """Return what each word or letter of a list may become, several of them after spaces."""
    return {key: tuple(others.split()) for key, others in rows(name)}


@cache
def letters(name: str) -> Mapping[str, str]:
    """Return what each letter of a list may become, written one after the other."""
    return {row[0]: row[1] for row in rows(name)}
