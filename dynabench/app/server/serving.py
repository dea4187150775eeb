"""The web server: what it takes of connections, and its end, which streams are told of."""

import socket

import uvicorn
from fastapi import FastAPI

from dynabench.app.server.connections import ConnectionLimits, OpenConnections
from dynabench.kit.streams import StreamHost


class Server(uvicorn.Server):
    """Serves one application, and ends its streams when it is told to stop.

    Args:
        application: What is served.
        config: How; its application is this one, and its protocol `LimitedProtocol`.
        limits: What connections may take.
    """

    def __init__(
        self,
        application: FastAPI,
        config: uvicorn.Config,
        *,
        limits: ConnectionLimits | None = None,
    ) -> None:
        super().__init__(config)
        self.server_state = OpenConnections(limits or ConnectionLimits())
        streams = application.state.surroundings.services[StreamHost]
        assert isinstance(streams, StreamHost)
        self._streams = streams

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """Let requests finish and stop."""
        self._streams.stop()
        await super().shutdown(sockets)
