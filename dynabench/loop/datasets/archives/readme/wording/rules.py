"""Words, numbers and tables in Markdown, in which nothing of an owner's becomes markup."""

import re
from collections.abc import Mapping, Sequence

from dynabench.kit.wire import Values
from dynabench.loop.datasets.archives.making.values import Subject
from dynabench.loop.datasets.archives.rules import SPLIT_NAMES, slug_of
from dynabench.loop.datasets.values import DatasetOrigin

OPEN_END = "–"
_PERCENT = 100
_MARKUP = re.compile(r"([\\`*_{}\[\]<>#|~])")
_ADDRESSES = {
    "cc0-1.0": "https://creativecommons.org/publicdomain/zero/1.0/",
    "cc-by-4.0": "https://creativecommons.org/licenses/by/4.0/",
    "cc-by-sa-4.0": "https://creativecommons.org/licenses/by-sa/4.0/",
    "cc-by-nc-4.0": "https://creativecommons.org/licenses/by-nc/4.0/",
    "cc-by-nc-sa-4.0": "https://creativecommons.org/licenses/by-nc-sa/4.0/",
    "cc-by-nd-4.0": "https://creativecommons.org/licenses/by-nd/4.0/",
    "cc-by-nc-nd-4.0": "https://creativecommons.org/licenses/by-nc-nd/4.0/",
    "apache-2.0": "https://www.apache.org/licenses/LICENSE-2.0",
    "mit": "https://opensource.org/license/mit",
    "odc-by": "https://opendatacommons.org/licenses/by/1-0/",
    "odbl": "https://opendatacommons.org/licenses/odbl/1-0/",
}


def known_licence(licence: str) -> str | None:
    """Return a licence's name as lists of licences have it; None for terms of one's own.

    Example:
        >>> known_licence("CC BY 4.0"), known_licence("Ask us")
        ('cc-by-4.0', None)
    """
    name = "-".join(licence.casefold().split())
    name = "cc0-1.0" if name == "cc0" else name
    return name if name in _ADDRESSES else None


def licence_url(licence: str) -> str:
    """Return where a licence can be read, or its words where nobody knows."""
    name = known_licence(licence)
    return licence if name is None else _ADDRESSES[name]


def plain(value: object) -> str:
    r"""Return a text of somebody's on one line, none of it markup.

    Example:
        >>> print(plain("a|b <i>c"))
        a\|b \<i\>c
    """
    return _MARKUP.sub(r"\\\1", " ".join(str(value).split()))


def quoted(text: str) -> str:
    """Return somebody's Markdown as a quotation, which no heading of it leaves, without HTML."""
    lines = text.replace("<", "&lt;").splitlines()
    return "\n".join(f"> {line}".rstrip() for line in lines)


def count(value: object) -> str:
    """Return a number as people write it; a dash where there is none."""
    if isinstance(value, bool) or value is None:
        return OPEN_END
    if isinstance(value, int):
        return f"{value:,}"
    return f"{value:.2f}" if isinstance(value, float) else plain(value)


def percent(value: object) -> str:
    """Return a share in per cent; a dash where there is none."""
    is_number = isinstance(value, int | float) and not isinstance(value, bool)
    return f"{float(value) * _PERCENT:.1f} %" if is_number else OPEN_END  # type: ignore[arg-type]


def mapping(value: object) -> Values:
    """Return a part of a card that has parts itself; nothing where there is none."""
    return value if isinstance(value, dict) else {}


def rate(found: object) -> tuple[str, str, str]:
    """Return a rate, what it is of, and its interval."""
    if not isinstance(found, Mapping):
        return OPEN_END, OPEN_END, OPEN_END
    part, whole = found.get("part"), found.get("whole")
    of = f"{count(part)} of {count(whole)}" if whole else OPEN_END
    low, high = found.get("low"), found.get("high")
    is_known = low is not None and high is not None
    interval = f"{percent(low)} to {percent(high)}" if is_known else OPEN_END
    return percent(found.get("value")), of, interval


def table(head: Sequence[str], rows: Sequence[Sequence[object]]) -> str:
    """Return a table; what is a number stands on the right."""
    numbers = [
        bool(rows) and all(str(row[at])[:1].isdigit() or row[at] == OPEN_END for row in rows)
        for at in range(len(head))
    ]
    rule = ["---:" if is_number else "---" for is_number in numbers]
    return "\n".join(f"| {' | '.join(map(str, row))} |" for row in (head, rule, *rows))


def summary(subject: Subject) -> str:
    """Return what a version is, in a paragraph."""
    version = subject.version
    number = version.card.get("round_number")
    if version.origin is DatasetOrigin.RELEASE:
        told = (
            f"Examples that people wrote in {'a round' if number is None else f'round {number}'} "
            f"of the task “{subject.task_title}” to make models fail, and that others judged."
        )
    elif version.origin is DatasetOrigin.PERTURBATION:
        told = f"Variants of a dataset of the task “{subject.task_title}”."
    else:
        told = f"A dataset that was brought to the task “{subject.task_title}”."
    parts = [told, f"{version.items:,} items.", withheld_sentence(subject)]
    return " ".join(part for part in parts if part)


def withheld_sentence(subject: Subject) -> str:
    """Return which right answers are missing, or since when they no longer are."""
    opened = subject.version.test_opened_at
    names = " and ".join(SPLIT_NAMES[split] for split in subject.withheld)
    if names:
        return f"The right answers of {names} are withheld: its gold columns are empty."
    if opened is None:
        return ""
    return (
        f"The right answers of test were given out on {opened.date().isoformat()}; scores of "
        "models made after that day are less trustworthy."
    )


def citation(subject: Subject) -> str:
    """Return an entry for a bibliography."""
    version = subject.version
    key = f"{slug_of(subject.task_slug)}-{slug_of(version.name)}-v{version.version}"
    title = subject.title.replace("{", "(").replace("}", ")").replace("\\", "/")
    return (
        f"@misc{{{key},\n"
        f"  title = {{{' '.join(title.split())}}},\n"
        f"  year = {{{version.created_at.year}}},\n"
        "  howpublished = {Dynabench},\n"
        f"  note = {{sha256:{version.digest}}}\n"
        "}"
    )
