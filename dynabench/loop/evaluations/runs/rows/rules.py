"""Predictions as the lines of PostgreSQL's COPY, many at a time."""

import json
from collections.abc import Sequence
from uuid import UUID

import orjson

from dynabench.loop.evaluations.runs.checking.rules import Checked

_NULL = b"\\N"
_ESCAPES = str.maketrans({"\\": "\\\\", "\t": "\\t", "\n": "\\n", "\r": "\\r"})


def encode_rows(
    evaluation_id: UUID,
    uids: Sequence[str],
    answers: Sequence[Checked],
    scores: Sequence[float | None],
) -> bytes:
    r"""Return the lines that `COPY predictions` takes.

    Example:
        >>> encode_rows(UUID(int=0), ["a"], [({"label": "b"}, None, None)], [1.0])[37:]
        b'a\t{"label":"b"}\t\\N\t\\N\t1.0\n'
    """
    own = str(evaluation_id).encode()
    lines = [
        b"\t".join(
            (
                own,
                uid.encode() if uid.isalnum() else _text(uid),
                _json(outputs),
                _NULL if probabilities is None else _json(probabilities),
                _NULL if error is None else _text(error),
                _NULL if score is None else repr(score).encode(),
            )
        )
        for uid, (outputs, probabilities, error), score in zip(uids, answers, scores, strict=True)
    ]
    return b"\n".join(lines) + b"\n" if lines else b""


def _text(value: str) -> bytes:
    return value.translate(_ESCAPES).encode()


def _json(value: object) -> bytes:
    try:
        written = orjson.dumps(value)
    except orjson.JSONEncodeError:
        # An integer of more than 64 bits, which JSON and the database allow.
        written = json.dumps(value, ensure_ascii=False).encode()
    # Control characters never stand in JSON as they are.
    return written.replace(b"\\", b"\\\\") if b"\\" in written else written
