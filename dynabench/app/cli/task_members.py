"""`dynabench task members` and `task links`: who has which role in a task."""

from typing import Annotated

import typer

from dynabench.app.cli.credentials import open_client
from dynabench.app.cli.output import AsJson, say, show_json, show_table

# Two lists of roles would drift apart; the server's is loaded with the client alone.
Role = Annotated[str, typer.Option(metavar="ROLE", help="owner, expert or annotator.")]
Slug = Annotated[str, typer.Argument(metavar="TASK", help="The task's short name, as in `nli`.")]
Username = Annotated[str, typer.Argument(metavar="USERNAME", help="Somebody with an account.")]

members = typer.Typer(no_args_is_help=True, help="Who has which role in a task (owners).")
links = typer.Typer(
    no_args_is_help=True, help="Links that give their visitors a role in a task (owners)."
)


def register(tasks: typer.Typer) -> None:
    """Add these commands."""
    tasks.add_typer(members, name="members")
    tasks.add_typer(links, name="links")


@members.command("list")
def list_members(*, slug: Slug, as_json: AsJson = False) -> None:
    """List the members of a task."""
    with open_client() as client:
        found = client.members.list(slug)
    if as_json:
        show_json(found)
        return
    show_table(
        ["person", "role", "since"],
        [(one.username, one.role, one.added_at.date()) for one in found],
        empty=f"{slug} has no members. Add one: dynabench task members add {slug} USERNAME",
    )


@members.command("add")
def add_member(*, slug: Slug, username: Username, role: Role = "annotator") -> None:
    """Give a person a role in a task."""
    _set(slug, username, role)


@members.command("change")
def change_member(*, slug: Slug, username: Username, role: Role) -> None:
    """Give a member another role."""
    _set(slug, username, role)


@members.command("remove")
def remove_member(*, slug: Slug, username: Username) -> None:
    """Take a person's role in a task away."""
    with open_client() as client:
        client.members.delete(slug, username)
    say(f"{username} is no member of {slug} any more.")


def _set(slug: str, username: str, role: str) -> None:
    with open_client() as client:
        made = client.members.set(slug, username, role=role)
    say(f"{made.username} is {made.role.value} of {slug}.")


@links.command("list")
def list_links(*, slug: Slug, as_json: AsJson = False) -> None:
    """List a task's join links, without their secrets."""
    with open_client() as client:
        found = client.join_links.list(slug)
    if as_json:
        show_json(found)
        return
    show_table(
        ["role", "note", "made", "until", "uses", "id"],
        [
            (
                one.role,
                one.note or None,
                one.created_at.date(),
                one.expires_at.date(),
                str(one.uses),
                one.id,
            )
            for one in found
        ],
        empty=f"{slug} has no join links. Make one: dynabench task links create {slug}",
    )


@links.command("create")
def create_link(
    *,
    slug: Slug,
    role: Role = "annotator",
    days: Annotated[int, typer.Option(min=1, max=365, help="How long it works.")] = 14,
    note: Annotated[str, typer.Option(help="Whom it is for; only owners see it.")] = "",
) -> None:
    """Make a link; its address is shown this once."""
    with open_client() as client:
        made = client.join_links.create(slug, role=role, expires_in_days=days, note=note)
    say(made.url)


@links.command("delete")
def delete_link(
    *, slug: Slug, link: Annotated[str, typer.Argument(metavar="ID", help="As listed.")]
) -> None:
    """Take a link back; the roles that it gave stay."""
    with open_client() as client:
        client.join_links.delete(slug, link)
    say("The link works no more.")
