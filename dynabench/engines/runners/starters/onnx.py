"""A tiny ONNX network with its tokenizer, written byte by byte: it runs, and knows nothing."""

import json
import struct
from collections.abc import Iterable

_VARINT, _BYTES = 0, 2
_FLOAT, _INT64 = 1, 7
_ATTRIBUTE_INT, _ATTRIBUTE_INTS = 2, 7
_IR_VERSION, _OPSET = 8, 17
_LIMIT = 0x80

_KNOWN = ("the", "a", "of", "and", "to", "in", "is", "was", "not", "it", "he", "she", "they")
WORDS = ("[PAD]", "[UNK]", *_KNOWN)


def tokenizer_file() -> str:
    """Return a `tokenizer.json` that knows a few words."""
    vocabulary = {word: number for number, word in enumerate(WORDS)}
    special = [
        {
            **dict.fromkeys(("single_word", "lstrip", "rstrip", "normalized"), False),
            "id": vocabulary[word],
            "content": word,
            "special": True,
        }
        for word in WORDS[:2]
    ]
    found = {
        "version": "1.0",
        "truncation": None,
        "padding": None,
        "added_tokens": special,
        "normalizer": {"type": "Lowercase"},
        "pre_tokenizer": {"type": "Whitespace"},
        "post_processor": None,
        "decoder": None,
        "model": {"type": "WordLevel", "vocab": vocabulary, "unk_token": "[UNK]"},
    }
    return json.dumps(found, indent=2) + "\n"


def label_network(count: int) -> bytes:
    """Return a network from `input_ids` to `logits`, one score for each of so many labels."""
    nodes = (
        _node("Cast", ["input_ids"], ["x"], _integer("to", _FLOAT)),
        _node("ReduceMean", ["x"], ["m"], _integers("axes", [1]), _integer("keepdims", 1)),
        _node("MatMul", ["m", "weights"], ["s"]),
        _node("Add", ["s", "bias"], ["logits"]),
    )
    # Small numbers that differ, so that no two labels ever tie.
    weights = [0.01 * (place % 3 - 1) for place in range(count)]
    bias = [-0.1 * place for place in range(count)]
    numbers = (_tensor("weights", [1, count], weights), _tensor("bias", [count], bias))
    outputs = (_value("logits", _FLOAT, ["batch", count]),)
    return _model(nodes, numbers, outputs)


def span_network() -> bytes:
    """Return a network from `input_ids` to `start_logits` and `end_logits`."""
    nodes = (
        _node("Cast", ["input_ids"], ["x"], _integer("to", _FLOAT)),
        _node("Mul", ["x", "one"], ["start_logits"]),
        _node("Mul", ["x", "two"], ["end_logits"]),
    )
    numbers = (_tensor("one", [1], [0.1]), _tensor("two", [1], [-0.1]))
    outputs = tuple(
        _value(name, _FLOAT, ["batch", "length"]) for name in ("start_logits", "end_logits")
    )
    return _model(nodes, numbers, outputs)


def _model(nodes: Iterable[bytes], numbers: Iterable[bytes], outputs: Iterable[bytes]) -> bytes:
    graph = b"".join(
        (
            *(_part(1, node) for node in nodes),
            _part(2, b"starter"),
            *(_part(5, tensor) for tensor in numbers),
            _part(11, _value("input_ids", _INT64, ["batch", "length"])),
            *(_part(12, output) for output in outputs),
        )
    )
    opset = _part(1, b"") + _number(2, _OPSET)
    return _number(1, _IR_VERSION) + _part(7, graph) + _part(8, opset)


def _node(kind: str, inputs: list[str], outputs: list[str], *attributes: bytes) -> bytes:
    return b"".join(
        (
            *(_part(1, name.encode()) for name in inputs),
            *(_part(2, name.encode()) for name in outputs),
            _part(4, kind.encode()),
            *(_part(5, attribute) for attribute in attributes),
        )
    )


def _integer(name: str, value: int) -> bytes:
    return _part(1, name.encode()) + _number(3, value) + _number(20, _ATTRIBUTE_INT)


def _integers(name: str, values: list[int]) -> bytes:
    listed = b"".join(_number(8, value) for value in values)
    return _part(1, name.encode()) + listed + _number(20, _ATTRIBUTE_INTS)


def _tensor(name: str, shape: list[int], values: list[float]) -> bytes:
    sizes = b"".join(_number(1, size) for size in shape)
    raw = struct.pack(f"<{len(values)}f", *values)
    return sizes + _number(2, _FLOAT) + _part(8, name.encode()) + _part(9, raw)


def _value(name: str, kind: int, shape: list[str | int]) -> bytes:
    sizes = b"".join(
        _part(1, _number(1, size) if isinstance(size, int) else _part(2, size.encode()))
        for size in shape
    )
    tensor = _number(1, kind) + _part(2, sizes)
    return _part(1, name.encode()) + _part(2, _part(1, tensor))


def _part(field: int, content: bytes) -> bytes:
    return _varint(field << 3 | _BYTES) + _varint(len(content)) + content


def _number(field: int, value: int) -> bytes:
    return _varint(field << 3 | _VARINT) + _varint(value)


def _varint(value: int) -> bytes:
    found = bytearray()
    while value >= _LIMIT:
        found.append(value & (_LIMIT - 1) | _LIMIT)
        value >>= 7
    found.append(value)
    return bytes(found)
