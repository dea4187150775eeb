"""Limits, formats and jobs of submissions."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import timedelta
from enum import StrEnum
from pathlib import Path
from typing import TypeAlias

from dynabench.loop.models.values import ModelIsolation

CHECK_MODEL = "models.check"
"""The job that checks a submitted model: `{"model_id": …}`."""

ARTIFACT = "artifact"
"""Where in a model's source its files are named as they were handed in."""

PERIOD = timedelta(hours=24)
"""The day over which submissions are counted."""

ChooseIsolation: TypeAlias = Callable[[], ModelIsolation]
"""Says how submitted code is kept apart on this machine, or refuses it with the reason."""


class ArtifactFormat(StrEnum):
    """What a model's files are handed in as."""

    ZIP = "zip"
    TAR_GZ = "tar.gz"
    ONNX = "onnx"
    JSON_LINES = "jsonl"


@dataclass(frozen=True, slots=True, kw_only=True)
class SubmissionLimits:
    """What the operator allows, and where files lie while they are looked at.

    Attributes:
        max_bytes: The largest artifact.
        per_day: How many submissions of one person to one task may pass within a day.
        waiting: How many may be on their way at once.
        spool: A folder on a disk with room for artifacts.
        kept_bytes_per_person: How many bytes of files one person may keep on the server.
        kept_bytes_per_task: How many the models and dataset files of one task may; None for no
            limit.
    """

    max_bytes: int
    per_day: int
    spool: Path
    waiting: int = 3
    kept_bytes_per_person: int = 20_480_000_000
    kept_bytes_per_task: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Artifact:
    """The files of a model as they were handed in."""

    digest: str
    format: ArtifactFormat
    size_bytes: int
