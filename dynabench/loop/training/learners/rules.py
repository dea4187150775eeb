"""Items as lines of a file: they sort by what they are about, and equal ones become one."""

import hashlib
import json
from collections.abc import Iterable
from itertools import groupby

from dynabench.engines.baselines.values import TrainingItem
from dynabench.loop.training.values import LabelledItem


def item_line(item: LabelledItem) -> str:
    """Return an item as a line: its context, inputs, answer and weight, apart by tabs.

    JSON writes tabs and line ends inside texts in another way, so that none stands for itself.
    """
    told = (item.context, item.inputs, item.answer)
    parts = [
        json.dumps(one, sort_keys=True, ensure_ascii=False, separators=(",", ":")) for one in told
    ]
    return "\t".join([*parts, f"{item.weight}\n"])


def read_items(lines: Iterable[str]) -> tuple[list[TrainingItem], str]:
    """Return the items of such lines in their own order, and their digest.

    Whatever order the lines are in, the same items come out: those on one context side by
    side, and equal ones as one whose weight is the sum of theirs.
    """
    items: list[TrainingItem] = []
    digest = hashlib.sha256()
    cut = sorted(line.rstrip("\n").rpartition("\t") for line in lines)
    for told, equal in groupby(cut, key=lambda parts: parts[0]):
        weight = sum(int(parts[2]) for parts in equal)
        digest.update(f"{told}\t{weight}\n".encode())
        context, inputs, answer = (json.loads(one) for one in told.split("\t"))
        items.append(TrainingItem(context=context, inputs=inputs, answer=answer, weight=weight))
    return items, digest.hexdigest()
