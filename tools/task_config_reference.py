"""The page docs/reference/task-config.md: every key of a task config, from its JSON schema."""

import inspect
import re
from collections.abc import Mapping
from typing import Any

from dynabench.science.task_config.fields.number import MAX_NUMBER
from dynabench.science.task_config.fields.protocol import FieldType
from dynabench.science.task_config.fields.registry import FIELD_TYPES
from dynabench.science.task_config.json_schema import config_json_schema

Json = Mapping[str, Any]

HEAD = """\
# The task config

Every key that may stand in a task's YAML. [How a config works](../design/task-config.md) says
why, [how to write a task](../how-to/write-a-task.md) shows a whole one, and
[the metrics](metrics.md) have their own page. A running server gives the JSON schema of all
this at `/api/v1/task-config.schema.json`.

A *text* is a string, or a map from language to string such as `{en: Label, es: Etiqueta}`: the
reader's language is shown, else the one of `language`, else the first. A *name* is a word of
letters, digits, `_` and `-` that does not begin with a digit. A key that is not listed is an
error, which names the nearest one.

"""


def task_config_page() -> str:
    """Return the reference of the task config."""
    schema: Json = config_json_schema()
    needed = set(schema["required"])
    parts = [
        "## The document",
        table(schema["properties"], needed=needed),
        "## Fields",
        "Each entry of `context`, `input`, `output`, `metadata.create` and `metadata.validate`.",
        "An entry of `output` that is defined above may be its name alone: `{name: label}`.",
        table(common_keys(schema), needed={"name", "type"}),
        *(field_section(kind) for kind in FIELD_TYPES.values()),
        "## When the model is wrong",
        "`model_wrong_metric` is one of these.",
        *(rule_section(rule) for rule in schema["properties"]["model_wrong_metric"]["oneOf"]),
    ]
    return HEAD + "\n\n".join(parts).rstrip() + "\n"


def table(properties: Json, *, needed: set[str]) -> str:
    """Return keys as a table."""
    lines = ["| key | takes | needed | meaning |", "| --- | --- | --- | --- |"]
    for key, one in properties.items():
        about = one.get("description", "").replace("|", "\\|")
        mark = "yes" if key in needed else ""
        lines.append(f"| `{key}` | {takes(key, one)} | {mark} | {about} |")
    return "\n".join(lines)


def takes(key: str, schema: Json) -> str:
    """Return in a few words what may stand under a key."""
    named = {"criteria": "list of `{name, text}`", "reference_name": "name", "reply_name": "name"}
    if key in named:
        return named[key]
    if "$ref" in schema:
        return str(schema["$ref"]).rpartition("/")[2].replace("_", " ")
    if "const" in schema or "enum" in schema:
        return ", ".join(f"`{one}`" for one in schema.get("enum", [schema.get("const")]))
    if schema.get("type") == "array":
        inner = takes("", schema["items"])
        is_field = inner.endswith(" field")
        return "list of fields" if is_field else f"list{bounds(schema, 'Items')} of {inner}"
    if schema.get("type") == "object" or "oneOf" in schema:
        options = [one.get("type") for one in schema.get("oneOf", ())]
        return "mapping, or a list of them" if "array" in options else "mapping"
    kinds = {"boolean": "true or false", "integer": "whole number"}
    kind = str(schema.get("type", "one of the types below"))
    return kinds.get(kind, kind) + bounds(schema, "Length") + bounds(schema, "imum")


def bounds(schema: Json, what: str) -> str:
    """Return the bounds of a number, a length or a count, if there are any."""
    low, high = schema.get(f"min{what}"), schema.get(f"max{what}")
    low = None if low == -MAX_NUMBER else low
    high = None if high == MAX_NUMBER else high
    unit = {"Length": " characters", "Items": "", "imum": ""}[what]
    if low is None and high is None:
        return ""
    if low is None or high is None:
        return f" ({f'at least {low}' if high is None else f'at most {high}'}{unit})"
    return f" ({low} to {high}{unit})"


def common_keys(schema: Json) -> dict[str, Any]:
    """Return the keys that every field has, with the conditions of metadata."""
    definitions = schema["$defs"]
    found: dict[str, Any] = {}
    for section in ("create_field", "validate_field"):
        properties = definitions[section]["oneOf"][0]["properties"]
        own = FIELD_TYPES["string"].argument_schema
        found |= {key: one for key, one in properties.items() if key not in own}
    found["type"] = {"description": "The kind of value."}
    return found


def field_section(kind: type[FieldType]) -> str:
    """Return the part of one field type: its value, where it may stand, its arguments."""
    about = re.sub(r"\s*\n(?!\n)\s*", " ", inspect.getdoc(kind) or "")
    place = "Anywhere."
    if kind.for_model_output_only:
        place = "In `output` alone: only a model gives it."
    elif kind.type_name == "chat":
        place = "In `input`, once, and not in `output`: no model answers with one."
    elif kind.for_people_only:
        place = "Anywhere but in `output`: no model answers with one."
    lines = [f"### `{kind.type_name}`", about, f"*Stands:* {place}"]
    if kind.argument_schema:
        lines.append(table(kind.argument_schema, needed=set(kind.required_arguments)))
    return "\n\n".join(lines)


def rule_section(rule: Json) -> str:
    """Return the part of one rule for "fooled"."""
    kind = rule["properties"]["type"]
    lines = [f"### `{kind['const']}`", kind["description"]]
    arguments = {key: one for key, one in rule["properties"].items() if key != "type"}
    if arguments:
        lines.append(table(arguments, needed=set(rule["required"])))
    return "\n\n".join(lines)
