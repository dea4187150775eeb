"""Wire shapes of errata."""

from datetime import datetime

from dynabench.kit.wire import WireModel
from dynabench.loop.datasets.schemas import DatasetItemRead
from dynabench.loop.leaderboards.suspicions.values import Finding


class ErratumRead(WireModel):
    """An item whose right answer experts found wrong; the item itself stays as it is.

    Attributes:
        item: As it was released.
        finding: What experts say of the answer that was released.
        found_at: When they said so last.
    """

    item: DatasetItemRead
    finding: Finding
    found_at: datetime


class ErrataRead(WireModel):
    """What experts found of a dataset's suspected answers.

    Attributes:
        items: What they found wrong, the latest finding first; at most 200, and none whose
            right answer is withheld from who asks.
        wrong: How many there are.
        withheld: How many of those are left out since their answers are withheld.
        right: How many of those that they looked at were right.
    """

    items: list[ErratumRead]
    wrong: int
    withheld: int
    right: int
