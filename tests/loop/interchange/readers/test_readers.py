import gzip
import json
from pathlib import Path

import pytest

from dynabench.loop.interchange.errors import SourceFileError
from dynabench.loop.interchange.readers.files import SourceFile
from dynabench.loop.interchange.readers.registry import reader_of
from dynabench.loop.interchange.service import config_text
from dynabench.loop.interchange.values import SourceFormat, SourceRecord
from dynabench.loop.validations.values import Verdict
from dynabench.science.task_config.loader import load_task_config
from tests.factories.replays import anli_line, dynasent_line, hatemoji_table, write_lines

FIVE = ("w2", "w3", "w4", "w5", "w6")
ROW = {
    "entry_id": 7,
    "text": "A text 👩🏽‍🚀",
    "round.base": 5,
    "round.set": "5b",
    "label_gold": 1,
    "matched_id": 8,
}


def read(source_format: SourceFormat, path: Path) -> list[SourceRecord]:
    with SourceFile(path) as file:
        return list(reader_of(source_format).read(file))


def refusal(source_format: SourceFormat, path: Path) -> str:
    with pytest.raises(SourceFileError) as caught:
        read(source_format, path)
    return caught.value.message


@pytest.mark.parametrize(
    "source_format", [one for one in SourceFormat if one is not SourceFormat.JSONL]
)
def test_every_published_format_brings_a_task_config_that_suits_its_validation(
    source_format: SourceFormat,
) -> None:
    collection = reader_of(source_format).collection

    config = load_task_config(config_text(collection))

    assert config.can_be_blind
    assert config.gold_names == ("label",)


@pytest.mark.parametrize("name", ["R1_dev_merged.jsonl", "R1_dev_merged.jsonl.gz"])
def test_anli_is_read_plain_and_packed(tmp_path: Path, name: str) -> None:
    (record,) = read(
        SourceFormat.ANLI, write_lines(tmp_path / name, [anli_line("one", verifiers="ene")])
    )

    assert record.round_number == 1
    assert record.answer == {"label": "entailment"}
    assert record.prediction == {"label": "neutral"}
    assert [vote.answer["label"] for vote in record.votes] == [
        "entailment",
        "neutral",
        "entailment",
    ]
    assert len({record.author, *(vote.voter for vote in record.votes)}) == 4
    assert record.claims.verdict is Verdict.CORRECT


def test_anli_s_training_set_claims_nothing_and_has_no_votes(tmp_path: Path) -> None:
    line = anli_line("one", verifiers=None, tag="r3_train", reason="")

    (record,) = read(SourceFormat.ANLI, write_lines(tmp_path / "R3_train.jsonl", [line]))

    assert (record.round_number, record.votes, record.explanations) == (3, (), {})
    assert record.claims.verdict is None


def test_dynasent_keeps_who_wrote_and_who_voted(tmp_path: Path) -> None:
    line = dynasent_line("a", {"positive": FIVE[:3], "mixed": FIVE[3:]})

    (record,) = read(SourceFormat.DYNASENT, write_lines(tmp_path / "a.jsonl", [line]))

    assert record.author == "w1"
    assert record.answer == {}
    assert {(vote.voter, vote.answer["label"]) for vote in record.votes} == {
        ("w2", "positive"),
        ("w3", "positive"),
        ("w4", "positive"),
        ("w5", "mixed"),
        ("w6", "mixed"),
    }


