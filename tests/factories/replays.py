"""Collections made elsewhere, for tests: tiny ones in the published formats."""

import gzip
import json
from collections.abc import AsyncIterator, Iterable, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from uuid import UUID

from dynabench.app.cli.replay import replay_service
from dynabench.app.wiring import Wiring, wire
from dynabench.kit.settings import Settings
from dynabench.loop.interchange.readers.registry import reader_of
from dynabench.loop.interchange.schemas import ReplayedExampleRead, ReplayRead
from dynabench.loop.interchange.service import BATCH_SIZE, OnProgress
from dynabench.loop.interchange.values import SourceFormat

Line = dict[str, object]


@dataclass(frozen=True)
class Replays:
    """The services of a process that replays."""

    wiring: Wiring
    batch_size: int

    async def run(
        self,
        source_format: SourceFormat,
        *paths: Path,
        task: str | None = None,
        on_progress: OnProgress | None = None,
    ) -> ReplayRead:
        """Replay files of one format."""
        service = replay_service(self.wiring, batch_size=self.batch_size)
        return await service.replay(
            reader_of(source_format), paths, task_slug=task, on_progress=on_progress
        )


@asynccontextmanager
async def replaying(
    database_url: str, home: Path, *, batch_size: int = BATCH_SIZE
) -> AsyncIterator[Replays]:
    """Put the services together over a database."""
    settings = Settings(database_url=database_url, home=home)
    wiring = wire(settings, fold_patience_seconds=0)
    try:
        yield Replays(wiring, batch_size)
    finally:
        await wiring.close()


def derived(found: ReplayRead) -> dict[tuple[int, str], ReplayedExampleRead]:
    """Return what was derived for each record, by round and id in the source."""
    return {(round_.number, one.uid): one for round_ in found.rounds for one in round_.examples}


def round_id_of(found: ReplayRead) -> UUID:
    """Return the id of the only round."""
    (round_,) = found.rounds
    return round_.round_id


def anli_line(uid: str, *, verifiers: Sequence[str] | None = ("e", "e"), **changes: object) -> Line:
    """Return a record of ANLI, which fooled its model and was verified."""
    line: Line = {
        "uid": uid,
        "context": f"The lamp of house {uid} has been burning since the day before yesterday.",
        "hypothesis": f"There is light in the house called {uid}.",
        "label": "e",
        "model_label": "n",
        "emturk": False,
        "genre": "made-up",
        "reason": "A burning lamp gives light.",
        "tag": "r1_dev",
    }
    if verifiers is not None:
        line |= {"round": 1, "verifier_labels": list(verifiers)}
    return line | changes


def dynasent_line(uid: str, votes: Mapping[str, Sequence[str]], **changes: object) -> Line:
    """Return a record of DynaSent round 2, with validators' names by label."""
    labels = ("positive", "negative", "neutral", "mixed")
    majority = [label for label in labels if len(votes.get(label, ())) >= 3]
    line: Line = {
        "hit_ids": ["y1"],
        "sentence": f"Whoever cooked dish {uid} should teach others.",
        "sentence_author": "w1",
        "has_prompt": True,
        "prompt_data": {"prompt_sentence": "The dish was well made.", "review_id": "r"},
        "model_1_label": "negative",
        "model_1_probs": {"negative": 0.6, "positive": 0.3, "neutral": 0.1},
        "text_id": uid,
        "label_distribution": {label: list(votes.get(label, ())) for label in labels},
        "gold_label": majority[0] if majority else None,
    }
    return line | changes


def hatemoji_table(rows: Iterable[Mapping[str, object]]) -> str:
    """Return rows of HatemojiBuild as CSV."""
    names = ("entry_id", "text", "round.base", "round.set", "label_gold", "matched_id")
    lines = [",".join(names)]
    lines += [",".join(f'"{row[name]}"' for name in names) for row in rows]
    return "\n".join(lines) + "\n"


def write_lines(path: Path, lines: Iterable[Line]) -> Path:
    """Write records as JSON lines, packed where the name ends in .gz."""
    text = "".join(json.dumps(line) + "\n" for line in lines)
    path.write_bytes(gzip.compress(text.encode()) if path.suffix == ".gz" else text.encode())
    return path
