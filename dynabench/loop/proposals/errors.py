"""What can go wrong with proposals."""

from dynabench.kit.errors import ConflictError, InvalidError, LimitError, NotFoundError


class ProposalNotFoundError(NotFoundError):
    """There is no such proposal, or it is somebody else's."""

    code = "proposals.not_found"

    def __init__(self) -> None:
        super().__init__("There is no such proposal. Look at the list of proposals.")


class ProposalStateError(ConflictError):
    """The proposal is in a state in which this cannot be done."""

    code = "proposals.wrong_state"

    def __init__(self, *, status: str, wanted: str) -> None:
        stands = status.replace("_", " ")
        super().__init__(
            f"The proposal's status is “{stands}”; this needs it to be {wanted}.", status=status
        )


class ProposalRevisedError(ConflictError):
    """What was sent is about a text that its author has changed meanwhile."""

    code = "proposals.revised"

    def __init__(self, *, revision: int, current: int) -> None:
        super().__init__(
            f"This is about revision {revision}, but the proposal is at revision {current}. "
            "Look at it again first.",
            revision=revision,
            current=current,
        )


class ProposalReasonNeededError(InvalidError):
    """A proposal was turned down without a word."""

    code = "proposals.reason_needed"

    def __init__(self) -> None:
        super().__init__(
            "Say why, so that the author knows what to do.",
            fields={"text": "Say why, so that the author knows what to do."},
        )


class TooManyProposalsError(LimitError):
    """A person has as many waiting proposals as one may have."""

    code = "proposals.too_many"

    def __init__(self, *, limit: int) -> None:
        super().__init__(
            f"You have {limit} proposals that wait for a decision. Withdraw one, or wait until "
            "one is decided.",
            limit=limit,
        )
