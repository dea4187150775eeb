"""Use case of a run: reach the model, or open its file, before the first item is asked."""

from collections.abc import Sequence
from uuid import UUID

from dynabench.engines.inference.protocol import TargetSpec
from dynabench.kit.db.database import Database
from dynabench.loop.datasets.scans.service import ItemScan
from dynabench.loop.datasets.service import DatasetService
from dynabench.loop.datasets.values import DatasetAccess, DatasetVersion, Split
from dynabench.loop.evaluations.errors import ModelChangedError, ModelFailedError
from dynabench.loop.evaluations.repository import EvaluationRepository
from dynabench.loop.evaluations.rules import missing_file
from dynabench.loop.evaluations.runs.asking.service import Asker
from dynabench.loop.evaluations.runs.asking.values import Inputs, Patience
from dynabench.loop.evaluations.runs.checking.rules import AnswerChecker
from dynabench.loop.evaluations.runs.clusters.service import ClusterOpener
from dynabench.loop.evaluations.runs.probing.rules import PROBES, digest_of_answers
from dynabench.loop.evaluations.runs.repository import RunRepository
from dynabench.loop.evaluations.runs.sources.service import FileSource, ModelSource
from dynabench.loop.evaluations.runs.sources.values import Source
from dynabench.loop.evaluations.values import Evaluation
from dynabench.loop.models.addresses.service import TargetAccess
from dynabench.loop.models.renewals.service import ModelRenewals
from dynabench.loop.models.rules import spec_for
from dynabench.loop.models.service import ModelService
from dynabench.loop.models.values import CODE_KINDS, REMOTE_KINDS, Model, ModelKind
from dynabench.science.task_config.schema import TaskConfig


class SourceOpener:
    """Opens what an evaluation takes its answers from.

    The model gets a process of its own, apart from the host that annotators ask; with a
    cluster, code that was handed in gets as many there as it has shards and the cluster room.
    """

    def __init__(
        self,
        *,
        db: Database,
        models: ModelService,
        datasets: DatasetService,
        scan: ItemScan,
        access: TargetAccess,
        renewals: ModelRenewals,
        cluster: ClusterOpener | None = None,
        patience: Patience | None = None,
    ) -> None:
        self._db = db
        self._models = models
        self._datasets = datasets
        self._scan = scan
        self._access = access
        self._renewals = renewals
        self._cluster = cluster
        self._patience = patience or Patience()

    async def open(
        self, evaluation: Evaluation, version: DatasetVersion, config: TaskConfig
    ) -> Source:
        """Return the source of an evaluation's answers, ready to be asked.

        Raises:
            ModelFailedError: If the model is gone or cannot be loaded.
            ModelChangedError: If a model elsewhere is another one now.
        """
        model = await self._models.get(evaluation.model_id)
        if model.deleted_at is not None:
            raise ModelFailedError(name=model.name, reason="it was deleted.")
        if model.kind is ModelKind.PREDICTIONS:
            return await self._open_file(model, version, config)
        # Pictures and sounds are read from the database, which a cluster does not reach.
        if self._cluster and model.kind in CODE_KINDS and not config.media_fields:
            return await self._cluster.open(model, version, config, seed=evaluation.id)
        spec = await self._models.spec_of(model.id)
        asker = Asker(
            spec,
            factory=self._access.factory,
            patience=self._patience,
            complete=self._access.complete if config.media_fields else None,
        )
        try:
            await asker.warm()
            seconds: Sequence[float] = ()
            if model.kind in REMOTE_KINDS:
                seconds = await self._probe(asker, evaluation, version, model)
        except BaseException:
            await asker.close()
            raise
        checker = AnswerChecker(spec, config)
        return ModelSource(asker, checker, seed=evaluation.id, call_seconds=seconds)

    async def _open_file(
        self, model: Model, version: DatasetVersion, config: TaskConfig
    ) -> FileSource:
        async with self._db.read() as session:
            digest = await EvaluationRepository(session).prediction_file(
                model_id=model.id, version_id=version.id
            )
        if digest is None:
            raise ModelFailedError(name=model.name, reason=missing_file(version))
        spec = _spec_of_file(model, config)
        return await FileSource.open(self._access.blobs, digest, AnswerChecker(spec, config))

    async def _probe(
        self, asker: Asker, evaluation: Evaluation, version: DatasetVersion, model: Model
    ) -> Sequence[float]:
        """Ask a model elsewhere the probes, and compare with what it answered at first.

        Returns:
            What each call took.
        """
        answers, seconds = await asker.probe(await self._probes(version))
        told = digest_of_answers(answers)
        async with self._db.read() as session:
            first = await RunRepository(session).first_probes(model.id)
        if first is not None and first != told:
            renewed = await self._renewals.renew(model.id, answers=told)
            if renewed is None:
                reason = "it answers the same probes otherwise each time, so no score would hold."
                raise ModelFailedError(name=model.name, reason=reason)
            raise ModelChangedError(name=model.name, version=renewed.version)
        async with self._db.transaction() as session:
            await RunRepository(session).keep_probes(evaluation.id, told)
        return seconds

    async def _probes(self, version: DatasetVersion) -> Sequence[Inputs]:
        """Return the inputs that every evaluation of a task's models begins with.

        They are the first of the task's oldest dataset that is nobody's secret.
        """
        versions = await self._datasets.of_task(version.task_id)
        open_ones = [
            one.id
            for one in versions
            if one.access is not DatasetAccess.HIDDEN and one.perturbs_id is None
        ]
        for version_id in [*open_ones, version.id]:
            found = await self._first_items(version_id)
            if found:
                return found
        return ()

    async def _first_items(self, version_id: UUID) -> Sequence[Inputs]:
        async for block in self._scan.blocks(version_id, Split.TEST, size=PROBES):
            return block.values
        return ()


def _spec_of_file(model: Model, config: TaskConfig) -> TargetSpec:
    return spec_for(config, kind=ModelKind.PREDICTIONS, name=model.name, options={})
