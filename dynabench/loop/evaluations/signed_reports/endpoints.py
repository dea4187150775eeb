"""Routes of signed results."""

from typing import Annotated
from uuid import UUID

from fastapi import APIRouter, Depends

from dynabench.kit.web import ActorDep, provide, raises
from dynabench.loop.evaluations.signed_reports.schemas import SignedReport, SigningKeyRead
from dynabench.loop.evaluations.signed_reports.service import SignedReportService
from dynabench.loop.models.errors import ModelNotFoundError

router = APIRouter(prefix="/api/v1", tags=["evaluations"])

Reports = Annotated[SignedReportService, Depends(provide(SignedReportService))]


@router.get("/models/{model_id}/report", openapi_extra=raises(ModelNotFoundError))
async def read_report(model_id: UUID, actor: ActorDep, reports: Reports) -> SignedReport:
    """Give a model's results as a signed report."""
    return await reports.make(model_id, actor=actor)


@router.get("/signing-key")
async def read_signing_key(reports: Reports) -> SigningKeyRead:
    """Show the key that this installation signs reports with."""
    return await reports.key()
