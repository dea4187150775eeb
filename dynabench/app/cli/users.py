"""`dynabench user`: accounts, straight from the database.

Whoever may read the database's files may do this, so an operator is never locked out.
"""

import asyncio
from collections.abc import Awaitable, Callable
from typing import Annotated, TypeVar

import typer

from dynabench.app.cli.database import connected_settings
from dynabench.app.cli.output import AsJson, notice, say, show_json, show_table
from dynabench.app.listening import address_of
from dynabench.app.wiring import Wiring, wire
from dynabench.kit.actor import Actor
from dynabench.people.schemas import PasswordReset, UserAdminPatch, UserRead
from dynabench.people.service import PeopleService
from dynabench.people.sign_ins.service import SignInService

T = TypeVar("T")

users = typer.Typer(
    no_args_is_help=True,
    help="Accounts, straight from the database: works without a sign-in.",
)

Name = Annotated[str, typer.Argument(metavar="NAME", help="The name to sign in with.")]

_OPERATOR = Actor(user_id=None, username="operator", is_admin=True)


def register(app: typer.Typer) -> None:
    """Add these commands."""
    app.add_typer(users, name="user")


@users.command("create")
def create_user(
    *,
    name: Name,
    admin: Annotated[bool, typer.Option("--admin", help="As an administrator.")] = False,
    ask: Annotated[
        bool, typer.Option("--ask", help="Ask for the password instead of making one.")
    ] = False,
) -> None:
    """Make an account; its random password is shown this once."""
    password = _new_password() if ask else None
    made = _with_services(
        lambda wiring: wiring.get(PeopleService).create_user(
            name, password=password, is_admin=admin
        )
    )
    if ask:
        say(f"Made the account {made.user.username}.")
    else:
        notice(f"Made the account {made.user.username}; its password, shown this once:")
        say(made.password)


@users.command("list")
def list_users(
    *,
    search: Annotated[str, typer.Option(help="A part of the name.")] = "",
    as_json: AsJson = False,
) -> None:
    """List accounts."""
    found = _with_services(lambda wiring: _every_user(wiring.get(PeopleService), search))
    if as_json:
        show_json(found)
        return
    show_table(
        ["name", "shown as", "administrator", "since", "disabled"],
        [
            (
                user.username,
                user.display_name,
                user.is_admin,
                user.created_at.date(),
                user.disabled_at and user.disabled_at.date(),
            )
            for user in found
        ],
        empty="There are no such accounts. Make one: dynabench user create NAME",
    )


@users.command("reset-password")
def reset_password(
    *,
    name: Name,
    ask: Annotated[
        bool, typer.Option("--ask", help="Set a password here instead of making a link.")
    ] = False,
) -> None:
    """Make a link with which a person sets a new password, or set one here."""
    password = _new_password() if ask else None

    async def reset(wiring: Wiring) -> str:
        made = await wiring.get(PeopleService).create_password_reset(name, actor=_OPERATOR)
        if password is None:
            return f"{address_of(wiring.settings)}{made.path}"
        # The secret is what the link ends with.
        secret = made.path.rpartition("/")[2].rpartition("=")[2]
        await wiring.get(SignInService).reset_password(secret, PasswordReset(new_password=password))
        return f"{name} has the new password; every session of theirs has ended."

    say(_with_services(reset))


@users.command("make-admin")
def make_admin(
    *,
    name: Name,
    revoke: Annotated[bool, typer.Option("--revoke", help="Take it away instead.")] = False,
) -> None:
    """Make a person an administrator."""
    user = _change(name, UserAdminPatch(is_admin=not revoke))
    say(f"{user.username} is {'an' if user.is_admin else 'no'} administrator.")


@users.command("disable")
def disable(
    *,
    name: Name,
    undo: Annotated[bool, typer.Option("--undo", help="Enable it again.")] = False,
) -> None:
    """Disable an account: its sessions and tokens count no more."""
    user = _change(name, UserAdminPatch(is_disabled=not undo))
    say(f"The account {user.username} is {'enabled' if user.disabled_at is None else 'disabled'}.")


def _change(name: str, patch: UserAdminPatch) -> UserRead:
    return _with_services(
        lambda wiring: wiring.get(PeopleService).administrate(name, patch, actor=_OPERATOR)
    )


async def _every_user(people: PeopleService, search: str) -> list[UserRead]:
    page = await people.list(actor=_OPERATOR, search=search, cursor=None)
    found = list(page.items)
    while page.next_cursor is not None:
        page = await people.list(actor=_OPERATOR, search=search, cursor=page.next_cursor)
        found += page.items
    return found


def _new_password() -> str:
    return str(typer.prompt("New password", hide_input=True, confirmation_prompt=True))


def _with_services(work: Callable[[Wiring], Awaitable[T]]) -> T:
    async def carried_out() -> T:
        wiring = wire(settings, application_name="dynabench user")
        try:
            return await work(wiring)
        finally:
            await wiring.close()

    with connected_settings() as settings:
        return asyncio.run(carried_out())
