from collections import Counter
from dataclasses import replace
from datetime import UTC, datetime
from uuid import UUID, uuid4

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dynabench.loop.interchange.transfer.parts import PART_OF
from dynabench.loop.rounds.errors import RoundNotReopenedError, RoundSettingsError, RoundStateError
from dynabench.loop.rounds.permissions import can_see
from dynabench.loop.rounds.rules import (
    CHANGEABLE_WHILE_OPEN,
    are_models_named,
    draw_arm,
    is_model_shown,
    models_for,
    pick_targets,
    require_changeable,
    require_next,
    require_reopenable,
    require_settings,
    settings_problems,
)
from dynabench.loop.rounds.schemas import RoundRead
from dynabench.loop.rounds.values import (
    Arm,
    GoldFrom,
    Round,
    RoundBudget,
    RoundControls,
    RoundPlan,
    RoundStatus,
    RoundValidation,
    Target,
    TargetPolicy,
    ValidationMode,
)
from dynabench.loop.tasks.values import TaskRole
from dynabench.science.task_config.loader import load_task_config
from tests.factories.tasks import NLI_CONFIG

ALL_STATUSES = st.sampled_from(RoundStatus)
ids = st.uuids(version=4)
PLAIN = load_task_config(NLI_CONFIG)
ASKING = load_task_config(
    NLI_CONFIG.replace("{type: exact_match, reference_names: [label]}", "{type: ask_user}")
)
SECRET = UUID(int=7)
EARLIER = Target(model_id=UUID(int=99), name="earlier", version=1, digest="99")


def round_with(
    *,
    status: RoundStatus = RoundStatus.OPEN,
    targets: int = 1,
    policy: TargetPolicy = TargetPolicy.SINGLE,
    seed: int = 0,
    controls: RoundControls | None = None,
    secret: UUID = SECRET,
) -> Round:
    chosen = tuple(
        Target(model_id=UUID(int=number), name=f"model-{number}", version=1, digest=str(number))
        for number in range(1, targets + 1)
    )
    return Round(
        id=uuid4(),
        task_id=uuid4(),
        task_slug="nli",
        number=1,
        status=status,
        config_version=1,
        target_model_ids=tuple(target.model_id for target in chosen),
        target_policy=policy,
        controls=controls or RoundControls(),
        seed=seed,
        targets=chosen,
        control_target=EARLIER if controls and controls.model_id else None,
        arm_secret=secret,
        is_replay=False,
        created_at=datetime(2030, 1, 1, tzinfo=UTC),
        opened_at=None,
        closed_at=None,
        released_at=None,
        close_reason=None,
    )


@given(count=st.integers(0, 6), policy=st.sampled_from(TargetPolicy), is_complete=st.booleans())
def test_a_policy_takes_exactly_its_number_of_targets(
    *, count: int, policy: TargetPolicy, is_complete: bool
) -> None:
    plan = RoundPlan(target_model_ids=tuple(uuid4() for _ in range(count)), target_policy=policy)
    problems = settings_problems(plan, can_be_blind=True, is_complete=is_complete)
    fits = {
        TargetPolicy.SINGLE: count == 1,
        TargetPolicy.RANDOM: count >= 1,
    }.get(policy, count >= 2)
    if count == 0:
        fits = not is_complete
    assert (problems == {}) is fits


@given(quorum=st.integers(1, 25), maximum=st.integers(1, 25))
def test_a_quorum_must_be_within_reach(quorum: int, maximum: int) -> None:
    plan = RoundPlan(validation=RoundValidation(quorum=quorum, maximum=maximum))
    problems = settings_problems(plan, can_be_blind=True, is_complete=False)
    assert ("validation.quorum" in problems) is (quorum > maximum)


@given(
    mode=st.sampled_from(ValidationMode),
    gold_from=st.sampled_from(GoldFrom),
    can_be_blind=st.booleans(),
)
def test_blind_validation_needs_answers_that_can_be_compared(
    *, mode: ValidationMode, gold_from: GoldFrom, can_be_blind: bool
) -> None:
    plan = RoundPlan(validation=RoundValidation(mode=mode, gold_from=gold_from))
    problems = settings_problems(plan, can_be_blind=can_be_blind, is_complete=False)
    is_blind = mode is ValidationMode.BLIND
    assert ("validation.mode" in problems) is (is_blind and not can_be_blind)
    assert ("validation.gold_from" in problems) is (
        gold_from is GoldFrom.VALIDATORS and not is_blind
    )


