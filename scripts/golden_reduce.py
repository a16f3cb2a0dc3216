#!/usr/bin/env python3
"""Writes tests/golden/reduce.inc: small tensors, and what NumPy's reductions make of them.

    /usr/bin/python3 scripts/golden_reduce.py > tests/golden/reduce.inc

Made with NumPy 1.24. Needs nothing but NumPy. Numbers are C doubles; the test converts them to the dtype."""
import sys
import warnings

import numpy as np

from golden import ints, numbers

warnings.simplefilter("ignore")
np.seterr(all="ignore")

NAMES = {"b1": "BOOL", "i1": "I8", "i2": "I16", "i4": "I32", "i8": "I64", "u1": "U8", "u2": "U16", "u4": "U32",
         "u8": "U64", "f2": "F16", "f4": "F32", "f8": "F64"}
rng = np.random.default_rng(7)


def logsumexp(x, axis, keepdims):
    return np.logaddexp.reduce(x.astype("f8"), axis=axis, keepdims=keepdims)


def norm(order):
    if order == 1:
        return lambda x, axis, keepdims: np.abs(x.astype("f8")).sum(axis=axis, keepdims=keepdims)
    if order == 2:
        return lambda x, axis, keepdims: np.sqrt((x.astype("f8") ** 2).sum(axis=axis, keepdims=keepdims))
    return lambda x, axis, keepdims: np.abs(x.astype("f8")).max(axis=axis, keepdims=keepdims, initial=0)


def wide(f):
    return lambda x, axis, keepdims: f(x.astype("f8"), axis=axis, keepdims=keepdims)


OPS = [
    ("SUM", 0, np.sum), ("PROD", 0, np.prod), ("MEAN", 0, wide(np.mean)), ("VAR", 0, wide(np.var)),
    ("VAR", 1, lambda x, axis, keepdims: np.var(x.astype("f8"), axis=axis, keepdims=keepdims, ddof=1)),
    ("STD", 0, wide(np.std)),
    ("STD", 2, lambda x, axis, keepdims: np.std(x.astype("f8"), axis=axis, keepdims=keepdims, ddof=2)),
    ("MIN", 0, np.min), ("MAX", 0, np.max), ("ANY", 0, np.any), ("ALL", 0, np.all),
    ("COUNT", 0, np.count_nonzero), ("NORM1", 0, norm(1)), ("NORM2", 0, norm(2)), ("NORM_INF", 0, norm(0)),
    ("LOGSUMEXP", 0, logsumexp), ("ARGMIN", 0, np.argmin), ("ARGMAX", 0, np.argmax),
]


def row(op, ddof, f, x, axes, keepdims):
    axis = None if len(axes) == x.ndim else tuple(axes)
    if op in ("ARGMIN", "ARGMAX"):
        axis = None if axis is None else axes[0]
    try:
        y = np.asarray(f(x, axis=axis, keepdims=keepdims))
    except ValueError:
        y = None
    mask = sum(1 << a for a in axes)
    print(f"  {{{op}, {ddof}, TSR_{NAMES[x.dtype.str[1:]]}, {x.ndim}, {ints(x.shape)}, {numbers(x, short=True)}, {mask}, "
          f"{'true' if keepdims else 'false'}, {'false' if y is None else 'true'}, "
          f"{0 if y is None else y.ndim}, {ints([] if y is None else y.shape)}, "
          f"{numbers(y, short=True)}}},")


def inputs():
    for code in NAMES:
        if code == "b1":
            yield rng.integers(0, 2, (2, 3)).astype("b1")
        elif code[0] == "f":
            yield (rng.integers(-16, 17, (2, 2, 3)) / 4).astype(code)
        else:
            yield rng.integers(0 if code[0] == "u" else -9, 10, (2, 3)).astype(code)
    for code in ("f4", "f8"):
        yield np.array([[np.nan, 1, 2], [3, -np.inf, np.inf], [0.0, -0.0, 5]], code)
        yield np.array([np.inf, -np.inf], code)
        yield np.array([-np.inf, -np.inf], code)
        yield np.array([-0.0, -0.0, -0.0], code)
        yield np.array(2.5, code)
        yield np.zeros((0,), code)
        yield np.zeros((2, 0, 2), code)
    yield np.zeros((0, 3), "i4")
    yield np.zeros((3, 0), "b1")


def subsets(op, ndim):
    every = [[a for a in range(ndim) if mask >> a & 1] for mask in range(1 << ndim)]
    if op in ("ARGMIN", "ARGMAX"):
        return [s for s in every if len(s) in (1, ndim)]
    return [s for s in every if len(s) > 0 or ndim == 0]


def main():
    print(f"/* Written by scripts/golden_reduce.py with NumPy {np.__version__}: do not edit. */")
    count = 0
    for x in inputs():
        for op, ddof, f in OPS:
            for axes in subsets(op, x.ndim):
                if x.ndim > 2 and len(axes) == 2 and axes[0] == 0 and axes[1] == 1:
                    continue
                row(op, ddof, f, x, axes, count % 3 == 0)
                count += 1
    print(f"{count} rows", file=sys.stderr)


main()
