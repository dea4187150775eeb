"""Wire shape of prediction files."""

from datetime import datetime
from uuid import UUID

from dynabench.kit.wire import WireModel


class PredictionFileRead(WireModel):
    """A file of predictions that was taken."""

    model_id: UUID
    dataset_version_id: UUID
    digest: str
    items: int
    created_at: datetime
