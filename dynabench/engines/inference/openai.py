"""The `openai` adapter: a chat-completions server (vLLM, Ollama, llama.cpp, hosted ones)."""

import asyncio
import json
import os
import re
from collections.abc import Mapping, Sequence
from urllib.parse import urlsplit

from dynabench.engines.inference.errors import TargetSpecError
from dynabench.engines.inference.files import content_parts, file_data, with_files
from dynabench.engines.inference.json_caller import HttpSettings, JsonCaller
from dynabench.engines.inference.outputs import AnswerProblemError, checked_prediction
from dynabench.engines.inference.protocol import (
    SAMPLE_KEY,
    Description,
    ModelInput,
    Prediction,
    Stopwatch,
    TargetSpec,
)
from dynabench.engines.inference.spans import required_span
from dynabench.science.task_config.conversations import Role, messages_of

PARSERS = ("label", "json", "text", "span")
_PLACEHOLDER = re.compile(r"\{([A-Za-z_]\w*)\}")
_OBJECT = re.compile(r"\{.*\}", re.DOTALL)
_MAX_TOKENS = 256
_PARALLEL = 8
# A further answer to the same input is drawn, since the first one would only come again.
_SAMPLING_TEMPERATURE = 0.8
_SPEAKERS = {Role.USER.value: "User", Role.ASSISTANT.value: "Assistant"}


class OpenAITarget:
    """A prompted model.

    Options: `base_url` (usually ends in `/v1`), `model`, `prompt` with `{field}` placeholders,
    `parser`; without a prompt a conversation is sent as the server's own messages, and what
    else the model may see is told first; optionally `system`, `max_tokens`, `answer_name`
    (default: the first output field), `reference_name` (for `span`) and `api_key_env`, the
    environment variable that holds the key: the operator lists it, its value is never stored
    or logged.
    """

    def __init__(self, spec: TargetSpec, *, settings: HttpSettings | None = None) -> None:
        settings = settings or HttpSettings()
        self._spec = spec
        self._model = spec.option("model")
        self._prompt = "" if self._is_chat(spec) else spec.option("prompt")
        self._parser = spec.option("parser", "label")
        self._answer_name = spec.option("answer_name", spec.output_names[0])
        self._check_options()
        base_url = spec.option("base_url")
        self._caller = JsonCaller(
            base_url,
            name=spec.name,
            settings=settings,
            api_key=_api_key(spec, base_url=base_url, settings=settings),
        )
        self._places = asyncio.Semaphore(_PARALLEL)

    async def describe(self) -> Description:
        """Return the spec's description; nothing is asked, since each call may cost money."""
        return self._spec.describe()

    async def predict(self, batch: Sequence[ModelInput]) -> list[Prediction]:
        """Ask each input on its own, a few at a time."""
        return list(await asyncio.gather(*(self._answer(item) for item in batch)))

    async def close(self) -> None:
        """Close the connections."""
        await self._caller.close()

    async def _answer(self, model_input: ModelInput) -> Prediction:
        sample = model_input.get(SAMPLE_KEY)
        body = {
            "model": self._model,
            "messages": self._messages(model_input),
            "temperature": 0 if sample is None else _SAMPLING_TEMPERATURE,
            "max_tokens": self._spec.options.get("max_tokens", _MAX_TOKENS),
        }
        if sample is not None:
            body["seed"] = sample
        async with self._places:
            watch = Stopwatch()
            try:
                answer = await self._caller.call("POST", "/chat/completions", body)
                raw = self._parsed(_content(answer), model_input)
            except AnswerProblemError as problem:
                return Prediction(error=str(problem), latency_seconds=watch.seconds())
        return checked_prediction(self._spec, raw, latency_seconds=watch.seconds())

    @staticmethod
    def _is_chat(spec: TargetSpec) -> bool:
        return spec.chat_name is not None and not spec.options.get("prompt")

    def _messages(self, model_input: ModelInput) -> list[dict[str, object]]:
        system = self._spec.options.get("system")
        told = self._filled(system, model_input) if isinstance(system, str) else ""
        asked: list[dict[str, object]]
        if self._prompt:
            content = content_parts(
                self._prompt,
                self._spec.visible(model_input),
                fill=lambda piece: self._filled(piece, model_input),
            )
            asked = [{"role": "user", "content": content}]
        else:
            visible = self._spec.visible(model_input)
            said = messages_of(visible.pop(str(self._spec.chat_name), []), awaits_reply=False)
            asked = with_files(
                [{"role": one["role"], "content": one["text"]} for one in said], visible
            )
            visible.pop(SAMPLE_KEY, None)
            told = told or "\n\n".join(f"{name}: {_shown(one)}" for name, one in visible.items())
        return [{"role": "system", "content": told}, *asked] if told else asked

    def _filled(self, template: str, model_input: ModelInput) -> str:
        """Fill the placeholders in one pass: a text with braces in it stays a text."""
        visible = self._spec.visible(model_input)
        return _PLACEHOLDER.sub(
            lambda found: _shown(visible[found[1]]) if found[1] in visible else found[0], template
        )

    def _parsed(self, content: str, model_input: ModelInput) -> Mapping[str, object]:
        name = self._answer_name
        if self._parser == "json":
            return _first_object(content)
        if self._parser == "text":
            return {name: content.strip()}
        if self._parser == "span":
            span = required_span(
                content.strip(),
                output_name=name,
                reference_name=self._spec.option("reference_name"),
                model_input=model_input,
            )
            return {name: span}
        return {name: first_label(content, self._spec.labels[name], output_name=name)}

    def _check_options(self) -> None:
        problems: dict[str, str] = {}
        if self._parser not in PARSERS:
            problems["parser"] = f"The parser must be one of {', '.join(PARSERS)}."
        if self._parser == "label" and self._answer_name not in self._spec.labels:
            problems["parser"] = f"The field '{self._answer_name}' has no labels to look for."
        if self._parser == "span" and not self._spec.options.get("reference_name"):
            problems["reference_name"] = "A span needs the name of the field it is taken from."
        unknown = set(_PLACEHOLDER.findall(self._prompt)) - set(self._spec.input_names)
        if unknown and self._spec.input_names:
            known = ", ".join(self._spec.input_names)
            problems["prompt"] = (
                f"The prompt names {{{min(unknown)}}}, but the model may see only: {known}."
            )
        if problems:
            raise TargetSpecError(" ".join(problems.values()), fields=problems)


