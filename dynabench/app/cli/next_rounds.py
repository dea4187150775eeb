"""`dynabench round next`: what speaks for which next round, and its draft."""

from collections.abc import Iterator, Sequence
from typing import Annotated
from uuid import UUID

import typer

from dynabench.app.cli import round_options as options
from dynabench.app.cli.credentials import open_client
from dynabench.app.cli.finding import find_model
from dynabench.app.cli.output import AsJson, notice, say, show_facts, show_json, show_table
from dynabench.app.cli.tasks import Slug
from dynabench.client.client import DynabenchClient
from dynabench.loop.leaderboards.next_round.schemas import (
    BudgetPlanRead,
    EdgeRead,
    LineageRead,
    NextRoundRead,
)
from dynabench.loop.leaderboards.next_round.values import BudgetReason
from dynabench.loop.leaderboards.schemas import FigureRead
from dynabench.loop.rounds.schemas import Budget, Controls, RoundCreate, RoundSettings
from dynabench.loop.rounds.values import RoundStatus, TargetPolicy

Policy = Annotated[TargetPolicy | None, typer.Option(help="Which targets must be wrong.")]
Width = Annotated[
    float,
    typer.Option(min=0.001, max=0.999, help="How wide the interval of the next vMER may be."),
]
Create = Annotated[bool, typer.Option("--create", help="Make the draft that is proposed.")]
Open = Annotated[bool, typer.Option("--open", help="Make the draft and open it.")]

_WHY = {
    BudgetReason.NO_ROUND: "nothing was collected yet",
    BudgetReason.PENDING: "votes on the last round are missing",
    BudgetReason.PEOPLE_UNKNOWN: "nobody knows who wrote the last round",
    BudgetReason.ONE_PERSON: "one person wrote the last round",
}


def register(rounds: typer.Typer) -> None:
    """Add the command to those of rounds."""
    rounds.command("next")(plan_next_round)


# One option for each part of the proposal that an owner may want otherwise.
def plan_next_round(  # noqa: PLR0913
    *,
    slug: Slug,
    target: options.Targets = None,
    policy: Policy = None,
    tag: options.Tags = None,
    width: Width = 0.1,
    budget_examples: options.MostExamples = None,
    budget_days: options.MostDays = None,
    budget_validated_fooling: options.MostValidated = None,
    control_no_model: options.NoModelShare = None,
    control_earlier: options.EarlierShare = None,
    control_model: options.ControlModel = None,
    create: Create = False,
    open_it: Open = False,
    as_json: AsJson = False,
) -> None:
    """Say which models, contexts and budget the last rounds speak for (owners).

    Nothing is changed unless --create makes the draft or --open opens it too; each option takes
    the place of a part of the proposal.
    """
    budget = Budget(
        examples=budget_examples,
        days=budget_days,
        validated_fooling=budget_validated_fooling,
    )
    with open_client() as client:
        plan = client.rounds.plan(slug, tags=tag, width=width)
        settings = RoundCreate.model_validate(plan.settings.model_dump())
        settings = _with_targets(client, slug, settings, target, policy)
        if budget != Budget():
            settings = settings.model_copy(update={"budget": budget})
        controls = options.controls(
            settings.controls,
            no_model=control_no_model,
            earlier=control_earlier,
            model_id=None if control_model is None else find_model(client, slug, control_model).id,
        )
        settings = settings.model_copy(update={"controls": controls})
        if as_json:
            show_json(plan)
        else:
            _show(plan, settings)
        if create or open_it:
            _make(client, slug, settings, is_opened=open_it)


def _with_targets(
    client: DynabenchClient,
    slug: str,
    settings: RoundCreate,
    names: Sequence[str] | None,
    policy: TargetPolicy | None,
) -> RoundCreate:
    """Return the settings with other targets, which are its parents too."""
    if names:
        models = tuple(find_model(client, slug, name).id for name in names)
        several = TargetPolicy.RANDOM if len(models) > 1 else TargetPolicy.SINGLE
        settings = settings.model_copy(
            update={
                "target_model_ids": models,
                "parent_model_ids": models,
                "target_policy": several,
            }
        )
    return settings.model_copy(update={"target_policy": policy}) if policy else settings


def _make(client: DynabenchClient, slug: str, settings: RoundCreate, *, is_opened: bool) -> None:
    made = client.rounds.create(slug, **dict(settings))
    if is_opened:
        made = client.rounds.open(made.id)
    where = f"{slug}/{made.number}"
    if made.status is RoundStatus.DRAFT:
        say(f"Round {where} is a draft. Open it: dynabench round open {slug}")
        return
    say(f"Round {where} is open.")
    notice(f"See how it goes: dynabench round show {where}")


def _show(plan: NextRoundRead, settings: RoundSettings) -> None:
    names = {one.model_id: f"{one.name} v{one.version}" for one in plan.candidates}
    names |= {one.model_id: f"{one.name} v{one.version}" for one in plan.lineage.models}
    _show_candidates(plan)
    say("")
    _show_lineage(plan.lineage, number=plan.next_number, settings=settings, names=names)
    say("")
    show_table(
        ["tag", "drawn", "contexts", "written on", "never", "people"],
        [
            (
                one.tag or "(none)",
                "yes" if one.is_drawn else "no",
                one.contexts,
                one.used,
                one.never_used,
                one.annotators,
            )
            for one in plan.contexts.tags
        ],
        empty=f"{plan.task_slug} has no contexts. Upload some: dynabench contexts upload",
    )
    say("")
    show_facts(list(_facts(plan, settings, names)))
    for warning in plan.warnings:
        say(f"! {warning.sentence}")


