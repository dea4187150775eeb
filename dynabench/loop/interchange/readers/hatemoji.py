"""HatemojiBuild: texts with emoji in contrast pairs, without votes or recorded answers."""

from collections.abc import Iterator

from dynabench.loop.interchange.readers.files import SourceFile
from dynabench.loop.interchange.readers.rows import Row
from dynabench.loop.interchange.values import (
    SourceCollection,
    SourceFormat,
    SourceRecord,
)
from dynabench.loop.rounds.values import RoundValidation, ValidationMode

_LABELS = {"1": "hateful", "0": "not-hateful"}
_PERTURBED = "b"


class HatemojiReader:
    """Reads `HatemojiBuild*.csv`."""

    collection = SourceCollection(
        format=SourceFormat.HATEMOJI,
        title="HatemojiBuild",
        source="H. R. Kirk et al., Hatemoji: A Test Suite and Adversarially-Generated Dataset for "
        "Benchmarking and Detecting Emoji-based Hate, NAACL 2022",
        licence="CC-BY-4.0",
        task_slug="hatemoji",
        config_file="hatemoji.yaml",
        validation=RoundValidation(mode=ValidationMode.BLIND),
        people_are_known=False,
        model_name=None,
        lacks_votes="The source holds no votes, so no verdict can be derived.",
    )

    def read(self, file: SourceFile) -> Iterator[SourceRecord]:
        """Return the records of a file, in its order."""
        for row in file.csv_rows(key="entry_id"):
            yield _record(row)


def _record(row: Row) -> SourceRecord:
    uid = row.text("entry_id")
    is_perturbed = row.text("round.set").endswith(_PERTURBED)
    return SourceRecord(
        file=row.file,
        line=row.line,
        uid=uid,
        round_number=row.number("round.base"),
        context={},
        inputs={"text": row.text("text")},
        answer={"label": row.label("label_gold", _LABELS)},
        author=f"{uid}-author",
        contrast_uid=row.optional_text("matched_id") if is_perturbed else None,
    )
