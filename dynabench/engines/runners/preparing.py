"""Makes a handed-in folder runnable, in place: its files are looked at, `model.py` is added."""

import json
import re
import shutil
from collections.abc import Mapping
from importlib.resources import files
from pathlib import Path
from uuid import uuid4

from dynabench.engines.inference.protocol import TargetSpec
from dynabench.engines.runners.errors import UnusableModelError
from dynabench.engines.runners.installed import require_runner
from dynabench.engines.runners.options import Pipeline, RunnerOptions, read_options
from dynabench.engines.runners.requirements import missing_requirements
from dynabench.engines.runners.weights import weights_problem
from dynabench.science.task_config.schema import TaskConfig

MODEL_FILE = "model.py"
SETTINGS_FILE = "runner.json"
_ONNX_FILE = "model.onnx"
_TOKENIZER_FILE = "tokenizer.json"
_CONFIG_FILE = "config.json"
_REQUIREMENTS_FILE = "requirements.txt"
_LARGEST_JSON = 16 * 1024 * 1024
_LARGEST_SOURCE = 100 * 1024
_NUMBER = re.compile(r"[0-9]{1,9}")
# What an archiver of macOS or Windows adds by itself.
_STRAY = {"__MACOSX", ".DS_Store", "Thumbs.db", "desktop.ini"}


def prepare_folder(folder: Path, spec: TargetSpec, config: TaskConfig) -> None:
    """Make a handed-in folder one that a worker can run; done twice it changes nothing more.

    Args:
        folder: What was unpacked. A folder that holds nothing but one folder becomes that one.
        spec: Its kind and the builder's options.
        config: The task that it is to answer.

    Raises:
        UnusableModelError: If its files cannot be run.
        TargetSpecError: If an option is wrong.
        RunnerNotInstalledError: If this machine cannot run the kind at all.
    """
    options = read_options(spec.kind, spec.options, config=config)
    require_runner(spec.kind)
    _lift(folder, wanted=_wanted(spec))
    if spec.kind == "onnx" and options is not None:
        prepare_onnx(folder, options)
    elif spec.kind == "huggingface" and options is not None:
        prepare_huggingface(folder, options)
    else:
        prepare_handler(folder)


def prepare_handler(folder: Path) -> None:
    """Look at a handler's folder before anything of it runs.

    Raises:
        UnusableModelError: If it has no `model.py`, a source is larger than 100 KiB or not
            UTF-8, or it needs packages that are not here.
    """
    path = folder / MODEL_FILE
    if not path.is_file():
        raise _unusable(
            MODEL_FILE, "The folder has no model.py. It needs one, with a function predict(batch)."
        )
    # It is compiled in the sandbox alone: a few bytes can keep the compiler busy for minutes.
    for source in folder.rglob("*.py"):
        _text(source, source.relative_to(folder).as_posix(), _LARGEST_SOURCE)
    requirements = folder / _REQUIREMENTS_FILE
    if requirements.is_file():
        told = missing_requirements(_text(requirements, _REQUIREMENTS_FILE, _LARGEST_SOURCE))
        if told is not None:
            raise _unusable(_REQUIREMENTS_FILE, told)


def prepare_onnx(folder: Path, options: RunnerOptions) -> None:
    """Put a `model.py` beside an ONNX file and its tokenizer.

    Raises:
        UnusableModelError: If one of the two is missing, or nobody says what its outputs mean.
    """
    _refuse_own_code(folder, "onnx")
    for name in (_ONNX_FILE, _TOKENIZER_FILE):
        if not (folder / name).is_file():
            raise _unusable(name, f"The folder has no {name}.")
    _json(folder / _TOKENIZER_FILE, _TOKENIZER_FILE)
    labels: tuple[str, ...] = ()
    if options.pipeline is Pipeline.TEXT_CLASSIFICATION:
        labels = tuple(options.labels) or _ordered_labels(folder, options)
    _write(folder, "onnx", {**options.to_json(), "labels": list(labels)})


def prepare_huggingface(folder: Path, options: RunnerOptions) -> None:
    """Put a `model.py` beside a model as `save_pretrained` writes it.

    Raises:
        UnusableModelError: If its config or weights are missing, its weights can hold code, or
            its labels are not the task's.
    """
    _refuse_own_code(folder, "huggingface")
    if not (folder / _CONFIG_FILE).is_file():
        raise _unusable(_CONFIG_FILE, "The folder has no config.json (save_pretrained writes it).")
    names = [str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_file()]
    problem = weights_problem(names)
    if problem is not None:
        raise _unusable("weights", problem)
    labels: Mapping[str, str] = {}
    if options.task_labels:
        labels = _mapped_labels(_own_labels(folder), options)
    _write(folder, "huggingface", {**options.to_json(), "labels": dict(labels)})


