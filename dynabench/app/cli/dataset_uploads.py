"""`dynabench dataset upload`, `check`, `perturb` and `variants`: datasets that people make."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated, TypeAlias

import typer

from dynabench.app.cli.credentials import open_client
from dynabench.app.cli.output import (
    AsJson,
    counted,
    moving_bytes,
    moving_share,
    notice,
    say,
    show_json,
    show_table,
)
from dynabench.app.cli.tasks import Slug
from dynabench.client.dataset_uploads import DatasetOptions
from dynabench.engines.jobs.schemas import JobRead
from dynabench.engines.row_files.naming import format_of
from dynabench.engines.row_files.values import RowFormat
from dynabench.kit.errors import InvalidError
from dynabench.loop.datasets.perturbing.schemas import PerturbationResultRead
from dynabench.loop.datasets.uploads.schemas import DatasetImportRead
from dynabench.loop.datasets.uploads.values import ImportState
from dynabench.loop.datasets.values import DatasetAccess, Split
from dynabench.science.perturbations.values import TransformKind

VersionText = Annotated[
    str, typer.Argument(metavar="ID", help="As shown by `dynabench dataset list`.")
]
_File = Annotated[
    Path,
    typer.Argument(metavar="FILE", exists=True, dir_okay=False, help="JSON lines, CSV or Parquet."),
]
_Format = Annotated[RowFormat | None, typer.Option("--format", help="If the name does not tell.")]
_WholeSplit = Annotated[
    Split | None, typer.Option(help="The split of rows that name none of their own.")
]
_Columns: TypeAlias = Annotated[
    list[str] | None,
    typer.Option(
        "--column",
        metavar="COLUMN=FIELD",
        help="What a column holds: a field, uid, split or tags. Others are passed over.",
    ),
]
_Labels: TypeAlias = Annotated[
    list[str] | None,
    typer.Option("--label", metavar="FIELD:WORD=LABEL", help="What a word of the file means."),
]
_Tags: TypeAlias = Annotated[
    list[str] | None, typer.Option("--tag", help="What kind of set it is; repeat for more.")
]


def register(datasets: typer.Typer) -> None:
    """Add these commands to those of datasets."""
    for name, command in (
        ("upload", upload_dataset),
        ("check", check_dataset),
        ("perturb", perturb_dataset),
        ("variants", list_variants),
    ):
        datasets.command(name)(command)


# Each of them is an option that a person types.
def upload_dataset(  # noqa: PLR0913
    *,
    slug: Slug,
    file: _File,
    name: Annotated[str, typer.Option(help="A name used before makes the next version.")],
    licence: Annotated[str, typer.Option(help="Under which terms it may be used.")],
    row_format: _Format = None,
    access: Annotated[DatasetAccess | None, typer.Option(help="Who sees what.")] = None,
    split: _WholeSplit = None,
    columns: _Columns = None,
    labels: _Labels = None,
    tags: _Tags = None,
    subtask_of: Annotated[
        str | None, typer.Option(help="The column of the board that it is averaged into.")
    ] = None,
    description: Annotated[
        Path | None, typer.Option(metavar="FILE", exists=True, help="The card's text.")
    ] = None,
    source: Annotated[str | None, typer.Option(help="Where the items come from.")] = None,
    as_json: AsJson = False,
) -> None:
    """Store a file of items as a dataset's next version, all or none (owners)."""
    text = None if description is None else description.read_text(encoding="utf-8")
    options = DatasetOptions(
        access=access,
        split=split,
        columns=_pairs(columns, option="--column"),
        labels=_labels(labels),
        tags=tags,
        subtask_of=subtask_of,
        description=text,
        source=source,
    )
    done = _send(slug, file, name=name, licence=licence, row_format=row_format, options=options)
    if as_json:
        show_json(done)
        return
    sizes = ", ".join(f"{one.items:,} {one.split}" for one in done.splits)
    if done.state is ImportState.THERE_ALREADY:
        say(f"{done.name} v{done.version} holds these items already: {done.dataset_version_id}")
    else:
        say(f"{done.name} v{done.version} ({sizes}): {done.dataset_version_id}")
    _tell(done)


def check_dataset(
    *,
    slug: Slug,
    file: _File,
    row_format: _Format = None,
    split: _WholeSplit = None,
    columns: _Columns = None,
    labels: _Labels = None,
    as_json: AsJson = False,
) -> None:
    """Tell everything that is wrong with a file of items, and store nothing (owners)."""
    options = DatasetOptions(
        split=split,
        columns=_pairs(columns, option="--column"),
        labels=_labels(labels),
        check_only=True,
    )
    done = _send(slug, file, name="Check", licence="none", row_format=row_format, options=options)
    if as_json:
        show_json(done)
        return
    sizes = ", ".join(f"{one.items:,} {one.split}" for one in done.splits)
    say(f"{file.name} is right: {counted(done.items, 'item')} ({sizes}).")
    _tell(done)


