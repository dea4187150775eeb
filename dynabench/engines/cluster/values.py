"""What a cluster does for the rest: keep copies of an object on its machines, and ask them."""

from collections.abc import Callable
from typing import Protocol

Build = Callable[[], object]
"""Makes an object in a process of the cluster. It is sent there as a pickle."""


class Copies(Protocol):
    """Copies of one object, each in a process of its own; each is asked one thing at a time."""

    @property
    def most(self) -> int:
        """How many there can be."""
        ...

    async def ask(self, method: str, *arguments: object) -> object:
        """Call a coroutine method of a copy that is free; arguments and result are pickled.

        Raises:
            ClusterUnavailableError: If copies were lost again and again.
        """
        ...

    async def close(self) -> None:
        """Call `close` of each copy, and end its process."""
        ...


class Cluster(Protocol):
    """Machines that copies of an object can be kept on."""

    async def connect(self) -> None:
        """Reach the cluster, if it is not reached yet.

        Raises:
            ClusterUnavailableError: If that is not possible.
        """
        ...

    async def copies(self, build: Build, *, most: int) -> Copies:
        """Make copies of an object, one for each processor, as processors become free.

        Args:
            build: Makes one; its `close` is a coroutine method.
            most: The number of copies that there is work for.

        Raises:
            ClusterUnavailableError: If the cluster cannot be reached.
        """
        ...
