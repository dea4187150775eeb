"""Writes a config as YAML that reads back as exactly the same values."""

import yaml
from yaml.nodes import Node, ScalarNode

_WIDTH = 100


def write_config(data: dict[str, object]) -> str:
    """Return the YAML of plain values, its keys in their order.

    A text that is not plainly one is put in quotes: the reader's numbers differ a little
    from those that PyYAML knows.
    """
    text: str = yaml.dump(
        data,
        Dumper=_Dumper,
        sort_keys=False,
        allow_unicode=True,
        width=_WIDTH,
        default_flow_style=False,
    )
    return text


class _Dumper(yaml.SafeDumper):
    """Knows no anchors, and quotes what does not begin with a letter."""

    def ignore_aliases(self, data: object) -> bool:
        """Write the same list twice rather than once with an anchor."""
        del data
        return True

    # PyYAML calls this with positions and without, so both must be booleans with defaults.
    def increase_indent(self, flow: bool = False, indentless: bool = False) -> None:  # noqa: FBT001, FBT002
        """Indent lists below their key."""
        del indentless
        super().increase_indent(flow=flow, indentless=False)


def _represent_text(dumper: yaml.SafeDumper, text: str) -> Node:
    plain = None if text[:1].isalpha() else '"'
    style = "|" if "\n" in text else plain
    node: ScalarNode = dumper.represent_scalar("tag:yaml.org,2002:str", text, style=style)
    return node


_Dumper.add_representer(str, _represent_text)
