"""The JSON schema of a task config, for editors and for the reference.

The loader is stricter: it also follows references between fields. A test holds both to the
same keys.
"""

import hashlib
import json
from collections.abc import Mapping
from functools import cache
from typing import NamedTuple

from dynabench.science.metrics.kinds import METRIC_KINDS, Subject
from dynabench.science.task_config.descriptions import (
    FIELD_KEYS,
    KEYS,
    METADATA_KEYS,
    RULE_KEYS,
    RULES,
    summary_of,
)
from dynabench.science.task_config.elements import FoolingRule, VoteCondition
from dynabench.science.task_config.fields.protocol import FieldType
from dynabench.science.task_config.fields.registry import FIELD_TYPES
from dynabench.science.task_config.mapping_reader import MAX_LABEL_LENGTH
from dynabench.science.task_config.metric_sections import (
    DELTA_METRICS,
    MAX_WEIGHT,
)
from dynabench.science.task_config.performance_section import (
    MAX_METRICS,
    MAX_SEED,
    MAX_SEEDS,
    TRAIN_FILE_METRICS,
)
from dynabench.science.task_config.rubric_section import (
    MAX_CRITERIA,
    MAX_CRITERION_LENGTH,
    MAX_JUDGE_LENGTH,
)
from dynabench.science.task_config.schema import TEXT_KEYS
from dynabench.science.task_config.sections import MAX_FIELDS

Schema = dict[str, object]

_NAME: Schema = {"type": "string", "pattern": "^[A-Za-z_][A-Za-z0-9_-]{0,63}$"}
_NAMES: Schema = {"type": "array", "items": {"$ref": "#/$defs/name"}, "minItems": 1}
_REFERENCE: Schema = {"$ref": "#/$defs/name"}
_TEXT: Schema = {
    "oneOf": [
        {"type": "string"},
        {"type": "object", "additionalProperties": {"type": "string"}, "minProperties": 1},
    ]
}


class PublishedSchema(NamedTuple):
    """The schema as it is sent, and the tag by which a reader knows it again."""

    content: bytes
    tag: str


@cache
def published_schema() -> PublishedSchema:
    """Return the schema as it is published at a URL."""
    content = json.dumps(config_json_schema(), ensure_ascii=False).encode()
    return PublishedSchema(content, f'"{hashlib.sha256(content).hexdigest()[:32]}"')


def config_json_schema() -> Schema:
    """Return the schema (draft 2020-12) of a task config as plain JSON."""
    text: Schema = {"$ref": "#/$defs/text"}
    properties: dict[str, Schema] = {
        "schema_version": {"const": 1},
        **dict.fromkeys(TEXT_KEYS, text),
        "language": {"type": "string"},
        "context": _fields("person_field", at_least=0),
        "input": _fields("person_field", at_least=1),
        "output": _fields("output_field", at_least=1),
        "metadata": _object(
            _described(
                {
                    "create": _fields("create_field", at_least=0),
                    "validate": _fields("validate_field", at_least=0),
                },
                METADATA_KEYS,
            )
        ),
        "model_wrong_metric": {"oneOf": _fooling_rules()},
        "perf_metric": {
            "oneOf": [
                {"$ref": "#/$defs/perf_metric"},
                {
                    "type": "array",
                    "items": {"$ref": "#/$defs/perf_metric"},
                    "minItems": 1,
                    "maxItems": MAX_METRICS,
                },
            ]
        },
        "delta_metrics": {"type": "array", "items": _delta_metric()},
        "aggregation_metric": _aggregation_metric(),
        "train_file_metric": _train_file_metric(),
    }
    required = ("input", "output", "perf_metric")
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "Dynabench task config",
        **_object(_described(properties, KEYS), required=required),
        "$defs": _definitions(),
    }


def _definitions() -> Schema:
    by_person = [one for one in FIELD_TYPES.values() if not one.for_model_output_only]
    vote: Schema = {"enum": [one.value for one in VoteCondition]}
    return {
        "name": _NAME,
        "text": _TEXT,
        "person_field": {
            "oneOf": [_field(one, {"is_shown_to_model": {"type": "boolean"}}) for one in by_person]
        },
        "output_field": {
            "oneOf": [
                _object({"name": _REFERENCE}, required=("name",)),
                *(_field(one, {}) for one in FIELD_TYPES.values()),
            ]
        },
        "create_field": {
            "oneOf": [
                _field(one, {"model_wrong_condition": {"type": "boolean"}}) for one in by_person
            ]
        },
        "validate_field": {
            "oneOf": [_field(one, {"validated_label_condition": vote}) for one in by_person]
        },
        "perf_metric": {"oneOf": _perf_metrics()},
    }


