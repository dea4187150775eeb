"""`dynabench model compare`: two models of a task, pair by pair."""

from collections.abc import Sequence

import typer

from dynabench.app.cli.credentials import open_client
from dynabench.app.cli.finding import find_model
from dynabench.app.cli.output import AsJson, notice, say, show_json, show_table
from dynabench.app.cli.tasks import Slug
from dynabench.loop.evaluations.comparisons.schemas import (
    ComparisonRead,
    McNemarRead,
    PairedRead,
)

_ALPHA = 0.05
_SMALLEST_P = 0.001


def add_to(models: typer.Typer) -> None:
    """Add this command."""
    models.command("compare")(compare)


def compare(*, slug: Slug, left: str, right: str, as_json: AsJson = False) -> None:
    """Compare two models item by item on every dataset that both are scored on.

    LEFT and RIGHT are names or ids. Items on one context are taken together; exact McNemar
    stands beside it where every item is either right or wrong.
    """
    with open_client() as client:
        first, second = (find_model(client, slug, text) for text in (left, right))
        found = client.comparisons.get(first.id, second.id)
    if as_json:
        show_json(found)
        return
    names = [f"{one.name} v{one.version}" for one in (found.left, found.right)]
    show_table(
        ["dataset", "items", *names, "difference", "p", "only one right", ""],
        [
            (f"{one.dataset_name} v{one.dataset_version}", *_cells(one.paired, names))
            for one in found.datasets
            if one.paired is not None
        ],
        empty="There is no dataset that both were scored on.",
    )
    if found.datasets:
        say(f"Mean score per item in {found.metric or 'the principal metric'}, 0 to 100.")
    _tell_lacking(found, names)


def _tell_lacking(found: ComparisonRead, names: Sequence[str]) -> None:
    for one in found.lacking:
        lacks = names[0] if one.lacks == [found.left.id] else names[1]
        notice(f"{lacks} is not scored on {one.dataset_name} v{one.dataset_version}.")


def _cells(paired: PairedRead, names: Sequence[str]) -> tuple[str, ...]:
    only = paired.mcnemar
    return (
        f"{paired.items:,}",
        f"{paired.left:.1f}",
        f"{paired.right:.1f}",
        _difference(paired),
        _p_value(paired.p_value),
        "–" if only is None else _only_one(only),
        _verdict(paired, names),
    )


def _only_one(only: McNemarRead) -> str:
    return f"{only.only_left} : {only.only_right} (p {_p_value(only.p_value)})"


def _difference(paired: PairedRead) -> str:
    if paired.low is None or paired.high is None:
        return f"{paired.difference:+.1f}"
    return f"{paired.difference:+.1f} ({paired.low:.1f} to {paired.high:.1f})"


def _p_value(value: float | None) -> str:
    if value is None:
        return "–"
    return f"< {_SMALLEST_P}" if value < _SMALLEST_P else f"{value:.3f}"


def _verdict(paired: PairedRead, names: Sequence[str]) -> str:
    p_value = paired.p_value
    if p_value is None and paired.mcnemar is not None:
        p_value = paired.mcnemar.p_value
    if paired.difference == 0 or p_value is None or p_value >= _ALPHA:
        return "may be chance"
    return f"{names[0] if paired.difference > 0 else names[1]} is better"
