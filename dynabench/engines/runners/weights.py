"""Files of weights: those that can hold code are refused by name, before anything reads them."""

from pathlib import Path

# What `pickle` writes can do anything to whoever reads it.
PICKLED = (".bin", ".pt", ".pth", ".pkl", ".pickle", ".ckpt", ".joblib", ".h5", ".msgpack")
# Left by a training program beside the weights; nothing reads it.
_HARMLESS = {"training_args.bin"}
_SAFE = ".safetensors"


def is_pickled(name: str) -> bool:
    """Tell whether a file of this name may hold code instead of numbers.

    Example:
        >>> is_pickled("pytorch_model.bin"), is_pickled("model.safetensors")
        (True, False)
    """
    path = Path(name)
    return path.suffix.lower() in PICKLED and path.name not in _HARMLESS


def weights_problem(names: list[str]) -> str | None:
    """Say what is wrong with the weights among these files; None where nothing is."""
    pickled = sorted(name for name in names if is_pickled(name))
    if pickled:
        return (
            f"{pickled[0]} may hold code, not only numbers. Save the weights as safetensors "
            "(save_pretrained does) and leave that file out."
        )
    if not any(name.endswith(_SAFE) for name in names):
        return f"There are no weights: a {_SAFE} file is needed (save_pretrained writes it)."
    return None