def _field(kind: type[FieldType], conditions: dict[str, Schema]) -> Schema:
    text: Schema = {"$ref": "#/$defs/text"}
    described = _described(
        {
            "name": _REFERENCE,
            "type": {},
            "display_name": text,
            "placeholder": text,
            **conditions,
        },
        FIELD_KEYS,
    )
    properties = {
        **described,
        "type": {"const": kind.type_name, "description": summary_of(kind)},
        **kind.argument_schema,
    }
    return _object(properties, required=("name", "type", *kind.required_arguments))


def _fields(definition: str, *, at_least: int) -> Schema:
    items: Schema = {"$ref": f"#/$defs/{definition}"}
    return {"type": "array", "items": items, "minItems": at_least, "maxItems": MAX_FIELDS}


def _fooling_rules() -> list[Schema]:
    threshold: Schema = {"type": "number", "minimum": 0, "maximum": 1}
    arguments: dict[FoolingRule, dict[str, Schema]] = {
        FoolingRule.EXACT_MATCH: {"reference_names": _NAMES},
        FoolingRule.STRING_F1: {"reference_name": _REFERENCE, "threshold": threshold},
        FoolingRule.ASK_USER: {},
        FoolingRule.RUBRIC: {
            "judge": {"type": "string", "minLength": 1, "maxLength": MAX_JUDGE_LENGTH},
            "criteria": {
                "type": "array",
                "items": _criterion(),
                "minItems": 1,
                "maxItems": MAX_CRITERIA,
            },
        },
    }
    return [
        _object(
            {
                "type": {"const": rule.value, "description": RULES[rule.value]},
                **_described(own, RULE_KEYS),
            },
            required=("type", *own),
        )
        for rule, own in arguments.items()
    ]


def _criterion() -> Schema:
    properties = {
        "name": {"type": "string", "minLength": 1, "maxLength": MAX_LABEL_LENGTH},
        "text": {"type": "string", "minLength": 1, "maxLength": MAX_CRITERION_LENGTH},
    }
    return _object(properties, required=("name", "text"))


def _perf_metrics() -> list[Schema]:
    # A task has one chat at most, so that a metric of its choices need not name it.
    with_default = [one.name for one in METRIC_KINDS.values() if one.subject is Subject.CHOICES]
    others = [name for name in METRIC_KINDS if name not in with_default]
    return [
        _object(
            {"type": {"enum": others}, "reference_name": _REFERENCE},
            required=("type", "reference_name"),
        ),
        _object({"type": {"enum": with_default}, "reference_name": _REFERENCE}, required=("type",)),
    ]


def _train_file_metric() -> Schema:
    count: Schema = {"type": "integer", "minimum": 1, "maximum": MAX_SEEDS}
    seed: Schema = {"type": "integer", "minimum": 0, "maximum": MAX_SEED}
    seeds: Schema = {
        "type": "array",
        "items": seed,
        "minItems": 1,
        "maxItems": MAX_SEEDS,
        "uniqueItems": True,
    }
    labels: Schema = {"type": "array", "items": {"type": "string"}, "minItems": 1}
    properties = {
        "type": {"enum": list(TRAIN_FILE_METRICS)},
        "reference_name": _REFERENCE,
        "seeds": {"oneOf": [count, seeds]},
        "iterations": count,
        "test_labels": labels,
    }
    return _object(properties, required=("type", "reference_name"))


def _delta_metric() -> Schema:
    properties = {
        "type": {"enum": list(DELTA_METRICS)},
        "perturb_fields": _NAMES,
        "transforms": _NAMES,
    }
    return _object(properties, required=("type",))


def _aggregation_metric() -> Schema:
    weight: Schema = {"type": "number", "minimum": 0, "maximum": MAX_WEIGHT}
    weights: Schema = {"type": "object", "additionalProperties": weight}
    properties = {"type": {"const": "dynascore"}, "default_weights": weights}
    return _object(properties, required=("type",))


def _described(properties: Mapping[str, Schema], sentences: Mapping[str, str]) -> dict[str, Schema]:
    return {key: {**one, "description": sentences[key]} for key, one in properties.items()}


def _object(properties: object, *, required: tuple[str, ...] = ()) -> Schema:
    schema: Schema = {
        "type": "object",
        "properties": properties,
        "additionalProperties": False,
    }
    return {**schema, "required": list(required)} if required else schema
