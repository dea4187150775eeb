"""Routes of the gallery."""

from typing import Annotated

from fastapi import APIRouter, Depends

from dynabench.engines.jobs.schemas import JobRead
from dynabench.kit.web import ActorDep, RequestKeyDep, provide, raises
from dynabench.loop.interchange.gallery.errors import GalleryEntryNotFoundError
from dynabench.loop.interchange.gallery.schemas import GalleryAdd, GalleryEntryRead
from dynabench.loop.interchange.gallery.service import GalleryService
from dynabench.loop.tasks.errors import SlugTakenError
from dynabench.people.errors import AdminNeededError

router = APIRouter(prefix="/api/v1", tags=["gallery"])

Gallery = Annotated[GalleryService, Depends(provide(GalleryService))]


@router.get("/gallery", openapi_extra=raises(AdminNeededError))
async def list_gallery(actor: ActorDep, gallery: Gallery) -> list[GalleryEntryRead]:
    """List the tasks that the package brings (administrators)."""
    return await gallery.list(actor=actor)


@router.post(
    "/gallery/{name}",
    status_code=202,
    openapi_extra=raises(AdminNeededError, GalleryEntryNotFoundError, SlugTakenError),
)
async def add_gallery_task(
    name: str, body: GalleryAdd, actor: ActorDep, gallery: Gallery, key: RequestKeyDep
) -> JobRead:
    """Add a task with its contexts, its models and an open first round (administrators)."""
    return await gallery.add(name, body, actor=actor, key=key)
