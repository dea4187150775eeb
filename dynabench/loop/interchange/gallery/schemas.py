"""Wire shapes of the gallery."""

from pydantic import Field

from dynabench.kit.wire import WireModel
from dynabench.loop.interchange.gallery.values import Material
from dynabench.loop.tasks.schemas import Slug


class GalleryEntryRead(WireModel):
    """A task that can be added.

    Attributes:
        tasks: The slugs of the tasks that were added from it.
    """

    name: str
    title: str
    description: str
    language: str | None
    material: Material
    principal_metric: str
    contexts: int
    has_content_warning: bool
    tasks: list[str]


class GalleryAdd(WireModel):
    """What a task is to be called here; by default as in the gallery."""

    slug: Slug | None = Field(default=None, description="By default the gallery's own name.")
