"""Which columns a board has by its task's config, under old and new names."""

import pytest

from dynabench.loop.leaderboards.columns.rules import columns_of, read_weights
from dynabench.loop.leaderboards.values import BoardQuery
from dynabench.science.task_config.loader import load_task_config
from tests.factories.boards import BOARD_CONFIG

_CLASSIC = """\
delta_metrics: [{type: fairness}, {type: robustness}]
aggregation_metric:
  type: dynascore
  default_weights:
    {accuracy: 5, fairness: 0, robustness: 1.5, examples_per_second: 2, memory_utilization: 3}
"""


def test_classic_default_weights_map_to_the_metrics_of_today() -> None:
    columns = columns_of(load_task_config(BOARD_CONFIG + _CLASSIC), [])

    assert columns is not None
    assert {one.name: one.default_weight for one in columns.metrics} == {
        "accuracy": 5,
        "throughput": 2,
        "memory": 3,
        "fairness": 0,
        "robustness": 1.5,
    }
    assert columns.principal.name == "accuracy"


def test_usual_weights_are_four_for_performance_and_one_for_the_rest() -> None:
    several = BOARD_CONFIG.replace(
        "perf_metric: {type: accuracy, reference_name: label}",
        "perf_metric: [{type: accuracy, reference_name: label}, "
        "{type: macro_f1, reference_name: label}]",
    )
    columns = columns_of(load_task_config(several + "delta_metrics: [{type: fairness}]\n"), [])

    assert columns is not None
    names = [one.name for one in columns.metrics]
    assert names == ["accuracy", "macro_f1", "throughput", "memory", "fairness"]
    weights = read_weights(BoardQuery(), columns, with_data=names)
    assert list(weights.metrics.values()) == [4, 0, 1, 1, 1]
    scarce = read_weights(BoardQuery(), columns, with_data=["accuracy"])
    assert list(scarce.metrics.values()) == [4, 0, 0, 0, 0]


@pytest.mark.parametrize("name", ["examples_per_second", "throughput"])
def test_a_query_may_use_the_old_names_too(name: str) -> None:
    columns = columns_of(load_task_config(BOARD_CONFIG), [])
    assert columns is not None

    weights = read_weights(BoardQuery(metrics=f"{name}:2, accuracy:1"), columns, with_data=[])

    assert dict(weights.metrics) == {"accuracy": 1, "throughput": 2, "memory": 0}
