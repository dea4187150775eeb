"""All SQL of accounts, API tokens, invitations and password resets."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from uuid import UUID

from sqlalchemy import RowMapping, Select, and_, delete, func, insert, select, update
from sqlalchemy.dialects.postgresql import insert as upsert

from dynabench.kit.db.database import Session
from dynabench.people.rules import username_key
from dynabench.people.tables import api_tokens, invitations, password_resets, users
from dynabench.people.values import Standing, TokenScope, UserRow

_USER = (
    users.c.id,
    users.c.username,
    users.c.display_name,
    users.c.is_admin,
    users.c.is_synthetic,
    users.c.created_at,
    users.c.disabled_at,
)

# Any number that nobody else locks.
_ADMINS_LOCK = 0x_6479_6E61_0001


@dataclass(frozen=True, slots=True)
class NewUser:
    """An account to be written."""

    id: UUID
    username: str
    created_at: datetime
    display_name: str = ""
    password_hash: str | None = None
    is_admin: bool = False
    is_synthetic: bool = False
    sign_up_mark: bytes | None = None


@dataclass(frozen=True, slots=True)
class NewSecret:
    """A secret to be written, by its digest."""

    id: UUID
    digest: bytes
    created_at: datetime
    expires_at: datetime | None


class UserRepository:
    """Reads and writes accounts."""

    def __init__(self, session: Session) -> None:
        self._session = session

    async def add(self, user: NewUser) -> bool:
        """Write an account; tells whether its name was free."""
        return await self.add_all([user]) == 1

    async def add_all(self, new: Sequence[NewUser]) -> int:
        """Write accounts whose names are free; returns how many were."""
        if not new:
            return 0
        rows = [
            {
                "id": user.id,
                "username": user.username,
                "username_key": username_key(user.username),
                "display_name": user.display_name,
                "password_hash": user.password_hash,
                "is_admin": user.is_admin,
                "is_synthetic": user.is_synthetic,
                "created_at": user.created_at,
                "sign_up_mark": user.sign_up_mark,
            }
            for user in new
        ]
        statement = upsert(users).values(rows).on_conflict_do_nothing().returning(users.c.id)
        return len((await self._session.execute(statement)).all())

    async def by_username(self, username: str) -> UserRow | None:
        """Return the person of a name, in any case of letters."""
        return await self._one(select(*_USER).where(users.c.username_key == username_key(username)))

    async def by_id(self, user_id: UUID) -> UserRow | None:
        """Return the person of an id."""
        return await self._one(select(*_USER).where(users.c.id == user_id))

    async def by_ids(self, user_ids: Iterable[UUID]) -> list[UserRow]:
        """Return the people of some ids."""
        return await self._many(select(*_USER).where(users.c.id.in_(list(user_ids))))

    async def by_usernames(self, usernames: Iterable[str]) -> list[UserRow]:
        """Return the people of some names."""
        keys = [username_key(username) for username in usernames]
        return await self._many(select(*_USER).where(users.c.username_key.in_(keys)))

    async def standing(self, user_id: UUID, *, same_address_within: timedelta) -> Standing | None:
        """Return how an account came to be, with its neighbours within some time."""
        other = users.alias("other")
        gap = func.abs(func.extract("epoch", other.c.created_at - users.c.created_at))
        statement = (
            select(users.c.created_at, users.c.sign_up_mark, other.c.id.label("other_id"))
            .outerjoin(
                other,
                and_(
                    other.c.sign_up_mark == users.c.sign_up_mark,
                    other.c.id != users.c.id,
                    gap < same_address_within.total_seconds(),
                ),
            )
            .where(users.c.id == user_id)
        )
        rows = (await self._session.execute(statement)).all()
        if not rows:
            return None
        return Standing(
            made_at=rows[0].created_at,
            let_themselves_in=rows[0].sign_up_mark is not None,
            neighbours=tuple(row.other_id for row in rows if row.other_id is not None),
        )

    async def page(self, *, search: str, after: str | None, limit: int) -> list[UserRow]:
        """Return people, not pseudonyms, whose name holds `search`, by name."""
        statement = select(*_USER).where(users.c.is_synthetic.is_(False))
        if search:
            key = username_key(search)
            statement = statement.where(
                users.c.username_key.contains(key, autoescape=True)
                | func.lower(users.c.display_name).contains(key, autoescape=True)
            )
        if after is not None:
            statement = statement.where(users.c.username_key > after)
        return await self._many(statement.order_by(users.c.username_key).limit(limit))

    async def password_hash(self, user_id: UUID) -> str | None:
        """Return the hash of a person's password."""
        statement = select(users.c.password_hash).where(users.c.id == user_id)
        return (await self._session.execute(statement)).scalar_one_or_none()

    async def set_password_hash(self, user_id: UUID, password_hash: str) -> None:
        """Write the hash of a person's password."""
        await self._session.execute(
            update(users).where(users.c.id == user_id).values(password_hash=password_hash)
        )

    async def set_display_name(self, user_id: UUID, display_name: str) -> None:
        """Write a person's display name."""
        await self._session.execute(
            update(users).where(users.c.id == user_id).values(display_name=display_name)
        )

    async def set_admin(self, user_id: UUID, *, is_admin: bool) -> None:
        """Write whether a person is an administrator."""
        await self._session.execute(
            update(users).where(users.c.id == user_id).values(is_admin=is_admin)
        )

    async def set_disabled(self, user_id: UUID, *, disabled_at: datetime | None) -> None:
        """Write since when a person's account is disabled."""
        await self._session.execute(
            update(users).where(users.c.id == user_id).values(disabled_at=disabled_at)
        )

    async def lock_admins(self) -> list[UUID]:
        """Return the administrators who can sign in; no other transaction changes them now."""
        # One lock for all: which rows are administrators is itself what changes.
        await self._session.execute(select(func.pg_advisory_xact_lock(_ADMINS_LOCK)))
        statement = select(users.c.id).where(users.c.is_admin, users.c.disabled_at.is_(None))
        return list((await self._session.execute(statement)).scalars())

    async def _one(self, statement: Select[*tuple[object, ...]]) -> UserRow | None:
        row = (await self._session.execute(statement)).mappings().one_or_none()
        return None if row is None else UserRow(**row)

    async def _many(self, statement: Select[*tuple[object, ...]]) -> list[UserRow]:
        rows = (await self._session.execute(statement)).mappings()
        return [UserRow(**row) for row in rows]


