"""Routes of notifications."""

import hashlib
from typing import Annotated
from uuid import UUID

from fastapi import APIRouter, Depends, Header, Response

from dynabench.kit.paging import Cursor
from dynabench.kit.web import ActorDep, provide, raises
from dynabench.people.notifications.errors import NotificationNotFoundError
from dynabench.people.notifications.schemas import NotificationPage, NotificationsSeen
from dynabench.people.notifications.service import NotificationService

router = APIRouter(prefix="/api/v1/users/me/notifications", tags=["people"])

Notifications = Annotated[NotificationService, Depends(provide(NotificationService))]
KnownTag = Annotated[str | None, Header(alias="If-None-Match", max_length=200)]


@router.get(
    "",
    response_model=NotificationPage,
    responses={304: {"description": "The reader has it already."}},
)
async def list_notifications(
    actor: ActorDep,
    notifications: Notifications,
    cursor: Cursor = None,
    known: KnownTag = None,
) -> Response:
    """List what the reader was told, newest first, and count what is unread."""
    page = await notifications.page(actor=actor, cursor=cursor)
    content = page.model_dump_json().encode()
    tag = f'"{hashlib.sha256(content).hexdigest()[:32]}"'
    headers = {"etag": tag, "cache-control": "private, no-cache"}
    if known is not None and tag in known:
        return Response(status_code=304, headers=headers)
    return Response(content, media_type="application/json", headers=headers)


@router.post("/read", status_code=204, openapi_extra=raises(NotificationNotFoundError))
async def read_notifications(
    body: NotificationsSeen, actor: ActorDep, notifications: Notifications
) -> None:
    """Mark a notification and all older ones as read."""
    await notifications.mark_read_through(body.through, actor=actor)


@router.post(
    "/{notification_id}/read", status_code=204, openapi_extra=raises(NotificationNotFoundError)
)
async def read_notification(
    notification_id: UUID, actor: ActorDep, notifications: Notifications
) -> None:
    """Mark one notification as read."""
    await notifications.mark_read(notification_id, actor=actor)
