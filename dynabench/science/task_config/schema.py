"""`TaskConfig`: one task as its YAML says it, and the questions the platform asks of it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Literal

from dynabench.science.task_config import answers as shared
from dynabench.science.task_config import checking, fooling
from dynabench.science.task_config.elements import (
    AggregationMetric,
    DeltaMetric,
    Field,
    FoolingRule,
    MetadataField,
    ModelWrongMetric,
    PerfMetric,
    TrainFileMetric,
)
from dynabench.science.task_config.fields.audio import AudioType
from dynabench.science.task_config.fields.chat import ChatType
from dynabench.science.task_config.fields.image import ImageType
from dynabench.science.task_config.fields.multiclass import MulticlassType
from dynabench.science.task_config.fields.multilabel import MultilabelType
from dynabench.science.task_config.fields.prob import ProbType
from dynabench.science.task_config.fields.protocol import FieldType
from dynabench.science.task_config.fields.spans import SpansType
from dynabench.science.task_config.mapping_reader import Text
from dynabench.science.task_config.texts import pick_text

Values = dict[str, object]
Stage = Literal["create", "validate"]

TEXT_KEYS = ("title", "description", "instructions", "goal_message", "content_warning")
"""The texts of the document itself, each plain or by language."""


@dataclass(frozen=True, kw_only=True)
class TaskConfig:
    """A task config that was read without a problem; `loader` makes them.

    Values are plain JSON. The `check_…` methods return them in the form in which they are
    stored and raise `FieldValueError`, which names every wrong field with the fix.
    """

    title: Text | None = None
    description: Text | None = None
    instructions: Text | None = None
    goal_message: Text | None = None
    content_warning: Text | None = None
    language: str = "en"
    context: tuple[Field, ...] = ()
    input: tuple[Field, ...]
    output: tuple[Field, ...]
    create_metadata: tuple[MetadataField, ...] = ()
    validate_metadata: tuple[MetadataField, ...] = ()
    model_wrong_metric: ModelWrongMetric
    perf_metrics: tuple[PerfMetric, ...]
    delta_metrics: tuple[DeltaMetric, ...] = ()
    aggregation_metric: AggregationMetric
    train_file_metric: TrainFileMetric | None = None

    @cached_property
    def gold_names(self) -> tuple[str, ...]:
        """The fields that annotator and model both answer: in the input and in the output."""
        answered = {one.name for one in self.output}
        return tuple(one.name for one in self.input if one.name in answered)

    @cached_property
    def gold_fields(self) -> tuple[Field, ...]:
        """The fields of `gold_names`."""
        return tuple(one for one in self.input if one.name in self.gold_names)

    @cached_property
    def written_fields(self) -> tuple[Field, ...]:
        """The input fields that are not gold: what the annotator writes for the model."""
        return tuple(one for one in self.input if one.name not in self.gold_names)

    @cached_property
    def model_input_fields(self) -> tuple[Field, ...]:
        """What a model gets: the context and the input, never the gold answer.

        Fields that only people see are left out.
        """
        read = (*self.context, *self.written_fields)
        return tuple(one for one in read if one.is_shown_to_model)

    @cached_property
    def model_input_names(self) -> tuple[str, ...]:
        """The names of `model_input_fields`."""
        return tuple(one.name for one in self.model_input_fields)

    def seen_by_model(self, values: Mapping[str, object]) -> Values:
        """Return the values of a context or of inputs that a model may learn from."""
        return {name: value for name, value in values.items() if name in self.model_input_names}

    @cached_property
    def model_output_names(self) -> tuple[str, ...]:
        """What a model must answer; probabilities are optional and not among them."""
        return tuple(one.name for one in self.output if not one.type.for_model_output_only)

    @cached_property
    def probability_field(self) -> Field | None:
        """The first output field that holds probabilities."""
        return next((one for one in self.output if isinstance(one.type, ProbType)), None)

    @cached_property
    def goal_field(self) -> Field | None:
        """The choice whose label is assigned to the annotator as the goal."""
        for one in self.input:
            if isinstance(one.type, MulticlassType) and one.type.as_goal_message:
                return one
        return None

    @cached_property
    def media_fields(self) -> tuple[Field, ...]:
        """The fields of the context and the input that hold a picture or a sound."""
        kinds = (ImageType, AudioType)
        return tuple(one for one in (*self.context, *self.input) if isinstance(one.type, kinds))

    @cached_property
    def is_about_media(self) -> bool:
        """Whether a context shows a picture or a sound."""
        return any(one in self.context for one in self.media_fields)

    @cached_property
    def chat_field(self) -> Field | None:
        """The input field that holds the conversation."""
        return next((one for one in self.input if isinstance(one.type, ChatType)), None)

    @property
    def asks_author(self) -> bool:
        """Whether the annotator says if the model was wrong."""
        return self.model_wrong_metric.rule in {FoolingRule.ASK_USER, FoolingRule.RUBRIC}

    @property
    def can_be_blind(self) -> bool:
        """Whether validators can answer without seeing the author's answer.

        That needs a rule that compares answers; `ask_user` and `rubric` have none.
        """
        return not self.asks_author

    def field(self, name: str) -> Field:
        """Return a field of the context, input or output.

        Raises:
            ValueError: If there is none.
        """
        for one in (*self.context, *self.input, *self.output):
            if one.name == name:
                return one
        message = f"The task has no field {name}."
        raise ValueError(message)

    def labels_of(self, name: str) -> tuple[str, ...]:
        """Return the labels of a choice or of spans, in the order of the config.

        Raises:
            ValueError: If the field has none.
        """
        kind = self.field(name).type
        if isinstance(kind, (MulticlassType, MultilabelType, SpansType)):
            return kind.labels
        message = f"The field {name} has no labels."
        raise ValueError(message)

    def text(self, value: Text | None, language: str | None = None) -> str:
        """Return a text in a language, else in the task's, else in the first it has."""
        return pick_text(value, language, default=self.language)

    def check_context(self, values: Mapping[str, object]) -> Values:
        """Check a context."""
        return checking.check_values(self.context, values, prefix="context")

    def check_inputs(
        self, values: Mapping[str, object], *, context: Mapping[str, object] | None = None
    ) -> Values:
        """Check what the annotator wrote for the model: the input without the gold answer."""
        elsewhere = dict.fromkeys(self.gold_names, "It is the answer; give it under answer.")
        return checking.check_values(
            self.written_fields, values, prefix="inputs", context=context, elsewhere=elsewhere
        )

    def check_answer(
        self, values: Mapping[str, object], *, context: Mapping[str, object] | None = None
    ) -> Values:
        """Check an annotator's or a blind validator's answer: all gold fields."""
        elsewhere = {
            one.name: "It is part of the input; give it under inputs."
            for one in self.written_fields
        }
        return checking.check_values(
            self.gold_fields, values, prefix="answer", context=context, elsewhere=elsewhere
        )

    def check_prediction(
        self, outputs: Mapping[str, object], *, context: Mapping[str, object] | None = None
    ) -> Values:
        """Check what a model answered; `probabilities_of` finds how sure it was."""
        return checking.check_outputs(self.output, outputs, context=context)

    def probabilities_of(self, outputs: Mapping[str, object]) -> dict[str, float] | float | None:
        """Return a checked prediction's probabilities: by label, or one number, or None."""
        one = self.probability_field
        found = None if one is None else outputs.get(one.name)
        return found if isinstance(found, (dict, float)) else None

    def metadata_fields(
        self, stage: Stage, *, model_wrong: bool | None = None, vote: str | None = None
    ) -> tuple[MetadataField, ...]:
        """Return which explanations are asked in this case."""
        return checking.asked_metadata(self._metadata(stage), model_wrong=model_wrong, vote=vote)

    def check_metadata(
        self,
        values: Mapping[str, object],
        *,
        stage: Stage,
        model_wrong: bool | None = None,
        vote: str | None = None,
        context: Mapping[str, object] | None = None,
    ) -> Values:
        """Check explanations. None is required; empty ones are left out.

        A value that is not asked in this case is wrong; where `model_wrong` or `vote` is
        None the case is not known yet, and its conditions forbid nothing.
        """
        return checking.check_metadata_values(
            self._metadata(stage), values, model_wrong=model_wrong, vote=vote, context=context
        )

    def decide_fooled(
        self,
        *,
        answer: Mapping[str, object],
        prediction: Mapping[str, object],
        user_says: bool | None = None,
        judge_says: bool | None = None,
    ) -> bool | None:
        """Decide whether one model is wrong, by the task's `model_wrong_metric`.

        Args:
            answer: The checked gold answer.
            prediction: The checked outputs of the model.
            user_says: What the annotator said, where the rule is to ask.
            judge_says: Whether the judge found the rubric broken, where there is one.

        Returns:
            None while the annotator has to say and has not, and where they and the judge
            disagree.
        """
        return fooling.decide_fooled(
            self.model_wrong_metric,
            self._gold_types,
            answer=answer,
            prediction=prediction,
            user_says=user_says,
            judge_says=judge_says,
        )

    def combine_fooled(
        self, policy: fooling.TargetPolicy | str, wrong: Sequence[bool | None]
    ) -> bool | None:
        """Decide whether a round's targets are fooled together; see `fooling`."""
        return fooling.combine_fooled(policy, wrong)

    def answers_match(self, one: Mapping[str, object], other: Mapping[str, object]) -> bool:
        """Tell whether two checked answers are the same by the task's rule.

        Raises:
            ValueError: If the rule is `ask_user` or `rubric`, which compare nothing.
        """
        return fooling.is_same_answer(
            self.model_wrong_metric, self._gold_types, one=one, other=other
        )

    def gold_from_answers(
        self, answers: Sequence[Mapping[str, object]], quorum: int
    ) -> Values | None:
        """Return the answer that a quorum of validators share; None while there is none.

        `answers` stand in the order of the votes: the first quorum decides, so later
        answers never change the gold.
        """
        gold = shared.shared_answer(self.model_wrong_metric, self._gold_types, answers, quorum)
        return None if gold is None else dict(gold)

    @cached_property
    def _gold_types(self) -> dict[str, FieldType]:
        return {one.name: one.type for one in self.gold_fields}

    def _metadata(self, stage: Stage) -> tuple[MetadataField, ...]:
        return self.create_metadata if stage == "create" else self.validate_metadata
