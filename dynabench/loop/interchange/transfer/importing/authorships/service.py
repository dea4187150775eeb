"""Who a copy's rows are by: accounts of people only where the original task says the same.

A copy of a task names accounts that are here. A file can name any of them, as owner of the task
or as author of votes, so that nothing that it says of them is believed: in each place in which it
names somebody, the task that it is a copy of must name them too. Elsewhere a stand-in takes
their place.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from uuid import UUID

from dynabench.kit.db.database import Session
from dynabench.loop.interchange.transfer.importing.rows import Row
from dynabench.loop.interchange.transfer.parts import ACCOUNTS, PART_OF, Claim, Part, claim_of
from dynabench.loop.interchange.transfer.repository import TransferRepository
from dynabench.loop.interchange.transfer.rules import Renaming


@dataclass(frozen=True)
class Authorship:
    """What is not believed of accounts that are here.

    Attributes:
        doubted: Whom the file names wrongly, or nobody can tell, by where it names them.
    """

    doubted: Mapping[Claim, frozenset[UUID]] = field(default_factory=dict)

    @property
    def people(self) -> frozenset[UUID]:
        """Who needs a stand-in."""
        return frozenset().union(*self.doubted.values())

    def person(self, part: Part, column: str, row: Row, *, renaming: Renaming) -> object:
        """Return whom a cell names here: who it says, or their stand-in."""
        value = row[column]
        assert part.refers_to(column) == ACCOUNTS, f"{part.name}.{column} names no people"
        if isinstance(value, UUID) and value in self.doubted.get(claim_of(part, column, row), ()):
            return renaming.id_of(value)
        return value


async def doubted_of(
    session: Session,
    claims: Mapping[Claim, frozenset[UUID]],
    *,
    accounts: frozenset[UUID],
    task_id: UUID,
) -> Authorship:
    """Compare what a file says of accounts with the task that it is a copy of.

    Args:
        session: The import's transaction.
        claims: Whom the file names, by where.
        accounts: Those of them who can sign in here.
        task_id: The original task; where it is not here, nothing is believed.
    """
    repository = TransferRepository(session)
    doubted = {}
    for claim, named in claims.items():
        real = named & accounts
        if real:
            known = await repository.who_is_named(PART_OF[claim.part], claim, real, task_id)
            doubted[claim] = real - known
    return Authorship({claim: who for claim, who in doubted.items() if who})
