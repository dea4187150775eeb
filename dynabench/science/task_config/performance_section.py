"""Reads how models are scored: `perf_metric`, and `train_file_metric` of data-centric tasks."""

from collections.abc import Sequence

from dynabench.science.metrics.kinds import METRIC_KINDS, MetricKind, Subject
from dynabench.science.task_config.elements import PerfMetric, TrainFileMetric
from dynabench.science.task_config.fields.chat import ChatType
from dynabench.science.task_config.fields.multiclass import MulticlassType
from dynabench.science.task_config.fields.multilabel import MultilabelType
from dynabench.science.task_config.fields.string import StringType
from dynabench.science.task_config.languages import writes_spaces
from dynabench.science.task_config.mapping_reader import MappingReader, kind_of
from dynabench.science.task_config.problems import Path, list_names, nearest, quote
from dynabench.science.task_config.sections import Sections

MAX_METRICS = 20
MAX_SEEDS = 20
DEFAULT_SEEDS = 5
MAX_SEED = 2**31 - 1
TRAIN_FILE_METRICS = ("dataperf",)

_COMPARED = 2


def read_perf_metrics(top: MappingReader, sections: Sections) -> tuple[PerfMetric, ...]:
    """Read `perf_metric`: one, or a list whose first is the principal one."""
    value = top.need("perf_metric", "the metric that ranks models, such as accuracy")
    if value is None:
        return ()
    at: Path = (*top.at, "perf_metric")
    entries = value if isinstance(value, list) else [value]
    if not 1 <= len(entries) <= MAX_METRICS:
        top.wrong("perf_metric", f"A task has 1 to {MAX_METRICS} metrics; here are {len(entries)}.")
    found: list[PerfMetric] = []
    for position, entry in enumerate(entries[:MAX_METRICS]):
        place = (*at, position) if isinstance(value, list) else at
        reader = MappingReader.of(entry, place, top.problems)
        metric = None if reader is None else _read_perf_metric(reader, sections)
        if reader is None or metric is None:
            continue
        _check_language(reader, metric, sections, language=top.values.get("language"))
        if METRIC_KINDS[metric.name].subject is Subject.TRAINING and not _has_training(top):
            reader.wrong(
                "type",
                f"{metric.name} scores a model that is trained on what people submit, and "
                "nothing says how.",
                f"Add train_file_metric: {{type: dataperf, reference_name: "
                f"{metric.reference_name or 'labels'}}}.",
            )
        found.append(metric)
    return tuple(found)


def read_train_file_metric(top: MappingReader, sections: Sections) -> TrainFileMetric | None:
    """Read `train_file_metric`, which data-centric tasks alone have."""
    value = top.take("train_file_metric")
    if value is None:
        return None
    reader = MappingReader.of(value, (*top.at, "train_file_metric"), top.problems)
    if reader is None:
        return None
    if reader.need("type", f"one of {list_names(TRAIN_FILE_METRICS)}") is not None:
        reader.choice("type", TRAIN_FILE_METRICS)
    name = reader.name("reference_name")
    if name is not None:
        _check_output(reader, METRIC_KINDS["dataperf_f1"], name, sections)
    seeds = _read_seeds(reader)
    labels = _read_test_labels(reader, name, sections)
    reader.finish()
    return TrainFileMetric(name or "", seeds, labels)


def _read_perf_metric(reader: MappingReader, sections: Sections) -> PerfMetric | None:
    if reader.need("type", f"one of {list_names(METRIC_KINDS)}") is None:
        return None
    name = reader.choice("type", tuple(METRIC_KINDS))
    if name is None:
        return None
    kind = METRIC_KINDS[name]
    if kind.subject is Subject.CHOICES:
        reference = _read_chat(reader, kind, sections)
    else:
        reference = reader.name("reference_name")
        if reference is not None:
            _check_output(reader, kind, reference, sections)
    reader.finish()
    return PerfMetric(name, reference)


