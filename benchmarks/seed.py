"""Fills a round by COPY: people, contexts, examples with predictions, outcomes, counts."""

import hashlib
import json
import random
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from uuid import UUID, uuid4

import psycopg

from dynabench.science.texts.near_duplicates import bands_of, duplicate_key

_PEOPLE = 200
_CONTEXTS = 2_000
_DAYS = 60
_FOOLED = 0.3
_WORDS = tuple(
    f"{first}{last}"
    for first in [
        "ba",
        "ce",
        "di",
        "fo",
        "gu",
        "ha",
        "je",
        "ki",
        "lo",
        "mu",
        "na",
        "pe",
        "qui",
        "ro",
        "su",
        "ta",
        "ve",
        "wi",
        "xo",
        "zu",
    ]
    for last in [
        "bel",
        "cor",
        "dan",
        "fer",
        "gil",
        "hom",
        "jar",
        "kas",
        "lin",
        "mor",
        "nus",
        "pol",
        "rit",
        "sen",
        "tov",
        "vam",
    ]
)
LABELS = ("positive", "negative", "neutral")


@dataclass(frozen=True)
class Scene:
    """What a load needs to know of the seeded round."""

    task_id: UUID
    round_id: UUID
    model_id: UUID
    context_ids: tuple[UUID, ...]


def sentence(chance: random.Random) -> str:
    """Return a text of twelve invented words that resembles no other."""
    return " ".join(chance.choices(_WORDS, k=12))


def _bands(text: str, scope: bytes, *, exact: bool, chance: random.Random) -> list[int]:
    """Return a text's bands; random ones of the same number where a million are needed."""
    if exact:
        return bands_of(text, scope)
    return [chance.randrange(-(2**31), 2**31) for _ in range(20)]


def _array(numbers: list[int]) -> str:
    return "{" + ",".join(map(str, numbers)) + "}"


def _people(connection: "psycopg.Connection[tuple[object, ...]]") -> list[UUID]:
    ids = [uuid4() for _ in range(_PEOPLE)]
    with connection.cursor() as cursor:
        cursor.executemany(
            "INSERT INTO users (id, username, username_key, display_name, is_admin, is_synthetic,"
            " created_at) VALUES (%s, %s, %s, '', false, false, now())",
            [(one, f"seed-{n}", f"seed-{n}") for n, one in enumerate(ids)],
        )
    return ids


def _contexts(connection: "psycopg.Connection[tuple[object, ...]]", task_id: UUID) -> list[UUID]:
    ids = [uuid4() for _ in range(_CONTEXTS)]
    chance = random.Random(1)
    with connection.cursor() as cursor:
        cursor.executemany(
            "INSERT INTO contexts (id, task_id, content, digest, tag, metadata, shuffle_key,"
            " created_at) VALUES (%s, %s, %s, %s, 'bench', '{}', %s, now())",
            [
                (
                    one,
                    task_id,
                    json.dumps({"prompt": sentence(chance)}),
                    hashlib.sha256(one.bytes).digest(),
                    chance.random(),
                )
                for one in ids
            ],
        )
    return ids


@dataclass(frozen=True, slots=True)
class _Row:
    """One seeded attempt."""

    id: UUID
    context_id: UUID
    annotator_id: UUID
    attempt: int
    text: str
    label: str
    fooled: bool
    created_at: datetime


def _rows(
    number: int, *, people: list[UUID], contexts: list[UUID], chance: random.Random
) -> Iterator[_Row]:
    attempts: dict[tuple[int, int], int] = {}
    start = datetime.now(UTC) - timedelta(days=_DAYS)
    step = timedelta(days=_DAYS) / number
    for index in range(number):
        who, what = chance.randrange(len(people)), chance.randrange(len(contexts))
        attempts[who, what] = attempts.get((who, what), 0) + 1
        yield _Row(
            id=UUID(int=((int(start.timestamp() * 1000) + index) << 80) | chance.getrandbits(64)),
            context_id=contexts[what],
            annotator_id=people[who],
            attempt=attempts[who, what],
            text=sentence(chance),
            label=LABELS[index % 3],
            fooled=chance.random() < _FOOLED,
            created_at=start + index * step,
        )


