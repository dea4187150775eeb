"""How training a baseline fails."""

from dynabench.kit.errors import InvalidError


class TrainingDataError(InvalidError):
    """There is too little to learn from."""

    code = "training.data_insufficient"

    def __init__(self, *, reason: str) -> None:
        super().__init__(f"The model cannot be trained: {reason}")


class RecipeOptionsError(InvalidError):
    """Options of a recipe are unknown, missing or out of bounds; `fields` says which."""

    code = "training.options_invalid"

    def __init__(self, wrong: dict[str, str]) -> None:
        fields = {f"options.{name}": sentence for name, sentence in wrong.items()}
        super().__init__(" ".join(wrong.values()), fields=fields)


class ModelFolderError(InvalidError):
    """A folder does not hold a baseline that this version reads."""

    code = "training.model_folder_invalid"

    def __init__(self, *, folder: str, reason: str) -> None:
        super().__init__(f"The folder {folder} holds no readable model: {reason}")
