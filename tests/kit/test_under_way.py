from uuid import UUID

import pytest

from dynabench.kit.errors import LimitError
from dynabench.kit.under_way import UnderWay

ADA, BEN = UUID(int=1), UUID(int=2)


class BusyError(LimitError):
    def __init__(self, limit: int) -> None:
        super().__init__(f"{limit} are under way.", limit=limit)


def test_each_person_has_so_much_under_way_and_no_more() -> None:
    busy = UnderWay(most=2, refuse=BusyError)
    with busy.one_more(ADA):
        with (
            busy.one_more(ADA),
            busy.one_more(BEN),
            pytest.raises(BusyError, match="2 are"),
            busy.one_more(ADA),
        ):
            pytest.fail("a third was let in")
        with busy.one_more(ADA):
            pass


def test_what_fails_is_over_too() -> None:
    busy = UnderWay(most=1, refuse=BusyError)
    for _ in range(2):
        with pytest.raises(KeyError), busy.one_more(ADA):
            raise KeyError
