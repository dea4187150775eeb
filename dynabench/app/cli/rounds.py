"""`dynabench round`: periods of collection against fixed target models."""

import sys
from collections.abc import Sequence
from datetime import datetime
from typing import Annotated, TypedDict
from uuid import UUID

import typer

from dynabench.app.cli import round_options as options
from dynabench.app.cli.addresses import Address, TargetKind, is_url
from dynabench.app.cli.credentials import open_client
from dynabench.app.cli.finding import find_model, find_round
from dynabench.app.cli.next_rounds import register as register_next
from dynabench.app.cli.output import (
    AsJson,
    counted,
    notice,
    say,
    show_facts,
    show_json,
    show_table,
)
from dynabench.app.cli.round_times import register as register_times
from dynabench.app.cli.round_times import times_of
from dynabench.app.cli.round_watching import register as register_watching
from dynabench.app.cli.tasks import Slug
from dynabench.client.client import DynabenchClient
from dynabench.kit.errors import ConflictError
from dynabench.loop.rounds.schemas import (
    Budget,
    Controls,
    RoundCreate,
    RoundRead,
    RoundSettings,
    Schedule,
    ValidationRule,
)
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
    "http://127.0.0.1:9000/v2/models/mine --close-current",
)

Round = Annotated[
    str,
    typer.Argument(
        metavar="ROUND", help="TASK (its latest played here), TASK/NUMBER or a round's id."
    ),
]


class RoundWithRates(RoundRead):
    """A round with how often its targets were fooled."""

    error_rate: ErrorRateRead


def register(app: typer.Typer) -> None:
    """Add these commands."""
    register_next(rounds)
    register_times(rounds)
    register_watching(rounds)
    app.add_typer(rounds, name="round")


@rounds.command("list")
def list_rounds(*, slug: Slug, as_json: AsJson = False) -> None:
    """List a task's rounds, newest first."""
    with open_client() as client:
        found = client.rounds.list(slug)
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
        rate = client.rounds.error_rate(found.id)
    if as_json:
        show_json(RoundWithRates(**dict(found), error_rate=rate))
        return
    show_facts(_facts(found) + _counts(rate))


# One option for each thing that an owner may decide: a group of them would only hide them.
@rounds.command("open")
def open_round(  # noqa: PLR0913
    *,
    slug: Slug,
    target: options.Targets = None,
    close_current: options.CloseCurrent = False,
    target_kind: options.Kind = TargetKind.ENDPOINT,
    model: options.ModelThere = None,
    prompt: options.Prompt = None,
    answer: options.Answer = None,
    api_key_env: options.ApiKeyEnv = None,
    name: options.Name = None,
    allow_private_address: options.AllowPrivate = False,
    policy: options.Policy = TargetPolicy.SINGLE,
    context_policy: options.Contexts = ContextPolicy.MIN,
    tag: options.Tags = None,
    mode: options.Mode = ValidationMode.REVIEW,
    quorum: options.Quorum = 3,
    maximum: options.Maximum = 5,
    gold_from: options.Gold = GoldFrom.AUTHOR,
    share_of_others: options.ShareOfOthers = 0.0,
    max_tries: options.MaxTries = 10,
    budget_examples: options.MostExamples = None,
    budget_days: options.MostDays = None,
    budget_validated_fooling: options.MostValidated = None,
    opens_at: options.OpensAt = None,
    closes_at: options.ClosesAt = None,
    control_no_model: options.NoModelShare = None,
    control_earlier: options.EarlierShare = None,
    control_model: options.ControlModel = None,
    seed: options.Seed = 0,
    draft: options.Draft = False,
) -> None:
    """Open a round: against models of the task, or against your own behind a URL.

    Without --target the task's latest draft opens as it is. --close-current ends the open round.
    """
    address = Address(target_kind, model, prompt, answer, api_key_env, name, allow_private_address)
    settings = RoundCreate(
        target_policy=policy,
        context_policy=context_policy,
        context_tags=tuple(tag or ()),
        validation=_rule(mode, quorum, maximum, gold_from, share_of_others),
        max_tries=max_tries,
        **_limits(budget_examples, budget_days, budget_validated_fooling, opens_at, closes_at),
        seed=seed,
    )
    with open_client() as client:
        opening = _Opening(client, slug, close_current=close_current)
        settings = _armed(client, slug, settings, control_no_model, control_earlier, control_model)
        opening.carry_out(target or [], address=address, settings=settings, is_draft=draft)


