"""How many bytes rows of a table take once each is by itself, without making them so."""

from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

if TYPE_CHECKING:
    from pyarrow import Array

# About what a value takes beside its text.
_VALUE_BYTES = 16
# How texts say where each begins.
_OFFSETS = {
    "string": np.int32,
    "binary": np.int32,
    "large_string": np.int64,
    "large_binary": np.int64,
}

Weights = npt.NDArray[np.int64]


def weights_of(array: "Array") -> Weights:
    """Return about how many bytes each value of a column takes once it is by itself.

    A text that many of them share may be held once; what others share counts for each.
    """
    # Only who reads Parquet pays for these.
    import pyarrow as pa  # noqa: PLC0415
    import pyarrow.types as kinds  # noqa: PLC0415 - as above

    kind = array.type
    if isinstance(kind, pa.BaseExtensionType):
        array, kind = array.storage, array.storage.type
    if kinds.is_dictionary(kind):
        return _plain(array.dictionary, _integers(array.indices.fill_null(0)))
    if kinds.is_struct(kind):
        parts = [weights_of(array.field(at)) for at in range(kind.num_fields)]
        return sum(parts, start=np.full(len(array), _VALUE_BYTES, dtype=np.int64))
    if kinds.is_fixed_size_list(kind):
        size = kind.list_size
        inner = weights_of(array.values.slice(array.offset * size, len(array) * size))
        summed: Weights = inner.reshape(len(array), size).sum(axis=1) + _VALUE_BYTES
        return summed
    if kinds.is_list(kind) or kinds.is_large_list(kind) or kinds.is_map(kind):
        before = np.concatenate(([0], np.cumsum(weights_of(array.values))))
        offsets = _integers(array.offsets)
        return before[offsets[1:]] - before[offsets[:-1]] + _VALUE_BYTES
    return _plain(array, np.arange(len(array)))


def _plain(array: "Array", wanted: Weights) -> Weights:
    """Return what some of many plain values take; the others cost nothing."""
    if len(array) == 0 or str(array.type) not in _OFFSETS:
        return np.full(len(wanted), _VALUE_BYTES, dtype=np.int64)
    offsets = np.frombuffer(array.buffers()[1], dtype=_OFFSETS[str(array.type)])
    at = wanted + array.offset
    lengths: Weights = offsets[at + 1].astype(np.int64) - offsets[at]
    return lengths + _VALUE_BYTES


def _integers(array: "Array") -> Weights:
    return np.asarray(array.to_numpy(zero_copy_only=False), dtype=np.int64)
