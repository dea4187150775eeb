import json
import math
import struct

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import JsonValue

from dynabench.kit.canonical_json import canonical_json, digest_of

values: st.SearchStrategy[JsonValue] = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(2**53) + 1, 2**53 - 1)
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(st.characters(exclude_categories=["Cs"])),
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(st.text(st.characters(exclude_categories=["Cs"])), inner, max_size=4)
    ),
    max_leaves=12,
)


# The table of RFC 8785, appendix B.
@pytest.mark.parametrize(
    ("bits", "written"),
    [
        ("0000000000000000", "0"),
        ("8000000000000000", "0"),
        ("0000000000000001", "5e-324"),
        ("8000000000000001", "-5e-324"),
        ("7fefffffffffffff", "1.7976931348623157e+308"),
        ("ffefffffffffffff", "-1.7976931348623157e+308"),
        ("4340000000000000", "9007199254740992"),
        ("c340000000000000", "-9007199254740992"),
        ("4430000000000000", "295147905179352830000"),
        ("44b52d02c7e14af5", "9.999999999999997e+22"),
        ("44b52d02c7e14af6", "1e+23"),
        ("44b52d02c7e14af7", "1.0000000000000001e+23"),
        ("444b1ae4d6e2ef4e", "999999999999999700000"),
        ("444b1ae4d6e2ef4f", "999999999999999900000"),
        ("444b1ae4d6e2ef50", "1e+21"),
        ("3eb0c6f7a0b5ed8c", "9.999999999999997e-7"),
        ("3eb0c6f7a0b5ed8d", "0.000001"),
        ("41b3de4355555553", "333333333.3333332"),
        ("41b3de4355555554", "333333333.33333325"),
        ("41b3de4355555555", "333333333.3333333"),
        ("41b3de4355555556", "333333333.3333334"),
        ("41b3de4355555557", "333333333.33333343"),
        ("becbf647612f3696", "-0.0000033333333333333333"),
        ("43143ff3c1cb0959", "1424953923781206.2"),
    ],
)
def test_numbers_are_written_as_the_standard_says(bits: str, written: str) -> None:
    (number,) = struct.unpack(">d", bytes.fromhex(bits))

    assert canonical_json(number) == written.encode()


def test_names_are_sorted_by_their_utf_16_code_units() -> None:
    value: dict[str, JsonValue] = {
        "\u20ac": "Euro Sign",
        "\r": "Carriage Return",
        "\ufb33": "Hebrew Letter Dalet With Dagesh",
        "1": "One",
        "\U0001f600": "Emoji: Grinning Face",
        "\u0080": "Control",
        "\u00f6": "Latin Small Letter O With Diaeresis",
    }

    assert list(json.loads(canonical_json(value))) == [
        *("\r", "1", "\u0080", "\u00f6", "\u20ac", "\U0001f600", "\ufb33")
    ]


def test_text_is_escaped_only_where_it_must_be() -> None:
    assert canonical_json('€$\u000f\nA\'B"\\\\"/') == '"€$\\u000f\\nA\'B\\"\\\\\\\\\\"/"'.encode()


@pytest.mark.parametrize("value", [math.nan, math.inf, -math.inf, 2**53, "\ud800"])
def test_what_has_no_canonical_form_is_refused(value: JsonValue) -> None:
    with pytest.raises(ValueError, match=r"form|exactly|surrogates"):
        canonical_json(value)


@given(values)
def test_reading_what_was_written_gives_the_value_again(value: JsonValue) -> None:
    # A whole float is written without a point, as ECMAScript does.
    assert json.loads(canonical_json(value), parse_int=float) == value


@given(st.dictionaries(st.text("abcé\U0001f600"), values, min_size=2))
def test_the_order_of_names_does_not_matter(value: dict[str, JsonValue]) -> None:
    assert digest_of(dict(reversed(value.items()))) == digest_of(value)


@given(values)
def test_a_value_is_written_alike_alone_and_beside_a_fraction(value: JsonValue) -> None:
    # Without a fraction the short way is taken, beside one the long way.
    assert canonical_json([value, 0.5]) == b"[" + canonical_json(value) + b",0.5]"
