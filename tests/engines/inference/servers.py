"""Small deterministic model servers on loopback: real HTTP, no framework."""

import asyncio
import json
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field


@dataclass
class Reply:
    status: int = 200
    body: object = None
    raw: bytes | None = None
    headers: Mapping[str, str] = field(default_factory=dict)
    hang_up: bool = False
    delay_seconds: float = 0.0


@dataclass
class Request:
    method: str
    path: str
    headers: dict[str, str]
    body: bytes

    def json(self) -> dict[str, object]:
        value = json.loads(self.body)
        assert isinstance(value, dict)
        return value


Answer = Callable[[Request], Reply]


@dataclass
class Server:
    url: str
    requests: list[Request] = field(default_factory=list)


@asynccontextmanager
async def serve(answer: Answer) -> AsyncIterator[Server]:
    """Answer every request with what the function says."""
    running = Server("")

    async def handle(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            while request := await _read(reader):
                running.requests.append(request)
                reply = answer(request)
                await asyncio.sleep(reply.delay_seconds)
                if reply.hang_up:
                    break
                content = reply.raw if reply.raw is not None else json.dumps(reply.body).encode()
                head = [f"HTTP/1.1 {reply.status} X", f"content-length: {len(content)}"]
                head += [f"{name}: {value}" for name, value in reply.headers.items()]
                writer.write("\r\n".join([*head, "", ""]).encode() + content)
                await writer.drain()
        except (ConnectionError, asyncio.IncompleteReadError):
            pass
        finally:
            writer.close()

    server = await asyncio.start_server(handle, "127.0.0.1", 0)
    running.url = f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}"
    try:
        yield running
    finally:
        server.close()


async def _read(reader: asyncio.StreamReader) -> Request | None:
    start = (await reader.readline()).decode().split()
    if not start:
        return None
    headers: dict[str, str] = {}
    while line := (await reader.readline()).decode().strip():
        name, _, value = line.partition(":")
        headers[name.lower()] = value.strip()
    body = await reader.readexactly(int(headers.get("content-length", "0")))
    return Request(start[0], start[1], headers, body)


def sentiment_of(text: str) -> str:
    """The rule that every model of the contract tests follows."""
    if "silent" in text:
        return ""
    return "positive" if "good" in text else "negative"


def open_inference_answer(request: Request) -> Reply:
    """Speak the Open Inference Protocol for a model named `mood` with a tensor `text`."""
    if request.method == "GET":
        inputs = [{"name": "text", "datatype": "BYTES", "shape": [-1]}]
        body = {"name": "mood", "versions": ["1"], "platform": "test", "inputs": inputs}
        return Reply(body=body)
    tensors = request.json()["inputs"]
    assert isinstance(tensors, list)
    texts = tensors[0]["data"]
    labels = [sentiment_of(text) or None for text in texts]
    shape = [len(labels)]
    outputs = [{"name": "label", "datatype": "BYTES", "shape": shape, "data": labels}]
    return Reply(body={"model_name": "mood", "outputs": outputs})


def chat_answer(request: Request) -> Reply:
    """Speak chat completions: the label of the prompt's text within a sentence."""
    messages = request.json()["messages"]
    assert isinstance(messages, list)
    label = sentiment_of(messages[-1]["content"])
    content = f"I would say: {label}." if label else "I cannot say."
    return Reply(body={"choices": [{"message": {"role": "assistant", "content": content}}]})