def _show_candidates(plan: NextRoundRead) -> None:
    rounds = [f"round {one.round_number}" for one in plan.releases]
    show_table(
        ["model", *rounds, "rank", "per second", "was target of", "public"],
        [
            (
                f"{one.name} v{one.version}",
                *(_points(figure) for figure in one.scores),
                None if one.rank is None else _span(one.rank.low, one.rank.high),
                None if one.examples_per_second is None else f"{one.examples_per_second:.1f}",
                ", ".join(map(str, one.was_target_of)),
                "yes" if one.is_published else "no",
            )
            for one in plan.candidates
        ],
        empty="No model of the task can be asked. Train one: dynabench train",
    )


def _show_lineage(
    lineage: LineageRead, *, number: int, settings: RoundSettings, names: dict[UUID, str]
) -> None:
    """Print the graph of rounds, a line for each with what it grew out of."""
    numbers = {one.round_id: one.number for one in lineage.rounds}
    rows: list[Sequence[object]] = []
    for one in lineage.rounds:
        edges = [edge for edge in lineage.edges if edge.to_round_id == one.round_id]
        rate = one.validated_model_error_rate
        share = None if rate is None or rate.value is None else f"{rate.value:.1%}"
        rows.append(
            (
                one.number,
                one.status,
                one.collected,
                share,
                _named(edges, names, is_target=True),
                _grown(edges, numbers, names),
            )
        )
    planned = [
        *(f"round {numbers[one]}" for one in settings.parent_round_ids if one in numbers),
        *(names.get(one, str(one)) for one in settings.parent_model_ids),
    ]
    against = ", ".join(names.get(one, str(one)) for one in settings.target_model_ids)
    rows.append((number, "planned", None, None, against, ", ".join(planned)))
    columns = ["round", "status", "collected", "vMER", "against", "grew out of"]
    show_table(columns, rows, empty="")


def _named(edges: Sequence[EdgeRead], names: dict[UUID, str], *, is_target: bool) -> str:
    found = [
        edge.from_model_id
        for edge in edges
        if edge.from_model_id is not None and edge.is_target is is_target
    ]
    return ", ".join(names.get(one, str(one)) for one in found)


def _grown(edges: Sequence[EdgeRead], numbers: dict[UUID, int], names: dict[UUID, str]) -> str:
    rounds = [f"round {numbers[one]}" for edge in edges if (one := edge.from_round_id) in numbers]
    models = _named(edges, names, is_target=False)
    return ", ".join([*rounds, *([models] if models else [])])


def _facts(
    plan: NextRoundRead, settings: RoundSettings, names: dict[UUID, str]
) -> Iterator[tuple[str, object]]:
    targets = ", ".join(names.get(one, str(one)) for one in settings.target_model_ids)
    yield "targets", f"{targets} ({settings.target_policy})" if targets else None
    is_suggested = plan.suggestion is not None and plan.suggestion.target_model_ids == list(
        settings.target_model_ids
    )
    if plan.suggestion is not None and is_suggested:
        yield "why", plan.suggestion.reason
    leaks = plan.contexts.leaks
    same = f"{leaks.same} of {leaks.drawn} contexts are in released train"
    yield "leaks", f"{same}; {leaks.near} of {leaks.sampled} others nearly repeat it"
    yield "cost", _cost(plan.budget)
    yield "budget", _limits(settings.budget)
    yield "controls", _shares(settings.controls, names)


def _cost(budget: BudgetPlanRead) -> str:
    wanted = f"for a vMER known to {budget.width * 100:g} points"
    if budget.people is None or budget.attempts is None:
        least = f"at least {budget.least_attempts:,} attempts, each by somebody else, {wanted}"
        why = "" if budget.reason is None else f": {_WHY[budget.reason]}"
        return f"{least}; how many people is not known{why}"
    days = "" if budget.days is None else f", about {budget.days} days"
    return (
        f"{budget.people:,} people with {budget.tries_each:,} attempts each, the last round's "
        f"median, so {budget.attempts:,} attempts {wanted}{days}"
    )


def _limits(budget: Budget) -> str:
    limits = {
        "examples": budget.examples,
        "days": budget.days,
        "validated fooling examples": budget.validated_fooling,
    }
    return ", ".join(f"{most} {what}" for what, most in limits.items() if most)


def _shares(controls: Controls, names: dict[UUID, str]) -> str | None:
    found = []
    if controls.no_model_share:
        found.append(f"{controls.no_model_share:.0%} without a model")
    if controls.model_id is not None:
        earlier = names.get(controls.model_id, str(controls.model_id))
        found.append(f"{controls.earlier_share:.0%} against {earlier}")
    return ", ".join(found) or None


def _points(figure: FigureRead) -> str | None:
    if figure.value is None:
        return None
    if figure.low is None or figure.high is None:
        return f"{figure.value:.1f}"
    return f"{figure.value:.1f} ({figure.low:.1f}–{figure.high:.1f})"


def _span(low: int, high: int) -> str:
    return str(low) if low == high else f"{low}–{high}"
