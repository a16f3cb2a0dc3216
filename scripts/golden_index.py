#!/usr/bin/env python3
"""Writes tests/golden/index.inc: small tensors, and what NumPy makes of them with lists of indices, with masks, and
with its nan-functions.

    /usr/bin/python3 scripts/golden_index.py > tests/golden/index.inc

Made with NumPy 1.24. Needs nothing but NumPy. Numbers are C doubles; the test converts them to the dtype."""
import sys
import warnings

import numpy as np

from golden import ints, numbers

warnings.simplefilter("ignore")
np.seterr(all="ignore")
NAMES = {"b1": "BOOL", "i1": "I8", "i4": "I32", "i8": "I64", "u1": "U8", "u4": "U32", "f2": "F16", "f4": "F32",
         "f8": "F64"}
rng = np.random.default_rng(11)
count = 0


def row(op, x, second, y, number=0, axis=0, src=()):
    """op, number, dtype, x; the index or mask; src; the axis; whether there is a result, and the result."""
    global count
    count += 1
    second = np.asarray(second)
    ok = y is not None
    y = np.asarray(y if ok else [])
    print(f"  {{{op}, {number}, TSR_{NAMES[x.dtype.str[1:]]}, {x.ndim}, {ints(x.shape)}, {numbers(x, short=True)}, "
          f"{second.ndim}, {ints(second.shape)}, {ints(second.reshape(-1))}, {len(src)}, "
          f"{numbers(list(src), short=True)}, "
          f"{axis}, {'true' if ok else 'false'}, {y.ndim if ok else 0}, {ints(y.shape if ok else [])}, "
          f"{numbers(y, short=True) if ok else '{0}'}}},")


def inputs():
    for code in NAMES:
        if code == "b1":
            yield rng.integers(0, 2, (3, 4)).astype("b1")
        elif code[0] == "f":
            yield (rng.integers(-8, 9, (3, 4)) / 4).astype(code)
        else:
            yield rng.integers(0 if code[0] == "u" else -5, 6, (3, 4)).astype(code)


def scattered(x, index, src, axis, mode):
    """Updates one after another; small floats in f32, as Tessera has them."""
    y = x.astype("f4") if x.dtype == np.float16 else x.copy()
    function = (None, np.add, np.multiply, np.minimum, np.maximum)[mode]
    if mode == 0:
        np.put_along_axis(y, index, src, axis)
    else:
        places = list(np.indices(index.shape, sparse=True))
        places[axis] = index
        function.at(y, tuple(places), src.astype(y.dtype))
    return y.astype(x.dtype)


def index_rows():
    for x in inputs():
        for axis in (0, 1):
            shape = (5, 4) if axis == 0 else (3, 5)
            index = rng.integers(-x.shape[axis], x.shape[axis], shape)
            src = rng.integers(0, 2 if x.dtype.kind == "b" else 4, shape).astype(x.dtype)
            for mode in range(5):
                row("SCATTER", x, index, scattered(x, index, src, axis, mode), mode, axis, src.reshape(-1))
            row("GATHER", x, index, np.take_along_axis(x, index, axis), 0, axis)
        lists = np.stack([rng.integers(-3, 3, 4), rng.integers(-4, 4, 4)], -1)
        row("GATHER_ND", x, lists, x[lists[:, 0], lists[:, 1]])
        row("GATHER_ND", x, lists[:, :1], x[lists[:, 0]])
        mask = rng.integers(0, 2, x.shape)
        row("SELECT", x, mask, x[mask != 0])
        row("NONZERO", x, mask, np.argwhere(x))
        filled = x.copy()
        filled[mask != 0] = 1
        row("FILL", x, mask, filled, 1)
        placed = x.copy()
        np.place(placed, mask != 0, (np.arange(12) % 2).astype(x.dtype))
        row("PLACE", x, mask, placed, 0, 0, np.arange(12) % 2)


def attempt(f, *args, **kwargs):
    try:
        return f(*args, **kwargs)
    except ValueError:
        return None


def where_rows():
    axes = (None, 0, 1)
    for x in inputs():
        mask = rng.integers(0, 2, x.shape)
        mask[1] = 0
        on = mask != 0
        wide = x.astype("f8")
        for axis in axes:
            a = -1000 if axis is None else axis
            row("SUM", x, mask, np.sum(x, axis, where=on, initial=2), 2, a)
            row("PROD", x, mask, np.prod(x, axis, where=on, initial=1), 1, a)
            row("MEAN", x, mask, np.mean(wide, axis, where=on), 0, a)
            row("VAR", x, mask, np.var(wide, axis, where=on), 0, a)
            row("STD", x, mask, np.std(wide, axis, where=on, ddof=1), 1, a)
            row("MIN", x, mask, np.min(x, axis, where=on, initial=1), 1, a)
            row("MAX", x, mask, np.max(x, axis, where=on, initial=0), 0, a)
            row("ANY", x, mask, np.any(x, axis, where=on), 0, a)
            row("ALL", x, mask, np.all(x, axis, where=on), 0, a)
            row("COUNT", x, mask, np.sum((x != 0) & on, axis), 0, a)
    for code in ("f2", "f4", "f8"):
        for values in ([[np.nan, 1, -2], [np.nan, np.inf, 3]], [[np.nan, np.nan], [0.5, 2]], [[2, -1.5], [0.25, 4]]):
            x = np.array(values, code)
            wide = x.astype("f8")
            for axis in axes:
                a = -1000 if axis is None else axis
                row("SUM", x, [], np.nansum(x, axis), -1, a)
                row("PROD", x, [], np.nanprod(x, axis), -1, a)
                row("MEAN", x, [], np.nanmean(wide, axis), -1, a)
                row("VAR", x, [], np.nanvar(wide, axis), -1, a)
                row("STD", x, [], np.nanstd(wide, axis, ddof=1), -2, a)
                row("MIN", x, [], np.nanmin(x, axis), -1, a)
                row("MAX", x, [], np.nanmax(x, axis), -1, a)
                row("ARGMIN", x, [], attempt(np.nanargmin, x, axis), -1, a)
                row("ARGMAX", x, [], attempt(np.nanargmax, x, axis), -1, a)
                row("MEDIAN", x, [], np.nanmedian(wide, axis), -1, a)


print(f"/* Written by scripts/golden_index.py with NumPy {np.__version__}: do not edit. */")
index_rows()
where_rows()
print(f"{count} rows", file=sys.stderr)
