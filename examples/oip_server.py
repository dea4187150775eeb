"""A model of your own as a target: a tiny server of the Open Inference Protocol v2.

Usage: python examples/oip_server.py [PORT]. Replace `answer` by your model; the rest stays.
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


def answer(statement: str) -> list[float]:
    """Return one probability for each of LABELS: your model goes here."""
    words = set(statement.lower().replace(".", " ").replace(",", " ").split())
    weights = [math.exp(len(words & WORDS.get(label, set()))) for label in LABELS]
    return [weight / sum(weights) for weight in weights]


class Handler(BaseHTTPRequestHandler):
    """Describes the model to GET and answers a batch of texts to POST."""

    protocol_version = "HTTP/1.1"

    def do_GET(self) -> None:
        """Tell which tensors go in and come out."""
        self.send(
            {
                "name": "mine",
                "versions": ["1"],
                "platform": "python",
                "inputs": [{"name": name, "datatype": "BYTES", "shape": [-1]} for name in INPUTS],
                "outputs": [
                    {"name": "label", "datatype": "BYTES", "shape": [-1]},
                    {"name": "prob", "datatype": "FP32", "shape": [-1, len(LABELS)]},
                ],
            }
        )

    def do_POST(self) -> None:
        """Answer every text of the input tensor, in order."""
        request = json.loads(self.rfile.read(int(self.headers["content-length"])))
        texts = next(one["data"] for one in request["inputs"] if one["name"] == "statement")
        rows = [answer(text) for text in texts]
        labels = [LABELS[row.index(max(row))] for row in rows]
        flat = [value for row in rows for value in row]
        shape = [len(rows), len(LABELS)]
        self.send(
            {
                "model_name": "mine",
                "outputs": [
                    {"name": "label", "datatype": "BYTES", "shape": [len(rows)], "data": labels},
                    {"name": "prob", "datatype": "FP32", "shape": shape, "data": flat},
                ],
            }
        )

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
