"""A task config as plain JSON: what a page needs to render the task."""

from collections.abc import Mapping

from dynabench.science.task_config.elements import Field, MetadataField
from dynabench.science.task_config.mapping_reader import Text
from dynabench.science.task_config.schema import TaskConfig


def describe_config(config: TaskConfig) -> dict[str, object]:
    """Return a config as plain JSON."""
    metric = config.model_wrong_metric
    goal = config.goal_field
    return {
        "schema_version": 1,
        "language": config.language,
        "title": _text(config.title),
        "description": _text(config.description),
        "instructions": _text(config.instructions),
        "goal_message": _text(config.goal_message),
        "content_warning": _text(config.content_warning),
        "context": [_describe_shown(one) for one in config.context],
        "input": [_describe_shown(one) for one in config.input],
        "output": [describe_field(one) for one in config.output],
        "gold_names": list(config.gold_names),
        "goal_name": None if goal is None else goal.name,
        "metadata": {
            "create": [_describe_metadata(one) for one in config.create_metadata],
            "validate": [_describe_metadata(one) for one in config.validate_metadata],
        },
        "model_wrong_metric": {
            "type": metric.rule.value,
            "reference_names": list(metric.reference_names),
            "threshold": metric.threshold,
            "judge": metric.judge,
            "criteria": [{"name": one.name, "text": one.text} for one in metric.criteria],
        },
        "perf_metrics": [
            {"type": one.name, "reference_name": one.reference_name} for one in config.perf_metrics
        ],
        "delta_metrics": [
            {
                "type": one.name,
                "perturb_fields": list(one.perturb_fields),
                "transforms": list(one.transforms),
            }
            for one in config.delta_metrics
        ],
        "aggregation_metric": {
            "type": config.aggregation_metric.name,
            "default_weights": dict(config.aggregation_metric.default_weights),
        },
        "asks_author": config.asks_author,
        "can_be_blind": config.can_be_blind,
    }


def describe_field(one: Field) -> dict[str, object]:
    """Return a field as plain JSON, with the arguments of its type beside its name."""
    return {
        "name": one.name,
        "type": one.type.type_name,
        "display_name": _text(one.display_name),
        "placeholder": _text(one.placeholder),
        **one.type.describe(),
    }


def _describe_shown(one: Field) -> dict[str, object]:
    # Said only where it is not as with most: old pages and tools know a field without it.
    hidden = {} if one.is_shown_to_model else {"is_shown_to_model": False}
    return {**describe_field(one), **hidden}


def _describe_metadata(one: MetadataField) -> dict[str, object]:
    return {
        **describe_field(one.field),
        "model_wrong_condition": one.model_wrong,
        "validated_label_condition": None if one.vote is None else one.vote.value,
    }


def _text(value: Text | None) -> object:
    return dict(value) if isinstance(value, Mapping) else value