def test_hatemoji_keeps_every_code_point_and_the_other_half(tmp_path: Path) -> None:
    file = tmp_path / "build.csv.gz"
    text = hatemoji_table([ROW, {**ROW, "entry_id": 8, "round.set": "5a", "matched_id": 7}])
    file.write_bytes(gzip.compress(text.encode()))

    later, first = read(SourceFormat.HATEMOJI, file)

    assert later.inputs == {"text": "A text 👩🏽‍🚀"}
    assert later.answer == {"label": "hateful"}
    assert (later.contrast_uid, first.contrast_uid) == ("8", None)
    assert (later.prediction, later.votes) == (None, ())


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"label": "x"}, "label: It must be one of e, n, c, not the text “x”."),
        ({"model_label": None}, "model_label: It is null."),
        ({"hypothesis": " "}, "hypothesis: It is empty."),
        ({"context": 3}, "context: It must be a text, not the number 3."),
        ({"tag": "dev"}, "tag: It must name round and part, as “r1_dev” does."),
        ({"verifier_labels": "ee"}, "verifier_labels: It must be a list, not the text “ee”."),
        (
            {"verifier_labels": ["e", 1]},
            "verifier_labels[1]: It must be one of e, n, c, not the number 1.",
        ),
        ({"reason": []}, "reason: It must be a text, not an empty list."),
    ],
)
def test_a_wrong_field_is_told_with_file_and_line(
    tmp_path: Path, change: dict[str, object], said: str
) -> None:
    broken = anli_line("two") | change
    file = write_lines(tmp_path / "dev.jsonl", [anli_line("one"), broken])

    assert refusal(SourceFormat.ANLI, file) == f"dev.jsonl, line 2: {said}"


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"label_distribution": {"fine": ["w2"]}}, "It must be one of positive"),
        ({"label_distribution": {"mixed": [2]}}, "label_distribution.mixed: It must list names"),
        ({"label_distribution": {"mixed": "w2"}}, "label_distribution.mixed: It must be a list"),
        ({"label_distribution": []}, "label_distribution: It must be an object"),
        ({"label_distribution": {"mixed": ["w1"]}}, "w1 judged a sentence of their own."),
        ({"label_distribution": {"mixed": ["w2", "w2"]}}, "w2 judged the sentence twice."),
        ({"prompt_data": {"prompt_sentence": 1}}, "prompt_data.prompt_sentence: It must be a text"),
        ({"model_1_label": "mixed"}, "model_1_label: It must be one of"),
    ],
)
def test_votes_that_cannot_be_are_refused(
    tmp_path: Path, change: dict[str, object], said: str
) -> None:
    line = dynasent_line("a", {"positive": FIVE}, **change)

    assert said in refusal(SourceFormat.DYNASENT, write_lines(tmp_path / "a.jsonl", [line]))


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"{}\n", "a.jsonl, line 1: uid: It is missing"),
        (b"\n[1]\n", "a.jsonl, line 2: A line must hold one JSON object."),
        (b'{"uid": \n', "a.jsonl, line 1: This is not JSON"),
        (
            b"[" * 100_000,
            "a.jsonl, line 1: This is not JSON (too deep); is this file in the format",
        ),
        (b'{"uid": "\xff"}\n', "a.jsonl, line 1: This is not UTF-8."),
        (b"x" * 5_000_000, "a.jsonl, line 1: The line is longer than 4 MB."),
        (
            gzip.compress(json.dumps(anli_line("one")).encode() + b"\n")[:-9],
            "a.jsonl, line 2: The packed file is broken here",
        ),
        (b"\x1f\x8bnot gzip at all", "The packed file is broken here"),
    ],
)
def test_a_broken_file_is_told_with_its_line(tmp_path: Path, content: bytes, said: str) -> None:
    file = tmp_path / "a.jsonl"
    file.write_bytes(content)

    assert said in refusal(SourceFormat.ANLI, file)


@pytest.mark.parametrize(
    ("content", "said"),
    [
        ("entry_id,text\n1,two,three\n", "line 2: The line has 3 values and the first line names"),
        ('entry_id,text\n"1"x,two\n', "line 2: This is not CSV"),
        ("case_id,text\n1,two\n", "line 1: entry_id: The first line does not name it; is this"),
        (hatemoji_table([{**ROW, "label_gold": 2}]), "line 2: label_gold: It must be one of 1, 0"),
        (hatemoji_table([{**ROW, "round.base": "five"}]), "round.base: It must be a whole number"),
        (hatemoji_table([ROW, {**ROW, "text": ""}]), "line 3: text: It is empty."),
        (
            hatemoji_table([{**ROW, "text": "two\nlines"}, {**ROW, "text": ""}]),
            "line 4: text: It is empty.",
        ),
    ],
)
def test_a_wrong_table_is_told_with_its_line(tmp_path: Path, content: str, said: str) -> None:
    file = tmp_path / "build.csv"
    file.write_text(content, encoding="utf-8")

    assert said in refusal(SourceFormat.HATEMOJI, file)


def test_a_byte_order_mark_and_empty_lines_are_passed_over(tmp_path: Path) -> None:
    file = tmp_path / "dev.jsonl"
    file.write_bytes(b"\xef\xbb\xbf\n" + json.dumps(anli_line("one")).encode() + b"\n\n")

    (record,) = read(SourceFormat.ANLI, file)

    assert (record.uid, record.line) == ("one", 2)
