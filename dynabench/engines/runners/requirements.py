"""What a handler's `requirements.txt` asks for, compared with what is installed here."""

from importlib.metadata import PackageNotFoundError, version

from packaging.markers import UndefinedComparison, UndefinedEnvironmentName
from packaging.requirements import InvalidRequirement, Requirement

_TOLD_AT_MOST = 5


def missing_requirements(text: str) -> str | None:
    r"""Say which packages a handler needs and this machine lacks; None where it has them all.

    Nothing is ever installed for a model: it would run code of strangers outside the sandbox.

    Example:
        >>> missing_requirements("# nothing but what is here\npip") is None
        True
    """
    problems = []
    for number, raw in enumerate(text.splitlines(), start=1):
        line = raw.split(" #", 1)[0].strip()
        if line and not line.startswith("#"):
            problem = _problem(line)
            if problem is not None:
                problems.append(f"Line {number}: {problem}")
    return " ".join(problems[:_TOLD_AT_MOST]) or None


def _problem(line: str) -> str | None:
    try:
        needed = Requirement(line)
    except (InvalidRequirement, RecursionError):
        return f"{line[:80]!r} is no requirement such as numpy>=2; options and addresses are not."
    if needed.url is not None:
        return f"{needed.name} is asked for by an address. Name it with a version instead."
    try:
        if needed.marker is None or needed.marker.evaluate():
            return _lack(needed)
    except (UndefinedComparison, UndefinedEnvironmentName):
        return f"{str(needed.marker)[:80]!r} is no condition that can be answered here."
    return None


def _lack(needed: Requirement) -> str | None:
    try:
        found = version(needed.name)
    except PackageNotFoundError:
        return (
            f"{needed.name} is not installed where models run. Do without it, put its files into "
            "the folder, hand in a container, or ask the operator."
        )
    if not needed.specifier.contains(found, prereleases=True):
        return f"{needed.name}{needed.specifier} is needed, and {found} is installed."
    return None