@pytest.mark.parametrize(
    ("plan", "field"),
    [
        (RoundPlan(target_model_ids=(UUID(int=1), UUID(int=1))), "target_model_ids"),
        (RoundPlan(context_tags=("a", "a")), "context_tags"),
        (RoundPlan(context_tags=("a\x00",)), "context_tags"),
        (RoundPlan(context_tags=("\ud800",)), "context_tags"),
        (RoundPlan(context_tags=("a" * 101,)), "context_tags"),
        (RoundPlan(parent_round_ids=(UUID(int=1), UUID(int=1))), "parent_round_ids"),
        (RoundPlan(parent_model_ids=(UUID(int=1), UUID(int=1))), "parent_model_ids"),
        (RoundPlan(seed=2**63), "seed"),
        (RoundPlan(budget=RoundBudget(examples=2**31)), "budget.examples"),
        (RoundPlan(budget=RoundBudget(validated_fooling=10**12)), "budget.validated_fooling"),
        (RoundPlan(validation=RoundValidation(share_of_others=1.5)), "validation.share_of_others"),
        (RoundPlan(controls=RoundControls(no_model_share=0.6)), "controls.no_model_share"),
        (RoundPlan(controls=RoundControls(earlier_share=0.1)), "controls.model_id"),
        (RoundPlan(controls=RoundControls(model_id=UUID(int=1))), "controls.model_id"),
        (
            RoundPlan(
                controls=RoundControls(no_model_share=0.3, earlier_share=0.3, model_id=UUID(int=1))
            ),
            "controls.no_model_share",
        ),
        (
            RoundPlan(
                target_model_ids=(UUID(int=1),),
                controls=RoundControls(earlier_share=0.1, model_id=UUID(int=1)),
            ),
            "controls.model_id",
        ),
    ],
)
def test_each_wrong_setting_is_named(plan: RoundPlan, field: str) -> None:
    with pytest.raises(RoundSettingsError) as refused:
        require_settings(plan, config=PLAIN, is_complete=False)
    assert set(refused.value.fields) == {field}


def test_sound_settings_are_taken() -> None:
    plan = RoundPlan(target_model_ids=(uuid4(),), context_tags=("news", "fiction"))
    require_settings(plan, config=PLAIN, is_complete=True)


@given(status=ALL_STATUSES, wanted=ALL_STATUSES)
def test_a_round_only_moves_to_the_very_next_state(
    status: RoundStatus, wanted: RoundStatus
) -> None:
    order = list(RoundStatus)
    is_next = order.index(wanted) == order.index(status) + 1
    if is_next:
        require_next(round_with(status=status), wanted)
    else:
        with pytest.raises(RoundStateError):
            require_next(round_with(status=status), wanted)


@given(
    status=ALL_STATUSES,
    changed=st.sets(st.sampled_from(["budget", "context_tags", "target_model_ids", "validation"])),
)
def test_an_open_round_keeps_all_but_its_budget_and_tags(
    status: RoundStatus, changed: set[str]
) -> None:
    may = status is RoundStatus.DRAFT or (
        status is RoundStatus.OPEN and changed <= CHANGEABLE_WHILE_OPEN
    )
    if may:
        require_changeable(round_with(status=status), changed=changed)
    else:
        with pytest.raises(RoundStateError):
            require_changeable(round_with(status=status), changed=changed)


@given(context_id=ids, annotator_id=ids, attempt=st.integers(1, 50), seed=st.integers(0, 99))
def test_the_same_attempt_always_draws_the_same_target(
    context_id: UUID, annotator_id: UUID, attempt: int, seed: int
) -> None:
    round_ = round_with(targets=3, policy=TargetPolicy.RANDOM, seed=seed)
    first, second = (
        pick_targets(
            round_, context_id=context_id, annotator_id=annotator_id, attempt_number=attempt
        )
        for _ in range(2)
    )
    assert first == second
    assert len(first) == 1
    assert first[0] in round_.targets


def test_random_draws_share_the_attempts_evenly() -> None:
    round_ = round_with(targets=3, policy=TargetPolicy.RANDOM)
    drawn = Counter(
        pick_targets(
            round_, context_id=UUID(int=number), annotator_id=UUID(int=7), attempt_number=1
        )[0].name
        for number in range(3000)
    )
    assert all(900 < count < 1100 for count in drawn.values())
    assert len(drawn) == 3


def test_another_seed_draws_otherwise() -> None:
    draws = {
        seed: [
            pick_targets(
                round_with(targets=4, policy=TargetPolicy.RANDOM, seed=seed),
                context_id=UUID(int=number),
                annotator_id=UUID(int=1),
                attempt_number=1,
            )[0].name
            for number in range(20)
        ]
        for seed in (1, 2)
    }
    assert draws[1] != draws[2]


@pytest.mark.parametrize(
    "policy", [policy for policy in TargetPolicy if policy is not TargetPolicy.RANDOM]
)
def test_every_other_policy_asks_all_targets(policy: TargetPolicy) -> None:
    round_ = round_with(targets=3, policy=policy)
    asked = pick_targets(round_, context_id=uuid4(), annotator_id=uuid4(), attempt_number=1)
    assert asked == round_.targets


