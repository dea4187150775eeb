"""One plot per loop, as SVG that is the same wherever it is drawn.

Imports matplotlib, which the extra `study` brings: load this module only where it is there.
"""

from collections.abc import Sequence
from io import BytesIO

import matplotlib as mpl
from matplotlib.axes import Axes
from matplotlib.figure import Figure as Canvas

from dynabench.app.study.figures import Figure, RoundFigures, round_figures, set_figures
from dynabench.app.study.results import StudyNumbers
from dynabench.app.study.values import Arm, SetKind

# Okabe & Ito's colours, which most colour-blind people tell apart; markers differ too.
_BLUE, _ORANGE, _GREY = "#0072b2", "#d55e00", "#666666"
_LOOKS = {Arm.ADVERSARIAL: (_BLUE, "o", -0.05), Arm.CONTROL: (_ORANGE, "s", 0.05)}
_SIZE = (13.0, 4.8)
_SHOWN_KINDS = (SetKind.HELD_OUT, SetKind.HELD_OUT_FOOLING, SetKind.STATIC)


def draw_plot(study: StudyNumbers) -> bytes:
    """Draw accuracy after each round, who is fooled, and the arms' differences."""
    with mpl.rc_context(
        {
            "svg.hashsalt": "dynabench",
            # Letters stay letters: a quarter of the size, and they can be searched and read out.
            "svg.fonttype": "none",
            "font.family": "DejaVu Sans",
            "font.size": 9,
            "axes.spines.top": False,
            "axes.spines.right": False,
            "figure.facecolor": "white",
        }
    ):
        canvas = Canvas(figsize=_SIZE, layout="constrained")
        accuracy, fooling, differences = canvas.subplots(1, 3, width_ratios=(1, 1, 1.1))
        _accuracy(accuracy, study)
        _fooling(fooling, round_figures(study))
        _differences(differences, study)
        canvas.suptitle(f"{study.title}: means over {len(study.seeds)} seeds, 95 % intervals")
        file = BytesIO()
        # Without a date, the same numbers give the same bytes.
        canvas.savefig(file, format="svg", metadata={"Date": None})
    lines = file.getvalue().decode().splitlines()
    return ("\n".join(line.rstrip() for line in lines) + "\n").encode()


def _accuracy(axes: Axes, study: StudyNumbers) -> None:
    styles = dict(zip(_SHOWN_KINDS, ("-", "--", ":"), strict=True))
    for one in set_figures(study):
        if one.first.kind not in styles:
            continue
        for arm, (colour, marker, shift) in _LOOKS.items():
            _line(
                axes,
                one.accuracy[arm],
                first=0,
                shift=shift,
                colour=colour,
                marker=marker,
                style=styles[one.first.kind],
                label=f"{one.first.name}, {arm.value}",
            )
    axes.set_title("Accuracy after each round, %")
    axes.set_xlabel("rounds learned from")
    axes.set_ylim(0, 100)
    _whole_numbers(axes, len(study.seeds[0].rounds) + 1, first=0)
    _legend(axes)


def _fooling(axes: Axes, rounds: Sequence[RoundFigures]) -> None:
    lines = (
        ([one.target for one in rounds], _BLUE, "o", -0.05, "the target (adversarial arm)"),
        ([one.control for one in rounds], _ORANGE, "s", 0.05, "the control's model"),
        ([one.first for one in rounds], _GREY, "^", 0.0, "the first model"),
    )
    for figures, colour, marker, shift, label in lines:
        _line(
            axes,
            figures,
            first=1,
            shift=shift,
            colour=colour,
            marker=marker,
            style="-",
            label=label,
        )
    axes.set_title("Fooled by a round before learning from it, %")
    axes.set_xlabel("round")
    axes.set_ylim(0, 100)
    _whole_numbers(axes, len(rounds), first=1)
    _legend(axes)


def _differences(axes: Axes, study: StudyNumbers) -> None:
    found = [one for one in set_figures(study) if one.difference is not None]
    for place, one in enumerate(found):
        figure = one.difference
        assert figure is not None, "those without one were left out"
        axes.errorbar(
            [figure.mean], [place], xerr=_reach([figure]), fmt="o", color=_BLUE, capsize=3
        )
    axes.axvline(0, color=_GREY, linewidth=1)
    axes.set_yticks(range(len(found)), [one.first.name for one in found])
    axes.invert_yaxis()
    axes.set_title("Adversarial − control in the end, points")


def _line(
    axes: Axes,
    figures: Sequence[Figure | None],
    *,
    first: int,
    shift: float,
    colour: str,
    marker: str,
    style: str,
    label: str,
) -> None:
    """Draw what is there; arms stand a little apart, so that their intervals can be seen."""
    there = [(first + place, one) for place, one in enumerate(figures) if one is not None]
    axes.errorbar(
        [place + shift for place, _ in there],
        [one.mean for _, one in there],
        yerr=_reach([one for _, one in there]),
        color=colour,
        marker=marker,
        markersize=4,
        linestyle=style,
        linewidth=1.2,
        capsize=2,
        label=label,
    )


def _reach(figures: Sequence[Figure]) -> list[list[float]]:
    below = [0.0 if one.low is None else one.mean - one.low for one in figures]
    above = [0.0 if one.high is None else one.high - one.mean for one in figures]
    return [below, above]


def _legend(axes: Axes) -> None:
    """Name the lines below the plot, where they hide nothing."""
    axes.legend(fontsize=8, loc="upper center", bbox_to_anchor=(0.5, -0.14), frameon=False)


def _whole_numbers(axes: Axes, count: int, *, first: int) -> None:
    axes.set_xticks(range(first, first + count))
