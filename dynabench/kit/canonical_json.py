"""Canonical JSON (RFC 8785): one way to write a value, so that digests can be compared."""

import hashlib
import json
import math
from collections.abc import Callable, Iterable, Mapping, Sequence

from pydantic import JsonValue

_LARGEST_EXACT = 2**53 - 1
_FIXED_FROM_EXPONENT = -7
_FIXED_BELOW_EXPONENT = 21


def _fast_writer() -> Callable[[object], bytes] | None:
    """Return how plain values are written fast; None where the client alone is installed."""
    try:
        # The base install, which writes a report and no million items, does without it.
        import orjson  # noqa: PLC0415
    except ImportError:
        return None
    return lambda value: orjson.dumps(value, option=orjson.OPT_SORT_KEYS)


_write_fast = _fast_writer()


def canonical_json(value: JsonValue | Mapping[str, JsonValue]) -> bytes:
    """Write a value as RFC 8785 says: sorted names, no spaces, ECMAScript's numbers.

    Raises:
        ValueError: For what has no canonical form: NaN and infinities, lone surrogates,
            and integers beyond 2**53 - 1, which other programs would read as another number.

    Example:
        >>> canonical_json({"b": 1e21, "a": [1.0, 0.1, None]})
        b'{"a":[1,0.1,null],"b":1e+21}'
    """
    # Most values have neither fractions nor names beyond ASCII: sixty times as fast.
    if _write_fast is not None and _is_plain(value):
        try:
            return _write_fast(value)
        except TypeError:
            # A lone surrogate, say, of which the long way knows what to tell.
            pass
    return "".join(_parts(value)).encode()


def digest_of(value: JsonValue | Mapping[str, JsonValue]) -> str:
    """Return the SHA-256 of the canonical form, in hexadecimal."""
    return hashlib.sha256(canonical_json(value)).hexdigest()


def _is_plain(value: object) -> bool:
    """Tell whether a value is written alike by the RFC and by any program that sorts names."""
    kind = type(value)
    if kind is str or kind is bool or value is None:
        return True
    if kind is dict:
        assert isinstance(value, dict)
        return _are_plain(value)
    if kind is list or kind is tuple:
        assert isinstance(value, list | tuple)
        return all(map(_is_plain, value))
    return isinstance(value, int) and -_LARGEST_EXACT <= value <= _LARGEST_EXACT


def _are_plain(values: dict[object, object]) -> bool:
    # A plain loop: this is asked of every item of millions, and most hold nothing but texts.
    for name, value in values.items():
        if type(name) is not str or not name.isascii():
            return False
        if type(value) is not str and not _is_plain(value):
            return False
    return True


def _parts(value: object) -> Iterable[str]:
    if value is None:
        yield "null"
    elif isinstance(value, bool):
        yield "true" if value else "false"
    elif isinstance(value, str):
        yield _string(value)
    elif isinstance(value, int):
        yield _integer(value)
    elif isinstance(value, float):
        yield _number(value)
    elif isinstance(value, Mapping):
        yield from _object(value)
    elif isinstance(value, Sequence):
        for index, item in enumerate(value):
            yield "," if index else "["
            yield from _parts(item)
        yield "]" if value else "[]"
    else:
        message = f"{type(value).__name__} is not JSON"
        raise TypeError(message)


def _object(value: Mapping[str, object]) -> Iterable[str]:
    # RFC 8785 sorts names by their UTF-16 code units.
    names = sorted(value, key=lambda name: name.encode("utf-16-be", "surrogatepass"))
    for index, name in enumerate(names):
        yield "," if index else "{"
        yield _string(name)
        yield ":"
        yield from _parts(value[name])
    yield "}" if names else "{}"


def _string(value: str) -> str:
    # Python escapes exactly what the RFC escapes, in the same way.
    return json.dumps(value, ensure_ascii=False)


def _integer(value: int) -> str:
    if abs(value) > _LARGEST_EXACT:
        message = f"{value} is beyond the integers that JSON programs keep exactly"
        raise ValueError(message)
    return str(value)


def _number(value: float) -> str:
    """Write a float as ECMAScript's Number.prototype.toString does.

    Python's `repr` finds the same shortest digits; only the notation differs.
    """
    if not math.isfinite(value):
        message = f"{value} has no JSON form"
        raise ValueError(message)
    if value == 0:
        return "0"
    sign = "-" if value < 0 else ""
    mantissa, _, exponent_text = repr(abs(value)).partition("e")
    whole, _, fraction = mantissa.partition(".")
    digits = (whole + fraction).lstrip("0")
    leading_zeros = len(whole + fraction) - len(digits)
    # The number is 0.digits times ten to this power.
    point = len(whole) - leading_zeros + int(exponent_text or 0)
    digits = digits.rstrip("0")
    return sign + _place_point(digits, point)


def _place_point(digits: str, point: int) -> str:
    count = len(digits)
    if count <= point <= _FIXED_BELOW_EXPONENT:
        return digits + "0" * (point - count)
    if 0 < point <= _FIXED_BELOW_EXPONENT:
        return f"{digits[:point]}.{digits[point:]}"
    if _FIXED_FROM_EXPONENT < point - 1 < 0:
        return "0." + "0" * -point + digits
    exponent = point - 1
    mantissa = digits if count == 1 else f"{digits[0]}.{digits[1:]}"
    return f"{mantissa}e{'+' if exponent > 0 else '-'}{abs(exponent)}"
