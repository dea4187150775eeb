"""DynaSent round 2: a sentence by a named author, and five named validators' answers.

The authors' own labels are not published; the gold answer is the one that three of five
validators share. Who wrote or voted is a worker id, the same person everywhere.
"""

from collections.abc import Iterator, Mapping
from itertools import chain

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

_MODEL_LABELS = {"positive": "positive", "negative": "negative", "neutral": "neutral"}
_LABELS = {**_MODEL_LABELS, "mixed": "mixed"}
_ROUND = 2


class DynasentReader:
    """Reads `dynasent-v1.1-round02-dynabench-*.jsonl`."""

    collection = SourceCollection(
        format=SourceFormat.DYNASENT,
        title="DynaSent",
        source="C. Potts et al., DynaSent: A Dynamic Benchmark for Sentiment Analysis, ACL 2021",
        licence="CC-BY-4.0",
        task_slug="dynasent",
        config_file="dynasent.yaml",
        validation=RoundValidation(
            mode=ValidationMode.BLIND, quorum=3, maximum=5, gold_from=GoldFrom.VALIDATORS
        ),
        people_are_known=True,
        model_name="dynasent-model-1",
    )

    def read(self, file: SourceFile) -> Iterator[SourceRecord]:
        """Return the records of a file, in its order."""
        for row in file.json_rows():
            yield _record(row)


def _record(row: Row) -> SourceRecord:
    author = row.text("sentence_author")
    predicted = row.label("model_1_label", _MODEL_LABELS)
    return SourceRecord(
        file=row.file,
        line=row.line,
        uid=row.text("text_id"),
        round_number=_ROUND,
        context={"prompt": _prompt(row)},
        inputs={"sentence": row.text("sentence")},
        answer={},
        author=author,
        prediction={"label": predicted, "prob": dict(row.mapping("model_1_probs"))},
        votes=_votes(row, author),
        claims=_claims(row, predicted),
    )


def _prompt(row: Row) -> str:
    if not row.has("prompt_data"):
        return ""
    sentence = row.mapping("prompt_data").get("prompt_sentence")
    if sentence is None:
        return ""
    if not isinstance(sentence, str):
        raise row.error("prompt_data.prompt_sentence", "It must be a text.")
    return sentence


def _votes(row: Row, author: str) -> tuple[SourceVote, ...]:
    """Return the votes by label, in the order of the file: when each was cast is not known."""
    by_label: Mapping[str, list[str]] = row.names_by_label("label_distribution", _LABELS)
    voters = list(chain.from_iterable(by_label.values()))
    for voter in voters:
        if voter == author:
            raise row.error("label_distribution", f"{voter} judged a sentence of their own.")
        if voters.count(voter) > 1:
            raise row.error("label_distribution", f"{voter} judged the sentence twice.")
    return tuple(
        SourceVote(voter=voter, answer={"label": label})
        for label, names in by_label.items()
        for voter in names
    )


def _claims(row: Row, predicted: str) -> SourceClaims:
    if not row.has("gold_label"):
        return SourceClaims(verdict=Verdict.DISPUTED)
    label = row.label("gold_label", _LABELS)
    gold: Values = {"label": label}
    return SourceClaims(verdict=Verdict.CORRECT, gold=gold, fooled=label != predicted)
