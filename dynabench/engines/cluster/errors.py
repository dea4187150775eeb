"""How working on a cluster fails."""

from dynabench.kit.errors import UnavailableError


class ClusterUnavailableError(UnavailableError):
    """The cluster cannot be reached, or lost what was asked of it; the reason is a sentence."""

    code = "cluster.unavailable"

    def __init__(self, *, reason: str) -> None:
        super().__init__(f"The cluster cannot be used: {reason}")
        self.reason = reason