def first_label(content: str, labels: Sequence[str], *, output_name: str) -> str:
    """Return the label that an answer names first, as a whole word in any case.

    Of two labels that begin at the same place the longer one is meant ("not entailed" before
    "not").
    """
    longest_first = sorted(labels, key=len, reverse=True)
    pattern = "|".join(rf"(?<!\w){re.escape(label)}(?!\w)" for label in longest_first)
    found = re.search(pattern, content, flags=re.IGNORECASE)
    if found is None:
        shown = " ".join(content.split())[:60]
        raise AnswerProblemError(f"The output field '{output_name}': no label in “{shown}”.")
    named = found.group().lower()
    return next(label for label in longest_first if label.lower() == named)


def _shown(value: object) -> str:
    """Return a value as a prompt says it: messages as a transcript, other lists as JSON.

    A file stands beside the text that names it; within it are the words that describe it.
    """
    if file_data(value) is not None and isinstance(value, dict):
        return str(value.get("alt") or value["media_type"])
    if isinstance(value, list) and value and all(_is_message(one) for one in value):
        return "\n".join(
            f"{_SPEAKERS.get(one['role'], one['role'])}: {one['text']}" for one in value
        )
    if isinstance(value, list | dict):
        return json.dumps(value, ensure_ascii=False)
    return str(value)


def _is_message(value: object) -> bool:
    return isinstance(value, dict) and {"role", "text"} <= value.keys()


def _first_object(content: str) -> Mapping[str, object]:
    found = _OBJECT.search(content)
    try:
        value = json.loads(found.group()) if found is not None else None
    except (ValueError, RecursionError):
        value = None
    if not isinstance(value, dict):
        raise AnswerProblemError("The answer holds no JSON object.")
    return value


def _content(answer: object) -> str:
    try:
        # The shape is checked by trying: any surprise on the way is the same problem.
        content = answer["choices"][0]["message"]["content"]  # type: ignore[index]
    except (TypeError, KeyError, IndexError) as error:
        raise AnswerProblemError("The server's answer has no message.") from error
    if not isinstance(content, str):
        raise AnswerProblemError("The server's message holds no text.")
    return content


def _api_key(spec: TargetSpec, *, base_url: str, settings: HttpSettings) -> str | None:
    variable = spec.options.get("api_key_env")
    if not variable:
        return None
    host, wanted = settings.api_keys.get(str(variable)), urlsplit(base_url).hostname
    if host is None or host != wanted:
        sentence = (
            f"The key {variable} may not be sent to {wanted}. The server's operator allows it "
            f"with DYNABENCH_TARGET_API_KEYS={variable}={wanted}."
        )
        raise TargetSpecError(sentence, fields={"api_key_env": sentence})
    key = os.environ.get(str(variable))
    if not key:
        sentence = (
            f"The environment variable {variable} is not set on the server; "
            "its operator sets it to the key where the server and its workers start."
        )
        raise TargetSpecError(sentence, fields={"api_key_env": sentence})
    return key