def _wanted(spec: TargetSpec) -> str:
    return {"onnx": _ONNX_FILE, "huggingface": _CONFIG_FILE}.get(spec.kind, MODEL_FILE)


def _lift(folder: Path, *, wanted: str) -> None:
    """Take a lone folder's content up, as archives of a folder have it one level too deep."""
    for stray in _STRAY:
        path = folder / stray
        if path.is_dir():
            shutil.rmtree(path)
        else:
            path.unlink(missing_ok=True)
    entries = list(folder.iterdir())
    if (folder / wanted).exists() or len(entries) != 1 or not entries[0].is_dir():
        return
    # Under another name first, which nobody can guess: the inner folder may hold its own.
    inner = entries[0].rename(folder / f".lifted-{uuid4().hex}")
    for entry in list(inner.iterdir()):
        entry.rename(folder / entry.name)
    inner.rmdir()


def _refuse_own_code(folder: Path, kind: str) -> None:
    """Refuse a `model.py` that is not ours: it would be overwritten, which nobody expects."""
    if (folder / MODEL_FILE).exists() and not (folder / SETTINGS_FILE).is_file():
        raise _unusable(
            MODEL_FILE,
            f"A model of kind {kind} is run without code of its own. Leave model.py out, or hand "
            "the folder in as a handler.",
        )


def _ordered_labels(folder: Path, options: RunnerOptions) -> tuple[str, ...]:
    own = _own_labels(folder)
    mapped = _mapped_labels(own, options) if own else {}
    if not own:
        raise _unusable(
            "labels",
            "Nothing says in which order the model gives its labels. List them in the option "
            f"labels: {', '.join(options.task_labels)}, each once.",
        )
    return tuple(mapped[name] for name in own)


def _own_labels(folder: Path) -> tuple[str, ...]:
    """Return the model's own labels in the order of its outputs, as `config.json` has them."""
    path = folder / _CONFIG_FILE
    if not path.is_file():
        return ()
    config = _json(path, _CONFIG_FILE)
    named = config.get("id2label") if isinstance(config, dict) else None
    if not isinstance(named, dict) or not all(_NUMBER.fullmatch(key) for key in named):
        return ()
    return tuple(str(named[key]) for key in sorted(named, key=int))


def _mapped_labels(own: tuple[str, ...], options: RunnerOptions) -> dict[str, str]:
    """Return the task's label for each of the model's own.

    Of a token classifier, what is mapped to nothing marks nothing (`O`).
    """
    told = options.labels if isinstance(options.labels, Mapping) else {}
    same = {label.casefold(): label for label in options.task_labels}
    found = {}
    for name in own:
        bare = name.removeprefix("B-").removeprefix("I-")
        label = told.get(name) or told.get(bare) or same.get(bare.casefold())
        if label is not None:
            found[name] = label
    is_open = options.pipeline is Pipeline.TAGGING
    unknown = [name for name in own if name not in found and not is_open]
    if unknown or (own and not found):
        raise _unusable(
            "labels",
            f"The model's label {(unknown or list(own))[0]!r} is none of the task's "
            f"({', '.join(options.task_labels)}). Say in the option labels which is which.",
        )
    return found


def _write(folder: Path, kind: str, settings: Mapping[str, object]) -> None:
    template = files("dynabench.engines.runners") / "templates" / f"{kind}_model.py.template"
    (folder / MODEL_FILE).write_text(template.read_text(encoding="utf-8"), encoding="utf-8")
    text = json.dumps(settings, indent=2, ensure_ascii=False, sort_keys=True)
    (folder / SETTINGS_FILE).write_text(text + "\n", encoding="utf-8")


def _json(path: Path, name: str) -> object:
    try:
        return json.loads(_text(path, name, _LARGEST_JSON))
    except (ValueError, RecursionError) as error:
        raise _unusable(name, f"{name} is not JSON: {str(error)[:200]}.") from error


def _text(path: Path, name: str, most: int) -> str:
    if path.is_symlink() or path.stat().st_size > most:
        raise _unusable(name, f"{name} must be a file of at most {most // 1024:,} KiB.")
    try:
        return path.read_text(encoding="utf-8")
    except UnicodeDecodeError as error:
        raise _unusable(name, f"{name} is not UTF-8.") from error


def _unusable(name: str, sentence: str) -> UnusableModelError:
    return UnusableModelError({name: sentence})