def test_a_round_without_targets_asks_nobody() -> None:
    round_ = round_with(targets=0, policy=TargetPolicy.RANDOM)
    asked = pick_targets(round_, context_id=uuid4(), annotator_id=uuid4(), attempt_number=1)
    assert asked == ()


@pytest.mark.parametrize("role", [None, *TaskRole])
@pytest.mark.parametrize("status", list(RoundStatus))
def test_drafts_are_seen_by_owners_alone(role: TaskRole | None, status: RoundStatus) -> None:
    sees = can_see(round_with(status=status), role=role)
    assert sees is (role is TaskRole.OWNER or status is not RoundStatus.DRAFT)


def test_where_a_model_is_needed_none_can_be_hidden() -> None:
    plan = RoundPlan(controls=RoundControls(no_model_share=0.1))
    with pytest.raises(RoundSettingsError, match="needs a model's answer"):
        require_settings(plan, config=ASKING, is_complete=False)
    require_settings(plan, config=PLAIN, is_complete=False)


@given(secret=ids, context_id=ids, annotator_id=ids)
def test_all_tries_of_a_person_on_a_context_are_in_one_arm_that_asks_its_models(
    secret: UUID, context_id: UUID, annotator_id: UUID
) -> None:
    controls = RoundControls(no_model_share=0.25, earlier_share=0.25, model_id=EARLIER.model_id)
    round_ = round_with(secret=secret, controls=controls)
    arm = draw_arm(round_, context_id=context_id, annotator_id=annotator_id)
    asked = models_for(round_, context_id=context_id, annotator_id=annotator_id)

    assert draw_arm(round_, context_id=context_id, annotator_id=annotator_id) is arm
    assert asked == ((EARLIER,) if arm is Arm.EARLIER_TARGET else round_.targets)
    # Without the shares nobody leaves the targets.
    plain = round_with(secret=secret)
    assert draw_arm(plain, context_id=context_id, annotator_id=annotator_id) is Arm.TARGET


def test_what_anybody_may_read_of_a_round_does_not_tell_its_arms() -> None:
    controls = RoundControls(no_model_share=0.25, earlier_share=0.25, model_id=EARLIER.model_id)
    alike = [round_with(controls=controls, secret=UUID(int=number)) for number in (1, 2)]
    draws = [
        [draw_arm(one, context_id=UUID(int=at), annotator_id=UUID(int=1)) for at in range(64)]
        for one in alike
    ]
    assert draws[0] != draws[1]
    assert "arm_secret" not in RoundRead.model_validate(alike[0]).model_dump()
    assert "arm_secret" not in repr(alike[0])
    assert "arm_secret" not in {one.name for one in PART_OF["rounds"].columns}


def test_the_arms_get_their_shares() -> None:
    controls = RoundControls(no_model_share=0.2, earlier_share=0.1, model_id=EARLIER.model_id)
    round_ = round_with(controls=controls)
    drawn = Counter(
        draw_arm(round_, context_id=UUID(int=number), annotator_id=UUID(int=number % 50))
        for number in range(5_000)
    )
    assert abs(drawn[Arm.NO_MODEL] / 5_000 - 0.2) < 0.02
    assert abs(drawn[Arm.EARLIER_TARGET] / 5_000 - 0.1) < 0.02


@given(arm=st.sampled_from(Arm), status=ALL_STATUSES, share=st.sampled_from([0.0, 0.1]))
def test_authors_learn_everything_once_a_round_collects_no_more(
    arm: Arm, status: RoundStatus, share: float
) -> None:
    is_open = status is RoundStatus.OPEN
    assert is_model_shown(arm, status=status) is not (is_open and arm is Arm.NO_MODEL)
    round_ = round_with(status=status, controls=RoundControls(earlier_share=share))
    assert are_models_named(round_) is not (is_open and share > 0)


@pytest.mark.parametrize("status", [one for one in RoundStatus if one is not RoundStatus.CLOSED])
def test_only_a_closed_round_is_opened_again(status: RoundStatus) -> None:
    with pytest.raises(RoundStateError):
        require_reopenable(round_with(status=status), config_version=1, latest_number=1)


def test_a_round_is_opened_again_only_for_examples_of_one_kind() -> None:
    closed = round_with(status=RoundStatus.CLOSED)
    number = closed.number
    require_reopenable(closed, config_version=closed.config_version, latest_number=number)
    with pytest.raises(RoundNotReopenedError, match=f"round {number + 1} was opened since"):
        require_reopenable(closed, config_version=closed.config_version, latest_number=number + 1)
    controls = RoundControls(no_model_share=0.2)
    for changed, version in (
        (replace(closed, is_replay=True), closed.config_version),
        (replace(closed, controls=controls), closed.config_version),
        (closed, closed.config_version + 1),
    ):
        with pytest.raises(RoundNotReopenedError, match="Open a new round instead"):
            require_reopenable(changed, config_version=version, latest_number=number)
