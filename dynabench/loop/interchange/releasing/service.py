"""Use case of a replay that ends in datasets: release its rounds through the ordinary service."""

from dynabench.loop.datasets.releases.gathering.service import Progress
from dynabench.loop.datasets.releases.service import ReleaseService
from dynabench.loop.datasets.values import DatasetVersion, OpenVerdicts, ReleaseOrder
from dynabench.loop.interchange.schemas import ReplayRead


class ReplayReleaser:
    """Releases the rounds of a collection that was made elsewhere."""

    def __init__(self, *, releases: ReleaseService) -> None:
        self._releases = releases

    async def release(
        self,
        found: ReplayRead,
        *,
        licence: str,
        seed: int,
        allow_incomplete: bool,
        progress: Progress,
    ) -> list[DatasetVersion]:
        """Release each round of a replay; one that is released already stays as it is.

        Votes that a source lacks will never come, so what waits is taken as it is.

        Args:
            found: What was replayed.
            licence: The licence of the datasets.
            seed: Decides who and what goes into which split.
            allow_incomplete: Whether a round may be released that lacks dev or test.
            progress: Called as it goes on.

        Raises:
            ReleaseIncompleteError: If a round lacks something, with sentences that say what.
            NothingToReleaseError: If nothing of a round stands.
        """
        return [
            await self._releases.release(
                ReleaseOrder(
                    round_id=one.round_id,
                    seed=seed,
                    licence=licence,
                    open_verdicts=OpenVerdicts.SETTLE,
                    allow_incomplete=allow_incomplete,
                    # The same source is the same dataset, whatever the task has released.
                    share_of_others=0.0,
                    apart_from_earlier=False,
                ),
                progress=progress,
            )
            for one in found.rounds
        ]
