"""All files of a starter: the model, what it is for, how it is tested and handed in."""

from collections.abc import Mapping
from importlib.resources import files

import yaml

from dynabench.engines.runners.manifest import CARD_FILE, MANIFEST_FILE
from dynabench.engines.runners.options import Pipeline, RunnerOptions, read_options
from dynabench.engines.runners.starters import onnx
from dynabench.engines.runners.starters.handler import model_source
from dynabench.engines.runners.starters.huggingface import model_files
from dynabench.engines.runners.starters.values import Files, NoStarterError, Starter
from dynabench.science.task_config.fields.string import StringType

_WORKER_FILE = "dynabench_worker.py"
_PACKAGE = "dynabench.engines.runners"

_MANIFEST = """\
# What `dynabench model test` and `dynabench model submit` know of this folder.
"""
_CARD = """\
# What readers must know of this model. To publish it, the first four must say something.
intended_use: ""
training_data: ""
limitations: ""
licence: ""
evaluation_data: ""
ethics: ""
contact: ""
citation: ""
"""
_DOCKERFILE = """\
# Any image will do that answers JSON lines as this worker does, in any language.
FROM docker.io/library/python:3.11-slim
COPY . /model
# It runs as nobody, without network, and can write to /tmp alone.
RUN chmod -R a+rX /model
CMD ["python", "-P", "/model/dynabench_worker.py", "/model"]
"""


def starter_files(starter: Starter) -> Files:
    """Return the files of a model that passes the checks of its task as it is.

    Raises:
        NoStarterError: If models of this kind cannot fill the task's answer.
        TargetSpecError: If they can, but nobody says what they read.
    """
    return {**_model(starter), **_papers(starter)}


def _model(starter: Starter) -> dict[str, str | bytes]:
    if starter.kind == "handler":
        return {"model.py": model_source(starter)}
    if starter.kind == "container":
        return {
            "model.py": model_source(starter),
            _WORKER_FILE: _text_of("dynabench.engines.inference", "worker_main.py"),
            "Dockerfile": _DOCKERFILE,
        }
    options = _runner_options(starter)
    if starter.kind == "onnx":
        is_span = options.pipeline is Pipeline.QUESTION_ANSWERING
        network = onnx.span_network() if is_span else onnx.label_network(len(options.task_labels))
        return {"model.onnx": network, "tokenizer.json": onnx.tokenizer_file()}
    return dict(model_files(options))


def _runner_options(starter: Starter) -> RunnerOptions:
    found = read_options(starter.kind, _options(starter), config=starter.config)
    if found is None:
        raise NoStarterError(f"There is no starter of kind {starter.kind}.")
    return found


def _options(starter: Starter) -> dict[str, object]:
    """Return the options that the manifest names, so that its builder sees what there is."""
    config = starter.config
    if starter.kind == "container":
        return {"image": f"localhost/{starter.task}:1"}
    if starter.kind not in {"onnx", "huggingface"}:
        return {}
    texts = [one.name for one in config.model_input_fields if isinstance(one.type, StringType)]
    plain = read_options(starter.kind, {"inputs": texts[-1:]} if texts else {}, config=config)
    assert plain is not None
    options: dict[str, object] = {"max_length": 256}
    if starter.kind == "onnx":
        if plain.task_labels:
            options["labels"] = list(plain.task_labels)
    elif plain.pipeline is Pipeline.TEXT2TEXT_GENERATION:
        # One tiny network serves every task whose answer is written.
        options["pipeline"] = str(Pipeline.TEXT_GENERATION)
        options["max_new_tokens"] = 8
    else:
        options["pipeline"] = str(plain.pipeline)
        if plain.pipeline is Pipeline.TEXT_GENERATION:
            options["max_new_tokens"] = 8
    if plain.pipeline in {Pipeline.TEXT_CLASSIFICATION, Pipeline.TEXT2TEXT_GENERATION}:
        options["inputs"] = texts[:2]
    return options


def _papers(starter: Starter) -> dict[str, str]:
    manifest: Mapping[str, object] = {
        "task": starter.task,
        "kind": starter.kind,
        "name": f"my-{starter.task}-model",
        "description": "",
        "options": _options(starter),
    }
    written = yaml.safe_dump(dict(manifest), sort_keys=False, allow_unicode=True)
    about = _text_of(_PACKAGE, f"templates/{starter.kind}_readme.md")
    readme = _text_of(_PACKAGE, "templates/starter_readme.md").format(
        title=starter.title,
        task=starter.task,
        inputs=", ".join(f"`{name}`" for name in starter.config.model_input_names),
        outputs=", ".join(f"`{one.name}`" for one in starter.config.output),
        about=about.strip(),
    )
    return {
        MANIFEST_FILE: _MANIFEST + written,
        CARD_FILE: _CARD,
        "README.md": readme,
    }


def _text_of(package: str, name: str) -> str:
    """Read a file of a package, without what its modules need to be installed."""
    return files(package).joinpath(name).read_text(encoding="utf-8")
