"""What programs read of a config: its JSON schema, and what a page renders."""

import json

import jsonschema_rs
import yaml

from dynabench.science.task_config.fields.registry import FIELD_TYPES
from dynabench.science.task_config.json_schema import config_json_schema, published_schema
from dynabench.science.task_config.loader import load_task_config
from dynabench.science.task_config.mapping_reader import MappingReader
from dynabench.science.task_config.problems import Problems
from dynabench.science.task_config.public import describe_config
from dynabench.science.task_config.schema import TaskConfig


def test_the_schema_accepts_what_the_loader_accepts(good_texts: tuple[str, ...]) -> None:
    validator = jsonschema_rs.validator_for(config_json_schema())
    for text in good_texts:
        validator.validate(yaml.safe_load(text))


def test_the_schema_refuses_what_the_loader_refuses(good_texts: tuple[str, ...]) -> None:
    validator = jsonschema_rs.validator_for(config_json_schema())
    for old, new in (
        ("macro_f1", "makro_f1"),
        ("labels:", "lables:"),
        ("exact_match", "rubric"),
        ("max_length: 40", "max_length: 0"),
        ("title:", "titel:"),
    ):
        assert not validator.is_valid(yaml.safe_load(good_texts[0].replace(old, new)))


def test_every_type_documents_the_arguments_that_it_reads() -> None:
    for kind in FIELD_TYPES.values():
        problems = Problems()
        reader = MappingReader({}, (), problems)
        kind.read(reader)
        assert set(kind.argument_schema) == set(reader.known) | set(
            kind.argument_schema
        ) - _read_with(kind.type_name, "single_prob")


def _read_with(type_name: str, flag: str) -> set[str]:
    reader = MappingReader({flag: True}, (), Problems())
    FIELD_TYPES[type_name].read(reader)
    return set(reader.known)


def test_a_page_gets_plain_json(nli: TaskConfig, qa: TaskConfig, ask: TaskConfig) -> None:
    for config in (nli, qa, ask):
        described = describe_config(config)
        assert json.loads(json.dumps(described)) == described
    described = describe_config(nli)
    assert described["goal_name"] == "label"
    assert described["title"] == {"en": "Inference", "de": "Folgerung"}
    assert isinstance(described["input"], list)
    assert described["input"][1] == {
        "name": "label",
        "type": "multiclass",
        "display_name": "Relation",
        "placeholder": None,
        "labels": ["entailed", "neutral", "contradictory"],
        "as_goal_message": True,
    }
    assert isinstance(described["metadata"], dict)
    assert described["metadata"]["create"][2]["model_wrong_condition"] is True


def test_a_config_survives_being_read_twice(good_texts: tuple[str, ...]) -> None:
    for text in good_texts:
        assert load_task_config(text) == load_task_config(text)


def test_every_key_that_an_editor_offers_says_what_it_is_for() -> None:
    schema = json.loads(published_schema().content)
    definitions = schema["$defs"]
    fields = [
        one
        for name in ("person_field", "output_field", "create_field", "validate_field")
        for one in definitions[name]["oneOf"]
        if set(one["properties"]) != {"name"}
    ]
    rules = schema["properties"]["model_wrong_metric"]["oneOf"]
    for described in (schema, *fields, *rules):
        for key, one in described["properties"].items():
            assert one["description"].endswith("."), key
