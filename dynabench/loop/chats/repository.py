"""All SQL of conversations."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, fields
from datetime import datetime
from typing import Any
from uuid import UUID

from sqlalchemy import func, insert, select, update
from sqlalchemy.sql.elements import ColumnElement

from dynabench.kit.db.database import Session
from dynabench.loop.chats.tables import chat_turns, chats
from dynabench.loop.chats.values import Chat, Choice, Place, Reply, Turn

_BEGINNING = "chats.beginning"
_PLACE = tuple(field.name for field in fields(Place))


class ChatRepository:
    """Reads and writes conversations."""

    def __init__(self, session: Session) -> None:
        self._session = session

    async def lock_place(self, place: Place) -> None:
        """Let an annotator begin one conversation about a context at a time."""
        parts = (_BEGINNING, place.round_id, place.context_id, place.annotator_id)
        key = func.hashtextextended(":".join(str(part) for part in parts), 0)
        await self._session.execute(select(func.pg_advisory_xact_lock(key)))

    async def get(self, chat_id: UUID, *, lock: bool = False) -> Chat | None:
        """Return a conversation with its turns; locked until the transaction ends if asked."""
        statement = select(chats).where(chats.c.id == chat_id)
        if lock:
            statement = statement.with_for_update()
        row = (await self._session.execute(statement)).mappings().one_or_none()
        if row is None:
            return None
        turns = (
            select(chat_turns).where(chat_turns.c.chat_id == chat_id).order_by(chat_turns.c.number)
        )
        found = (await self._session.execute(turns)).mappings()
        return Chat(
            id=row["id"],
            place=Place(**{name: row[name] for name in _PLACE}),
            model_ids=tuple(row["model_ids"]),
            created_at=row["created_at"],
            submitted_at=row["submitted_at"],
            turns=tuple(_turn(dict(one)) for one in found),
        )

    async def unfinished(self, place: Place) -> UUID | None:
        """Return the conversation that was begun here and is part of no attempt."""
        statement = (
            select(chats.c.id)
            .where(*_at(place), chats.c.submitted_at.is_(None))
            .order_by(chats.c.created_at.desc(), chats.c.id)
            .limit(1)
        )
        return (await self._session.execute(statement)).scalar_one_or_none()

    async def count(self, place: Place) -> int:
        """Return how many conversations were begun here."""
        statement = select(func.count()).where(*_at(place))
        return int((await self._session.execute(statement)).scalar_one())

    async def add(self, chat: Chat) -> None:
        """Store a conversation without its turns."""
        values = {
            **asdict(chat.place),
            "id": chat.id,
            "model_ids": list(chat.model_ids),
            "created_at": chat.created_at,
        }
        await self._session.execute(insert(chats).values(values))

    async def add_turn(self, chat_id: UUID, turn: Turn, *, now: datetime) -> None:
        """Store a turn with all its replies."""
        await self._session.execute(
            insert(chat_turns).values(chat_id=chat_id, created_at=now, **_row(turn))
        )

    async def change_turn(self, chat_id: UUID, turn: Turn) -> None:
        """Write a turn's replies, ratings and choice as they are now."""
        await self._session.execute(
            update(chat_turns)
            .where(chat_turns.c.chat_id == chat_id, chat_turns.c.number == turn.number)
            .values(_row(turn))
        )

    async def finish(self, chat_id: UUID, *, now: datetime) -> None:
        """Say that an attempt holds the conversation."""
        await self._session.execute(
            update(chats).where(chats.c.id == chat_id).values(submitted_at=now)
        )


def _at(place: Place) -> list[ColumnElement[bool]]:
    return [chats.c[name] == value for name, value in asdict(place).items()]


def _row(turn: Turn) -> dict[str, object]:
    return {
        "number": turn.number,
        "text": turn.text,
        "candidates": [_stored(reply) for reply in turn.candidates],
        "replaced": [[_stored(reply) for reply in replies] for replies in turn.replaced],
        "choice": None if turn.choice is None else turn.choice.value,
        "regenerated": turn.regenerated,
    }


def _stored(reply: Reply) -> dict[str, object]:
    return {**asdict(reply), "model_id": str(reply.model_id)}


# A row's columns are typed as Any.
def _turn(row: Mapping[str, Any]) -> Turn:
    return Turn(
        number=row["number"],
        text=row["text"],
        candidates=_replies(row["candidates"]),
        replaced=tuple(_replies(replies) for replies in row["replaced"]),
        choice=None if row["choice"] is None else Choice(row["choice"]),
        regenerated=row["regenerated"],
    )


def _replies(stored: Sequence[Mapping[str, Any]]) -> tuple[Reply, ...]:
    return tuple(Reply(**{**one, "model_id": UUID(one["model_id"])}) for one in stored)
