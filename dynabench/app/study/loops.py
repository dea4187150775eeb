"""One seed of one loop: collect, validate, release, retrain; and its control."""

from collections import Counter
from collections.abc import Collection, Hashable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from importlib.resources import files

from dynabench.app.study.draws import (
    Draw,
    KindOf,
    any_kind,
    candidates,
    control_draw,
    draw,
    fifths,
    require_disjoint,
)
from dynabench.app.study.errors import PoolTooSmallError
from dynabench.app.study.results import ArmPlayed, RoundDrawn, RoundPlayed, SetScored
from dynabench.app.study.values import Arm, Item, Material, Plan, ScoredSet, SetKind
from dynabench.engines.baselines.recipes import train
from dynabench.engines.baselines.values import ConfigSummary, TrainedModel, TrainingItem
from dynabench.loop.datasets.releases.mixing.values import Splitting
from dynabench.loop.datasets.releases.rules import plan_release
from dynabench.loop.datasets.releases.values import Plan as Release
from dynabench.loop.datasets.values import Split
from dynabench.loop.training.rules import choose_recipe, summarise
from dynabench.loop.validations.values import Verdict
from dynabench.science.task_config.loader import load_task_config

HELD_OUT = "held out"


def round_name(number: int) -> str:
    """Return what the test split of a round's release is called."""
    return f"round {number}"


@cache
def summary_of(task: str, recipe: str) -> ConfigSummary:
    """Return what a learner must know of a task of the catalogue.

    Raises:
        RecipeUnknownError: If the recipe does not fit the task.
    """
    path = files("dynabench.catalog").joinpath("tasks", task, "task.yaml")
    config = load_task_config(path.read_text(encoding="utf-8"))
    choose_recipe(config, recipe)
    return summarise(config)


@dataclass(frozen=True, slots=True)
class Game:
    """What both arms of a seed have in common."""

    material: Material
    plan: Plan
    seed: int
    draw: Draw
    config: ConfigSummary

    @classmethod
    def of(cls, material: Material, *, plan: Plan, seed: int) -> "Game":
        """Deal the pool out."""
        return cls(
            material=material,
            plan=plan,
            seed=seed,
            draw=draw(material, seed=seed, rounds=plan.rounds),
            config=summary_of(material.task, plan.recipe),
        )

    def fit(self, items: Sequence[Item]) -> TrainedModel:
        """Train the recipe."""
        learned = [
            TrainingItem(
                context={}, inputs=item.inputs, answer={self.config.answer_name: item.label}
            )
            for item in items
        ]
        return train(self.plan.recipe, learned, config=self.config, seed=self.seed)

    def right(self, model: TrainedModel, items: Sequence[Item]) -> list[bool]:
        """Tell which items a model gets right."""
        answers = model.predict([item.inputs for item in items])
        return [
            answer[self.config.answer_name] == item.label
            for answer, item in zip(answers, items, strict=True)
        ]

    def confidences(self, model: TrainedModel, items: Sequence[Item]) -> dict[str, float]:
        """Return how probable a model finds its own answer to each item; 1 where it tells none."""
        answers = model.predict([item.inputs for item in items])
        return {item.uid: _highest(answer) for answer, item in zip(answers, items, strict=True)}

    def kinds(self, arm: Arm) -> KindOf:
        """Return what a control has as much of as the adversarial arm."""
        if arm is Arm.BY_LABEL:
            return _label_of
        if arm is Arm.BY_CONFIDENCE:
            first = self.fit(self.material.base)
            fifth = {
                uid: place
                for shown in self.draw.slices
                for uid, place in fifths(self.confidences(first, shown)).items()
            }
            return lambda item: (item.label, fifth[item.uid])
        return any_kind

    def release(self, number: int, fooled: Collection[str]) -> "Released":
        """Split what fooled the target by the platform's rules; seeded, so it can be repeated."""
        shown = self.draw.slices[number - 1]
        plan = plan_release(
            candidates(item for item in shown if item.uid in fooled),
            Splitting(seed=self.seed, people_are_known=self.material.people_are_known),
        )
        found = {
            split: tuple(item for item in shown if plan.splits.get(item.uid) is split)
            for split in Split
        }
        if not found[Split.TRAIN]:
            raise PoolTooSmallError(study=self.material.name, round_number=number)
        return Released(plan=plan, items=found)

    def scored_sets(self, releases: Sequence["Released"]) -> tuple[ScoredSet, ...]:
        """Return everything that is scored on: rounds, what was held out, the fixed sets."""
        rounds = [
            ScoredSet(name=round_name(number), kind=SetKind.ROUND, items=one.items[Split.TEST])
            for number, one in enumerate(releases, start=1)
        ]
        held = ScoredSet(name=HELD_OUT, kind=SetKind.HELD_OUT, items=self.draw.held_out)
        return (*rounds, held, *self.material.sets)

    def input_only(self, learned: Sequence[Item]) -> float | None:
        """Return how often what people wrote gives the answer away, its context unseen.

        Learned from the arm's own items alone, scored on what was held out. None where a
        task has no context that could be hidden.
        """
        hidden = set(self.config.context_names)
        if not any(hidden & item.inputs.keys() for item in learned):
            return None
        held_out = [_without(item, hidden) for item in self.draw.held_out]
        model = self.fit([_without(item, hidden) for item in learned])
        return sum(self.right(model, held_out)) / len(held_out)

    def majority(self) -> float:
        """Return the share of the most frequent label of what was held out."""
        counts = Counter(item.label for item in self.draw.held_out)
        return max(counts.values()) / len(self.draw.held_out)


