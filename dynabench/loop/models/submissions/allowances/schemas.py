"""Wire shape of allowances."""

from typing import Annotated

from pydantic import Field

from dynabench.kit.wire import WireModel


class AllowanceRead(WireModel):
    """What a person may submit to a task, and what this server takes."""

    per_day: Annotated[int, Field(description="How many may pass the checks within 24 hours.")]
    passed: Annotated[int, Field(description="How many of the reader's passed in the last 24.")]
    waiting: Annotated[int, Field(description="How many are on their way; they are counted in.")]
    most_waiting: Annotated[int, Field(description="How many may be on their way at once.")]
    max_bytes: Annotated[int, Field(description="The largest file of a model.")]
    code_refusal: Annotated[
        str | None, Field(description="Why this server takes no code; null where it does.")
    ]
