import csv
import gzip
import io
import json
from collections.abc import Mapping, Sequence
from pathlib import Path

import pytest

from dynabench.app.cli.main import run
from dynabench.app.study.errors import StudyDataMissingError, StudyDataUnusableError
from dynabench.app.study.materials.reading import read_materials
from dynabench.app.study.values import StudyName
from dynabench.loop.validations.values import Verdict


def write_lines(folder: Path, name: str, records: Sequence[object]) -> None:
    path = folder / name
    path.parent.mkdir(exist_ok=True)
    lines = "".join(json.dumps(record) + "\n" for record in records)
    path.write_bytes(gzip.compress(lines.encode()))


def write_table(folder: Path, name: str, rows: Sequence[Mapping[str, object]]) -> None:
    path = folder / name
    path.parent.mkdir(exist_ok=True)
    text = io.StringIO()
    table = csv.DictWriter(text, list(rows[0]), delimiter="\t" if ".tsv" in name else ",")
    table.writeheader()
    table.writerows(rows)
    path.write_bytes(gzip.compress(text.getvalue().encode()))


def write_sentiment(folder: Path) -> None:
    for name in ("train", "dev"):
        trees = [{"sentence": f"{name} {n}", "label5": 3, "label3": "positive"} for n in range(3)]
        write_lines(folder, f"sst5/sst5_{name}.jsonl.gz", trees)
    told = {"positive": ["a", "b", "c"], "negative": ["d"], "neutral": [], "mixed": ["e"]}
    first = {
        "sentence": "A first one.",
        "text_id": "r1-1",
        "review_id": "R",
        "label_distribution": told,
        "gold_label": "positive",
    }
    second = {
        **first,
        "sentence": "A second one.",
        "text_id": "r2-1",
        "prompt_data": {"review_id": "S", "prompt_sentence": "P"},
    }
    nobody = {**second, "text_id": "r2-2", "sentence": "No majority.", "gold_label": None}
    write_lines(folder, "dynasent/dynasent-v1.1-round01-yelp-dev.jsonl.gz", [first])
    write_lines(folder, "dynasent/dynasent-v1.1-round02-dynabench-dev.jsonl.gz", [second, nobody])


def test_sentences_of_one_review_are_one_context_and_votes_are_read(tmp_path: Path) -> None:
    write_sentiment(tmp_path)

    (material,) = read_materials([StudyName.SENTIMENT], folder=tmp_path, is_quick=False)

    assert [(one.uid, one.context, one.source_round) for one in material.pool] == [
        ("r1-1", "review R", 1),
        ("r2-1", "review S", 2),
    ]
    assert sorted(material.pool[0].votes) == ["mixed", "negative", *["positive"] * 3]
    assert material.pool[0].verdict() is Verdict.CORRECT
    assert [one.inputs["statement"] for one in material.base] == ["train 0", "train 1", "train 2"]


def test_the_two_halves_of_a_contrast_pair_are_one_context(tmp_path: Path) -> None:
    tweet = {"": "0", "class": "0", "tweet": "t0"}
    tweets = [{**tweet, "": str(n), "class": str(n % 3), "tweet": f"t{n}"} for n in range(9)]
    pair = {"entry_id": 4, "matched_id": 5, "text": "a 🐕", "round.base": 5, "label_gold": 1}
    other = {**pair, "entry_id": 5, "matched_id": 4, "text": "a 🐈", "label_gold": 0}
    check = {"case_id": 1, "test_group_id": 2, "text": "c", "label_gold": 0}
    case = {"case_id": 1, "templ_id": 3, "test_case": "d", "label_gold": "non-hateful"}
    write_table(tmp_path, "davidson/labeled_data.csv.gz", tweets)
    write_table(tmp_path, "hatemoji/HatemojiBuild_rounds5-6.csv.gz", [pair, other])
    write_table(tmp_path, "hatemoji/HatemojiCheck_half.csv.gz", [check])
    write_table(tmp_path, "hatecheck/test_suite_cases.csv.gz", [case])

    (material,) = read_materials([StudyName.HATE], folder=tmp_path, is_quick=False)

    assert [(one.context, one.label) for one in material.pool] == [
        ("pair 4", "hateful"),
        ("pair 4", "not-hateful"),
    ]
    # Offensive and not hateful, class 1, is left out; a fifth is held out.
    assert (len(material.base), len(material.sets[0].items)) == (5, 1)


