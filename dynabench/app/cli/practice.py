"""`dynabench practice-server`: small models to try chat tasks with, on this machine alone."""

from typing import Annotated

import typer

from dynabench.app.cli.output import notice
from dynabench.engines.practice.server import make_server
from dynabench.engines.practice.values import Variant


def register(app: typer.Typer) -> None:
    """Add this command."""
    app.command("practice-server")(practice_server)


def practice_server(
    port: Annotated[int, typer.Option(help="The port; 0 takes a free one.", min=0, max=65535)] = (
        9100
    ),
    host: Annotated[str, typer.Option(help="The address to listen on.")] = "127.0.0.1",
) -> None:
    """Serve practice assistants and a practice judge as a chat completions server.

    They answer from a small table and are no language models: they stand in for one in demos
    and tests.
    """
    server = make_server(host=host, port=port)
    names = ", ".join(variant.served_as for variant in Variant)
    notice(f"Serving {names} at http://{host}:{server.server_port}/v1. Stop with Ctrl-C.")
    try:
        server.serve_forever()
    finally:
        server.server_close()
