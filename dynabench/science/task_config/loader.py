"""Reads a task's YAML into a `TaskConfig`, or says everything that is wrong with it."""

from collections.abc import Mapping

from dynabench.science.task_config import metric_sections
from dynabench.science.task_config.conversion.shapes import Shape, first_marker, recognise
from dynabench.science.task_config.mapping_reader import MappingReader
from dynabench.science.task_config.performance_section import (
    read_perf_metrics,
    read_train_file_metric,
)
from dynabench.science.task_config.problems import Problems
from dynabench.science.task_config.schema import TEXT_KEYS, TaskConfig
from dynabench.science.task_config.sections import as_fields, as_metadata, read_sections
from dynabench.science.task_config.yaml_source import read_yaml

SCHEMA_VERSION = 1


def load_task_config(text: str) -> TaskConfig:
    """Read a task config.

    Args:
        text: One YAML document of at most 256 KB; hostile until it was read here.

    Raises:
        TaskConfigError: If anything is wrong; its `problems` tell everything at once, each
            with path, line and what to write instead.

    Example:
        >>> config = load_task_config('''
        ... input:
        ...   - {name: statement, type: string}
        ...   - {name: label, type: multiclass, labels: [yes, no]}
        ... output: [{name: label}]
        ... model_wrong_metric: {type: exact_match, reference_names: [label]}
        ... perf_metric: {type: accuracy, reference_name: label}
        ... ''')
        >>> config.gold_names, config.model_input_names, config.labels_of("label")
        (('label',), ('statement',), ('yes', 'no'))
    """
    source = read_yaml(text)
    problems = Problems(source.lines, source.columns)
    reader = _open(source.data, problems)
    texts = {key: reader.text(key) for key in TEXT_KEYS}
    language = reader.language("language")
    sections = read_sections(reader)
    model_wrong_metric = metric_sections.read_model_wrong_metric(reader, sections)
    perf_metrics = read_perf_metrics(reader, sections)
    delta_metrics = metric_sections.read_delta_metrics(reader, sections)
    aggregation_metric = metric_sections.read_aggregation_metric(reader)
    train_file_metric = read_train_file_metric(reader, sections)
    reader.finish()
    problems.raise_if_any()
    assert model_wrong_metric is not None
    return TaskConfig(
        **texts,
        language=language or "en",
        context=as_fields(sections.context),
        input=as_fields(sections.input),
        output=as_fields(sections.output),
        create_metadata=as_metadata(sections.create),
        validate_metadata=as_metadata(sections.validate),
        model_wrong_metric=model_wrong_metric,
        perf_metrics=perf_metrics,
        delta_metrics=delta_metrics,
        aggregation_metric=aggregation_metric,
        train_file_metric=train_file_metric,
    )


def _open(data: object, problems: Problems) -> MappingReader:
    """Return the reader of a config's keys; what is no config at all is refused here."""
    if not isinstance(data, Mapping) or not data:
        problems.add((), "The config must be a mapping of keys such as input and output.")
        problems.raise_if_any()
    shape = recognise(data)
    if shape is not Shape.CLASSIC:
        problems.add(
            first_marker(data, shape),
            f"This config is in the {shape.value} Dynabench shape, which is not read directly.",
            "Translate it with: dynabench task convert FILE -o NEW.yaml",
        )
        problems.raise_if_any()
    reader = MappingReader.of(data, (), problems)
    assert reader is not None
    if reader.take("schema_version") is not None:
        reader.count("schema_version", low=SCHEMA_VERSION, high=SCHEMA_VERSION)
    return reader
