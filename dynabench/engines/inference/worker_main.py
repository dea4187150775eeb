"""The child process that a model in the loop lives in: JSON lines in, JSON lines out.

Started as `python worker_main.py FOLDER [PARENT_PID [LIMIT=VALUE …]]`, standard library only,
so that the sandbox can bind this one file. A limit is one of the `resource` module's, as in
`NPROC=64`; PARENT_PID is 0 where the parent is not to be seen. The folder holds `model.py` with
`load(path)` and `predict(batch)`, where `batch` is a list of dicts and the answer a list of dicts.

    out  {"ready": true}                         or {"failed": "why"} and the end
    in   {"id": "7", "items": [{"id": "0", "inputs": {…}}, …]}
    out  {"id": "7", "results": [{"id": "0", "outputs": {…}} or {"id": "0", "error": "…"}]}

Whatever the model prints goes to the log (standard error): the protocol's own channel is a
private copy of standard output, so not even C code can write into it by accident.
"""

import contextlib
import ctypes
import importlib.util
import io
import json
import os
import resource
import signal
import sys
from collections.abc import Callable
from pathlib import Path

_PR_SET_PDEATHSIG = 1
_MAX_OUTPUT_BYTES = 262_144
_MAX_SENTENCE = 300

Item = dict[str, object]
Predict = Callable[[list[Item]], object]


def main(arguments: list[str]) -> int:
    """Serve one model until standard input ends; return the exit status."""
    if len(arguments) > 1 and arguments[1] != "0":
        _die_with_parent(int(arguments[1]))
    _limit(arguments[2:])
    requests, answers = _private_channels()
    try:
        predict = load_handler(Path(arguments[0]))
    # The edge to somebody else's code: whatever it raises, the host needs a sentence.
    except BaseException as error:  # noqa: BLE001
        _print(error)
        _send(answers, {"failed": _sentence("loading", error)})
        return 1
    _send(answers, {"ready": True})
    for line in requests:
        request = json.loads(line.decode())
        results = answer_items(predict, request["items"])
        answers.write(encode_results(request["id"], results))
        answers.flush()
    return 0


def load_handler(folder: Path) -> Predict:
    """Import `model.py`, call its `load(path)` if it has one, and return its `predict`."""
    path = folder / "model.py"
    if not path.is_file():
        raise FileNotFoundError("the folder has no model.py")
    sys.path.insert(0, str(folder))
    found = importlib.util.spec_from_file_location("model", path)
    assert found is not None
    assert found.loader is not None
    module = importlib.util.module_from_spec(found)
    sys.modules["model"] = module
    found.loader.exec_module(module)
    load = getattr(module, "load", None)
    if callable(load):
        load(str(folder))
    predict = getattr(module, "predict", None)
    if not callable(predict):
        raise TypeError("model.py has no function predict(batch)")
    # A callable of unknown shape; what it returns is checked item by item.
    return predict  # type: ignore[no-any-return]


def answer_items(predict: Predict, items: list[dict[str, object]]) -> list[Item]:
    """Run a batch; if it fails as a whole, each item alone, so that one cannot spoil the others."""
    inputs = [_inputs(item) for item in items]
    try:
        answers = predict([dict(one) for one in inputs])
    # Somebody else's code again.
    except Exception as error:  # noqa: BLE001
        _print(error)
        if len(items) > 1:
            return [answer_items(predict, [item])[0] for item in items]
        return [{"id": items[0]["id"], "error": _sentence("answering", error)}]
    if not isinstance(answers, list | tuple) or len(answers) != len(items):
        got = f"{len(answers)}" if isinstance(answers, list | tuple) else type(answers).__name__
        problem = f"predict must return a list of {len(items)} answers, not {got}."
        return [{"id": item["id"], "error": problem} for item in items]
    return [
        {"id": item["id"], "outputs": answer} for item, answer in zip(items, answers, strict=True)
    ]


def encode_results(batch_id: str, results: list[Item]) -> bytes:
    """Return the line for a batch; an answer that is not JSON or too large becomes its error."""
    try:
        line = _ENCODER.encode({"id": batch_id, "results": results})
    except (TypeError, ValueError, RecursionError):
        line = ""
    if not line or len(line) > _MAX_OUTPUT_BYTES:
        # Rare, so that the common batch is written only once.
        results = [_checked(result) for result in results]
        line = _ENCODER.encode({"id": batch_id, "results": results})
    return line.encode() + b"\n"


def _inputs(item: dict[str, object]) -> Item:
    inputs = item["inputs"]
    assert isinstance(inputs, dict)
    return inputs


def _checked(result: Item) -> Item:
    try:
        size = len(_ENCODER.encode(result.get("outputs")))
    except (TypeError, ValueError, RecursionError) as error:
        return {"id": result["id"], "error": f"The answer is not JSON: {error}."}
    if size > _MAX_OUTPUT_BYTES:
        return {
            "id": result["id"],
            "error": f"The answer is larger than {_MAX_OUTPUT_BYTES // 1024} KiB.",
        }
    return result


def _plain(value: object) -> object:
    """Turn numpy and torch values into JSON's, without importing either."""
    for method in ("tolist", "item"):
        convert = getattr(value, method, None)
        if callable(convert):
            return convert()
    raise TypeError(f"a {type(value).__name__} is not JSON")


_ENCODER = json.JSONEncoder(default=_plain, separators=(",", ":"))


def _print(error: BaseException) -> None:
    # The module `traceback` would take a tenth of the time that a worker needs to start.
    sys.excepthook(type(error), error, error.__traceback__)


def _sentence(doing: str, error: BaseException) -> str:
    if isinstance(error, SyntaxError) and error.filename:
        file, line = Path(error.filename).name, error.lineno
        return f"{file}, line {line}: it is not Python: {error.msg}."[:_MAX_SENTENCE]
    return f"The model failed while {doing}: {type(error).__name__}: {error}"[:_MAX_SENTENCE]


def _send(answers: io.BufferedWriter, message: dict[str, object]) -> None:
    answers.write(_ENCODER.encode(message).encode() + b"\n")
    answers.flush()


def _private_channels() -> tuple[io.BufferedReader, io.BufferedWriter]:
    requests = os.fdopen(os.dup(0), "rb")
    answers = os.fdopen(os.dup(1), "wb")
    with Path(os.devnull).open("rb") as nothing:
        os.dup2(nothing.fileno(), 0)
    os.dup2(2, 1)
    return requests, answers


def _limit(limits: list[str]) -> None:
    """Bind this process and all that it starts; it cannot loosen them again."""
    for limit in limits:
        name, _, value = limit.partition("=")
        kind = getattr(resource, f"RLIMIT_{name}")
        _, most = resource.getrlimit(kind)
        wanted = int(value) if most == resource.RLIM_INFINITY else min(int(value), most)
        resource.setrlimit(kind, (wanted, wanted))


def _die_with_parent(parent: int) -> None:
    """Ask Linux to kill this process with its parent, which may already be gone."""
    # Elsewhere than on Linux the end of standard input ends the worker.
    with contextlib.suppress(OSError, AttributeError):
        ctypes.CDLL(None, use_errno=True).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
    if os.getppid() != parent:
        os._exit(1)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
