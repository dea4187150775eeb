"""What a finished epoch leaves on disk, so that it is not repeated after an interruption.

Weights and the optimiser's moments are safetensors and JSON: reading them back runs no code.
Randomness is seeded epoch by epoch, so that nothing of it has to be kept.
"""

import json
import shutil
from pathlib import Path

from dynabench.engines.finetuning.libraries import Library, load_safetensors

_MOMENTS = "moments.safetensors"
_STATE = "state.json"
_UNFINISHED = "unfinished"


def save_epoch(
    folder: Path, epoch: int, *, model: Library, optimiser: Library, order_digest: str
) -> None:
    """Keep the state after an epoch, whole or not at all, and forget the one before."""
    unfinished = folder / _UNFINISHED
    shutil.rmtree(unfinished, ignore_errors=True)
    unfinished.mkdir(parents=True)
    model.save_pretrained(unfinished)
    moments = {
        f"{place}.{name}": tensor.contiguous()
        for place, state in optimiser.state_dict()["state"].items()
        for name, tensor in state.items()
    }
    load_safetensors().save_file(moments, unfinished / _MOMENTS)
    state = {"epoch": epoch, "order": order_digest}
    (unfinished / _STATE).write_text(json.dumps(state), encoding="utf-8")
    unfinished.rename(folder / f"epoch-{epoch:04d}")
    shutil.rmtree(folder / f"epoch-{epoch - 1:04d}", ignore_errors=True)


def last_epoch(folder: Path, *, order_digest: str) -> tuple[int, Path] | None:
    """Return the newest finished epoch of this very order with its folder; None before one."""
    for found in sorted(folder.glob("epoch-*"), reverse=True):
        try:
            state = json.loads((found / _STATE).read_text(encoding="utf-8"))
        except (OSError, ValueError):
            continue
        if state["order"] == order_digest:
            return int(state["epoch"]), found
    return None


def load_moments(folder: Path, optimiser: Library) -> None:
    """Give a fresh optimiser what it had learned of each weight."""
    state: dict[int, dict[str, Library]] = {}
    for name, tensor in load_safetensors().load_file(folder / _MOMENTS).items():
        place, _, kind = name.partition(".")
        state.setdefault(int(place), {})[kind] = tensor
    told = optimiser.state_dict()
    optimiser.load_state_dict({"state": state, "param_groups": told["param_groups"]})
