"""The page docs/reference/metrics.md: a card for every performance metric, from its docstring."""

import inspect
import re
from collections.abc import Callable

from dynabench.science.metrics.dataperf_f1 import dataperf_f1
from dynabench.science.metrics.kinds import METRIC_KINDS, MetricKind, Subject
from dynabench.science.metrics.preference import preference
from dynabench.science.metrics.registry import METRICS
from dynabench.science.metrics.sp_bleu import sp_bleu

PARTS = ("Formula", "Range", "Direction", "No data", "Each item", "Source")
NEEDED = ("Formula", "Range", "Direction", "No data", "Source")

HEAD = """\
# Metrics

What `perf_metric` of a task config may ask for; see
[how to write a task](../how-to/write-a-task.md).
Values of predictions are stored as given here and shown times 100. Every value has its number of
items and a 95 % interval: means by the clustered error of contexts, the others by resampling
contexts.
An item of a dataset may have several right answers.

| metric | name | fields | better is |
| --- | --- | --- | --- |
"""

SUBJECTS = {
    Subject.PREDICTIONS: "A model's predictions on a split of a dataset.",
    Subject.CHOICES: "People's choices between replies, in conversations that were handed in.",
    Subject.TRAINING: "Models trained on submitted examples, as `train_file_metric` says.",
}


def cards() -> dict[str, Callable[..., object]]:
    """Return what computes each metric, by name."""
    found: dict[str, Callable[..., object]] = {**METRICS}
    found |= {"sp_bleu": sp_bleu, "preference": preference, "dataperf_f1": dataperf_f1}
    return found


def metrics_page() -> str:
    """Return the reference of the performance metrics."""
    known = cards()
    rows = [
        f"| [`{one.name}`](#{one.name}) | {one.title} | {', '.join(one.field_types)} "
        f"| {one.direction.value} |"
        for one in METRIC_KINDS.values()
    ]
    sections = [card(one, known[one.name]) for one in METRIC_KINDS.values()]
    return HEAD + "\n".join(rows) + "\n\n" + "\n".join(sections).rstrip() + "\n"


def card(kind: MetricKind, computed: Callable[..., object]) -> str:
    """Return one metric's part of the page."""
    summary, _, rest = (inspect.getdoc(computed) or "").partition("\n\n")
    body = re.split(r"\n\n(?:Args|Returns|Raises|Example):\n", rest)[0]
    found = dict(parts(body))
    missing = [part for part in NEEDED if part not in found]
    if missing:
        message = f"The card of {kind.name} does not say: {', '.join(missing)}."
        raise ValueError(message)
    what = " ".join(summary.split()).removeprefix("Return ")
    lines = [f"## {kind.name}", "", f"{kind.title}: {what}", ""]
    lines += [f"- **Computed from:** {SUBJECTS[kind.subject]}"]
    lines += [f"- **{part}:** {found[part]}" for part in PARTS if part in found]
    return "\n".join([*lines, ""])


def parts(body: str) -> list[tuple[str, str]]:
    """Return the named parts of a card in their order."""
    pieces = re.split(rf"(?:^|\n)({'|'.join(PARTS)}): ", body)
    texts = [" ".join(text.split()) for text in pieces[2::2]]
    return list(zip(pieces[1::2], texts, strict=True))
