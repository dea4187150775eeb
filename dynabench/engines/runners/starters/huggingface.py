"""A tiny model of the transformers library with random weights: it runs, and knows nothing."""

import json
import random
import struct
from collections.abc import Mapping

from dynabench.engines.runners.options import Pipeline, RunnerOptions
from dynabench.engines.runners.starters.onnx import WORDS, tokenizer_file
from dynabench.engines.runners.starters.values import Files

_SIZE, _INNER, _HEADS = 16, 32, 2
_POSITIONS = 512
_SPREAD = 0.3

Shapes = Mapping[str, tuple[int, ...]]

_CLASSES = {
    Pipeline.TEXT_CLASSIFICATION: "DistilBertForSequenceClassification",
    Pipeline.TAGGING: "DistilBertForTokenClassification",
    Pipeline.QUESTION_ANSWERING: "DistilBertForQuestionAnswering",
}


def model_files(options: RunnerOptions) -> Files:
    """Return a folder as `save_pretrained` writes it."""
    architecture = _CLASSES.get(options.pipeline)
    if architecture is None:
        config, shapes = _writer_config(), _writer_shapes()
    else:
        labels = [*(["O"] if options.pipeline is Pipeline.TAGGING else []), *options.task_labels]
        config = _reader_config(architecture, labels)
        shapes = _reader_shapes(options.pipeline, len(labels))
    tokenizer = {
        "tokenizer_class": "PreTrainedTokenizerFast",
        "model_max_length": _POSITIONS,
        "pad_token": WORDS[0],
        "unk_token": WORDS[1],
    }
    return {
        "config.json": json.dumps(config, indent=2, ensure_ascii=False) + "\n",
        "tokenizer.json": tokenizer_file(),
        "tokenizer_config.json": json.dumps(tokenizer, indent=2) + "\n",
        "model.safetensors": _safetensors(shapes),
    }


def _reader_config(architecture: str, labels: list[str]) -> dict[str, object]:
    named = {"id2label": {str(number): label for number, label in enumerate(labels)}}
    return {
        "model_type": "distilbert",
        "architectures": [architecture],
        "dim": _SIZE,
        "hidden_dim": _INNER,
        "n_heads": _HEADS,
        "n_layers": 1,
        "vocab_size": len(WORDS),
        "max_position_embeddings": _POSITIONS,
        "pad_token_id": 0,
        **(named if labels else {}),
    }


def _writer_config() -> dict[str, object]:
    return {
        "model_type": "gpt2",
        "architectures": ["GPT2LMHeadModel"],
        "n_embd": _SIZE,
        "n_head": _HEADS,
        "n_layer": 1,
        "n_positions": _POSITIONS,
        "vocab_size": len(WORDS),
        "pad_token_id": 0,
        "bos_token_id": 1,
        "eos_token_id": 0,
    }


def _reader_shapes(pipeline: Pipeline, labels: int) -> Shapes:
    layer = "distilbert.transformer.layer.0"
    shapes = {
        "distilbert.embeddings.word_embeddings.weight": (len(WORDS), _SIZE),
        "distilbert.embeddings.position_embeddings.weight": (_POSITIONS, _SIZE),
        **_scales("distilbert.embeddings.LayerNorm", f"{layer}.sa_layer_norm"),
        **_scales(f"{layer}.output_layer_norm"),
        **_linear(f"{layer}.ffn.lin1", _SIZE, _INNER),
        **_linear(f"{layer}.ffn.lin2", _INNER, _SIZE),
    }
    for part in ("q_lin", "k_lin", "v_lin", "out_lin"):
        shapes |= _linear(f"{layer}.attention.{part}", _SIZE, _SIZE)
    if pipeline is Pipeline.QUESTION_ANSWERING:
        return shapes | _linear("qa_outputs", _SIZE, 2)
    if pipeline is Pipeline.TEXT_CLASSIFICATION:
        shapes |= _linear("pre_classifier", _SIZE, _SIZE)
    return shapes | _linear("classifier", _SIZE, labels)


def _writer_shapes() -> Shapes:
    block = "transformer.h.0"
    return {
        "transformer.wte.weight": (len(WORDS), _SIZE),
        "transformer.wpe.weight": (_POSITIONS, _SIZE),
        **_scales(f"{block}.ln_1", f"{block}.ln_2", "transformer.ln_f"),
        # This architecture keeps its matrices the other way round.
        f"{block}.attn.c_attn.weight": (_SIZE, 3 * _SIZE),
        f"{block}.attn.c_attn.bias": (3 * _SIZE,),
        f"{block}.attn.c_proj.weight": (_SIZE, _SIZE),
        f"{block}.attn.c_proj.bias": (_SIZE,),
        f"{block}.mlp.c_fc.weight": (_SIZE, 4 * _SIZE),
        f"{block}.mlp.c_fc.bias": (4 * _SIZE,),
        f"{block}.mlp.c_proj.weight": (4 * _SIZE, _SIZE),
        f"{block}.mlp.c_proj.bias": (_SIZE,),
    }


def _linear(name: str, inputs: int, outputs: int) -> dict[str, tuple[int, ...]]:
    return {f"{name}.weight": (outputs, inputs), f"{name}.bias": (outputs,)}


def _scales(*names: str) -> dict[str, tuple[int, ...]]:
    return {f"{name}.{part}": (_SIZE,) for name in names for part in ("weight", "bias")}


def _safetensors(shapes: Shapes) -> bytes:
    """Return weights as safetensors: a JSON header with its length, then plain numbers."""
    header: dict[str, object] = {"__metadata__": {"format": "pt"}}
    numbers = bytearray()
    for name, shape in shapes.items():
        values = _values(name, shape)
        begin = len(numbers)
        numbers += struct.pack(f"<{len(values)}f", *values)
        header[name] = {
            "dtype": "F32",
            "shape": list(shape),
            "data_offsets": [begin, len(numbers)],
        }
    told = json.dumps(header).encode()
    told += b" " * (-len(told) % 8)
    return struct.pack("<Q", len(told)) + told + bytes(numbers)


def _values(name: str, shape: tuple[int, ...]) -> list[float]:
    """Return the same random numbers for the same name each time."""
    size = 1
    for side in shape:
        size *= side
    if len(shape) == 1:
        is_scale = name.endswith("weight")
        return [1.0 if is_scale else 0.0] * size
    # Reproducible, and no secret.
    chance = random.Random(name)  # noqa: S311
    values = [chance.gauss(0, _SPREAD) for _ in range(size)]
    if name.endswith("wte.weight"):
        # What has no meaning is never written.
        values[: 2 * _SIZE] = [0.0] * (2 * _SIZE)
    return values
