"""A small keep-alive HTTP/1.1 client: the machine's two cores are for the product."""

import asyncio
import json
import time
from dataclasses import dataclass, field


@dataclass(slots=True)
class Answer:
    """One answer and how long it took."""

    status: int
    body: bytes
    seconds: float

    def json(self) -> object:
        """Return the body as JSON."""
        return json.loads(self.body)


@dataclass(slots=True)
class Connection:
    """One client's connection; opened again where the server closed it."""

    port: int
    headers: dict[str, str] = field(default_factory=dict)
    cookie: str = ""
    _reader: asyncio.StreamReader | None = None
    _writer: asyncio.StreamWriter | None = None

    async def request(self, method: str, path: str, body: object = None, **headers: str) -> Answer:
        """Send one request and read its answer."""
        content = b"" if body is None else json.dumps(body).encode()
        lines = [f"{method} {path} HTTP/1.1", "host: 127.0.0.1", f"content-length: {len(content)}"]
        if content:
            lines.append("content-type: application/json")
        lines += [f"{name}: {value}" for name, value in {**self.headers, **headers}.items()]
        message = "\r\n".join(lines).encode() + b"\r\n\r\n" + content
        started = time.perf_counter()
        if self._writer is None:
            self._reader, self._writer = await asyncio.open_connection("127.0.0.1", self.port)
        assert self._reader is not None
        self._writer.write(message)
        try:
            head = await self._reader.readuntil(b"\r\n\r\n")
        except (asyncio.IncompleteReadError, ConnectionError):
            # The server let an idle connection go; the request was not taken.
            await self.close()
            self._reader, self._writer = await asyncio.open_connection("127.0.0.1", self.port)
            self._writer.write(message)
            head = await self._reader.readuntil(b"\r\n\r\n")
        status = int(head[9:12])
        length = 0
        for line in head.lower().split(b"\r\n"):
            if line.startswith(b"content-length:"):
                length = int(line[15:])
        for line in head.split(b"\r\n"):
            if line.lower().startswith(b"set-cookie:"):
                self.cookie = line[11:].split(b";")[0].strip().decode()
        content = await self._reader.readexactly(length) if length else b""
        return Answer(status, content, time.perf_counter() - started)

    async def close(self) -> None:
        """Close the connection."""
        if self._writer is not None:
            self._writer.close()
            self._writer = None
