"""Writes docs/reference/ from the code: command line, HTTP API, settings, metrics, figures.

With `--check` nothing is written; a stale page is named and the exit status is 1.
"""

import argparse
import inspect
import json
import re
import sys
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping
from enum import Enum
from pathlib import Path
from typing import Any

from typer.main import get_command

from dynabench.app.cli.chapters import CHAPTERS
from dynabench.app.cli.main import assemble
from dynabench.app.server.factory import create_application
from dynabench.app.server.problems import all_errors
from dynabench.kit.settings import PREFIX, Settings
from tools.metric_reference import metrics_page
from tools.monitoring_reference import monitoring_page
from tools.task_config_reference import task_config_page
from tools.transform_reference import transforms_page

ROOT = Path(__file__).resolve().parent.parent
PAGES = ROOT / "docs" / "reference"
NOTE = "<!-- Written by `make generate`; change the code instead. -->\n\n"

Json = Mapping[str, Any]


def cell(text: object) -> str:
    """Return a text as it may stand in a table."""
    return " ".join(str(text).split()).replace("|", "\\|")


# ---------------------------------------------------------------- the command line


def commands(command: Any, path: str) -> Iterator[tuple[str, Any]]:
    """Give every command below one, by what is typed, in the order of the help."""
    for name, child in command.commands.items():
        typed = f"{path} {name}"
        if hasattr(child, "commands"):
            yield from commands(child, typed)
        else:
            yield typed, child


def is_argument(parameter: Any) -> bool:
    """Tell whether a parameter is typed without a name."""
    return bool(parameter.param_type_name == "argument")


def values_of(parameter: Any) -> str:
    """Return what a parameter takes."""
    if parameter.metavar:
        return str(parameter.metavar)
    if is_argument(parameter):
        return str(parameter.name).upper()
    kind = parameter.type_descriptor.annotation
    if isinstance(kind, type) and issubclass(kind, Enum):
        return ", ".join(f"`{one.value}`" for one in kind)
    if kind is bool:
        return ""
    return getattr(kind, "__name__", str(kind)).replace("Path", "path")


def default_of(parameter: Any) -> str:
    """Return what holds where a parameter is left out."""
    if parameter.required:
        return "needed"
    value = parameter.default
    if value is True:
        return f"`{parameter.opts[0]}`"
    if value is None or value is False or value == () or callable(value):
        return ""
    return f"`{value.value if isinstance(value, Enum) else value}`"


def command_section(typed: str, command: Any) -> str:
    """Return one command's part of the page."""
    arguments = [one for one in command.params if is_argument(one)]
    usage = " ".join(values_of(one) if one.required else f"[{values_of(one)}]" for one in arguments)
    lines = [f"### `{typed}`", "", inspect.cleandoc(command.help or ""), ""]
    has_options = len(arguments) < len(command.params)
    tail = " ".join(part for part in (usage, "[OPTIONS]" if has_options else "") if part)
    lines += ["```text", f"{typed} {tail}".strip(), "```", ""]
    rows = [
        (
            values_of(one) if is_argument(one) else ", ".join((*one.opts, *one.secondary_opts)),
            "" if is_argument(one) else values_of(one),
            default_of(one),
            cell(getattr(one, "help", "") or ""),
        )
        for one in command.params
        if one.name != "help"
    ]
    if rows:
        lines += ["| name | takes | default | meaning |", "| --- | --- | --- | --- |"]
        lines += [
            f"| `{name}` | {takes} | {default} | {help_} |" for name, takes, default, help_ in rows
        ]
        lines += [""]
    return "\n".join(lines)


def cli_page() -> str:
    """Return the reference of the command line."""
    by_panel: dict[str, list[str]] = defaultdict(list)
    root: Any = get_command(assemble([]))
    for chapter in CHAPTERS:
        for name in chapter.commands:
            child = root.commands[name]
            found = (
                commands(child, f"dynabench {name}")
                if hasattr(child, "commands")
                else [(f"dynabench {name}", child)]
            )
            by_panel[chapter.panel] += [command_section(*one) for one in found]
    sections = [f"## {panel}\n\n" + "\n".join(found) for panel, found in by_panel.items()]
    head = (
        "# The command line\n\n"
        "`dynabench COMMAND --help` says the same. The exit status is 0 when it is done, 1 when\n"
        "it failed, 2 when it was typed wrongly and 130 when it was interrupted.\n\n"
    )
    return NOTE + head + "\n".join(sections).rstrip() + "\n"


