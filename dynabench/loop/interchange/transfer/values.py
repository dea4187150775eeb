"""How a task's file is called, what it never holds, and how far a move has come."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TypeAlias

FORMAT = "dynabench-task"
FORMAT_VERSION = 2

MANIFEST = "manifest.json"
PARTS_FOLDER = "parts"
BLOBS_FOLDER = "blobs"

PEOPLE = "people"
MEDIA = "media_files"

CAME_LATER: Mapping[str, Mapping[str, int]] = {"rounds": {"opens_at": 2, "closes_at": 2}}
"""Columns of parts with the format version that they came with; an older file leaves them empty."""
COMPUTED_ANEW: Mapping[str, int] = {
    # Before, the intervals were over contexts alone, and too narrow.
    "human_scores": 2,
}
"""Parts that are computed anew here if they come from a file older than this format version."""

NEVER_HELD = {
    "accounts": "Passwords, sessions, tokens, invitations, e-mail and rights beyond this task.",
    "names": "People's names, unless they were asked for; each person is an id.",
    "secrets": "How models are reached: addresses, options, files, keys; what arms are drawn from.",
    "answers": "Files of answers or items that were handed in; what they say is in the parts.",
    "jobs": "Jobs, their logs, announcements, request keys and evaluations under way.",
    "leases": "Who had which context or example in hand at the time.",
    "orders": "Releases that waited for their last verdicts.",
    "links": "Links to join, proposals, notifications.",
    "derived": "Counts, figures, scales and archives: they are made anew from the rows.",
}
"""What a file never holds, as its manifest says."""


@dataclass(frozen=True, slots=True, kw_only=True)
class MoveProgress:
    """How far a move has come: a share from 0 to 1, and what it is at in words."""

    share: float
    words: str


OnMove: TypeAlias = Callable[[MoveProgress], None]


def tell_nobody(progress: MoveProgress) -> None:
    """Take a progress and do nothing with it."""
    del progress