def _read_chat(reader: MappingReader, kind: MetricKind, sections: Sections) -> str | None:
    """Read which conversation's choices count: the task's only one, where none is named."""
    chats = {one.name: one.type for one in sections.input if isinstance(one.type, ChatType)}
    if reader.take("reference_name") is None:
        name = next(iter(chats), None)
        if name is None:
            reader.wrong(
                "type",
                f"{kind.name} compares the replies of a chat, and the input has no chat.",
                "Add {name: conversation, type: chat, candidates: 2} to the input.",
            )
    else:
        name = reader.name("reference_name")
        if name is not None and name not in chats and not _is_unread(name, sections):
            reader.wrong(
                "reference_name",
                f"{kind.name} needs a chat of the input; {quote(name)} is none.",
                _suggest(name, tuple(chats)),
            )
    chat = chats.get(name or "")
    if chat is not None and chat.candidates < _COMPARED:
        reader.wrong(
            "reference_name",
            f"{kind.name} compares replies, and {quote(name or '')} shows one at a time.",
            f"Give the chat candidates: {_COMPARED} or more.",
        )
    return name


def _check_output(reader: MappingReader, kind: MetricKind, name: str, sections: Sections) -> None:
    """Note a reference that is no output, or of a type that the metric does not fit."""
    scored = [
        one.name
        for one in sections.output
        if one.type is None or not one.type.for_model_output_only
    ]
    if name not in scored:
        reader.wrong(
            "reference_name",
            f"{quote(name)} is not an output field to be scored.",
            _suggest(name, scored),
        )
        return
    found = sections.types.get(name)
    if found is None or found.type_name in kind.field_types:
        return
    fitting = [
        one.name
        for one in METRIC_KINDS.values()
        if found.type_name in one.field_types and one.subject is Subject.PREDICTIONS
    ]
    reader.wrong(
        "reference_name",
        f"{kind.name} needs a field of type {' or '.join(kind.field_types)}; "
        f"{quote(name)} is {found.type_name}.",
        f"For {found.type_name} there are: {list_names(fitting)}." if fitting else None,
    )


def _check_language(
    reader: MappingReader, metric: PerfMetric, sections: Sections, *, language: object
) -> None:
    """Note a metric of words where the field's language, else the task's, has no spaces."""
    found = sections.types.get(metric.reference_name or "")
    own = found.language if isinstance(found, StringType) else None
    written = own or language
    if (
        METRIC_KINDS[metric.name].counts_words
        and isinstance(written, str)
        and not writes_spaces(written)
    ):
        reader.wrong(
            "type",
            f"{metric.name} counts words between spaces, which {quote(written)} does not write.",
            "Use chrf or sp_bleu.",
        )


def _read_seeds(reader: MappingReader) -> tuple[int, ...]:
    """Read `seeds`: how many models are trained, or the seeds themselves."""
    # Older configs say it under this name, and some under both.
    repeats = reader.count("iterations", low=1, high=MAX_SEEDS)
    value = reader.take("seeds")
    if not isinstance(value, list):
        count = reader.count("seeds", low=1, high=MAX_SEEDS)
        return tuple(range(count or repeats or DEFAULT_SEEDS))
    seeds = [one for one in value if isinstance(one, int) and not isinstance(one, bool)]
    is_fine = len(seeds) == len(value) and all(0 <= one <= MAX_SEED for one in seeds)
    if not is_fine or not 1 <= len(set(seeds)) == len(seeds) <= MAX_SEEDS:
        reader.wrong(
            "seeds",
            f"This must be 1 to {MAX_SEEDS} different whole numbers from 0 on, or how many "
            "models to train.",
        )
    return tuple(seeds)


def _read_test_labels(
    reader: MappingReader, name: str | None, sections: Sections
) -> tuple[str, ...] | None:
    """Read `test_labels`: which labels are scored, where it is not all of them."""
    value = reader.take("test_labels")
    if value is None:
        return None
    found = sections.types.get(name or "")
    known = found.labels if isinstance(found, MulticlassType | MultilabelType) else None
    if not isinstance(value, list) or not value:
        reader.wrong("test_labels", f"This must be a list of labels, not {kind_of(value)}.")
        return None
    for position, label in enumerate(value):
        if known is not None and label not in known:
            reader.problems.add(
                (*reader.at, "test_labels", position),
                f"{quote(str(label))} is not a label of {quote(name or '')}.",
                _suggest(label, known) if isinstance(label, str) else None,
            )
    return tuple(label for label in value if isinstance(label, str))


def _has_training(top: MappingReader) -> bool:
    return top.values.get("train_file_metric") is not None


def _is_unread(name: str, sections: Sections) -> bool:
    types = sections.types
    return name in types and types[name] is None


def _suggest(name: str, known: Sequence[str]) -> str:
    close = nearest(name, known)
    if close:
        return f"Did you mean {quote(close)}?"
    return f"It can be {list_names(known)}." if known else "There is no such field yet; add one."
