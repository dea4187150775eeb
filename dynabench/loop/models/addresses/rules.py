"""Reading the options of a submitted address into what the adapters need.

On the wire an option is named as a model's owner thinks of it; this module checks every one
and tells all problems at once, each under `options.<name>`.
"""

import re
from collections.abc import Mapping
from urllib.parse import SplitResult, unquote, urlsplit

from dynabench.kit.wire import Values
from dynabench.loop.models.errors import ModelKindError, ModelOptionsError
from dynabench.loop.models.judges.rules import default_prompt, has_rubric
from dynabench.loop.models.judges.values import (
    ANSWER_NAME,
    BROKEN_NAME,
    REASON_NAME,
    RUBRIC_NAME,
)
from dynabench.loop.models.values import ModelKind, ModelPurpose
from dynabench.science.task_config.characters import find_refused_character
from dynabench.science.task_config.fields.multiclass import MulticlassType
from dynabench.science.task_config.fields.selection import SelectionType
from dynabench.science.task_config.fields.string import StringType
from dynabench.science.task_config.problems import nearest, quote
from dynabench.science.task_config.schema import TaskConfig

_ENDPOINT_KEYS = ("url", "model_name", "version", "input_tensors", "output_tensors")
_OPENAI_KEYS = ("base_url", "model", "prompt", "answer", "system", "max_tokens", "api_key_env")
_ANSWERS = ("label", "json", "text", "span")
_ANSWER_OF_TYPE = {MulticlassType: "label", SelectionType: "span", StringType: "text"}
_LONGEST_TEXT = 20_000
_LONGEST_URL = 2_000
_MOST_TOKENS = 16_384
_ADDRESS = re.compile(r"(?P<root>.*?)/v2/models/(?P<model>[^/]+)(/versions/(?P<version>[^/]+))?")
_VARIABLE = re.compile(r"[A-Z][A-Z0-9_]*")


def read_options(
    kind: ModelKind,
    options: Values,
    *,
    config: TaskConfig,
    purpose: ModelPurpose = ModelPurpose.TARGET,
) -> Values:
    """Return the adapter's options for what the owner wrote.

    Raises:
        ModelKindError: If models of this kind have no address.
        ModelOptionsError: With every wrong option.
    """
    is_judge = purpose is ModelPurpose.JUDGE
    if is_judge and not has_rubric(config):
        sentence = "This task's rule for “fooled” is no rubric, so it has nothing to judge."
        raise ModelOptionsError(fields={"purpose": sentence})
    if kind is ModelKind.ENDPOINT:
        reader = OptionReader(options, known=_ENDPOINT_KEYS)
        found = _endpoint(reader, config, is_judge=is_judge)
    elif kind is ModelKind.OPENAI:
        reader = OptionReader(options, known=_OPENAI_KEYS)
        found = _openai(reader, config, is_judge=is_judge)
    else:
        raise ModelKindError(kind=kind)
    reader.raise_if_any()
    return found


ADDRESS_OPTIONS = ("url", "base_url")


def address_of(options: Mapping[str, object]) -> str:
    """Return the URL among an adapter's options."""
    return next((str(options[name]) for name in ADDRESS_OPTIONS if options.get(name)), "")


def wire_names(fields: Mapping[str, str]) -> dict[str, str]:
    """Return an adapter's complaints under the names that an owner knows."""
    renamed = {
        "parser": "answer",
        "reference_name": "answer",
        "field_map": "input_tensors",
        "output_map": "output_tensors",
    }
    return {f"options.{renamed.get(name, name)}": text for name, text in fields.items()}


