"""A version's card in English, with the front matter by which programs load its files."""

import yaml

from dynabench.kit.wire import Values
from dynabench.loop.datasets.archives.columns.types.rules import in_words
from dynabench.loop.datasets.archives.making.rules import features
from dynabench.loop.datasets.archives.making.values import Subject
from dynabench.loop.datasets.archives.readme.media.rules import media_told
from dynabench.loop.datasets.archives.readme.statistics.rules import statistics
from dynabench.loop.datasets.archives.readme.wording.rules import (
    citation,
    count,
    known_licence,
    licence_url,
    mapping,
    plain,
    quoted,
    summary,
    table,
    withheld_sentence,
)
from dynabench.loop.datasets.archives.rules import SPLIT_NAMES
from dynabench.loop.datasets.rules import told_card

_LOAD = """\
```python
from datasets import load_dataset

data = load_dataset("path/to/this/folder")
```

Each part is there twice: as Parquet with one column for each field (`pandas.read_parquet`), and as
JSON lines with context, inputs and right answer apart (`pandas.read_json(…, lines=True)`). The
lines are canonical JSON (RFC 8785), sorted by `uid`. `croissant.json` describes the files to
programs, `card.json` holds every number of this page."""


def readme(subject: Subject) -> str:
    """Return the page."""
    version, card = subject.version, told_card(subject.version)
    sections = [
        _front_matter(subject),
        f"# {plain(subject.title)}",
        _warning(card),
        plain(summary(subject)),
        _about(subject, card),
        *statistics(card),
        _origin(card),
        _notes(card),
        _errata(card),
        _section("Columns", _columns(subject)),
        _section("Load it", _LOAD),
        _section("Pictures and sounds", media_told(subject)),
        _section("Right answers", withheld_sentence(subject)),
        _section("Licence", _licence(version.licence)),
        _section("Cite it", f"```bibtex\n{citation(subject)}\n```"),
        _canary(card),
        _section("What it is known by", _identity(subject, card)),
    ]
    return "\n\n".join(one for one in sections if one) + "\n"


def _front_matter(subject: Subject) -> str:
    version = subject.version
    known = known_licence(version.licence)
    values: Values = {
        "pretty_name": subject.title,
        "language": [subject.language],
        "license": known or "other",
        **({} if known else {"license_name": version.licence}),
        "tags": ["dynabench", subject.task_slug],
        "configs": [
            {
                "config_name": "default",
                "data_files": [
                    {"split": SPLIT_NAMES[split], "path": one.name}
                    for split, one in subject.tables.items()
                ],
            }
        ],
        "dataset_info": {"config_name": "default", "features": features(subject)},
    }
    return f"---\n{yaml.safe_dump(values, allow_unicode=True, sort_keys=False)}---"


def _section(title: str, text: str) -> str:
    return f"## {title}\n\n{text}" if text else ""


def _warning(card: Values) -> str:
    warning = card.get("content_warning")
    if not isinstance(warning, str) or not warning:
        return ""
    return f"> **Content warning.** {plain(warning)}"


def _about(subject: Subject, card: Values) -> str:
    told = [
        quoted(text)
        for text in (subject.task_description, card.get("description"))
        if isinstance(text, str) and text.strip()
    ]
    source = card.get("source")
    if isinstance(source, str) and source.strip():
        told.append(f"Source: {plain(source)}")
    return _section("What it is", "\n\n".join(told))


def _notes(card: Values) -> str:
    lists = [card.get(key) for key in ("missing", "notes")]
    notes = [note for one in lists if isinstance(one, list) for note in one]
    if not notes:
        return ""
    return _section("What to know", "\n".join(f"- {plain(one)}" for one in notes))


def _errata(card: Values) -> str:
    """Name the items of earlier releases whose right answer was found wrong."""
    errata = mapping(card.get("earlier_errata"))
    items = errata.get("items")
    if not isinstance(items, list) or not errata.get("wrong"):
        return ""
    rows = [
        (
            f"{plain(one.get('release'))} v{count(one.get('version'))}",
            plain(one.get("split")),
            f"`{plain(one.get('uid'))}`",
        )
        for one in map(mapping, items)
    ]
    told = (
        f"Experts looked at {count(errata.get('looked_at'))} answers of earlier releases that were "
        f"suspected, and found {count(errata.get('wrong'))} wrong. Those releases stay as they are."
    )
    if errata.get("withheld"):
        told += (
            f" Not named are {count(errata.get('withheld'))} whose answers were withheld when this "
            "release was made."
        )
    head = ["release", "split", "uid"]
    listed = f"\n\n{table(head, rows)}" if rows else ""
    return _section("Errata of earlier releases", told + listed)


def _origin(card: Values) -> str:
    """Tell where a round that was collected elsewhere comes from."""
    provenance = mapping(card.get("provenance"))
    names = {"title": "collection", "source": "source", "licence": "licence", "format": "format"}
    rows = [
        (names[key], plain(provenance[key])) for key in names if provenance.get(key) is not None
    ]
    told = "This round was collected elsewhere and replayed here, not written on this platform."
    return _section("Where it comes from", f"{told}\n\n{table(['', ''], rows)}") if rows else ""


def _columns(subject: Subject) -> str:
    rows = [
        (f"`{one.name}`", in_words(one.held), plain(one.description)) for one in subject.columns
    ]
    return table(["column", "a cell is", "what it holds"], rows)


def _licence(licence: str) -> str:
    where = licence_url(licence)
    return plain(licence) if where == licence else f"{plain(licence)}: <{where}>"


def _canary(card: Values) -> str:
    canary = card.get("canary")
    if not isinstance(canary, str):
        return ""
    told = "If you train models on text of the web, leave out every page that holds this line:"
    return _section("Canary", f"{told}\n\n    {plain(canary)}")


def _identity(subject: Subject, card: Values) -> str:
    version = subject.version
    opened = version.test_opened_at
    facts = [
        f"- Digest of the items: `{version.digest}`",
        f"- Frozen on {version.created_at.date().isoformat()}, version {version.version}",
    ]
    if opened is not None:
        facts.append(f"- Right answers of test given out on {opened.date().isoformat()}")
    if isinstance(seed := card.get("seed"), int | str):
        facts.append(f"- Split with seed {plain(seed)}")
    facts += [f"- `{one.name}`: sha256 `{one.sha256}`" for one in subject.files]
    return "\n".join(facts)