class TokenRepository:
    """Reads and writes API tokens."""

    def __init__(self, session: Session) -> None:
        self._session = session

    async def add(
        self,
        new: NewSecret,
        *,
        user_id: UUID,
        name: str,
        scope: TokenScope,
        minted_by: UUID | None = None,
    ) -> None:
        """Write an API token, with the one that it was made with."""
        await self._session.execute(
            insert(api_tokens).values(
                user_id=user_id, name=name, scope=scope, minted_by=minted_by, **_columns(new)
            )
        )

    async def of_user(self, user_id: UUID) -> Sequence[RowMapping]:
        """Return a person's tokens, newest first."""
        statement = (
            select(
                api_tokens.c.id,
                api_tokens.c.name,
                api_tokens.c.scope,
                api_tokens.c.created_at,
                api_tokens.c.expires_at,
                api_tokens.c.last_used_at,
            )
            .where(api_tokens.c.user_id == user_id)
            .order_by(api_tokens.c.id.desc())
        )
        return (await self._session.execute(statement)).mappings().all()

    async def remove_all_of(self, user_id: UUID, *, but: UUID | None = None) -> None:
        """Delete a person's tokens, all or all but one, which stands by itself then."""
        statement = delete(api_tokens).where(api_tokens.c.user_id == user_id)
        if but is not None:
            statement = statement.where(api_tokens.c.id != but)
            await self._session.execute(
                update(api_tokens).where(api_tokens.c.id == but).values(minted_by=None)
            )
        await self._session.execute(statement)

    async def remove(self, token_id: UUID, *, user_id: UUID) -> bool:
        """Delete a person's token and those that were made with it; tells whether there was one."""
        statement = (
            delete(api_tokens)
            .where(api_tokens.c.id == token_id, api_tokens.c.user_id == user_id)
            .returning(api_tokens.c.id)
        )
        return (await self._session.execute(statement)).first() is not None