class OptionReader:
    """Reads options one by one and collects what is wrong with them."""

    def __init__(self, options: Values, *, known: tuple[str, ...]) -> None:
        self._options = options
        self._problems: dict[str, str] = {}
        for key in options:
            if key not in known:
                near = nearest(key, known)
                hint = f"Did you mean {quote(near)}?" if near else f"Known: {', '.join(known)}."
                self.wrong(key[:80], f"There is no such option. {hint}")

    def wrong(self, key: str, sentence: str) -> None:
        """Note a problem; the first of an option is told."""
        self._problems.setdefault(f"options.{key}", sentence)

    def raise_if_any(self) -> None:
        """Raise everything that was noted."""
        if self._problems:
            raise ModelOptionsError(fields=self._problems)

    def text(self, key: str, *, is_needed: bool = False, longest: int = _LONGEST_TEXT) -> str:
        """Return a text, or nothing if it is missing or wrong."""
        value = self._options.get(key)
        if value is None or value == "":
            if is_needed:
                self.wrong(key, "It is missing; fill it in.")
            return ""
        if not isinstance(value, str):
            self.wrong(key, "It must be a text.")
            return ""
        refused = find_refused_character(value)
        if refused is not None:
            self.wrong(key, refused)
        if len(value) > longest:
            self.wrong(key, f"It has {len(value)} characters; at most {longest} are allowed.")
        return value

    def number(self, key: str, *, most: int) -> int | None:
        """Return a whole number from 1."""
        value = self._options.get(key)
        if value is None:
            return None
        if isinstance(value, bool) or not isinstance(value, int) or not 1 <= value <= most:
            self.wrong(key, f"It must be a whole number from 1 to {most}.")
            return None
        return value

    def names(self, key: str, *, fields: tuple[str, ...]) -> dict[str, object]:
        """Return a map from the task's fields to the names that the server uses."""
        value = self._options.get(key)
        if value is None:
            return {}
        if not isinstance(value, dict):
            self.wrong(key, "It must be an object: a field of the task to the server's name.")
            return {}
        for name, tensor in value.items():
            if name not in fields:
                self.wrong(key, f"The task has no such field {quote(name)}: {', '.join(fields)}.")
            elif not isinstance(tensor, str) or not tensor or find_refused_character(tensor):
                self.wrong(key, f"The server's name for {quote(name)} must be a text.")
        return dict(value)

    def url(self, key: str) -> SplitResult | None:
        """Return an http(s) address without credentials, query or fragment."""
        text = self.text(key, is_needed=True, longest=_LONGEST_URL)
        if not text:
            return None
        try:
            parts = urlsplit(text)
            host, _ = parts.hostname, parts.port
        except ValueError:
            self.wrong(key, "It is not an address; write it like https://models.example.org.")
            return None
        if parts.scheme not in {"http", "https"} or not host or " " in text:
            self.wrong(key, "It must be an address that begins with http:// or https://.")
        elif parts.username is not None or parts.password is not None:
            self.wrong(key, "It must not hold a user name or password.")
        elif parts.query or parts.fragment:
            self.wrong(key, "It must end with its path, without “?” or “#”.")
        else:
            return parts
        return None


def _endpoint(reader: OptionReader, config: TaskConfig, *, is_judge: bool) -> Values:
    parts = reader.url("url")
    model, version = reader.text("model_name", longest=200), reader.text("version", longest=50)
    path = "" if parts is None else parts.path.rstrip("/")
    found = _ADDRESS.match(path)
    if found is not None:
        path = found["root"]
        model = model or unquote(found["model"])
        version = version or unquote(found["version"] or "")
    elif parts is not None and not model:
        reader.wrong(
            "url",
            "Give it up to and including the model's name, as in "
            f"{parts.scheme}://{parts.netloc}/v2/models/NAME, or name the model in model_name.",
        )
    root = "" if parts is None else f"{parts.scheme}://{parts.netloc}{path.removesuffix('/v2')}"
    outputs = tuple(field.name for field in config.output)
    inputs = config.model_input_names
    if is_judge:
        inputs, outputs = (*inputs, ANSWER_NAME, RUBRIC_NAME), (BROKEN_NAME, REASON_NAME)
    options: Values = {"url": root, "model": model}
    if version:
        options["version"] = version
    input_tensors = reader.names("input_tensors", fields=inputs)
    output_tensors = reader.names("output_tensors", fields=outputs)
    if input_tensors:
        options["field_map"] = input_tensors
    if output_tensors:
        options["output_map"] = output_tensors
    return options if is_judge else options | _reference(config)


def _openai(reader: OptionReader, config: TaskConfig, *, is_judge: bool) -> Values:
    parts = reader.url("base_url")
    answer = reader.text("answer") or ("json" if is_judge else _usual_answer(config))
    if answer not in _ANSWERS:
        reader.wrong("answer", f"It must be one of: {', '.join(_ANSWERS)}.")
    if answer == "span" and not _reference(config):
        reader.wrong("answer", "The task's answer is not a selection; choose another one.")
    options: Values = {
        "base_url": "" if parts is None else parts.geturl().rstrip("/"),
        "model": reader.text("model", is_needed=True, longest=300),
        "prompt": reader.text("prompt", is_needed=not is_judge and config.chat_field is None),
        "parser": answer,
    }
    if is_judge and not options["prompt"]:
        options["prompt"] = default_prompt(config)
    system = reader.text("system")
    if system:
        options["system"] = system
    max_tokens = reader.number("max_tokens", most=_MOST_TOKENS)
    if max_tokens is not None:
        options["max_tokens"] = max_tokens
    variable = reader.text("api_key_env", longest=100)
    if variable and _VARIABLE.fullmatch(variable) is None:
        reader.wrong(
            "api_key_env",
            "Name the server's environment variable that holds the key, as in OPENAI_API_KEY; "
            "the key itself is never sent or stored here.",
        )
    elif variable:
        options["api_key_env"] = variable
    return options if is_judge else options | _reference(config)


def _usual_answer(config: TaskConfig) -> str:
    if len(config.model_output_names) > 1:
        return "json"
    kind = config.field(config.model_output_names[0]).type
    for known, answer in _ANSWER_OF_TYPE.items():
        if isinstance(kind, known):
            return answer
    return "json"


def _reference(config: TaskConfig) -> Values:
    """Name the text from which the first output field is selected, if it is a selection."""
    kind = config.field(config.model_output_names[0]).type
    return {"reference_name": kind.reference_name} if isinstance(kind, SelectionType) else {}
