"""The `endpoint` adapter: a server that speaks the Open Inference Protocol v2.

KServe, Triton, MLServer and Ray Serve do. Text fields go out as BYTES tensors of shape [n];
labels and answers come back the same way, probabilities as a float tensor of shape [n, k] in
the order of the task's labels, or [n] for a single one.
"""

import json
import math
from collections.abc import Mapping, Sequence
from urllib.parse import quote

from dynabench.engines.inference.errors import (
    TargetAnswerInvalidError,
    TargetStatusError,
    TargetUnavailableError,
)
from dynabench.engines.inference.files import file_data
from dynabench.engines.inference.json_caller import HttpSettings, JsonCaller
from dynabench.engines.inference.outputs import AnswerProblemError, checked_prediction
from dynabench.engines.inference.protocol import (
    Description,
    ModelInput,
    Prediction,
    Stopwatch,
    TargetSpec,
    digest_of,
)
from dynabench.engines.inference.spans import required_span

_LONGEST_NAME, _MOST_NAMED = 60, 8
_MATRIX = 2
_TEXT_TYPE = "BYTES"
_NOT_FOUND = 404
# How servers answer that describe no models, or do not know this one: its answer will tell.
_UNDESCRIBED = frozenset({400, 404, 405, 501})


class EndpointTarget:
    """One model of an Open Inference Protocol server.

    Options: `url` (without `/v2`), `model`, and optionally `version`; `field_map` and
    `output_map` (our field -> the server's tensor, where the names differ); `reference_name`
    (the passage, if answers are texts to be found in it).

    The server's description of the model says which fields are sent: those that it lists, or
    all where it lists none.
    """

    def __init__(self, spec: TargetSpec, *, settings: HttpSettings | None = None) -> None:
        self._spec = spec
        model = quote(spec.option("model"), safe="")
        version = spec.options.get("version")
        self._path = f"/v2/models/{model}"
        self._sent_names: tuple[str, ...] | None = None
        if version:
            self._path += f"/versions/{quote(str(version), safe='')}"
        self._field_map = spec.text_map("field_map")
        self._output_map = spec.text_map("output_map")
        self._caller = JsonCaller(
            spec.option("url"), name=spec.name, settings=settings or HttpSettings()
        )

    async def describe(self) -> Description:
        """Ask the server what the model takes; a missing tensor is told by name."""
        try:
            reported = await self._read_metadata()
        except AnswerProblemError as problem:
            raise TargetAnswerInvalidError(name=self._spec.name, reason=str(problem)) from problem
        return Description(
            name=self._spec.name,
            digest=digest_of({"spec": self._spec.version_digest, "reported": reported}),
            input_names=self._spec.input_names,
            output_names=self._spec.output_names,
        )

    async def predict(self, batch: Sequence[ModelInput]) -> list[Prediction]:
        """Send a batch as one inference request."""
        if not batch:
            return []
        watch = Stopwatch()
        inputs = [self._spec.visible(item) for item in batch]
        try:
            if self._sent_names is None:
                await self._read_metadata()
            names = self._sent_names or tuple(inputs[0])
            tensors = [self._input_tensor(name, inputs) for name in names]
            answer = await self._infer({"inputs": tensors})
            columns = self._columns(answer, count=len(batch))
        except AnswerProblemError as problem:
            latency = watch.seconds()
            return [Prediction(error=str(problem), latency_seconds=latency) for _ in batch]
        latency = watch.seconds()
        return [
            self._prediction({name: column[row] for name, column in columns.items()}, item, latency)
            for row, item in enumerate(batch)
        ]

    async def close(self) -> None:
        """Close the connections."""
        await self._caller.close()

    async def _infer(self, body: object) -> object:
        try:
            return await self._caller.call("POST", f"{self._path}/infer", body)
        except TargetStatusError as error:
            if error.status != _NOT_FOUND:
                raise
            told = f" ({error.told})" if error.told else ""
            raise TargetUnavailableError(
                name=self._spec.name,
                reason=f"its server knows no model “{self._spec.option('model')}”{told}.",
            ) from error

    async def _read_metadata(self) -> dict[str, object]:
        """Find out which fields are sent, and return what tells one version from another."""
        try:
            metadata = await self._caller.call("GET", self._path)
        except TargetStatusError as error:
            if error.status not in _UNDESCRIBED:
                raise
            metadata = {}
        if not isinstance(metadata, Mapping):
            raise AnswerProblemError("The model's metadata is no object.")
        described = metadata.get("inputs")
        if isinstance(described, list) and described:
            self._sent_names = self._listed(described)
        else:
            self._sent_names = self._spec.input_names
        return {key: metadata.get(key) for key in ("name", "versions", "platform")}

    def _listed(self, described: Sequence[object]) -> tuple[str, ...]:
        """Return the fields that the model lists, after checking that they can be sent."""
        types = {
            tensor.get("name"): tensor.get("datatype")
            for tensor in described
            if isinstance(tensor, Mapping)
        }
        tensors = {name: self._field_map.get(name, name) for name in self._spec.input_names}
        listed = tuple(name for name, tensor in tensors.items() if tensor in types)
        for name in listed:
            if types[tensors[name]] != _TEXT_TYPE:
                raise AnswerProblemError(
                    f"The input tensor '{tensors[name]}' must be {_TEXT_TYPE}, "
                    f"not {types[tensors[name]]}."
                )
        left = [tensor for name, tensor in tensors.items() if name not in listed]
        unfilled = [
            name
            for name, kind in types.items()
            if kind == _TEXT_TYPE and name not in tensors.values()
        ]
        mapped = [tensor for tensor in left if tensor in self._field_map.values()]
        if mapped or (left and unfilled) or (tensors and not listed):
            listing = ", ".join(f"'{name}'" for name in types)
            raise AnswerProblemError(
                f"The model has no input tensor '{(mapped or left)[0]}', but {listing}: "
                "say in input_tensors which field goes where."
            )
        return listed

    def _input_tensor(self, name: str, inputs: Sequence[ModelInput]) -> dict[str, object]:
        values = [item.get(name, "") for item in inputs]
        texts = [_as_text(value) for value in values]
        tensor_name = self._field_map.get(name, name)
        shape = [len(texts)]
        return {"name": tensor_name, "shape": shape, "datatype": _TEXT_TYPE, "data": texts}

    def _columns(self, answer: object, *, count: int) -> dict[str, list[object]]:
        """Return each output field's values, one per input."""
        outputs = answer.get("outputs") if isinstance(answer, Mapping) else None
        if not isinstance(outputs, list):
            raise AnswerProblemError("The server's answer has no list 'outputs'.")
        tensors = {tensor.get("name"): tensor for tensor in outputs if isinstance(tensor, Mapping)}
        names = [*self._spec.output_names, self._spec.probability_name or "probabilities"]
        columns: dict[str, list[object]] = {}
        for name in dict.fromkeys(names):
            tensor = tensors.get(self._output_map.get(name, name))
            if tensor is not None:
                columns[name] = self._column(name, tensor, count=count)
            elif name in self._spec.output_names and name != self._spec.probability_name:
                named = [repr(str(one)[:_LONGEST_NAME]) for one in tensors]
                came = ", ".join(named[:_MOST_NAMED])
                raise AnswerProblemError(
                    f"The output field '{name}' is missing. What came: {came or 'nothing'}. Say in "
                    "output_tensors which tensor is which field."
                )
        return columns

    def _column(self, name: str, tensor: Mapping[str, object], *, count: int) -> list[object]:
        shape, data = tensor.get("shape"), _flat(tensor.get("data"))
        if not isinstance(shape, list) or not all(isinstance(size, int) for size in shape):
            raise AnswerProblemError(f"The output tensor '{name}' has no shape.")
        if not shape or shape[0] != count or math.prod(shape) != len(data):
            raise AnswerProblemError(
                f"The output tensor '{name}' has shape {shape} and {len(data)} values; "
                f"expected {count} rows."
            )
        width = len(data) // count
        if len(shape) == 1 or width == 1:
            return [self._value(name, value) for value in data]
        labels = self._labels(name)
        if len(shape) != _MATRIX or width != len(labels):
            raise AnswerProblemError(
                f"The output tensor '{name}' has {width} values per input; "
                f"the task has {len(labels)} labels."
            )
        rows = [data[start : start + width] for start in range(0, len(data), width)]
        return [dict(zip(labels, row, strict=True)) for row in rows]

    def _value(self, name: str, value: object) -> object:
        labels = self._spec.labels.get(name, ())
        is_index = isinstance(value, int) and not isinstance(value, bool)
        if labels and is_index and isinstance(value, int) and 0 <= value < len(labels):
            return labels[value]
        is_list = name in self._spec.list_names
        if isinstance(value, str) and (value.startswith("{") or is_list):
            try:
                return json.loads(value)
            except ValueError:
                return value
        return value

    def _labels(self, name: str) -> tuple[str, ...]:
        about = self._spec.probability_of
        if about is not None and name == self._spec.probability_name:
            return self._spec.labels[about]
        return next(iter(self._spec.labels.values()), ())

    def _prediction(
        self, raw: dict[str, object], model_input: ModelInput, latency: float
    ) -> Prediction:
        reference_name = self._spec.options.get("reference_name")
        name = self._spec.output_names[0]
        if isinstance(reference_name, str) and name in raw:
            try:
                raw[name] = required_span(
                    raw[name],
                    output_name=name,
                    reference_name=reference_name,
                    model_input=model_input,
                )
            except AnswerProblemError as problem:
                return Prediction(error=str(problem), latency_seconds=latency)
        return checked_prediction(self._spec, raw, latency_seconds=latency)


def _as_text(value: object) -> str:
    """Return what a BYTES tensor holds: a text, a file in base64, or anything else as JSON."""
    if isinstance(value, str):
        return value
    return file_data(value) or json.dumps(value)


def _flat(data: object) -> list[object]:
    """Return a tensor's values in row-major order; servers send them nested or flat."""
    if not isinstance(data, list):
        return []
    values: list[object] = []
    for item in data:
        if isinstance(item, list):
            values.extend(_flat(item))
        else:
            values.append(item)
    return values
