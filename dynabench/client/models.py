"""Calls about models."""

from collections.abc import Mapping

from dynabench.client.calls import Id, create, get, path, post, shape
from dynabench.client.methods import Endpoint
from dynabench.client.steps import Steps
from dynabench.loop.models.schemas import ModelCheckRead, ModelCreate, ModelHealthRead, ModelRead
from dynabench.loop.models.values import ModelPurpose


def _create(
    task: str,
    *,
    name: str,
    kind: str,
    options: Mapping[str, object],
    description: str,
    allow_private_address: bool,
    key: str | None,
    purpose: str = ModelPurpose.TARGET.value,
) -> Steps[ModelRead]:
    body = shape(
        ModelCreate,
        {
            "name": name,
            "kind": kind,
            "purpose": purpose,
            "options": dict(options),
            "description": description,
            "allow_private_address": allow_private_address,
        },
    )
    return create(path("tasks", task, "models"), ModelRead, body, key=key)


class ModelCalls:
    """Submitted models."""

    @Endpoint
    def list_models(self, task: str) -> Steps[list[ModelRead]]:
        """List the models of a task, newest first."""
        return get(path("tasks", task, "models"), list[ModelRead])

    @Endpoint
    def create_model(
        self,
        task: str,
        *,
        name: str,
        kind: str,
        options: Mapping[str, object],
        description: str = "",
        purpose: str = ModelPurpose.TARGET.value,
        allow_private_address: bool = False,
        idempotency_key: str | None = None,
    ) -> Steps[ModelRead]:
        """Submit a model by its address; it answers a trial input before it is taken (owners).

        Args:
            task: The task's slug.
            name: What the model is called; a name of the task's again is its next version.
            kind: `endpoint` or `openai`.
            options: For `endpoint`: `url`, optional `model_name`, `input_tensors`,
                `output_tensors`. For `openai`: `base_url`, `model`, and optional
                `prompt` (a conversation and a judge need none), `answer` and `api_key_env`.
            description: Shown with the model.
            purpose: `target`, or `judge` for one that says what breaks the task's rubric.
            allow_private_address: The address may be on a private network (administrators).
            idempotency_key: Makes a later repetition of this call return the same model.
        """
        return _create(
            task,
            name=name,
            kind=kind,
            options=options,
            description=description,
            purpose=purpose,
            allow_private_address=allow_private_address,
            key=idempotency_key,
        )

    @Endpoint
    def read_model(self, model_id: Id) -> Steps[ModelRead]:
        """Show a model."""
        return get(path("models", model_id), ModelRead)

    @Endpoint
    def model_health(self, model_id: Id) -> Steps[ModelHealthRead]:
        """Tell how a target model is doing on the server (owners)."""
        return get(path("models", model_id, "health"), ModelHealthRead)

    @Endpoint
    def check_model(self, model_id: Id) -> Steps[ModelCheckRead]:
        """Ask a model a trial input again (owners)."""
        return post(path("models", model_id, "check"), ModelCheckRead)