# ---------------------------------------------------------------- the HTTP API


def kind_of(schema: Json) -> str:
    """Return a JSON schema as a few words."""
    if "$ref" in schema:
        name = schema["$ref"].rpartition("/")[2]
        return f"[{name}](#{name.lower()})"
    for key in ("anyOf", "oneOf"):
        if key in schema:
            return " or ".join(dict.fromkeys(kind_of(one) for one in schema[key]))
    if "const" in schema or "enum" in schema:
        return ", ".join(f"`{one}`" for one in schema.get("enum", [schema.get("const")]))
    kind = schema.get("type")
    if kind == "array":
        return f"list of {kind_of(schema.get('items', {}))}"
    if kind == "object" and isinstance(schema.get("additionalProperties"), dict):
        return f"object of {kind_of(schema['additionalProperties'])}"
    return f"{kind or 'any'}{' (' + schema['format'] + ')' if 'format' in schema else ''}"


def limits_of(schema: Json) -> str:
    """Return what bounds a value."""
    schemas = [schema, *schema.get("anyOf", [])]
    names = {
        "minimum": "at least",
        "maximum": "at most",
        "minLength": "characters from",
        "maxLength": "characters to",
        "minItems": "items from",
        "maxItems": "items to",
    }
    found = [f"{word} {one[key]}" for one in schemas for key, word in names.items() if key in one]
    return ", ".join(dict.fromkeys(found))


def content_of(body: Json) -> str:
    """Return the media types and shapes of a body."""
    found = [
        f"`{media}`: {kind_of(one['schema'])}" if one.get("schema") else f"`{media}`"
        for media, one in body.get("content", {}).items()
    ]
    return "; ".join(found) or "nothing"


def codes_of(route: Json) -> dict[str, str]:
    """Return the codes of a route's failures with their statuses."""
    answers = sorted(route["responses"].items())
    return {code: status for status, answer in answers for code in answer.get("x-codes", ())}


def codes_of_all(document: Json) -> dict[str, str]:
    """Return the codes that nine of ten routes have, which are told once."""
    routes = [route for methods in document["paths"].values() for route in methods.values()]
    times = Counter(code for route in routes for code in codes_of(route))
    everything = {code: status for route in routes for code, status in codes_of(route).items()}
    usual = {code for code, count in times.items() if 10 * count >= 9 * len(routes)}
    return {code: status for code, status in sorted(everything.items()) if code in usual}


def listed(codes: Mapping[str, str]) -> str:
    """Return codes as a line of text."""
    return ", ".join(f"[`{code}`](#error-codes) ({status})" for code, status in codes.items())


def route_section(method: str, path: str, route: Json, *, usual: Mapping[str, str]) -> str:
    """Return one route's part of the page."""
    lines = [f"### `{method.upper()} {path}`", "", route.get("description", ""), ""]
    rows = [
        f"| `{one['name']}` | {one['in']} | {cell(kind_of(one['schema']))} "
        f"| {'yes' if one.get('required') else ''} "
        f"| {cell(one.get('description', '') or limits_of(one['schema']))} |"
        for one in route.get("parameters", [])
    ]
    if rows:
        lines += ["| parameter | in | type | needed | meaning |", "| --- | --- | --- | --- | --- |"]
        lines += [*rows, ""]
    if "requestBody" in route:
        lines += [f"Body: {content_of(route['requestBody'])}", ""]
    for status, answer in sorted(route["responses"].items()):
        if status.startswith("2"):
            lines += [f"Answer {status}: {content_of(answer)}", ""]
    codes = {code: status for code, status in codes_of(route).items() if code not in usual}
    if codes:
        lines += [f"Failures: {listed(codes)}", ""]
    return "\n".join(lines)


def schema_section(name: str, schema: Json) -> str:
    """Return one shape's part of the page."""
    lines = [f"### {name}", "", schema.get("description", "").split("\nAttributes:")[0].strip(), ""]
    if "enum" in schema:
        return "\n".join([*lines, f"One of {kind_of(schema)}.", ""])
    needed = set(schema.get("required", ()))
    rows = [
        f"| `{key}` | {cell(kind_of(one))} | {'yes' if key in needed else ''} "
        f"| {cell(one.get('description') or limits_of(one))} |"
        for key, one in schema.get("properties", {}).items()
    ]
    if rows:
        lines += ["| field | type | needed | meaning |", "| --- | --- | --- | --- |", *rows, ""]
    return "\n".join(lines)


