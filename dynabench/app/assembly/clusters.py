"""Evaluations on a cluster: what a worker sends there, and what is put together there."""

import os
from functools import partial

from dynabench.app.assembly.isolation import factories, make_sandbox
from dynabench.app.assembly.parts import Parts
from dynabench.engines.cluster.ray_engine import RayCluster
from dynabench.engines.storage.opening import open_store
from dynabench.kit.settings import EvaluationEngine, Settings
from dynabench.loop.evaluations.runs.clusters.service import ClusterOpener, ModelCopy
from dynabench.loop.evaluations.runs.clusters.values import Order


def add_cluster(parts: Parts) -> ClusterOpener | None:
    """Add the cluster that the operator chose; None where models run on the worker's machine."""
    settings = parts.settings
    if settings.evaluation_engine is EvaluationEngine.LOCAL:
        return None
    cluster = parts.keep(RayCluster(settings.ray_address))
    # Machines of the cluster reach no database, and hold the keys of no server.
    sent = settings.model_copy(update={"database_url": None, "target_api_keys": {}})
    return ClusterOpener(cluster, make=partial(make_copy, sent))


def make_copy(settings: Settings, order: Order) -> ModelCopy:
    """Make a copy of a model on a machine of the cluster, shut in as this machine can."""
    _, for_jobs = factories(settings, sandbox=make_sandbox(settings))
    blobs = open_store(settings.blobs_url, folder=settings.blobs_folder, environment=os.environ)
    return ModelCopy(order, factory=for_jobs, blobs=blobs)
