"""Routes of perturbed sets."""

from typing import Annotated
from uuid import UUID

from fastapi import APIRouter, Depends, Query

from dynabench.engines.jobs.schemas import JobRead
from dynabench.kit.paging import PageSize
from dynabench.kit.web import ActorDep, RequestKeyDep, provide, raises
from dynabench.loop.datasets import errors
from dynabench.loop.datasets.perturbing.schemas import (
    PerturbationCreate,
    PerturbationResultRead,
    TransformRead,
    VariantRead,
)
from dynabench.loop.datasets.perturbing.service import PerturbationService
from dynabench.loop.tasks.errors import TaskNotFoundError, TaskRoleNeededError
from dynabench.science.texts.wire_texts import OneLine

router = APIRouter(prefix="/api/v1", tags=["datasets"])

Perturbations = Annotated[PerturbationService, Depends(provide(PerturbationService))]

_OWNING = (errors.DatasetNotFoundError, TaskRoleNeededError)


@router.get("/tasks/{slug}/transforms", openapi_extra=raises(TaskNotFoundError))
async def list_transforms(
    slug: str, actor: ActorDep, perturbations: Perturbations
) -> list[TransformRead]:
    """List the transforms, and which of them a task's texts are varied by."""
    return await perturbations.transforms(slug, actor=actor)


@router.post(
    "/dataset-versions/{version_id}/perturbations",
    status_code=202,
    openapi_extra=raises(
        *_OWNING,
        errors.NotPerturbableError,
        errors.UnknownTransformError,
        errors.DatasetFileMissingError,
    ),
)
async def perturb_dataset(
    version_id: UUID,
    body: PerturbationCreate,
    actor: ActorDep,
    perturbations: Perturbations,
    key: RequestKeyDep,
) -> JobRead:
    """Vary a version by transforms or a file of one's own (owners); a job does it."""
    return await perturbations.create(version_id, body, actor=actor, key=key)


@router.get("/perturbations/{job_id}", openapi_extra=raises(errors.ReportNotFoundError))
async def read_perturbation(
    job_id: UUID, actor: ActorDep, perturbations: Perturbations
) -> PerturbationResultRead:
    """Tell what became of a perturbing job, once it is done (owners)."""
    return await perturbations.report(job_id, actor=actor)


@router.get("/dataset-versions/{version_id}/variants", openapi_extra=raises(*_OWNING))
async def list_variants(
    version_id: UUID,
    transform: Annotated[OneLine, Query(max_length=100)],
    actor: ActorDep,
    perturbations: Perturbations,
    after: Annotated[int, Query(ge=0, le=2**31 - 1)] = 0,
    limit: PageSize = 20,
) -> list[VariantRead]:
    """Show what a transform made of items, beside the originals (owners)."""
    return await perturbations.variants(
        version_id, transform=transform, after=after, limit=limit, actor=actor
    )
