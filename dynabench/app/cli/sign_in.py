"""`dynabench login`, `logout`, `whoami` and `token`: who one is on a server."""

import socket
from typing import Annotated

import typer

from dynabench.app.cli.credentials import (
    StoredSignIn,
    load_credentials,
    open_client,
    server_url,
    store_credentials,
)
from dynabench.app.cli.output import AsJson, notice, say, show_json, show_table
from dynabench.client.client import DynabenchClient
from dynabench.kit.errors import DynabenchError, UnauthenticatedError
from dynabench.people.values import TokenScope

tokens = typer.Typer(no_args_is_help=True, help="Make, list and revoke API tokens.")


def register(app: typer.Typer) -> None:
    """Add these commands."""
    app.command()(login)
    app.command()(logout)
    app.command()(whoami)
    app.add_typer(tokens, name="token")


def login(
    *,
    url: Annotated[str | None, typer.Argument(help="The server's address.")] = None,
    username: Annotated[str | None, typer.Option("--username", "-u", help="Your name.")] = None,
    password: Annotated[
        str | None,
        typer.Option(envvar="DYNABENCH_PASSWORD", help="Asked for if it is not given."),
    ] = None,
) -> None:
    """Sign in, and keep an API token for this machine."""
    where = server_url(url)
    name = username or str(typer.prompt("Name"))
    secret = password or str(typer.prompt("Password", hide_input=True))
    # The client takes no token from the environment here: it is about to make one.
    with DynabenchClient("", base_url=where) as client:
        client.account.sign_in(name, secret)
        token = client.tokens.create(f"dynabench login on {socket.gethostname()}"[:80])
        client.account.sign_out()
    credentials = load_credentials()
    credentials.servers[where] = StoredSignIn(
        username=name, token=token.secret, token_id=str(token.id)
    )
    credentials.current = where
    file = store_credentials(credentials)
    say(f"Signed in to {where} as {name}. The token is kept in {file}.")


def logout() -> None:
    """Revoke this machine's token and forget it."""
    where = server_url()
    credentials = load_credentials()
    stored = credentials.servers.pop(where, None)
    if stored is None:
        notice(f"You are not signed in to {where}.")
        return
    try:
        with DynabenchClient(stored.token, base_url=where) as client:
            client.tokens.delete(stored.token_id)
    except DynabenchError as error:
        notice(f"The token could not be revoked: {error.message}")
    store_credentials(credentials)
    say(f"Signed out of {where}.")


def whoami() -> None:
    """Tell who you are, and where."""
    with open_client() as client:
        session = client.account.get()
    if session.user is None:
        raise UnauthenticatedError(
            f"You are a visitor at {server_url()}. Sign in with: dynabench login"
        )
    role = ", an administrator" if session.user.is_admin else ""
    say(f"{session.user.username}{role} at {server_url()}")


@tokens.command("create")
def create_token(
    *,
    name: Annotated[str, typer.Argument(help="A name to recognise the token by.")],
    scope: Annotated[TokenScope, typer.Option(help="What it may do.")] = TokenScope.WRITE,
    days: Annotated[int | None, typer.Option(min=1, max=3650, help="When it expires.")] = None,
) -> None:
    """Make an API token; it is shown this once."""
    with open_client() as client:
        token = client.tokens.create(name, scope=scope.value, expires_in_days=days)
    notice(f"Token {token.id}, shown this once:")
    say(token.secret)


@tokens.command("list")
def list_tokens(*, as_json: AsJson = False) -> None:
    """List your API tokens."""
    with open_client() as client:
        found = client.tokens.list()
    if as_json:
        show_json(found)
        return
    show_table(
        ["id", "name", "scope", "made", "expires", "last used"],
        [(t.id, t.name, t.scope, t.created_at.date(), t.expires_at, t.last_used_at) for t in found],
        empty="You have no tokens. Make one: dynabench token create NAME",
    )


@tokens.command("revoke")
def revoke_token(
    *, token_id: Annotated[str, typer.Argument(help="As shown by `dynabench token list`.")]
) -> None:
    """Revoke an API token at once."""
    with open_client() as client:
        client.tokens.delete(token_id)
    say("The token is revoked.")
