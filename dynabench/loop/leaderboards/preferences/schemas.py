"""Wire shapes of the preference board."""

from uuid import UUID

from dynabench.kit.sentences import TellingModel, Told


class PreferenceRow(TellingModel):
    """One model: its Bradley-Terry strength, or why it has none.

    Attributes:
        model_id: The model version.
        model_name: How it is called.
        model_version: Which of that name.
        rank: 1 and the number of models that are surely stronger, by paired tests of all pairs
            after Holm; None where too few people tell of it.
        strength: Its points; 400 are odds of ten to one, and the ranked models' mean is 1000.
        low: The lower end of its 95 % interval.
        high: The upper end.
        battles: With how many replies of other models one of its own was compared.
        wins: How many of these it won; a tie is half a win.
        win_rate: Wins of battles, 0 to 100.
        replies: How many replies people judged.
        all_bad: How many of these were found bad together with all others.
        unranked: Why it has no strength, as a word.
        reason: Why it has no strength, or no interval and no rank, as a sentence.
    """

    model_id: UUID
    model_name: str
    model_version: int
    rank: int | None
    strength: float | None
    low: float | None
    high: float | None
    battles: int
    wins: float
    win_rate: float | None
    replies: int
    all_bad: int
    unranked: str | None
    reason: str | None
    reason_told: Told | None = None


class PreferenceBoardRead(TellingModel):
    """Models by people's choices between their replies, the strongest first.

    Attributes:
        rows: The models whose replies were compared.
        conversations: How many conversations with a choice were handed in.
        choices: How many messages had their replies compared.
        ties: How many of these were ties.
        all_bad: How many of these had no good reply.
        reason: Why there is nobody to rank, as a sentence.
    """

    rows: list[PreferenceRow]
    conversations: int
    choices: int
    ties: int
    all_bad: int
    reason: str | None
    reason_told: Told | None = None
