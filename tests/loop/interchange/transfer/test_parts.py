from itertools import chain
from uuid import UUID

from hypothesis import given
from hypothesis import strategies as st

from dynabench.kit.db.metadata import metadata
from dynabench.loop.interchange.transfer.importing.ids import SortedIds
from dynabench.loop.interchange.transfer.parts import (
    ACCOUNTS,
    MEDIA_PART,
    NO_PARTS,
    PART_OF,
    PARTS,
)
from dynabench.loop.interchange.transfer.values import NEVER_HELD
from dynabench.migrations.tables import load_all_tables


def test_every_table_travels_or_it_is_said_why_not() -> None:
    load_all_tables()

    placed = [*PART_OF, MEDIA_PART.name, *chain.from_iterable(NO_PARTS.values())]

    assert sorted(placed) == sorted(metadata.tables)
    assert NO_PARTS.keys() <= NEVER_HELD.keys()


def test_a_row_names_only_what_is_written_before_it() -> None:
    seen = {ACCOUNTS}
    for part in PARTS:
        named = {part.refers_to(one.name) for one in part.columns if one.name not in part.late} - {
            None
        }
        assert named <= seen, part.name
        seen.add(part.name)
        assert {part.refers_to(name) for name in part.late} <= {part.name}


@given(ids=st.sets(st.uuids(), max_size=40), other=st.uuids())
def test_sorted_ids_know_their_own_and_no_others(ids: set[UUID], other: UUID) -> None:
    kept = SortedIds()
    for one in sorted(ids):
        kept.add(one)

    assert kept.all() == sorted(ids)
    assert all(one in kept for one in ids)
    assert (other in kept) == (other in ids)
