"""The web server's own end: streams are told of it, for they would never end by themselves."""

import socket

import uvicorn
from fastapi import FastAPI

from dynabench.kit.streams import StreamHost


class Server(uvicorn.Server):
    """Serves one application, and ends its streams when it is told to stop.

    Args:
        application: What is served.
        config: How; its application is this one.
    """

    def __init__(self, application: FastAPI, config: uvicorn.Config) -> None:
        super().__init__(config)
        streams = application.state.surroundings.services[StreamHost]
        assert isinstance(streams, StreamHost)
        self._streams = streams

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """Let requests finish and stop."""
        self._streams.stop()
        await super().shutdown(sockets)
