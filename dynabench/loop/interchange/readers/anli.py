"""Adversarial NLI: an author's label, the model's, and two or three verifiers' labels.

The author and the verifiers have no ids in the published files, so each is a pseudonym of
the record and the slot. `R*_dev.jsonl` lacks the verifiers; `*_merged` has them.
"""

import re
from collections.abc import Iterator

from dynabench.kit.wire import Values
from dynabench.loop.interchange.readers.files import SourceFile
from dynabench.loop.interchange.readers.rows import Row
from dynabench.loop.interchange.values import (
    SourceClaims,
    SourceCollection,
    SourceFormat,
    SourceRecord,
    SourceVote,
)
from dynabench.loop.rounds.values import GoldFrom, RoundValidation, ValidationMode
from dynabench.loop.validations.values import Verdict

_LABELS = {"e": "entailment", "n": "neutral", "c": "contradiction"}
_TAG = re.compile(r"r(\d+)_(\w+)")
# The published development and test sets hold nothing but verified examples that fooled.
_VERIFIED_PARTS = frozenset({"dev", "test"})


class AnliReader:
    """Reads `R*_{dev,test,train}.jsonl` and `R*_{dev,test}_merged.jsonl`."""

    collection = SourceCollection(
        format=SourceFormat.ANLI,
        title="Adversarial NLI",
        source="Y. Nie et al., Adversarial NLI: A New Benchmark for Natural Language "
        "Understanding, ACL 2020",
        licence="CC-BY-NC-4.0",
        task_slug="anli",
        config_file="anli.yaml",
        validation=RoundValidation(
            mode=ValidationMode.BLIND, quorum=2, maximum=3, gold_from=GoldFrom.AUTHOR
        ),
        people_are_known=False,
        model_name="anli-round-{round}-adversary",
    )

    def read(self, file: SourceFile) -> Iterator[SourceRecord]:
        """Return the records of a file, in its order."""
        for row in file.json_rows():
            yield _record(row)


def _record(row: Row) -> SourceRecord:
    uid = row.text("uid")
    round_number, part = _round_and_part(row)
    answer: Values = {"label": row.label("label", _LABELS)}
    predicted = row.label("model_label", _LABELS)
    reason = row.optional_text("reason")
    labels = row.labels("verifier_labels", _LABELS) if row.has("verifier_labels") else []
    claims = SourceClaims()
    if part in _VERIFIED_PARTS:
        claims = SourceClaims(verdict=Verdict.CORRECT, gold=answer, fooled=True)
    return SourceRecord(
        file=row.file,
        line=row.line,
        uid=uid,
        round_number=round_number,
        context={"premise": row.text("context")},
        inputs={"hypothesis": row.text("hypothesis")},
        answer=answer,
        author=f"{uid}-author",
        prediction={"label": predicted},
        votes=tuple(
            SourceVote(voter=f"{uid}-verifier-{slot}", answer={"label": label})
            for slot, label in enumerate(labels, start=1)
        ),
        explanations={} if reason is None else {"example_explanation": reason},
        claims=claims,
    )


def _round_and_part(row: Row) -> tuple[int, str]:
    tag = row.text("tag")
    match = _TAG.fullmatch(tag)
    if match is None:
        raise row.error("tag", "It must name round and part, as “r1_dev” does.")
    return int(match[1]), match[2]
