"""The report: everything in it comes from the kept numbers."""

from collections.abc import Iterator, Mapping, Sequence

from dynabench.app.study.figures import (
    Figure,
    SetFigures,
    input_only_figures,
    label_shares,
    majority_figure,
    round_figures,
    set_figures,
)
from dynabench.app.study.prose import CAVEATS, HOW, LITERATURE, OPENING, REMARKS
from dynabench.app.study.results import StudyNumbers
from dynabench.app.study.values import CONTROLS, Arm, SetKind

REPORT_FILE = "does-retraining-help.md"
_NOTHING = "–"


def write_report(studies: Sequence[StudyNumbers], *, plots: Mapping[str, str]) -> str:
    """Return the report as Markdown.

    Args:
        studies: The loops, in the order in which they are told.
        plots: The file of each loop's plot, by the loop's name; empty where none were drawn.
    """
    parts = [
        "# Does retraining help?",
        OPENING,
        "## In short",
        _settings(studies),
        _table(_SHORT_HEAD, [row for study in studies for row in _short(study)]),
        *_verdicts(studies),
        "## How it was played",
        HOW,
        *(part for study in studies for part in _study(study, plots.get(study.study))),
        "## What these numbers cannot tell",
        CAVEATS,
        "## What others found",
        LITERATURE,
    ]
    if not plots:
        parts.insert(2, "There are no plots: the extra `study` (matplotlib) was not installed.")
    return "\n\n".join(parts) + "\n"


_SHORT_HEAD = (
    "loop",
    "scored on",
    "first model",
    "adversarial",
    "random control",
    "adversarial − random control",
    "− control by label",
    "− control by label and confidence",
)
_SHORT_KINDS = (
    SetKind.HELD_OUT,
    SetKind.HELD_OUT_FOOLING,
    SetKind.HELD_OUT_KNOWN,
    SetKind.STATIC,
    SetKind.UNTOUCHED,
)


def _settings(studies: Sequence[StudyNumbers]) -> str:
    first = studies[0]
    seeds = len(first.seeds)
    quick = " **A quick look at small parts of the data, not a result.**" * bool(
        first.settings["is_quick"]
    )
    return (
        f"{seeds} {'seed' if seeds == 1 else 'seeds'}, {first.settings['rounds']} rounds, recipe "
        f"`{first.settings['recipe']}`.{quick} Accuracy in per cent after the last round, mean "
        "over seeds; differences in points, with the 95 % interval of Student's t over the seeds' "
        "paired differences. Intervals are not corrected for their number."
    )


def _short(study: StudyNumbers) -> Iterator[Sequence[str]]:
    for one in set_figures(study):
        if one.first.kind in _SHORT_KINDS:
            yield (
                study.title,
                one.first.name,
                _mean(one.accuracy[Arm.ADVERSARIAL][0]),
                _mean(one.accuracy[Arm.ADVERSARIAL][-1]),
                _mean(one.accuracy[Arm.CONTROL][-1]),
                *(_points(one.differences.get(arm)) for arm in CONTROLS),
            )


def _verdicts(studies: Sequence[StudyNumbers]) -> Iterator[str]:
    """Count over the loops what the intervals say of each kind of set."""
    kinds = {
        SetKind.HELD_OUT: "held out of what was collected from",
        SetKind.HELD_OUT_FOOLING: "held out and fooling the first model",
        SetKind.HELD_OUT_KNOWN: "held out and right by the first model",
        SetKind.STATIC: "of the kind that the first model learned from",
        SetKind.UNTOUCHED: "of other makers",
    }
    lines: list[str] = []
    for kind, words in kinds.items():
        found = [one for study in studies for one in set_figures(study) if one.first.kind is kind]
        if not found:
            continue
        lines.append(
            f"- **On sets {words}** ({len(found)}): against the random control the adversarial arm "
            f"is {_told([one.difference for one in found])}; against the first model it is "
            f"{_told([one.gains[Arm.ADVERSARIAL] for one in found])}, and the control is "
            f"{_told([one.gains[Arm.CONTROL] for one in found])}.{_matched(found)}"
        )
    yield "\n".join(lines)


def _matched(found: Sequence[SetFigures]) -> str:
    """Say what is left against controls that learn as many items of each label."""
    told: list[str] = []
    words = {Arm.BY_LABEL: "label", Arm.BY_CONFIDENCE: "label and confidence"}
    for arm, by in words.items():
        figures = [one.differences[arm] for one in found if arm in one.differences]
        if figures:
            told.append(
                f" Against a control matched by {by}, played in {len(figures)}, it is "
                f"{_told(figures)}."
            )
    return "".join(told) or " No matched control was played."


def _told(figures: Sequence[Figure | None]) -> str:
    above = sum(one is not None and one.is_above for one in figures)
    below = sum(one is not None and one.is_below for one in figures)
    open_ = len(figures) - above - below
    counts = ((above, "above"), (below, "below"), (open_, "not told apart"))
    return ", ".join(f"{words} in {count}" for count, words in counts if count)