@dataclass(frozen=True, slots=True)
class Released:
    """A round's release."""

    plan: Release
    items: dict[Split, tuple[Item, ...]]

    @property
    def closed(self) -> frozenset[str]:
        """The contexts of dev and test, of which nothing is learned."""
        parts = (self.items[Split.DEV], self.items[Split.TEST])
        return frozenset(item.context for part in parts for item in part)


def play_adversarial(material: Material, *, plan: Plan, seed: int) -> ArmPlayed:
    """Play the rounds: only what fools the present target is released and learned from.

    Raises:
        PoolTooSmallError: If a round leaves nothing to learn from.
    """
    game = Game.of(material, plan=plan, seed=seed)
    learned = list(material.base)
    models = [game.fit(learned)]
    releases: list[Released] = []
    rounds: list[RoundPlayed] = []
    for number, shown in enumerate(game.draw.slices, start=1):
        right = game.right(models[-1], shown)
        fooling = [item for item, is_right in zip(shown, right, strict=True) if not is_right]
        released = game.release(number, {item.uid for item in fooling})
        releases.append(released)
        learned += released.items[Split.TRAIN]
        models.append(game.fit(learned))
        rounds.append(
            RoundPlayed(
                shown=len(shown),
                fooled=[item.uid for item in fooling],
                first_fooled=game.right(models[0], shown).count(False),
                verified=sum(item.verdict() is Verdict.CORRECT for item in fooling),
                train=len(released.items[Split.TRAIN]),
                dev=len(released.items[Split.DEV]),
                test=len(released.items[Split.TEST]),
                held_out=len(released.plan.held_out),
                labels=_labels(released.items[Split.TRAIN]),
            )
        )
    return _played(game, Arm.ADVERSARIAL, learned, models, releases, rounds)


def play_control(
    material: Material, *, plan: Plan, played: ArmPlayed, arm: Arm = Arm.CONTROL
) -> ArmPlayed:
    """Learn from as many items of the same rounds, drawn at random, fooled or not."""
    game = Game.of(material, plan=plan, seed=played.seed)
    kind_of = game.kinds(arm)
    learned = list(material.base)
    models: list[TrainedModel] = []
    releases: list[Released] = []
    rounds: list[RoundDrawn] = []
    for number, shown in enumerate(game.draw.slices, start=1):
        before = played.rounds[number - 1]
        assert isinstance(before, RoundPlayed), "it is the other arm that was handed over"
        released = game.release(number, set(before.fooled))
        releases.append(released)
        theirs = {item.uid for item in released.items[Split.TRAIN]}
        drawn = control_draw(
            shown,
            plan=released.plan,
            closed=released.closed,
            learned=released.items[Split.TRAIN],
            seed=game.seed,
            number=number,
            kind_of=kind_of,
        )
        # Before its first round the control has the model from which both arms start.
        fooled = game.right(models[-1], shown).count(False) if models else before.first_fooled
        learned += drawn
        models.append(game.fit(learned))
        rounds.append(
            RoundDrawn(
                fooled=fooled,
                train=len(drawn),
                shared=sum(item.uid in theirs for item in drawn),
                labels=_labels(drawn),
            )
        )
    return _played(game, arm, learned, models, releases, rounds)


def _played(
    game: Game,
    arm: Arm,
    learned: Sequence[Item],
    models: Sequence[TrainedModel],
    releases: Sequence[Released],
    rounds: Sequence[RoundPlayed | RoundDrawn],
) -> ArmPlayed:
    sets = game.scored_sets(releases)
    closed = [item for one in releases for item in one.items[Split.DEV]]
    require_disjoint(learned, [*closed, *(item for one in sets for item in one.items)])
    return ArmPlayed(
        study=game.material.name,
        seed=game.seed,
        arm=arm,
        rounds=list(rounds),
        sets=[
            SetScored(
                name=one.name,
                kind=one.kind,
                contexts=_numbers(one.items),
                right=[_text(game.right(model, one.items)) for model in models],
            )
            for one in sets
        ],
        input_only=game.input_only(learned[len(game.material.base) :]),
        majority=game.majority(),
    )


def _label_of(item: Item) -> Hashable:
    return item.label


def _highest(answer: Mapping[str, object]) -> float:
    """Return the highest probability that an answer gives to a label."""
    shares = [
        share
        for value in answer.values()
        if isinstance(value, Mapping)
        for share in value.values()
        if isinstance(share, float)
    ]
    return max(shares, default=1.0)


def _without(item: Item, hidden: Collection[str]) -> Item:
    return replace(item, inputs={k: v for k, v in item.inputs.items() if k not in hidden})


def _labels(items: Sequence[Item]) -> dict[str, int]:
    return dict(sorted(Counter(item.label for item in items).items()))


def _numbers(items: Sequence[Item]) -> list[int]:
    places: dict[str, int] = {}
    return [places.setdefault(item.context, len(places)) for item in items]


def _text(right: Sequence[bool]) -> str:
    return "".join("1" if one else "0" for one in right)