class RoundStillOpenError(ConflictError):
    """A round was to be opened while another one of its task collects."""

    code = "cli.round_still_open"

    def __init__(self, round_: RoundRead) -> None:
        where = f"{round_.task_slug}/{round_.number}"
        super().__init__(
            f"Round {where} is open, and a task collects in one round at a time. Nothing was "
            f"changed. To close {where} and open the next one, add --close-current; "
            "to prepare the next one only, add --draft."
        )


class _Opening:
    """A round on its way from what was typed to open: whatever may fail comes first."""

    def __init__(self, client: DynabenchClient, slug: str, *, close_current: bool) -> None:
        self._client = client
        self._slug = slug
        self._close_current = close_current

    def carry_out(
        self, targets: list[str], *, address: Address, settings: RoundCreate, is_draft: bool
    ) -> None:
        """Find or make the draft, close what is in its way, and open it."""
        known = self._client.rounds.list(self._slug)
        current = next((one for one in known if one.status is RoundStatus.OPEN), None)
        if current is not None and not is_draft:
            self._require_leave(current)
        if targets:
            models = _target_ids(self._client, self._slug, targets, address=address)
            wanted = settings.model_copy(update={"target_model_ids": models})
            drafted = _same_draft(known, wanted) or self._client.rounds.create(
                self._slug, **dict(wanted)
            )
        else:
            drafted = find_round(self._client, self._slug, status=RoundStatus.DRAFT)
        if is_draft:
            _tell_opened(drafted)
            return
        if current is not None:
            self._client.rounds.close(current.id)
            say(f"Round {current.task_slug}/{current.number} is closed.")
        _tell_opened(self._client.rounds.open(drafted.id))

    def _require_leave(self, current: RoundRead) -> None:
        if self._close_current:
            return
        if not sys.stdin.isatty():
            raise RoundStillOpenError(current)
        typer.confirm(
            f"Round {current.task_slug}/{current.number} is open against {_targets(current)}, and "
            "a task collects in one round at a time. Close it and open the next one?",
            abort=True,
            err=True,
        )


@rounds.command("close")
def close_round(
    *,
    round_: Round,
    yes: Annotated[bool, typer.Option("--yes", "-y", help="Do not ask.")] = False,
) -> None:
    """Close a round: it takes no examples any more; votes go on (owners)."""
    with open_client() as client:
        found = find_round(client, round_, status=RoundStatus.OPEN)
        for lack in client.releases.plan(found.id).missing:
            notice(f"A release made now would not be whole: {lack.sentence}")
        if not yes:
            typer.confirm(
                f"Close round {found.number} of {found.task_slug}? Until its release you can "
                "open it again.",
                abort=True,
                err=True,
            )
        client.rounds.close(found.id)
    say(
        f"Round {found.number} of {found.task_slug} is closed. When its votes are in: "
        f"dynabench release {found.task_slug}/{found.number}"
    )


@rounds.command("reopen")
def reopen_round(
    *,
    round_: Round,
    budget_examples: options.MostExamples = None,
    budget_days: options.MostDays = None,
    budget_validated_fooling: options.MostValidated = None,
    closes_at: options.ClosesAt = None,
) -> None:
    """Collect again in a closed round that is not released (owners).

    Its budget is given anew and counts from its first opening; without one, and without a time
    to close at, it stays open.
    """
    with open_client() as client:
        found = find_round(client, round_, status=RoundStatus.CLOSED)
        budget = {
            "examples": budget_examples,
            "days": budget_days,
            "validated_fooling": budget_validated_fooling,
        }
        client.rounds.reopen(found.id, budget=budget, schedule=Schedule(closes_at=closes_at))
    say(f"Round {found.number} of {found.task_slug} takes examples again.")


