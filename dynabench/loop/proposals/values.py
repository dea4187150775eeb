"""Where a proposal stands."""

from enum import StrEnum


class ProposalStatus(StrEnum):
    """Where a proposed task stands; `withdrawn` is its author's word, the rest the office's."""

    OPEN = "open"
    CHANGES_ASKED = "changes_asked"
    ACCEPTED = "accepted"
    REJECTED = "rejected"
    WITHDRAWN = "withdrawn"
