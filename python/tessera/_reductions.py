"""The standard's reductions, cumulative sums, sorting."""
from . import ops
from ._core import alias, float64, to_dtype
from ._dtypes import COMPLEX, FLOAT, check

# Ops as they are, with the standard's signature.
all, any, argmax, argmin, count_nonzero, max, min = (alias(name, name, "x / * axis keepdims")
                                                     for name in "all any argmax argmin count_nonzero max min".split())


def _accumulated(op, x, dtype, *args):
    """An op that sums or multiplies, in a dtype."""
    if dtype is None:
        return op(x, *args)
    check(x, op.__name__)
    dtype = to_dtype(dtype)
    result = op(x if x.dtype is dtype else ops.cast(x, dtype), *args)
    return result if result.dtype is dtype else ops.cast(result, dtype)


def sum(x, /, *, axis=None, dtype=None, keepdims=False):
    """The sum over axes."""
    return ops.sum(x, axis, keepdims) if dtype is None else _accumulated(ops.sum, x, dtype, axis, keepdims)


def prod(x, /, *, axis=None, dtype=None, keepdims=False):
    """The product over axes."""
    return ops.prod(x, axis, keepdims) if dtype is None else _accumulated(ops.prod, x, dtype, axis, keepdims)


def _ready(x, axis, name):
    if axis is None:
        if x.ndim > 1:
            raise ValueError(f"{name}: axis is needed for rank {x.ndim}")
        axis = 0
    if x.ndim == 0:
        raise ValueError(f"{name}: x has rank 0")
    return axis


def _cumulative(op, x, axis, dtype, initial, name):
    axis = _ready(x, axis, name)
    result = _accumulated(op, x, dtype, axis)
    if initial is None:
        return result
    shape = list(x.shape)
    shape[axis] = 1
    return ops.concat([ops.full(shape, initial, dtype=result.dtype), result], axis)


def cumulative_sum(x, /, *, axis=None, dtype=None, include_initial=False):
    """The sums so far along an axis, 0 first where include_initial."""
    check(x, "cumulative_sum")
    return _cumulative(ops.cumsum, x, axis, dtype, 0 if include_initial else None, "cumulative_sum")


def cumulative_prod(x, /, *, axis=None, dtype=None, include_initial=False):
    """The products so far along an axis, 1 first where include_initial."""
    check(x, "cumulative_prod")
    return _cumulative(ops.cumprod, x, axis, dtype, 1 if include_initial else None, "cumulative_prod")


def _floats(x, name):
    """What is averaged: integers as the default floats."""
    check(x, name)
    return x if x.dtype.kind in (FLOAT, COMPLEX) else ops.cast(x, float64)


def mean(x, /, *, axis=None, keepdims=False):
    """The mean over axes."""
    return ops.mean(_floats(x, "mean"), axis, keepdims)


def _spread(op, x, axis, correction, keepdims):
    """var or std with a divisor of the number of elements less correction; NaN where that is not above 0."""
    x = _floats(x, op.__name__)
    if correction == 0:
        return op(x, axis, keepdims)
    result = op(x, axis, keepdims)
    n = x.size // result.size if result.size > 0 else 0  # elements of each result
    if n <= correction:
        return result * float("nan")
    if correction == int(correction) and correction > 0:
        return op(x, axis, keepdims, int(correction))
    ratio = n / (n - correction)
    return result * (ratio if op is ops.var else ratio**0.5)


def var(x, /, *, axis=None, correction=0.0, keepdims=False):
    """The variance over axes: the sum of squares by the number of elements less correction."""
    return _spread(ops.var, x, axis, correction, keepdims)


def std(x, /, *, axis=None, correction=0.0, keepdims=False):
    """The square root of the variance."""
    return _spread(ops.std, x, axis, correction, keepdims)


def sort(x, /, *, axis=-1, descending=False, stable=True):
    """The elements along an axis in order; equal ones keep theirs."""
    return ops.sort(x, axis, descending)


def argsort(x, /, *, axis=-1, descending=False, stable=True):
    """The indices that put an axis in order; equal elements keep theirs."""
    return ops.argsort(x, axis, descending)


def diff(x, /, *, axis=-1, n=1, prepend=None, append=None):
    """The differences of neighbours along an axis, n times over."""
    return ops.diff(x, prepend, append, n, axis)
