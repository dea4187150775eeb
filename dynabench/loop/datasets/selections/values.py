"""Which of a split's items are wanted."""

from dataclasses import dataclass

CONTROL_TAG = "control:"
"""How the tags begin of items that come from a control arm of their round."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ItemSelection:
    """Which items are wanted; all of them where nothing is said.

    Attributes:
        only_verified: Leave out what other people have not found right.
        only_fooling: Leave out what did not fool the targets, or where nobody can tell.
        without_controls: Leave out what was written without a target, or against an earlier one.
    """

    only_verified: bool = False
    only_fooling: bool = False
    without_controls: bool = False

    @property
    def is_everything(self) -> bool:
        """Whether nothing is left out."""
        return not (self.only_verified or self.only_fooling or self.without_controls)