def _target_ids(
    client: DynabenchClient, slug: str, targets: list[str], *, address: Address
) -> tuple[UUID, ...]:
    """Find the models that are named, and submit the ones behind URLs."""
    found = []
    for text in targets:
        if not is_url(text):
            found.append(find_model(client, slug, text).id)
            continue
        made = client.models.create(slug, **address.submission(text))
        notice(f"The model {made.name} v{made.version} answered a trial input.")
        found.append(made.id)
    return tuple(found)


def _same_draft(rounds_: Sequence[RoundRead], wanted: RoundCreate) -> RoundRead | None:
    """Return a draft with these very settings, as an earlier try may have left it."""
    fields = set(RoundSettings.model_fields)
    for one in rounds_:
        if (
            one.status is RoundStatus.DRAFT
            and one.model_dump(include=fields) == wanted.model_dump()
        ):
            return one
    return None


def _rule(
    mode: ValidationMode, quorum: int, maximum: int, gold_from: GoldFrom, share_of_others: float
) -> ValidationRule:
    return ValidationRule(
        mode=mode,
        quorum=quorum,
        maximum=maximum,
        gold_from=gold_from,
        share_of_others=share_of_others,
    )


def _armed(
    client: DynabenchClient,
    slug: str,
    settings: RoundCreate,
    no_model: float | None,
    earlier: float | None,
    model: str | None,
) -> RoundCreate:
    model_id = None if model is None else find_model(client, slug, model).id
    arms = options.controls(Controls(), no_model=no_model, earlier=earlier, model_id=model_id)
    return settings.model_copy(update={"controls": arms})


class _Limits(TypedDict):
    budget: Budget
    schedule: Schedule


def _limits(
    examples: int | None,
    days: int | None,
    validated_fooling: int | None,
    opens_at: datetime | None,
    closes_at: datetime | None,
) -> _Limits:
    budget = Budget(examples=examples, days=days, validated_fooling=validated_fooling)
    return {"budget": budget, "schedule": Schedule(opens_at=opens_at, closes_at=closes_at)}


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
        ("times", None if round_.schedule == Schedule() else times_of(round_)),
    ]


def _counts(rate: ErrorRateRead) -> list[tuple[str, object]]:
    by = "" if rate.annotators is None else f" by {counted(rate.annotators, 'annotator')}"
    return [
        ("collected", f"{rate.collected:,}{by}"),
        ("MER", _rate(rate.model_error_rate)),
        ("vMER", _rate(rate.validated_model_error_rate)),
        ("waiting for votes", rate.pending),
        ("disputed", rate.disputed),
        ("note", rate.reason),
    ]


def _rate(rate: RateRead) -> str | None:
    if rate.value is None:
        return None
    interval = ""
    if rate.low is not None and rate.high is not None:
        interval = f", 95 % interval {rate.low:.1%} to {rate.high:.1%}"
    return f"{rate.value:.1%} ({rate.part} of {rate.whole}{interval})"


def _targets(round_: RoundRead) -> str:
    return ", ".join(f"{target.name} v{target.version}" for target in round_.targets)


def _tell_opened(round_: RoundRead) -> None:
    where = f"{round_.task_slug}/{round_.number}"
    if round_.status is RoundStatus.DRAFT:
        say(f"Round {where} is a draft. Open it: dynabench round open {round_.task_slug}")
        return
    say(f"Round {where} is open against {_targets(round_)}.")
    if round_.schedule != Schedule():
        say(f"It {times_of(round_)}.")
    notice(f"See how it goes: dynabench round show {where}")