def error_section(document: Json) -> str:
    """Return the table of every code that a route declares."""
    routes = [route for methods in document["paths"].values() for route in methods.values()]
    statuses = {code: status for route in routes for code, status in codes_of(route).items()}
    # A failure is known once its module is imported, as the application's are by now.
    assert callable(create_application)
    known = all_errors()
    lines = ["## Error codes", "", "| code | status | when |", "| --- | --- | --- |"]
    for code in sorted(statuses):
        about = cell((known[code].__doc__ or "").split("\n\n")[0]) if code in known else ""
        lines.append(f"| `{code}` | {statuses[code]} | {about} |")
    return "\n".join([*lines, ""])


def api_page() -> str:
    """Return the reference of the HTTP API."""
    document = json.loads((ROOT / "frontend" / "openapi.json").read_text(encoding="utf-8"))
    by_tag: dict[str, list[str]] = defaultdict(list)
    usual = codes_of_all(document)
    for path, methods in document["paths"].items():
        for method, route in methods.items():
            section = route_section(method, path, route, usual=usual)
            by_tag[(route.get("tags") or ["other"])[0]].append(section)
    head = (
        "# The HTTP API\n\n"
        "What holds for every route (sign-in, failures, paging, doing a thing once) is in\n"
        "[the wire contract](../design/wire-contract.md). A running server gives the same as an\n"
        "OpenAPI document at `/api/v1/openapi.json`.\n\n"
        "Nearly every route may fail with one of these, which is not said again: "
        f"{listed(usual)}.\n\n"
    )
    routes = [f"## {tag}\n\n" + "\n".join(found) for tag, found in sorted(by_tag.items())]
    shapes = [
        schema_section(name, schema)
        for name, schema in sorted(document["components"]["schemas"].items())
    ]
    text = NOTE + head + "\n".join([*routes, error_section(document), "## Shapes\n", *shapes])
    return re.sub(r"\n{3,}", "\n\n", text).rstrip() + "\n"


# ---------------------------------------------------------------- the settings


def settings_page() -> str:
    """Return the reference of the settings."""
    sentences: dict[str, str] = {}
    docstring = inspect.getdoc(Settings) or ""
    for entry in re.split(r"\n    (?=\w+: )", docstring.partition("Attributes:")[2]):
        name, _, about = entry.strip().partition(": ")
        sentences[name] = cell(about)
    lines = [
        "# Settings",
        "",
        "Every process of a server reads these environment variables when it starts. A value",
        "that cannot be used is refused with the variable's name; an empty one counts as not set.",
        "",
        "| variable | default | meaning |",
        "| --- | --- | --- |",
    ]
    for name, field in Settings.model_fields.items():
        default = (
            "`~/.dynabench`"
            if name == "home"
            else shown(field.get_default(call_default_factory=True))
        )
        lines.append(f"| `{PREFIX}{name.upper()}` | {default} | {sentences[name]} |")
    lines += [
        "",
        "The command line and the Python client read `DYNABENCH_URL`, `DYNABENCH_API_KEY` and",
        "`DYNABENCH_PASSWORD`; see [Use the Python client](../how-to/use-the-client.md).",
    ]
    return NOTE + "\n".join(lines) + "\n"


def shown(value: object) -> str:
    """Return a default as an operator would type it."""
    if value is None or value in ((), {}):
        return "–"
    if isinstance(value, bool):
        return f"`{str(value).lower()}`"
    return f"`{value.value if isinstance(value, Enum) else value}`"


def main() -> int:
    """Write or check; returns the exit status for the shell."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--check", action="store_true")
    check = parser.parse_args().check
    PAGES.mkdir(parents=True, exist_ok=True)
    wanted = {
        "cli.md": cli_page(),
        "api.md": api_page(),
        "settings.md": settings_page(),
        "metrics.md": NOTE + metrics_page(),
        "monitoring.md": NOTE + monitoring_page(),
        "task-config.md": NOTE + task_config_page(),
        "transforms.md": NOTE + transforms_page(),
    }
    stale = []
    for name, text in wanted.items():
        path = PAGES / name
        if path.is_file() and path.read_text(encoding="utf-8") == text:
            continue
        stale.append(path.relative_to(ROOT))
        if not check:
            path.write_text(text, encoding="utf-8")
    for path in stale:
        print(f"{path}: {'is stale; run make generate' if check else 'written'}")
    return 1 if stale and check else 0


if __name__ == "__main__":
    sys.exit(main())
