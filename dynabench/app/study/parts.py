"""Finished arms on disk, so that an interrupted study goes on where it was."""

import os
from pathlib import Path

from pydantic import ValidationError

from dynabench.app.study.results import ArmPlayed
from dynabench.app.study.values import Arm, Material, Plan
from dynabench.kit.canonical_json import digest_of

PARTS_FOLDER = "parts"
_NAME_LENGTH = 16


class Parts:
    """The arms that are done of one loop, by seed; of other data or settings there are none."""

    def __init__(self, folder: Path, material: Material, *, plan: Plan) -> None:
        settings = {**plan.settings(), "data": material.digest()}
        self._folder = folder / PARTS_FOLDER / material.name
        self._key = digest_of(settings)[:_NAME_LENGTH]

    def read(self, seed: int, arm: Arm) -> ArmPlayed | None:
        """Return an arm that is done; a damaged file is one that is not."""
        try:
            return ArmPlayed.model_validate_json(self._path(seed, arm).read_bytes())
        except (FileNotFoundError, ValidationError):
            return None

    def write(self, played: ArmPlayed) -> None:
        """Keep an arm; whoever reads at the same time finds all of it or nothing."""
        path = self._path(played.seed, played.arm)
        path.parent.mkdir(parents=True, exist_ok=True)
        beside = path.with_suffix(f".{os.getpid()}.tmp")
        beside.write_text(played.model_dump_json(), encoding="utf-8")
        beside.replace(path)

    def _path(self, seed: int, arm: Arm) -> Path:
        return self._folder / f"{self._key}-{seed}-{arm.value}.json"