def seed(url: str, *, task_id: UUID, round_id: UUID, model_id: UUID, examples: int) -> Scene:
    """Fill a round; some of the fooling examples still wait for their votes.

    Of few examples half wait, of many a tenth: enough for the load to judge. Indexes are
    dropped and made again around the COPY, as for any bulk load, and foreign keys are not
    asked about each row.
    """
    chance = random.Random(7)
    scope = round_id.bytes
    exact = examples <= 50_000
    with psycopg.connect(url) as connection:
        people, contexts = _people(connection), _contexts(connection, task_id)
        connection.execute("SET session_replication_role = replica")
        connection.execute("SET maintenance_work_mem = '1GB'")
        indexes = _drop_indexes(connection)
        batch: list[_Row] = []
        for row in _rows(examples, people=people, contexts=contexts, chance=chance):
            batch.append(row)
            if len(batch) == 20_000:
                _write(connection, batch, task_id, round_id, model_id, scope, exact, chance)
                batch = []
        if batch:
            _write(connection, batch, task_id, round_id, model_id, scope, exact, chance)
        for definition in indexes:
            connection.execute(definition.encode())
        _count(connection)
        connection.commit()
    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute("VACUUM ANALYZE")
        connection.execute("CHECKPOINT")
    return Scene(task_id, round_id, model_id, tuple(contexts))


def _drop_indexes(connection: "psycopg.Connection[tuple[object, ...]]") -> list[str]:
    """Drop what indexes of the large tables no constraint owns; return how to make them."""
    found = connection.execute(
        "SELECT indexrelid::regclass::text, pg_get_indexdef(indexrelid) FROM pg_index"
        " WHERE indrelid = ANY ('{examples,example_predictions,outcomes}'::regclass[])"
        " AND NOT EXISTS (SELECT FROM pg_constraint WHERE conindid = indexrelid)"
    ).fetchall()
    for name, _ in found:
        connection.execute(f"DROP INDEX {name}".encode())
    return [str(definition) for _, definition in found]


def _write(
    connection: "psycopg.Connection[tuple[object, ...]]",
    rows: list[_Row],
    task_id: UUID,
    round_id: UUID,
    model_id: UUID,
    scope: bytes,
    exact: bool,  # noqa: FBT001
    chance: random.Random,
) -> None:
    with connection.cursor() as cursor:
        with cursor.copy(
            "COPY examples (id, task_id, round_id, context_id, annotator_id, attempt_number,"
            " inputs, answer, fooled_by_author_answer, origin, created_at, duplicate_key,"
            " similarity_bands) FROM STDIN"
        ) as copy:
            for row in rows:
                inputs, answer = {"statement": row.text}, {"label": row.label}
                copy.write_row(
                    (
                        row.id,
                        task_id,
                        round_id,
                        row.context_id,
                        row.annotator_id,
                        row.attempt,
                        json.dumps(inputs),
                        json.dumps(answer),
                        row.fooled,
                        "human",
                        row.created_at,
                        duplicate_key(scope, inputs, answer),
                        _array(_bands(row.text, scope, exact=exact, chance=chance)),
                    )
                )
        with cursor.copy(
            "COPY example_predictions (example_id, position, model_id, outputs, probabilities,"
            " is_wrong, latency_ms) FROM STDIN"
        ) as copy:
            for row in rows:
                said = LABELS[(LABELS.index(row.label) + 1) % 3] if row.fooled else row.label
                copy.write_row(
                    (row.id, 0, model_id, json.dumps({"label": said}), None, row.fooled, 1.0)
                )
        with cursor.copy(
            "COPY outcomes (example_id, round_id, annotator_id, context_id, is_wanted, priority,"
            ' verdict, gold, fooled, votes, "leading", example_created_at, is_retracted)'
            " FROM STDIN"
        ) as copy:
            for row in rows:
                waits = row.fooled and chance.random() < (0.5 if exact else 0.1)
                verdict = "correct" if row.fooled and not waits else "pending"
                copy.write_row(
                    (
                        row.id,
                        round_id,
                        row.annotator_id,
                        row.context_id,
                        row.fooled,
                        0 if row.fooled else 1,
                        verdict,
                        json.dumps({"label": row.label}) if verdict == "correct" else None,
                        row.fooled,
                        0 if waits or not row.fooled else 3,
                        0 if waits or not row.fooled else 3,
                        row.created_at,
                        False,
                    )
                )


def _count(connection: "psycopg.Connection[tuple[object, ...]]") -> None:
    """Compute the folded counts of the seeded round in one go, as a fold would."""
    connection.execute(
        "INSERT INTO annotator_days SELECT round_id, annotator_id,"
        " (example_created_at AT TIME ZONE 'UTC')::date, count(*), count(*) FILTER (WHERE fooled),"
        " count(*) FILTER (WHERE fooled AND verdict = 'correct'), 0,"
        " count(*) FILTER (WHERE is_wanted AND verdict = 'pending'), 0, 0, 0, now()"
        " FROM outcomes GROUP BY 1, 2, 3 ON CONFLICT DO NOTHING"
    )
    connection.execute(
        "INSERT INTO context_counts SELECT round_id, context_id, count(DISTINCT annotator_id),"
        " count(*), count(*) FILTER (WHERE fooled), 0, now() FROM outcomes GROUP BY 1, 2"
        " ON CONFLICT DO NOTHING"
    )