def _study(study: StudyNumbers, plot: str | None) -> Iterator[str]:
    counts = study.counts
    yield f"## {study.title}"
    voted = (
        f"{counts.pool_voted:,} of them carry votes of other people, who found "
        f"{counts.pool_found_wrong:,} wrong"
        if counts.pool_voted
        else "none of them carries votes, so that every label is taken as it stands"
    )
    lost = ", ".join(f"{count:,} {where}" for where, count in sorted(counts.left_out.items()))
    yield (
        f"The first model learns from {counts.base:,} items. The pool has {counts.pool:,} items on "
        f"{counts.pool_contexts:,} contexts; {voted}. Left out as repeating another input: {lost}."
    )
    remark = REMARKS.get(study.study)
    if remark is not None:
        yield remark
    if plot is not None:
        yield f"![Plots of this loop; the tables below hold every number]({plot})"
    yield "Rounds, means over seeds. *fools …*: the share of the round's items, %."
    yield _rounds(study)
    yield "Accuracy after each round (0 is the first model), %, and the differences, points."
    yield _accuracies(study)
    yield _shares(study)
    yield _artifacts(study)


def _rounds(study: StudyNumbers) -> str:
    head = (
        "round",
        "shown",
        "fools the target",
        "fools the control",
        "fools the first model",
        "fools the target, validated",
        "train",
        "dev",
        "test",
        "of train in the control too",
    )
    rows = [
        (
            str(one.number),
            f"{one.shown:,.0f}",
            _interval(one.target),
            _interval(one.control),
            _interval(one.first),
            _mean(one.validated),
            f"{one.train:,.0f}",
            f"{one.dev:,.0f}",
            f"{one.test:,.0f}",
            f"{_mean(one.shared)} %",
        )
        for one in round_figures(study)
    ]
    return _table(head, rows)


def _accuracies(study: StudyNumbers) -> str:
    found = set_figures(study)
    after = len(found[0].accuracy[Arm.ADVERSARIAL])
    head = (
        "set",
        "items",
        "arm",
        *(str(number) for number in range(after)),
        "last − first",
        "adversarial − this control",
        "seeds whose items tell",
    )
    rows: list[Sequence[str]] = []
    for one in found:
        rows += [_accuracy_row(one, arm) for arm in one.accuracy]
    return _table(head, rows)


def _accuracy_row(one: SetFigures, arm: Arm) -> Sequence[str]:
    is_first = arm is Arm.ADVERSARIAL
    least, most = one.items
    size = f"{least:,}" if least == most else f"{least:,} to {most:,}"
    told = f"{one.surely_above} above, {one.surely_below} below"
    return (
        one.first.name if is_first else "",
        size if is_first else "",
        arm.words,
        *(_mean(figure) for figure in one.accuracy[arm]),
        _points(one.gains[arm]),
        "" if is_first else _points(one.differences[arm]),
        told if arm is Arm.CONTROL and one.first.paired is not None else "",
    )


def _shares(study: StudyNumbers) -> str:
    """Say which labels each arm learned from: targets are fooled by some more than by others."""
    arms = {
        arm: ", ".join(
            f"{share:.0f} % {label}" for label, share in label_shares(study, arm).items()
        )
        for arm in study.seeds[0].rounds[0].labels
    }
    told = "; ".join(f"{arm.words} {shares}" for arm, shares in arms.items())
    return f"Labels learned from over all rounds: {told}."


def _artifacts(study: StudyNumbers) -> str:
    majority = _mean(majority_figure(study))
    found = input_only_figures(study)
    if found is None:
        return (
            "There is no context that a model could be kept from seeing, so the input alone is "
            f"the task. The most frequent label is right on {majority} % of what was held out."
        )
    return (
        "Learned from an arm's own items with the context hidden, and scored on what was held out: "
        f"adversarial {_interval(found[Arm.ADVERSARIAL])} %, control "
        f"{_interval(found[Arm.CONTROL])} %; the most frequent label is right on {majority} %. The "
        "lower, the fewer answers are given away by the input alone."
    )


def _table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    lines = [head, ["---"] * len(head), *rows]
    return "\n".join(f"| {' | '.join(cells)} |" for cells in lines)


def _mean(figure: Figure | None) -> str:
    return _NOTHING if figure is None else f"{figure.mean:.1f}"


def _interval(figure: Figure | None) -> str:
    if figure is None or figure.low is None or figure.high is None:
        return _mean(figure)
    return f"{figure.mean:.1f} [{figure.low:.1f}, {figure.high:.1f}]"


def _points(figure: Figure | None) -> str:
    """Write a difference with its sign; a true minus, as in the heads."""
    if figure is None:
        return _NOTHING
    mean = _signed(figure.mean)
    if figure.low is None or figure.high is None:
        return mean
    return f"{mean} [{_signed(figure.low)}, {_signed(figure.high)}]"


def _signed(value: float) -> str:
    return f"{value:+.1f}".replace("-", "−")
