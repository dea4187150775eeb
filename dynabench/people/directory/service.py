"""Names by id and ids by name, for the packages above."""

from collections.abc import Iterable, Sequence
from datetime import timedelta
from uuid import UUID

from dynabench.kit.clock import Clock
from dynabench.kit.db.database import Database
from dynabench.kit.ids import new_id
from dynabench.people.errors import UsernameTakenError, UserNotFoundError
from dynabench.people.repository import NewUser, UserRepository
from dynabench.people.rules import username_key
from dynabench.people.values import Standing, UserRow

_REMEMBERED_NAMES = 50_000
_ROWS_PER_STATEMENT = 1_000


class UserDirectory:
    """Answers who is who; it decides nothing and permits nothing."""

    def __init__(self, db: Database, clock: Clock) -> None:
        self._db = db
        self._clock = clock
        # A name is never changed, so that what was read once stays true.
        self._names: dict[UUID, str] = {}

    async def usernames(self, ids: Iterable[UUID]) -> dict[UUID, str]:
        """Return the names of people; an id that nobody has is left out."""
        wanted = set(ids)
        missing = wanted - self._names.keys()
        if missing:
            async with self._db.read() as session:
                found = await UserRepository(session).by_ids(missing)
            if len(self._names) + len(found) > _REMEMBERED_NAMES:
                kept = {id_: name for id_, name in self._names.items() if id_ in wanted}
                self._names = kept
            self._names.update((user.id, user.username) for user in found)
        return {id_: self._names[id_] for id_ in wanted if id_ in self._names}

    async def find(self, username: str) -> UserRow:
        """Return the person of a name, in any case of letters.

        Raises:
            UserNotFoundError: If nobody has this name.
        """
        async with self._db.read() as session:
            user = await UserRepository(session).by_username(username)
        if user is None:
            raise UserNotFoundError(username=username)
        return user

    async def people(self, ids: Iterable[UUID]) -> dict[UUID, UserRow]:
        """Return people by id; an id that nobody has is left out."""
        async with self._db.read() as session:
            return {user.id: user for user in await UserRepository(session).by_ids(ids)}

    async def standing(self, user_id: UUID, *, same_address_within: timedelta) -> Standing:
        """Return how somebody's account came to be.

        Neighbours are accounts that were made from the same network address less than this
        long before or after; of zero there are none.
        """
        async with self._db.read() as session:
            found = await UserRepository(session).standing(
                user_id, same_address_within=same_address_within
            )
        assert found is not None, "who is signed in has an account"
        return found

    async def create_synthetic(self, names: Sequence[str]) -> dict[str, UUID]:
        """Return the pseudonyms of these names, making those that are not here yet.

        Pseudonyms stand for the people of a collection made elsewhere. They can never
        sign in, and doing this again returns the same ids.

        Raises:
            UsernameTakenError: If one of the names is a real person's.
        """
        now = self._clock.now()
        unique = sorted(set(names))
        by_key: dict[str, UserRow] = {}
        async with self._db.transaction() as session:
            users = UserRepository(session)
            for start in range(0, len(unique), _ROWS_PER_STATEMENT):
                part = unique[start : start + _ROWS_PER_STATEMENT]
                await users.add_all(
                    [
                        NewUser(id=new_id(), username=name, created_at=now, is_synthetic=True)
                        for name in part
                    ]
                )
                for user in await users.by_usernames(part):
                    if not user.is_synthetic:
                        raise UsernameTakenError(username=user.username)
                    by_key[username_key(user.username)] = user
        return {name: by_key[username_key(name)].id for name in unique}