def test_a_writer_s_own_label_is_no_vote(tmp_path: Path) -> None:
    pair = {"sentence1": "p", "sentence2": "h", "gold_label": "neutral"}
    write_table(tmp_path, "cad_nli/original_train.tsv.gz", [pair, {**pair, "gold_label": "-"}])
    static = {"premise": "q", "hypothesis": "i", "label": "neutral"}
    write_lines(tmp_path, "snli/snli_dev_2500.jsonl.gz", [static])
    for protocol in ("baseline", "LotS", "LitL"):
        for number in (1, 2, 3):
            train = {
                "AnonId": 7,
                # As in the published files of round 1, whatever the label is.
                "annotator_labels": ["entailment"],
                "label": "contradiction",
                "premise": "One  premise",
                "hypothesis": f"h {number}",
            }
            validated = {
                "annotator_ids": ["8", "9", "10", "11", "12"],
                "annotator_labels": ["neutral", *["entailment"] * 3, "neutral"],
                "label": "entailment",
                "premise": "one premise",
                "hypothesis": f"v {number}",
            }
            for part, record in (("train", train), ("val", validated)):
                name = f"ling_in_loop/{part}_round{number}_{protocol}.jsonl.gz"
                write_lines(tmp_path, name, [record])

    found = read_materials([StudyName.NLI], folder=tmp_path, is_quick=True)

    assert [one.name for one in found] == ["nli-baseline", "nli-lots", "nli-litl"]
    first, second = found[0].pool[:2]
    assert (first.label, first.writer, first.votes) == ("contradiction", "7", ())
    assert (second.label, second.writer, len(second.votes)) == ("neutral", "8", 4)
    assert second.verdict() is Verdict.INCORRECT
    assert first.context == second.context
    assert "premise" not in first.context.removeprefix("premise ")
    assert [one.source_round for one in found[0].pool] == [1, 1, 2, 2, 3, 3]
    assert len(found[0].base) == 1


def test_a_missing_file_is_named_with_where_it_comes_from(tmp_path: Path) -> None:
    with pytest.raises(StudyDataMissingError, match=r"labeled_data\.csv\.gz is not there\. .*Dav"):
        read_materials([StudyName.HATE], folder=tmp_path, is_quick=False)


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        # Without a time in them: each process that collects must name the cases alike.
        (b"not packed", "no whole gzip file"),
        (gzip.compress(b'{"sentence": "a"}\n', mtime=0)[:-9], "no whole gzip file"),
        (gzip.compress(b'{"sentence": "a", "label3": "good"}\n', mtime=0), "line 1: .*label3"),
        (gzip.compress(b'{"label3": "positive"}\n', mtime=0), "line 1: .*sentence"),
        (gzip.compress(b"[1]\n", mtime=0), "line 1: it is no JSON object"),
        (gzip.compress(b"{\n", mtime=0), "line 1: it is no JSON"),
        (gzip.compress(b"\xff\n", mtime=0), "UTF-8"),
    ],
)
def test_a_file_that_is_something_else_is_named_with_its_line(
    tmp_path: Path, content: bytes, reason: str
) -> None:
    write_sentiment(tmp_path)
    (tmp_path / "sst5" / "sst5_train.jsonl.gz").write_bytes(content)

    with pytest.raises(StudyDataUnusableError, match=reason):
        read_materials([StudyName.SENTIMENT], folder=tmp_path, is_quick=False)


def test_the_command_refuses_in_a_sentence(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    write_sentiment(tmp_path)
    words = ["study", "sentiment", "--data", str(tmp_path), "--out", str(tmp_path / "out")]

    assert run([*words, "--recipe", "oracle"]) == 1
    assert "There is no recipe “oracle” for this task." in capsys.readouterr().err
    assert run(["study", "hate", "--data", str(tmp_path)]) == 1
    assert "labeled_data.csv.gz is not there." in capsys.readouterr().err
    assert run(["study", "--seeds", "0"]) == 2
