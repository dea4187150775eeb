"""`dynabench round`: periods of collection against fixed target models."""

from pathlib import Path
from typing import Annotated
from uuid import UUID

import typer

from dynabench.app.cli.addresses import Address, TargetKind, is_url
from dynabench.app.cli.credentials import open_client
from dynabench.app.cli.finding import find_model, find_round
from dynabench.app.cli.output import AsJson, notice, say, show_facts, show_json, show_table
from dynabench.app.cli.tasks import Slug
from dynabench.client.client import DynabenchClient
from dynabench.loop.rounds.schemas import Budget, RoundCreate, RoundRead, ValidationRule
from dynabench.loop.rounds.values import (
    ContextPolicy,
    GoldFrom,
    RoundStatus,
    TargetPolicy,
    ValidationMode,
)
from dynabench.loop.validations.schemas import ErrorRateRead, RateRead

rounds = typer.Typer(
    no_args_is_help=True,
    help="Periods of collection against fixed target models.",
    epilog="Your own model as target: dynabench round open nli --target "
    "http://127.0.0.1:9000/v2/models/mine",
)

Round = Annotated[
    str, typer.Argument(metavar="ROUND", help="TASK (its latest), TASK/NUMBER or a round's id.")
]


def register(app: typer.Typer) -> None:
    """Add these commands."""
    app.add_typer(rounds, name="round", rich_help_panel="The loop")


@rounds.command("list")
def list_rounds(*, slug: Slug, as_json: AsJson = False) -> None:
    """List a task's rounds, newest first."""
    with open_client() as client:
        found = client.list_rounds(slug)
    if as_json:
        show_json(found)
        return
    show_table(
        ["round", "status", "targets", "policy", "opened", "closed", "id"],
        [
            (
                f"{slug}/{round_.number}",
                round_.status,
                _targets(round_),
                round_.target_policy,
                round_.opened_at and round_.opened_at.date(),
                round_.closed_at and round_.closed_at.date(),
                round_.id,
            )
            for round_ in found
        ],
        empty=f"{slug} has no rounds yet. Open one: dynabench round open {slug} --target URL",
    )


@rounds.command("show")
def show_round(*, round_: Round, as_json: AsJson = False) -> None:
    """Show a round and how often its targets were fooled."""
    with open_client() as client:
        found = find_round(client, round_)
        if as_json:
            show_json(found)
            return
        rate = client.error_rate(found.id)
    show_facts(_facts(found) + _counts(rate))


# One option for each thing that an owner may decide: a group of them would only hide them.
@rounds.command("open")
def open_round(  # noqa: PLR0913
    *,
    slug: Slug,
    target: Annotated[
        list[str] | None,
        typer.Option(metavar="MODEL|URL", help="A target: a model's id or name, or a URL."),
    ] = None,
    target_kind: Annotated[
        TargetKind, typer.Option(help="What the URL speaks.")
    ] = TargetKind.ENDPOINT,
    model: Annotated[str | None, typer.Option(help="The model's name at the URL.")] = None,
    prompt: Annotated[
        Path | None,
        typer.Option(exists=True, dir_okay=False, help="openai: a file with the prompt."),
    ] = None,
    answer: Annotated[
        str, typer.Option(help="openai: how to read the answer (label, json, text, span).")
    ] = "label",
    name: Annotated[str | None, typer.Option(help="What the model at the URL is called.")] = None,
    allow_private_address: Annotated[
        bool,
        typer.Option(
            "--allow-private-address",
            help="The URL may be on a private network (administrators).",
        ),
    ] = False,
    policy: Annotated[
        TargetPolicy, typer.Option(help="Which targets must be wrong.")
    ] = TargetPolicy.SINGLE,
    context_policy: Annotated[
        ContextPolicy, typer.Option(help="Which context comes next.")
    ] = ContextPolicy.MIN,
    tag: Annotated[list[str] | None, typer.Option(help="Draw contexts of this tag only.")] = None,
    mode: Annotated[
        ValidationMode, typer.Option(help="How validators judge.")
    ] = ValidationMode.REVIEW,
    quorum: Annotated[int, typer.Option(min=1, max=25, help="Votes that decide.")] = 3,
    maximum: Annotated[int, typer.Option(min=1, max=25, help="Votes at most.")] = 5,
    gold_from: Annotated[
        GoldFrom, typer.Option(help="Whose answer is the gold one.")
    ] = GoldFrom.AUTHOR,
    share_of_others: Annotated[
        float, typer.Option(min=0, max=1, help="Share of non-fooling examples validated too.")
    ] = 0.0,
    max_tries: Annotated[int, typer.Option(min=1, help="Attempts per person and context.")] = 10,
    budget_examples: Annotated[int | None, typer.Option(min=1, help="Close after so many.")] = None,
    budget_days: Annotated[int | None, typer.Option(min=1, help="Close after so long.")] = None,
    budget_validated_fooling: Annotated[
        int | None, typer.Option(min=1, help="Close after so many validated fooling ones.")
    ] = None,
    seed: Annotated[int, typer.Option(help="Seeds random targets and contexts.")] = 0,
    draft: Annotated[bool, typer.Option("--draft", help="Do not open it yet.")] = False,
) -> None:
    """Open a round: against models of the task, or against your own behind a URL.

    Without --target the task's latest draft is opened as it is.
    """
    with open_client() as client:
        if not target:
            drafted = find_round(client, slug, status=RoundStatus.DRAFT)
        else:
            address = Address(
                kind=target_kind,
                model=model,
                prompt=prompt,
                answer=answer,
                name=name,
                allow_private=allow_private_address,
            )
            settings = RoundCreate(
                target_model_ids=_target_ids(client, slug, target, address=address),
                target_policy=policy,
                context_policy=context_policy,
                context_tags=tuple(tag or ()),
                validation=ValidationRule(
                    mode=mode,
                    quorum=quorum,
                    maximum=maximum,
                    gold_from=gold_from,
                    share_of_others=share_of_others,
                ),
                max_tries=max_tries,
                budget=Budget(
                    examples=budget_examples,
                    days=budget_days,
                    validated_fooling=budget_validated_fooling,
                ),
                seed=seed,
            )
            drafted = client.create_round(slug, settings)
        opened = drafted if draft else client.open_round(drafted.id)
    _tell_opened(opened)


