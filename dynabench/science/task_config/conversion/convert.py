"""Converts a config of another shape, and says in words what could not be carried over."""

from collections.abc import Mapping
from dataclasses import dataclass

from dynabench.science.task_config.conversion.earliest import translate_earliest
from dynabench.science.task_config.conversion.later import translate_later
from dynabench.science.task_config.conversion.shapes import Shape, recognise
from dynabench.science.task_config.conversion.writer import write_config
from dynabench.science.task_config.loader import load_task_config
from dynabench.science.task_config.problems import ConfigProblem, Problems, TaskConfigError
from dynabench.science.task_config.yaml_source import read_yaml


@dataclass(frozen=True, slots=True)
class Conversion:
    """What came out of a config.

    `config_text` is the config as it is read here, or None where nothing usable came out.
    `notes` tell what was left out or changed, with its place in the file that was given, and,
    where nothing came out, why. A config of the classic shape is returned as it stands.
    """

    shape: Shape
    config_text: str | None
    notes: tuple[ConfigProblem, ...] = ()


def convert(text: str) -> Conversion:
    """Translate a config into the shape that is read here.

    Args:
        text: A YAML or JSON document; hostile until it was read here.

    Example:
        >>> conversion = convert('''
        ... goal: {type: multioptions, options: [rude, polite], field_name_for_the_model: label}
        ... context: {type: plain-text, field_names_for_the_model: {context: context}}
        ... user_input: [{type: text, field_name_for_the_model: statement}]
        ... model_output: {model_prediction_label: label}
        ... model_evaluation_metric: {metric_name: exact_match}
        ... perf_metric: {type: accuracy, reference_name: label}
        ... ''')
        >>> load_task_config(conversion.config_text or "").model_input_names
        ('context', 'statement')
    """
    try:
        source = read_yaml(text)
    except TaskConfigError as error:
        return Conversion(Shape.CLASSIC, None, error.problems)
    shape = recognise(source.data)
    if shape is Shape.CLASSIC or not isinstance(source.data, Mapping):
        return Conversion(shape, text)
    notes = Problems(source.lines, source.columns)
    translate = translate_later if shape is Shape.LATER else translate_earliest
    config_text = write_config(translate(source.data, notes))
    told = notes.error().problems
    try:
        load_task_config(config_text)
    except TaskConfigError as error:
        return Conversion(shape, None, (*told, *map(_of_result, error.problems)))
    return Conversion(shape, config_text, told)


def _of_result(problem: ConfigProblem) -> ConfigProblem:
    """Return a problem of the translation, whose lines are not those of the file."""
    return ConfigProblem(
        path=problem.path,
        line=None,
        message=f"The translation cannot be used as it is: {problem.message}",
        suggestion=problem.suggestion,
    )
