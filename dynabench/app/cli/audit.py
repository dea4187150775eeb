"""`dynabench audit`: who changed what."""

import json
from datetime import datetime
from itertools import islice
from typing import Annotated

import typer

from dynabench.app.cli.credentials import open_client
from dynabench.app.cli.output import AsJson, show_json, show_table
from dynabench.people.audit.schemas import AuditEntryRead

_WIDEST = 120


def register(app: typer.Typer) -> None:
    """Add this command."""
    app.command(
        epilog="Who closed a round: dynabench audit --task nli --act round. "
        "All that ada did: dynabench audit --who ada"
    )(audit)


def audit(
    *,
    task: Annotated[
        str | None,
        typer.Option(metavar="TASK", help="One task (owners); else all of them (administrators)."),
    ] = None,
    who: Annotated[str | None, typer.Option(help="Only what this username did.")] = None,
    act: Annotated[
        str | None, typer.Option(help="Only such acts, as in `round` or `round.changed`.")
    ] = None,
    since: Annotated[datetime | None, typer.Option(help="Only from this time on.")] = None,
    limit: Annotated[int, typer.Option(min=1, max=100_000, help="At most so many.")] = 50,
    as_json: AsJson = False,
) -> None:
    """Show who changed what, newest first."""
    with open_client() as client:
        entries = client.audit.list(task, who=who, act=act, since=since)
        found = list(islice(entries, limit))
    if as_json:
        show_json(found)
        return
    show_table(
        ["when", "who", "act", "what", "change"],
        [
            (
                entry.at.strftime("%Y-%m-%d %H:%M:%S"),
                entry.actor_name,
                entry.act,
                entry.subject_name or entry.subject_id or "",
                change_of(entry),
            )
            for entry in found
        ],
        empty="Nothing was recorded that fits.",
    )


def change_of(entry: AuditEntryRead) -> str:
    """Return what changed in one line: each value with what it was before.

    Of what is new or gone, values that say nothing are left out.
    """
    before, after = entry.before or {}, entry.after or {}
    is_whole = entry.before is None or entry.after is None
    parts = []
    for name in sorted({*before, *after}):
        if is_whole and (before or after).get(name) in (None, "", []):
            continue
        was = json.dumps(before.get(name), ensure_ascii=False)
        is_now = json.dumps(after.get(name), ensure_ascii=False)
        parts.append(f"{name}: {was} → {is_now}" if name in before else f"{name}: {is_now}")
    if entry.reason:
        parts.append(f"because: {entry.reason}")
    text = ", ".join(parts)
    return text if len(text) <= _WIDEST else f"{text[: _WIDEST - 1]}…"
