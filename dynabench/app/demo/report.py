"""The demo's numbers as a printed table and as JSON."""

import json
from collections.abc import Iterable, Sequence
from pathlib import Path

from rich.table import Table

from dynabench.app.cli.output import notice, print_whole, say
from dynabench.app.demo.play import PlayedRound
from dynabench.loop.evaluations.schemas import ScoreRead
from dynabench.loop.validations.schemas import RateRead

_PER_CENT = 100


def _rate(rate: RateRead) -> str:
    if rate.value is None:
        return "–"
    value = f"{rate.value * _PER_CENT:.1f} % ({rate.part} of {rate.whole})"
    if rate.low is None or rate.high is None:
        return value
    return f"{value}\n{rate.low * _PER_CENT:.1f} to {rate.high * _PER_CENT:.1f}"


def _print(title: str, headings: Sequence[str], rows: Iterable[Sequence[str]], note: str) -> None:
    """Print a table that fits 80 columns, so that nothing in it is cut."""
    say(f"\n{title}\n")
    table = Table(box=None, pad_edge=False, header_style="bold")
    for heading in headings:
        table.add_column(heading)
    for row in rows:
        table.add_row(*row)
    print_whole(table)
    notice(f"\n{note}")


def print_rounds(played: Sequence[PlayedRound]) -> None:
    """Print what each round collected and how hard its target was."""
    _print(
        "Rounds",
        ("task", "round", "target", "MER", "vMER", "α"),
        [
            (
                one.task,
                str(one.number),
                one.target,
                _rate(one.error_rate.model_error_rate),
                _rate(one.error_rate.validated_model_error_rate),
                "–"
                if one.agreement.krippendorff_alpha is None
                else f"{one.agreement.krippendorff_alpha:.2f}",
            )
            for one in played
        ],
        "MER and vMER of what was collected, with 95 % intervals; Krippendorff's α of the votes.",
    )


def print_scores(scores: dict[str, list[ScoreRead]]) -> None:
    """Print both models on both rounds: the principal metric on the test splits."""
    _print(
        "Models on rounds",
        ("task", "model", "round", "metric", "score", "95 %", "items"),
        [
            (
                task,
                f"{score.model_name} v{score.model_version}",
                str(score.round_number),
                score.metric,
                "–" if score.value is None else f"{score.value:.1f}",
                "–"
                if score.low is None or score.high is None
                else f"{score.low:.1f} to {score.high:.1f}",
                str(score.items),
            )
            for task, found in scores.items()
            for score in _principal(found)
        ],
        "The principal metric, 0-100, on each round's test split, with its interval. A round is "
        "biased against its own target.",
    )


def _principal(scores: Sequence[ScoreRead]) -> list[ScoreRead]:
    chosen = [
        score
        for score in scores
        if score.is_principal and score.split == "test" and score.round_number is not None
    ]
    return sorted(chosen, key=lambda one: (one.round_number or 0, one.model_name))


def write_json(
    path: Path, *, seed: int, played: Sequence[PlayedRound], scores: dict[str, list[ScoreRead]]
) -> None:
    """Write the same numbers as JSON; ids and times are left out, so that runs compare."""
    document = {
        "seed": seed,
        "rounds": [
            {
                "task": one.task,
                "round": one.number,
                "target": one.target,
                "refused": one.refused,
                "error_rate": one.error_rate.model_dump(mode="json", exclude={"round_id", "as_of"}),
                "agreement": one.agreement.model_dump(mode="json"),
            }
            for one in played
        ],
        "scores": {
            task: [
                score.model_dump(
                    mode="json", exclude={"model_id", "dataset_version_id", "evaluated_at"}
                )
                for score in _principal(found)
            ]
            for task, found in scores.items()
        },
    }
    path.write_text(json.dumps(document, indent=2, ensure_ascii=False) + "\n", encoding="utf-8")
