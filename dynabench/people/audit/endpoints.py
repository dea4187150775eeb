"""Routes of the audit trail."""

from typing import Annotated

from fastapi import APIRouter, Depends, Query

from dynabench.kit.paging import BadCursorError, Page
from dynabench.kit.web import ActorDep, provide, raises
from dynabench.people.audit.schemas import AuditEntryRead, AuditFilter
from dynabench.people.audit.service import AuditService
from dynabench.people.errors import AdminNeededError

router = APIRouter(prefix="/api/v1", tags=["people"])

Audit = Annotated[AuditService, Depends(provide(AuditService))]


@router.get("/audit", openapi_extra=raises(AdminNeededError, BadCursorError))
async def list_audit_entries(
    wanted: Annotated[AuditFilter, Query()], actor: ActorDep, audit: Audit
) -> Page[AuditEntryRead]:
    """List who changed what, newest first (administrators)."""
    return await audit.page(wanted, actor=actor)
