"""Dynabench: people write examples that fool a live model, others judge them, models are ranked.

`DynabenchClient` and `AsyncDynabenchClient` are the Python client of a running Dynabench, and
`errors` has every failure that they raise. They are loaded when they are first asked for, so
that a process of the server pays nothing; their types stand in the stub next to this file, so
that no room of the house seems to import the client.
"""

from importlib import import_module

__version__ = "0.1.0"
__all__ = ["AsyncDynabenchClient", "DynabenchClient", "__version__", "errors"]


def __getattr__(name: str) -> object:
    """Load the client when it is first asked for."""
    if name == "errors":
        return import_module("dynabench.errors")
    if name not in __all__:
        msg = f"module 'dynabench' has no attribute {name!r}"
        raise AttributeError(msg)
    found: object = getattr(import_module("dynabench.client.client"), name)
    return found


def __dir__() -> list[str]:
    """List what the package offers, loaded or not."""
    return sorted(__all__)
