"""Rounds of one's own: an example a line, in the words of this platform.

`{"id", "round", "context", "inputs", "answer", "author"}`, and where there are some
`"prediction"`, `"explanations"` and `"votes": [{"by", "vote"}]` or `[{"by", "answer"}]`.
"""

import re
from collections.abc import Iterator, Mapping

from dynabench.kit.wire import Values
from dynabench.loop.interchange.readers.files import SourceFile
from dynabench.loop.interchange.readers.rows import Row
from dynabench.loop.interchange.values import (
    SourceCollection,
    SourceFormat,
    SourceRecord,
    SourceVote,
)
from dynabench.loop.rounds.values import GoldFrom, RoundValidation, ValidationMode
from dynabench.loop.validations.values import Vote
from dynabench.science.task_config.problems import list_names

_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.-]{0,49}", re.ASCII)
_MOST_ROUNDS = 100_000
_FIELDS = (
    "id",
    "round",
    "context",
    "inputs",
    "answer",
    "author",
    "prediction",
    "explanations",
    "votes",
)


class JsonlReader:
    """Reads JSON lines of finished rounds."""

    def __init__(
        self, *, quorum: int = 3, maximum: int = 5, gold_from: GoldFrom = GoldFrom.AUTHOR
    ) -> None:
        """Say how the examples were validated; where voters give the gold, all votes are blind."""
        is_blind = gold_from is GoldFrom.VALIDATORS
        self.collection = SourceCollection(
            format=SourceFormat.JSONL,
            title="Rounds of our own",
            source="Imported from JSON lines",
            licence="not said",
            task_slug="",
            config_file=None,
            validation=RoundValidation(
                mode=ValidationMode.BLIND if is_blind else ValidationMode.REVIEW,
                quorum=quorum,
                maximum=maximum,
                gold_from=gold_from,
            ),
            people_are_known=True,
            model_name="imported-round-{round}",
        )

    def read(self, file: SourceFile) -> Iterator[SourceRecord]:
        """Return the records of a file, in its order."""
        for row in file.json_rows():
            yield self._record(row)

    def _record(self, row: Row) -> SourceRecord:
        row.require_known(_FIELDS)
        author = _name(row, "author", row.text("author"))
        is_blind = self.collection.validation.mode is ValidationMode.BLIND
        return SourceRecord(
            file=row.file,
            line=row.line,
            uid=row.text("id"),
            round_number=_round(row),
            context=_values(row, "context"),
            inputs=dict(row.mapping("inputs")),
            answer=_values(row, "answer"),
            author=author,
            prediction=dict(row.mapping("prediction")) if row.has("prediction") else None,
            votes=tuple(_votes(row, author, must_answer=is_blind)),
            explanations=_values(row, "explanations"),
        )


def _round(row: Row) -> int:
    number = row.number("round") if row.has("round") else 1
    if not 1 <= number <= _MOST_ROUNDS:
        raise row.error("round", f"Rounds are numbered from 1 to {_MOST_ROUNDS:,}.")
    return number


def _values(row: Row, field: str) -> Values:
    return dict(row.mapping(field)) if row.has(field) else {}


def _name(row: Row, field: str, name: object) -> str:
    if not isinstance(name, str) or _NAME.fullmatch(name) is None:
        raise row.error(
            field,
            "A person is called by up to 50 letters, digits, dots, hyphens and underscores; "
            "take a pseudonym, not an address.",
        )
    return name


def _votes(row: Row, author: str, *, must_answer: bool) -> Iterator[SourceVote]:
    seen: set[str] = set()
    for place, one in enumerate(row.objects("votes") if row.has("votes") else ()):
        where = f"votes[{place}]"
        voter = _name(row, f"{where}.by", one.get("by"))
        if voter == author:
            raise row.error(where, f"{voter} judged an example of their own.")
        if voter in seen:
            raise row.error(where, f"{voter} judged the example twice.")
        seen.add(voter)
        yield _vote(row, where, one, voter=voter, must_answer=must_answer)


def _vote(
    row: Row, where: str, one: Mapping[str, object], *, voter: str, must_answer: bool
) -> SourceVote:
    answer, vote = one.get("answer"), one.get("vote")
    if (answer is None) == (vote is None):
        raise row.error(where, "A vote has either a `vote` or an `answer`.")
    if vote is not None:
        if vote not in list(Vote):
            raise row.error(f"{where}.vote", f"It must be one of {list_names(list(Vote))}.")
        if must_answer and vote != Vote.FLAGGED:
            raise row.error(where, "Where validators give the gold answer, each vote is an answer.")
        return SourceVote(voter=voter, answer={}, vote=Vote(str(vote)))
    if not isinstance(answer, dict) or not answer:
        raise row.error(f"{where}.answer", "It must be an object with the task's gold fields.")
    return SourceVote(voter=voter, answer=answer)