@rounds.command("close")
def close_round(
    *,
    round_: Round,
    yes: Annotated[bool, typer.Option("--yes", "-y", help="Do not ask.")] = False,
) -> None:
    """Close a round for good: it never takes examples again; votes go on (owners)."""
    with open_client() as client:
        found = find_round(client, round_, status=RoundStatus.OPEN)
        if not yes:
            typer.confirm(
                f"Close round {found.number} of {found.task_slug}? It cannot be opened again.",
                abort=True,
                err=True,
            )
        client.close_round(found.id)
    say(
        f"Round {found.number} of {found.task_slug} is closed. When its votes are in: "
        f"dynabench release {found.task_slug}/{found.number}"
    )


def _target_ids(
    client: DynabenchClient, slug: str, targets: list[str], *, address: Address
) -> tuple[UUID, ...]:
    """Find the models that are named, and submit the ones behind URLs."""
    found = []
    for text in targets:
        if not is_url(text):
            found.append(find_model(client, slug, text).id)
            continue
        made = client.create_model(slug, **address.submission(text))
        notice(f"The model {made.name} v{made.version} answered a trial input.")
        found.append(made.id)
    return tuple(found)


def _facts(round_: RoundRead) -> list[tuple[str, object]]:
    rule, budget = round_.validation, round_.budget
    limits = {
        "examples": budget.examples,
        "days": budget.days,
        "validated fooling examples": budget.validated_fooling,
    }
    return [
        ("round", f"{round_.task_slug}/{round_.number}"),
        ("id", round_.id),
        ("status", f"{round_.status}{f' ({round_.close_reason})' if round_.close_reason else ''}"),
        ("targets", f"{_targets(round_)} ({round_.target_policy})"),
        ("contexts", ", ".join((round_.context_policy, *round_.context_tags))),
        ("validation", f"{rule.mode}, {rule.quorum} of at most {rule.maximum} votes"),
        ("budget", ", ".join(f"{most} {what}" for what, most in limits.items() if most)),
    ]


def _counts(rate: ErrorRateRead) -> list[tuple[str, object]]:
    return [
        ("collected", f"{rate.collected} by {rate.annotators} annotators"),
        ("MER", _rate(rate.model_error_rate)),
        ("vMER", _rate(rate.validated_model_error_rate)),
        ("waiting for votes", rate.pending),
        ("disputed", rate.disputed),
        ("note", rate.reason),
    ]


def _rate(rate: RateRead) -> str | None:
    if rate.value is None:
        return None
    interval = (
        ""
        if rate.low is None or rate.high is None
        else f", 95 % interval {rate.low:.1%} to {rate.high:.1%}"
    )
    return f"{rate.value:.1%} ({rate.part} of {rate.whole}{interval})"


def _targets(round_: RoundRead) -> str:
    return ", ".join(f"{target.name} v{target.version}" for target in round_.targets)


def _tell_opened(round_: RoundRead) -> None:
    where = f"{round_.task_slug}/{round_.number}"
    if round_.status is RoundStatus.DRAFT:
        say(f"Round {where} is a draft. Open it: dynabench round open {round_.task_slug}")
        return
    say(f"Round {where} is open against {_targets(round_)}.")
    notice(f"See how it goes: dynabench round show {where}")
