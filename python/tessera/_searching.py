"""The standard's functions that look for values."""
from collections import namedtuple as _namedtuple

from . import _core, ops
from ._core import Tensor
from ._dtypes import COMPLEX, FLOAT, check, promoted

unique_all_result = _namedtuple("unique_all_result", "values indices inverse_indices counts")
unique_counts_result = _namedtuple("unique_counts_result", "values counts")
unique_inverse_result = _namedtuple("unique_inverse_result", "values inverse_indices")


def nonzero(x, /):
    """Where x is not 0: the indices along each axis."""
    check(x, "nonzero")
    if x.ndim == 0:
        raise ValueError("nonzero: x has rank 0")
    places = ops.nonzero(x)
    return tuple(ops.copy(places[:, i]) for i in range(x.ndim))


def searchsorted(x1, x2, /, *, side="left", sorter=None):
    """Where the elements of x2 belong in x1, which is in order."""
    if side not in ("left", "right"):
        raise ValueError(f"searchsorted: side is 'left' or 'right', not {side!r}")
    if not isinstance(x2, Tensor):
        x2 = _core.make(x2, None)
    x1, x2 = promoted((x1, x2), "searchsorted")
    return ops.searchsorted(x1, x2, sorter, side == "right")


def isin(x1, x2, /, *, invert=False):
    """Whether each element of x1 is one of x2's."""
    if not isinstance(x1, Tensor) and not isinstance(x2, Tensor):
        raise TypeError("isin: takes a Tensor")
    x1, x2 = (x if isinstance(x, Tensor) else _core.make(x, None) for x in (x1, x2))
    x1, x2 = promoted((x1, x2), "isin")
    if x2.size == 0:
        found = ops.zeros(x1.shape, dtype="bool")
    elif x1.dtype.kind == COMPLEX:
        found = _is_complex_in(x1, x2)
    else:
        values = unique_values(x2)
        places = ops.minimum(ops.searchsorted(values, x1), values.size - 1)
        found = ops.eq(ops.take(values, places), x1)
    return ops.logical_not(found) if invert else found


def _is_complex_in(x1, x2):
    """By the numbers of both: a value of x2 is behind those of x1."""
    both = ops.concat([ops.flatten(x1), ops.flatten(x2)])
    inverse = unique_all(both).inverse_indices
    there = ops.zeros((both.size,), dtype="bool")
    there[inverse[x1.size:]] = True
    return ops.reshape(ops.take(there, inverse[:x1.size]), x1.shape)


def _unique_complex(x):
    """In order of the real parts, then of the imaginary ones. What compares unequal to its neighbour begins a new value: so does each NaN."""
    flat = ops.flatten(x)
    parts = [ops.copy(ops.complex_part(flat, part)) for part in ("imaginary", "real")]
    order = ops.argsort(parts[0])
    order = ops.take(order, ops.argsort(ops.take(parts[1], order)))
    begins = ops.ones((flat.size,), dtype="bool")
    if flat.size > 1:
        change = [ops.ne(one[1:], one[:-1]) for one in (ops.take(part, order) for part in parts)]
        begins[1:] = ops.logical_or(*change)
    starts = ops.flatten(ops.nonzero(begins))
    index = ops.take(order, starts)
    inverse = ops.zeros((flat.size,), dtype=_core.int64)
    inverse[order] = ops.cumsum(begins, 0) - 1
    counts = ops.sub(ops.concat([starts[1:], ops.full((min(1, flat.size),), flat.size, dtype=_core.int64)]), starts)
    return unique_all_result(ops.take(flat, index), index, ops.reshape(inverse, x.shape), counts)


def unique_all(x, /):
    """The different values in order, where each is first, which each element is, how often it occurs. No NaN is another one."""
    check(x, "unique")
    if x.dtype.kind == COMPLEX:
        return _unique_complex(x)
    values, index, inverse, counts = ops.unique(x)
    if x.dtype.kind == FLOAT and values.size > 0 and ops.isnan(values[-1]) and counts[-1] > 1:
        # The library counts all NaN as one value, the last.
        flat, many = ops.isnan(ops.flatten(x)), int(counts[-1])
        nans = ops.flatten(ops.nonzero(flat))
        first = values.size - 1
        values = ops.concat([values, ops.repeat(values[-1:], many - 1, 0)])
        index = ops.concat([index[:-1], nans])
        counts = ops.concat([counts[:-1], ops.ones((many,), dtype=counts.dtype)])
        inverse = ops.copy(inverse)
        flat_inverse = ops.reshape_view(inverse, (-1,))
        flat_inverse[nans] = ops.arange_i64(first + many, start=first)
    return unique_all_result(values, index, inverse, counts)


def unique_counts(x, /):
    """The different values in order, and how often each occurs."""
    values, _, _, counts = unique_all(x)
    return unique_counts_result(values, counts)


def unique_inverse(x, /):
    """The different values in order, and which each element is."""
    values, _, inverse, _ = unique_all(x)
    return unique_inverse_result(values, inverse)


def unique_values(x, /):
    """The different values in order."""
    return unique_all(x).values
