"""What may be said to `dynabench round open` and `model add`: one option for each decision."""

from datetime import datetime
from pathlib import Path
from typing import Annotated, TypeAlias
from uuid import UUID

import typer

from dynabench.app.cli.addresses import TargetKind
from dynabench.loop.rounds.schemas import Controls
from dynabench.loop.rounds.values import ContextPolicy, GoldFrom, TargetPolicy, ValidationMode

Targets: TypeAlias = Annotated[
    list[str] | None,
    typer.Option(
        metavar="MODEL|URL", help="A target: a model's id, NAME or NAME:VERSION, or a URL."
    ),
]
CloseCurrent: TypeAlias = Annotated[
    bool, typer.Option("--close-current", help="Close the task's open round first.")
]
Draft: TypeAlias = Annotated[bool, typer.Option("--draft", help="Do not open it yet.")]

# A model behind a URL.
Kind: TypeAlias = Annotated[TargetKind, typer.Option(help="What the URL speaks.")]
ModelThere: TypeAlias = Annotated[str | None, typer.Option(help="The model's name at the URL.")]
Prompt: TypeAlias = Annotated[
    Path | None,
    typer.Option(
        exists=True,
        dir_okay=False,
        help="openai: a file with the prompt; a conversation and a judge need none.",
    ),
]
Answer: TypeAlias = Annotated[
    str | None, typer.Option(help="openai: how to read the answer (label, json, text, span).")
]
ApiKeyEnv: TypeAlias = Annotated[
    str | None,
    typer.Option(metavar="VARIABLE", help="openai: the server's variable that holds the key."),
]
Name: TypeAlias = Annotated[
    str | None, typer.Option(help="What the model at the URL is called here.")
]
AllowPrivate: TypeAlias = Annotated[
    bool,
    typer.Option(
        "--allow-private-address", help="The URL may be on a private network (administrators)."
    ),
]

# The round.
Policy: TypeAlias = Annotated[TargetPolicy, typer.Option(help="Which targets must be wrong.")]
Contexts: TypeAlias = Annotated[ContextPolicy, typer.Option(help="Which context comes next.")]
Tags: TypeAlias = Annotated[list[str] | None, typer.Option(help="Draw contexts of this tag only.")]
Mode: TypeAlias = Annotated[ValidationMode, typer.Option(help="How validators judge.")]
Quorum: TypeAlias = Annotated[int, typer.Option(min=1, max=25, help="Votes that decide.")]
Maximum: TypeAlias = Annotated[int, typer.Option(min=1, max=25, help="Votes at most.")]
Gold: TypeAlias = Annotated[GoldFrom, typer.Option(help="Whose answer is the gold one.")]
ShareOfOthers: TypeAlias = Annotated[
    float, typer.Option(min=0, max=1, help="Share of non-fooling examples validated too.")
]
MaxTries: TypeAlias = Annotated[int, typer.Option(min=1, help="Attempts per person and context.")]
MostExamples: TypeAlias = Annotated[int | None, typer.Option(min=1, help="Close after so many.")]
MostDays: TypeAlias = Annotated[int | None, typer.Option(min=1, help="Close after so long.")]
MostValidated: TypeAlias = Annotated[
    int | None, typer.Option(min=1, help="Close after so many validated fooling ones.")
]


def moment(text: str) -> datetime:
    """Read a time with its zone, as a person types it.

    Example:
        >>> moment("2027-03-01T09:00+01:00").isoformat()
        '2027-03-01T09:00:00+01:00'
    """
    try:
        found = datetime.fromisoformat(text)
    except ValueError as error:
        message = f"“{text}” is no time; write it as in 2027-03-01T09:00Z."
        raise typer.BadParameter(message) from error
    if found.tzinfo is None:
        message = f"“{text}” has no time zone; add Z for UTC or an offset such as +01:00."
        raise typer.BadParameter(message)
    return found


OpensAt: TypeAlias = Annotated[
    datetime | None,
    typer.Option(
        parser=moment, metavar="TIME", help="Take no examples before (2027-03-01T09:00Z)."
    ),
]
ClosesAt: TypeAlias = Annotated[
    datetime | None,
    typer.Option(parser=moment, metavar="TIME", help="Close at this time (2027-03-31T18:00Z)."),
]
Seed: TypeAlias = Annotated[int, typer.Option(help="Seeds random targets and contexts.")]

# Control arms.
NoModelShare: TypeAlias = Annotated[
    float | None,
    typer.Option(
        "--control-no-model", min=0, max=0.5, help="Share of contexts that show no model."
    ),
]
EarlierShare: TypeAlias = Annotated[
    float | None,
    typer.Option(
        "--control-earlier",
        min=0,
        max=0.5,
        help="Share of contexts on which an earlier target answers.",
    ),
]
ControlModel: TypeAlias = Annotated[
    str | None, typer.Option("--control-model", metavar="MODEL", help="That earlier target.")
]


def controls(
    before: Controls, *, no_model: float | None, earlier: float | None, model_id: UUID | None
) -> Controls:
    """Return control arms of which some parts were said; the others stay as they were."""
    return Controls(
        no_model_share=before.no_model_share if no_model is None else no_model,
        earlier_share=before.earlier_share if earlier is None else earlier,
        model_id=before.model_id if model_id is None else model_id,
    )
