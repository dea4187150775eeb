"""Handler folders for the tests, and the spec that reaches them."""

from pathlib import Path

from dynabench.engines.inference.protocol import TargetSpec

LABELS = ("positive", "negative")

MOOD = """
import os, sys, time

LOADS = []

def load(path):
    LOADS.append(path)
    print("loading the mood model")

def predict(batch):
    answers = []
    for item in batch:
        assert set(item) <= {"text"}, item
        text = item["text"]
        if "DIE" in text:
            os._exit(9)
        if "HANG" in text:
            time.sleep(600)
        if "RAISE" in text:
            raise ValueError("no idea")
        if "SLOW" in text:
            time.sleep(0.2)
        if "silent" in text:
            answers.append({})
        elif "ODD" in text:
            answers.append({"label": "purple"})
        elif "NAN" in text:
            answers.append({"label": "positive", "probabilities": {"positive": float("nan")}})
        elif "HUGE" in text:
            answers.append({"label": "x" * 1_000_000})
        elif "NOISE" in text:
            print('{"id": "1", "results": []}')
            os.system("echo noise from a child")
            answers.append({"label": "negative"})
        elif "WORD" in text:
            answers.append("positive")
        elif "SET" in text:
            answers.append({"label": {"positive"}})
        elif "SIZE" in text:
            answers.append({"label": "positive" if len(batch) == 1 else "negative"})
        else:
            answers.append({"label": "positive" if "good" in text else "negative"})
    return answers
"""


def write_handler(folder: Path, source: str = MOOD) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "model.py").write_text(source, encoding="utf-8")
    return folder


def handler_spec(folder: Path, *, name: str = "Mood") -> TargetSpec:
    return TargetSpec(
        kind="handler",
        name=name,
        input_names=("text",),
        output_names=("label",),
        labels={"label": LABELS},
        options={"folder": str(folder)},
    )