def perturb_dataset(
    *,
    version_id: VersionText,
    metric: Annotated[TransformKind, typer.Argument(help="What the variants are to show.")],
    seed: Annotated[int, typer.Option(help="Decides the draws.")] = 0,
    transforms: Annotated[
        list[str] | None, typer.Option("--transform", help="Only this one; repeat for more.")
    ] = None,
    file: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            exists=True,
            dir_okay=False,
            help="Variants of your own: a row for each, with original_uid and its texts.",
        ),
    ] = None,
    row_format: _Format = None,
    as_json: AsJson = False,
) -> None:
    """Vary the texts of a dataset's test and dev items (owners)."""
    written = RowFormat.JSONL if file is None else row_format or _told_format(file)
    with open_client() as client:
        digest = None
        if file is not None:
            slug = client.datasets.get(version_id).task_slug
            with moving_bytes(f"Sending {file.name}") as sent:
                digest = client.datasets.send_file(slug, file, on_progress=sent)
        with _watching(f"Varying for {metric}") as watch:
            done = client.datasets.perturb(
                version_id,
                metric,
                seed=seed,
                transforms=transforms,
                file_digest=digest,
                row_format=written,
                on_progress=watch,
            )
    if as_json:
        show_json(done)
        return
    say(
        f"{done.name} v{done.version} ({counted(done.items, 'variant')}): {done.dataset_version_id}"
    )
    _show_counts(done)


def list_variants(
    *,
    version_id: VersionText,
    transform: Annotated[str, typer.Argument(help="As shown when the set was made.")],
    limit: Annotated[int, typer.Option(min=1, max=200, help="How many.")] = 10,
    as_json: AsJson = False,
) -> None:
    """Show what a transform made of items, each beside its original (owners)."""
    with open_client() as client:
        found = client.datasets.variants(version_id, transform, limit=limit)
    if as_json:
        show_json(found)
        return
    show_table(
        ["item", "field", "original", "variant"],
        [
            (one.original_uid, text.field, text.original, text.variant)
            for one in found
            for text in one.texts
        ],
        empty=f"{transform} changed no item of this set.",
    )


def _show_counts(done: PerturbationResultRead) -> None:
    """Show how many items each transform changed."""
    told = (done.perturbation or {}).get("transforms")
    counts = told if isinstance(told, dict) else {}
    show_table(
        ["transform", "changed", "of"],
        [(name, one["changed"], one["items"]) for name, one in counts.items()],
        empty="No transform was used.",
    )


def _send(
    slug: str,
    file: Path,
    *,
    name: str,
    licence: str,
    row_format: RowFormat | None,
    options: DatasetOptions,
) -> DatasetImportRead:
    with (
        open_client() as client,
        moving_bytes(f"Sending {file.name}") as sent,
    ):
        return client.datasets.upload(
            slug,
            file,
            name=name,
            licence=licence,
            row_format=row_format,
            on_progress=sent,
            **options,
        )


def _tell(done: DatasetImportRead) -> None:
    """Say beside the result what somebody may not have meant."""
    if done.repeated:
        lines = ", ".join(map(str, done.repeated_lines))
        notice(f"{counted(done.repeated, 'row')} said the same again, left out: line {lines}.")
    if done.overlapping:
        lines = ", ".join(map(str, done.overlapping_lines))
        notice(f"{counted(done.overlapping, 'item')} ask what another one asks: line {lines}.")
    if done.passed_over:
        notice(f"Passed over: {', '.join(done.passed_over)}.")


def _told_format(file: Path) -> RowFormat:
    found = format_of(file.name)
    if found is None:
        raise InvalidError(f"The name {file.name} tells no format; say it with --format.")
    return found


@contextmanager
def _watching(what: str) -> Iterator[Callable[[JobRead], None]]:
    with moving_share(what) as move:
        yield lambda job: move(job.progress, job.message)


def _pairs(given: list[str] | None, *, option: str) -> dict[str, str] | None:
    pairs = [one.partition("=") for one in given or ()]
    if not all(left and sign and right for left, sign, right in pairs):
        raise InvalidError(f"{option} is written with an equals sign, as in {option} text=premise.")
    return {left: right for left, _, right in pairs} or None


def _labels(given: list[str] | None) -> dict[str, dict[str, str]] | None:
    found: dict[str, dict[str, str]] = {}
    for left, label in (_pairs(given, option="--label") or {}).items():
        field, sign, word = left.partition(":")
        if not sign:
            raise InvalidError("--label is written FIELD:WORD=LABEL, as in label:0=entailment.")
        found.setdefault(field, {})[word] = label
    return found or None
