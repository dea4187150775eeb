"""What a task's config tells about it before it is there."""

from dynabench.loop.interchange.gallery.values import Material
from dynabench.science.task_config.schema import TaskConfig

# The first of these that a task has a field of says what it is about.
_MATERIALS = (Material.CHAT, Material.AUDIO, Material.IMAGE)


def material_of(config: TaskConfig) -> Material:
    """Return what people work on in a task."""
    found = {field.type.type_name for field in (*config.context, *config.input, *config.output)}
    return next((one for one in _MATERIALS if one.value in found), Material.TEXT)
