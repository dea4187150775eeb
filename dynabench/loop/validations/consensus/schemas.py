"""Wire shapes of what votes say together."""

from uuid import UUID

from dynabench.kit.sentences import TellingModel, Told
from dynabench.kit.wire import WireModel


class ConsensusItemRead(WireModel):
    """An example on which the majority and the model of votes do not say the same.

    Attributes:
        majority: What more than half of the votes say; null where nothing does.
        label: The most probable label.
        probability: Its probability, 0 to 1.
    """

    example_id: UUID
    votes: int
    majority: str | None
    label: str
    probability: float


class ValidatorConfusionRead(WireModel):
    """How one validator labels.

    Attributes:
        confusion: For each true label, how often each label is given, in the order of the
            labels; each row adds up to 1.
        reliability: How often the right label is given, over labels as frequent as they are.
    """

    username: str
    votes: int
    confusion: list[list[float]]
    reliability: float


class ConsensusRead(TellingModel):
    """Dawid-Skene beside the majority: no verdict hangs on it.

    Attributes:
        labels: What validators may say, in alphabetical order.
        shares: How frequent each label is.
        agreeing: Examples of which the most probable label is the majority's.
        with_majority: Examples with a majority.
        validators: Every validator, least reliable first.
        differing: Examples on which the two differ, least sure first; at most 100.
        reason: Why there is nothing, as a sentence.
    """

    labels: list[str]
    shares: list[float]
    examples: int
    votes: int
    agreeing: int
    with_majority: int
    validators: list[ValidatorConfusionRead]
    differing: list[ConsensusItemRead]
    reason: str | None
    reason_told: Told | None = None
