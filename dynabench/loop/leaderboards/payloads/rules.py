"""Figures as one compressed file of arrays, and back."""

import io
import json
from uuid import UUID

import numpy as np
from numpy.typing import NDArray

from dynabench.loop.leaderboards.figures.values import Figures, ItemScores, Small

_ABOUT = "about"
_ARRAYS = ("values", "lows", "highs", "items", "failed", "evaluated_at", "at_client")
FORM = 2
"""The shape of what is packed; another one is computed anew."""


def pack(figures: Figures) -> bytes:
    """Return figures as bytes; scores of 0 and 1 take a bit each."""
    about: dict[str, object] = {
        "version": FORM,
        "stamp": figures.stamp,
        "metrics": list(figures.metrics),
        "models": [str(one) for one in figures.models],
        "versions": [str(one) for one in figures.versions],
    }
    arrays: dict[str, NDArray[np.generic]] = {name: getattr(figures, name) for name in _ARRAYS}
    sets = []
    for number, one in enumerate(figures.item_scores.values()):
        is_binary = bool(np.isin(one.scores, (0.0, 1.0)).all())
        sets.append(
            {
                "version_id": str(one.version_id),
                "models": [str(model) for model in one.models],
                "marks": list(one.marks),
                "is_binary": is_binary,
            }
        )
        arrays[f"groups-{number}"] = one.groups.astype(np.int32)
        arrays[f"contexts-{number}"] = one.contexts
        packed = np.packbits(one.scores.astype(bool), axis=1) if is_binary else one.scores
        arrays[f"scores-{number}"] = packed
    about["sets"] = sets
    arrays[_ABOUT] = np.frombuffer(json.dumps(about).encode(), dtype=np.uint8)
    file = io.BytesIO()
    np.savez_compressed(file, allow_pickle=False, **arrays)
    return file.getvalue()


def unpack(payload: bytes) -> Figures | None:
    """Return what `pack` wrote; None of what another version of this code wrote."""
    with np.load(io.BytesIO(payload), allow_pickle=False) as file:
        about = json.loads(file[_ABOUT].tobytes())
        if about["version"] != FORM:
            return None
        item_scores: dict[UUID, ItemScores] = {}
        for number, one in enumerate(about["sets"]):
            groups = file[f"groups-{number}"].astype(np.int64)
            item_scores[UUID(one["version_id"])] = ItemScores(
                version_id=UUID(one["version_id"]),
                groups=groups,
                contexts=file[f"contexts-{number}"],
                models=tuple(UUID(model) for model in one["models"]),
                marks=tuple(one["marks"]),
                scores=_scores(
                    file[f"scores-{number}"], items=len(groups), is_binary=one["is_binary"]
                ),
            )
        return Figures(
            stamp=about["stamp"],
            metrics=about["metrics"],
            models=[UUID(one) for one in about["models"]],
            versions=[UUID(one) for one in about["versions"]],
            item_scores=item_scores,
            **{name: file[name] for name in _ARRAYS},
        )


def _scores(packed: NDArray[np.generic], *, items: int, is_binary: bool) -> Small:
    if not is_binary:
        return packed.astype(np.float32)
    bits = packed.astype(np.uint8)
    return np.unpackbits(bits, axis=1, count=items).astype(np.float32)
