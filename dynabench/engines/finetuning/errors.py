"""Why a checkpoint cannot be fine-tuned, in sentences for whoever named it."""

from dynabench.kit.errors import InvalidError


class CheckpointError(InvalidError):
    """The named checkpoint is not there, or is no model that can be fine-tuned here."""

    code = "training.checkpoint_unusable"

    def __init__(self, sentence: str) -> None:
        super().__init__(sentence, fields={"options.checkpoint": sentence})
