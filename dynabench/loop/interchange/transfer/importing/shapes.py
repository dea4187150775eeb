"""What free JSON in a row must hold at least, so that pages can show it."""

from pydantic import BaseModel, NonNegativeInt

from dynabench.loop.leaderboards.suspicions.schemas import ResponseEvidenceRead, VoteEvidenceRead


class SplitCount(BaseModel):
    """What a dataset's card says of one split; more may stand there."""

    items: NonNegativeInt
    labels: dict[str, NonNegativeInt] | None = None


class SplitCounts(BaseModel):
    """Every card counts all splits."""

    train: SplitCount
    dev: SplitCount
    test: SplitCount


class DatasetCard(BaseModel):
    """What is read of a dataset's card; the rest is shown as it is."""

    splits: SplitCounts


class Evidence(BaseModel):
    """Why a gold answer may be wrong: by models, by votes, or by both."""

    responses: ResponseEvidenceRead | None = None
    votes: VoteEvidenceRead | None = None
