"""`dynabench proposals`: tasks that people propose and administrators decide about."""

from typing import Annotated
from uuid import UUID

import typer

from dynabench.app.cli.credentials import open_client
from dynabench.app.cli.output import AsJson, say, show_facts, show_json, show_table
from dynabench.app.cli.tasks import ConfigFile, read_text
from dynabench.loop.proposals.values import Decision, ProposalStatus

proposals = typer.Typer(
    no_args_is_help=True,
    help="Tasks that people propose and administrators decide about.",
    epilog="Propose one: dynabench task propose my-task.yaml --slug my-task --reason WHY",
)

ProposalId = Annotated[
    UUID, typer.Argument(metavar="ID", help="As shown by `dynabench proposals list`.")
]


def register(app: typer.Typer) -> None:
    """Add these commands."""
    app.add_typer(proposals, name="proposals")


@proposals.command("list")
def list_proposals(
    *,
    status: Annotated[ProposalStatus | None, typer.Option(help="Only these.")] = None,
    as_json: AsJson = False,
) -> None:
    """List your proposals, newest first; administrators see everybody's."""
    with open_client() as client:
        found = list(client.proposals.list(status=status))
    if as_json:
        show_json(found)
        return
    show_table(
        ["id", "task", "status", "revision", "by", "proposed"],
        [
            (
                one.id,
                one.slug,
                one.status.value.replace("_", " "),
                one.revision,
                one.proposed_by,
                f"{one.created_at:%Y-%m-%d %H:%M}",
            )
            for one in found
        ],
        empty="There are no such proposals. "
        "Make one: dynabench task propose FILE --slug TASK --reason WHY",
    )


@proposals.command("show")
def show_proposal(
    *,
    proposal_id: ProposalId,
    config: Annotated[bool, typer.Option("--config", help="Print the config's YAML.")] = False,
    as_json: AsJson = False,
) -> None:
    """Show a proposal and what was said about it."""
    with open_client() as client:
        one = client.proposals.get(proposal_id)
    if config:
        typer.echo(one.config, nl=False)
        return
    if as_json:
        show_json(one)
        return
    show_facts(
        [
            ("task", one.slug),
            ("status", one.status.value.replace("_", " ")),
            ("revision", str(one.revision)),
            ("by", one.proposed_by),
            ("what for", one.reason),
            *(
                (
                    f"{note.created_at:%Y-%m-%d %H:%M}",
                    f"{note.written_by}, revision {note.revision}: "
                    f"{(note.status or '').replace('_', ' ')}. {note.text}".strip(),
                )
                for note in one.notes
            ),
        ]
    )


@proposals.command("revise")
def revise_proposal(
    *,
    proposal_id: ProposalId,
    file: ConfigFile,
    answer: Annotated[str, typer.Option(help="What has changed.")] = "",
) -> None:
    """Propose another config in place of the one that was looked at (its author)."""
    config = read_text(file)
    with open_client() as client:
        known = client.proposals.get(proposal_id)
        revised = client.proposals.update(
            proposal_id, revision=known.revision, config=config, answer=answer
        )
    say(f"The proposal of {revised.slug} is at revision {revised.revision} and waits.")


@proposals.command("withdraw")
def withdraw_proposal(*, proposal_id: ProposalId) -> None:
    """Take a proposal back; a revision would propose it again (its author)."""
    with open_client() as client:
        withdrawn = client.proposals.withdraw(proposal_id)
    say(f"The proposal of {withdrawn.slug} is withdrawn.")


Revision = Annotated[
    int, typer.Option(min=1, help="The revision that you looked at: it may have changed.")
]
Why = Annotated[str, typer.Option("--reason", help="Why, for its author.")]


@proposals.command("accept")
def accept_proposal(
    *,
    proposal_id: ProposalId,
    revision: Revision,
    reason: Annotated[str, typer.Option("--reason", help="A word to its author.")] = "",
) -> None:
    """Make a draft task of a proposal, which its author owns (administrators)."""
    _decide(proposal_id, Decision.ACCEPTED, revision=revision, reason=reason)


@proposals.command("reject")
def reject_proposal(*, proposal_id: ProposalId, revision: Revision, reason: Why) -> None:
    """Turn a proposal down for good (administrators)."""
    _decide(proposal_id, Decision.REJECTED, revision=revision, reason=reason)


@proposals.command("ask")
def ask_for_changes(*, proposal_id: ProposalId, revision: Revision, reason: Why) -> None:
    """Ask a proposal's author for changes (administrators)."""
    _decide(proposal_id, Decision.CHANGES_ASKED, revision=revision, reason=reason)


def _decide(proposal_id: UUID, decision: Decision, *, revision: int, reason: str) -> None:
    with open_client() as client:
        decided = client.proposals.decide(
            proposal_id, status=decision, revision=revision, text=reason
        )
    if decided.task_slug is not None:
        say(f"Task {decided.task_slug} is a draft; {decided.proposed_by} owns it.")
    else:
        said = "asked for changes" if decision is Decision.CHANGES_ASKED else "told of the reason"
        say(f"{decided.proposed_by} is {said}.")
