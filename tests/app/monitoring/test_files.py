"""The dashboard and the alert rules ask for figures and labels that `/metrics` has."""

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml

from tests.app.monitoring.conftest import Figures, Scrape

FOLDER = Path(__file__).parents[3] / "packaging" / "monitoring"
NAME = re.compile(r"\b((?:dynabench|process|python)_\w+|up(?=\{))(?:\{([^}]*)\})?")
LABEL = re.compile(r'(\w+)\s*(?:=~|!~|!=|=)\s*"')
GROUPS = re.compile(r"\bby \(([^)]*)\)")
LEGEND = re.compile(r"\{\{(\w+)\}\}")
# What Prometheus adds to every figure.
ADDED = {"instance", "job", "le"}


def dashboard() -> dict[str, Any]:
    found = json.loads((FOLDER / "dashboard.json").read_text(encoding="utf-8"))
    assert isinstance(found, dict)
    return found


def rules() -> list[dict[str, Any]]:
    found = yaml.safe_load((FOLDER / "alerts.yml").read_text(encoding="utf-8"))
    return [rule for group in found["groups"] for rule in group["rules"]]


def questions() -> Iterator[tuple[str, str]]:
    """Give every expression with what is written about its result."""
    for panel in dashboard()["panels"]:
        for target in panel["targets"]:
            yield target["expr"], target["legendFormat"]
    for variable in dashboard()["templating"]["list"]:
        if variable["type"] == "query":
            yield variable["query"], ""
    for rule in rules():
        yield rule["expr"], rule["annotations"]["summary"].replace("$labels.", "").replace(" ", "")


def labels_by_sample(figures: Figures) -> dict[str, set[str]]:
    found: dict[str, set[str]] = {}
    for family in figures.values():
        for sample in family.samples:
            found.setdefault(sample.name, set()).update(sample.labels)
    return found


@pytest.mark.usefixtures("stage")
async def test_every_name_and_label_is_exposed_after_a_round_was_played(
    scrape: Scrape, subtests: pytest.Subtests
) -> None:
    known = labels_by_sample(await scrape())
    asked = list(questions())
    # A job makes the one figure that a round alone has not.
    known.setdefault("dynabench_jobs", {"kind", "state"})
    # Prometheus makes this one itself, for whatever it scrapes.
    known["up"] = set()
    known.setdefault("dynabench_jobs_oldest_seconds", {"kind", "state"})

    assert len(asked) > 25
    for expression, told in asked:
        with subtests.test(expression):
            names = NAME.findall(expression)
            assert names
            labels = set().union(*(known[name] for name, _ in names)) | ADDED
            for name, chosen in names:
                assert set(LABEL.findall(chosen)) <= known[name] | ADDED
            for group in GROUPS.findall(expression):
                assert {label.strip() for label in group.split(",")} <= labels
            assert set(LEGEND.findall(told)) <= labels


def test_every_panel_and_rule_can_be_read() -> None:
    panels = dashboard()["panels"]
    places = [(one["gridPos"]["x"], one["gridPos"]["y"]) for one in panels]

    assert len({one["id"] for one in panels}) == len({*places}) == len(panels)
    assert all(one["title"] and one["targets"] for one in panels)
    for rule in rules():
        assert rule["alert"].startswith("Dynabench")
        assert rule["labels"]["severity"] in {"critical", "warning", "info"}
        assert rule["annotations"]["summary"]
        assert rule["annotations"]["action"]


def test_the_configuration_names_the_rules_beside_it() -> None:
    found = yaml.safe_load((FOLDER / "prometheus.yml").read_text(encoding="utf-8"))

    assert [(FOLDER / name).is_file() for name in found["rule_files"]] == [True]
