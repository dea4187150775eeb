"""Dynabench: people write examples that fool a live model, others judge them, models are ranked.

`DynabenchClient` and `AsyncDynabenchClient` are the Python client of a running Dynabench.
They are loaded when they are first asked for, so that a process of the server pays nothing.
"""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from dynabench.client.client import AsyncDynabenchClient, DynabenchClient

__all__ = ["AsyncDynabenchClient", "DynabenchClient"]


def __getattr__(name: str) -> object:
    """Load the client when it is first asked for."""
    if name not in __all__:
        msg = f"module 'dynabench' has no attribute {name!r}"
        raise AttributeError(msg)
    # Loading it above would load the HTTP client into every process of the server.
    from dynabench.client import client  # noqa: PLC0415

    found: object = getattr(client, name)
    return found
