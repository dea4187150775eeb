"""A model of your own as a target: a tiny server of the Open Inference Protocol v2.

Usage: python examples/oip_server.py [PORT]. Name your task's context and input fields in INPUTS,
and have `answer` return its output fields; the rest stays.
"""

import json
import math
import sys
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

PATH = "/v2/models/mine"
INPUTS = ["prompt", "statement"]
LABELS = ["positive", "negative", "neutral"]
WORDS = {
    "positive": {"good", "great", "lovely", "love", "best", "kind", "charming", "perfect"},
    "negative": {"bad", "awful", "worst", "hate", "cold", "rude", "broken", "terrible"},
}


def answer(item: dict[str, str]) -> dict[str, object]:
    """Return the task's output fields for one input: your model goes here.

    A label or another text is a text, a number a number, the probabilities of labels a dict in
    the order of the task's labels, and anything else a list.
    """
    words = set(item["statement"].lower().replace(".", " ").replace(",", " ").split())
    weights = {one: math.exp(len(words & WORDS.get(one, set()))) for one in LABELS}
    probabilities = {one: weight / sum(weights.values()) for one, weight in weights.items()}
    return {"label": max(weights, key=lambda one: weights[one]), "prob": probabilities}


def tensor(name: str, values: list[object]) -> dict[str, object]:
    """Return one output field of a batch as a tensor."""
    rows = [list(value.values()) for value in values if isinstance(value, dict)]
    if rows:
        flat = [number for row in rows for number in row]
        return {"name": name, "datatype": "FP32", "shape": [len(rows), len(rows[0])], "data": flat}
    if all(isinstance(value, int | float) for value in values):
        return {"name": name, "datatype": "FP64", "shape": [len(values)], "data": values}
    texts = [value if isinstance(value, str) else json.dumps(value) for value in values]
    return {"name": name, "datatype": "BYTES", "shape": [len(texts)], "data": texts}


class Handler(BaseHTTPRequestHandler):
    """Describes the model to GET and answers a batch of texts to POST."""

    protocol_version = "HTTP/1.1"

    def do_GET(self) -> None:
        """Tell which tensors go in and come out."""
        inputs = [{"name": name, "datatype": "BYTES", "shape": [-1]} for name in INPUTS]
        trial = answer(dict.fromkeys(INPUTS, ""))
        outputs = [tensor(name, [value]) for name, value in trial.items()]
        for one in outputs:
            one["shape"] = [-1, *one.pop("shape")[1:]]
            del one["data"]
        self.send({"name": "mine", "versions": ["1"], "inputs": inputs, "outputs": outputs})

    def do_POST(self) -> None:
        """Answer every input of the batch, in order."""
        request = json.loads(self.rfile.read(int(self.headers["content-length"])))
        columns = {one["name"]: one["data"] for one in request["inputs"]}
        items = [
            dict(zip(columns, row, strict=True)) for row in zip(*columns.values(), strict=True)
        ]
        answers = [answer(item) for item in items]
        outputs = [tensor(name, [one[name] for one in answers]) for name in answers[0]]
        self.send({"model_name": "mine", "outputs": outputs})

    def send(self, value: object) -> None:
        """Write a value as the JSON answer, or that there is no model of another path."""
        is_here = self.path in {PATH, f"{PATH}/infer"}
        body = json.dumps(value if is_here else {"error": "There is no such model."}).encode()
        self.send_response(200 if is_here else 404)
        self.send_header("content-type", "application/json")
        self.send_header("content-length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)


if __name__ == "__main__":
    port = int(sys.argv[1]) if len(sys.argv) > 1 else 9000
    ThreadingHTTPServer(("127.0.0.1", port), Handler).serve_forever()