class InvitationRepository:
    """Reads and writes invitations."""

    def __init__(self, session: Session) -> None:
        self._session = session

    async def add(self, new: NewSecret, *, note: str, created_by: UUID | None) -> None:
        """Write an invitation."""
        await self._session.execute(
            insert(invitations).values(note=note, created_by=created_by, **_columns(new))
        )

    async def all(self) -> Sequence[RowMapping]:
        """Return all invitations, newest first."""
        statement = (
            select(
                invitations.c.id,
                invitations.c.note,
                invitations.c.created_at,
                invitations.c.expires_at,
                users.c.username.label("accepted_by"),
                invitations.c.accepted_at,
            )
            .outerjoin(users, users.c.id == invitations.c.accepted_by)
            .order_by(invitations.c.id.desc())
        )
        return (await self._session.execute(statement)).mappings().all()

    async def is_open(self, digest: bytes, *, now: datetime) -> bool:
        """Tell whether an invitation can be accepted."""
        statement = select(invitations.c.id).where(
            invitations.c.secret_digest == digest,
            invitations.c.accepted_at.is_(None),
            invitations.c.expires_at > now,
        )
        return (await self._session.execute(statement)).first() is not None

    async def accept(self, digest: bytes, *, user_id: UUID, now: datetime) -> bool:
        """Write who accepted an invitation; tells whether it was still open."""
        statement = (
            update(invitations)
            .where(
                invitations.c.secret_digest == digest,
                invitations.c.accepted_at.is_(None),
                invitations.c.expires_at > now,
            )
            .values(accepted_by=user_id, accepted_at=now)
            .returning(invitations.c.id)
        )
        return (await self._session.execute(statement)).first() is not None

    async def remove(self, invitation_id: UUID) -> bool:
        """Delete an invitation that nobody accepted; tells whether there was one."""
        statement = (
            delete(invitations)
            .where(invitations.c.id == invitation_id, invitations.c.accepted_at.is_(None))
            .returning(invitations.c.id)
        )
        return (await self._session.execute(statement)).first() is not None

    async def forget_made_by(self, user_id: UUID) -> None:
        """Delete the invitations that somebody made and that nobody accepted."""
        await self._session.execute(
            delete(invitations).where(
                invitations.c.created_by == user_id, invitations.c.accepted_at.is_(None)
            )
        )


class PasswordResetRepository:
    """Reads and writes links with which a person sets a new password."""

    def __init__(self, session: Session) -> None:
        self._session = session

    async def replace(self, new: NewSecret, *, user_id: UUID, created_by: UUID | None) -> None:
        """Write a link; earlier ones of the same person that were not used are deleted."""
        await self.forget_open(user_id)
        await self._session.execute(
            insert(password_resets).values(user_id=user_id, created_by=created_by, **_columns(new))
        )

    async def forget_open(self, user_id: UUID) -> None:
        """Delete a person's links that were not used."""
        await self._session.execute(
            delete(password_resets).where(
                password_resets.c.user_id == user_id, password_resets.c.used_at.is_(None)
            )
        )

    async def forget_made_by(self, user_id: UUID) -> None:
        """Delete the links that somebody made for others and that were not used."""
        await self._session.execute(
            delete(password_resets).where(
                password_resets.c.created_by == user_id, password_resets.c.used_at.is_(None)
            )
        )

    async def is_open(self, digest: bytes, *, now: datetime) -> bool:
        """Tell whether a link can be used."""
        statement = select(password_resets.c.id).where(
            password_resets.c.secret_digest == digest,
            password_resets.c.used_at.is_(None),
            password_resets.c.expires_at > now,
        )
        return (await self._session.execute(statement)).first() is not None

    async def use(self, digest: bytes, *, now: datetime) -> UUID | None:
        """Write that a link was used; returns whose it is, or None if it is used up."""
        statement = (
            update(password_resets)
            .where(
                password_resets.c.secret_digest == digest,
                password_resets.c.used_at.is_(None),
                password_resets.c.expires_at > now,
            )
            .values(used_at=now)
            .returning(password_resets.c.user_id)
        )
        owner: UUID | None = (await self._session.execute(statement)).scalar_one_or_none()
        return owner


def _columns(new: NewSecret) -> dict[str, object]:
    return {
        "id": new.id,
        "secret_digest": new.digest,
        "created_at": new.created_at,
        "expires_at": new.expires_at,
    }
