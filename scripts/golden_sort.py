#!/usr/bin/env python3
"""Writes tests/golden/sort.inc: small vectors, and what NumPy's sort, argsort, quantile, unique, searchsorted, bincount and
histogram make of them.

    /usr/bin/python3 scripts/golden_sort.py > tests/golden/sort.inc

Made with NumPy 1.24. Needs nothing but NumPy. Numbers are C doubles; the test converts them to the dtype."""
import sys

import numpy as np

np.seterr(all="ignore")
NAMES = {"b1": "BOOL", "i1": "I8", "i2": "I16", "i4": "I32", "i8": "I64", "u1": "U8", "u2": "U16", "u4": "U32",
         "u8": "U64", "f4": "F32", "f8": "F64"}
METHODS = ("linear", "lower", "higher", "midpoint", "nearest")
rng = np.random.default_rng(7)


def number(x):
    x = float(x)
    if np.isnan(x):
        return "NAN"
    if np.isinf(x):
        return "INFINITY" if x > 0 else "-INFINITY"
    return repr(x) if x != int(x) or abs(x) >= 1e15 or (x == 0 and np.signbit(x)) else str(int(x))


def numbers(values):
    return "{" + ", ".join(number(v) for v in values) + "}" if len(values) else "{0}"


def row(op, x, y, a=(), argument=0.0, way=0):
    """op, dtype, count, numbers; a second vector; a number and a way; the result."""
    print(f"  {{{op}, TSR_{NAMES[x.dtype.str[1:]]}, {len(x)}, {numbers(x)}, {len(a)}, {numbers(a)}, {number(argument)}, {way}, "
          f"{len(y)}, {numbers(y)}}},")


def inputs():
    for code in NAMES:
        if code == "b1":
            yield rng.integers(0, 2, 9).astype("b1")
        elif code[0] == "f":
            yield (rng.integers(-12, 13, 12) / 4).astype(code)
        else:
            yield rng.integers(0 if code[0] == "u" else -9, 10, 12).astype(code)
    for code in ("f4", "f8"):
        yield np.array([3, np.nan, -np.inf, 0.5, np.inf, np.nan, -1], code)
        yield np.array([1e30, -1e30, 7, 7, 7.25], code)
    yield np.array([2.5], "f8")


def main():
    print(f"/* Written by scripts/golden_sort.py with NumPy {np.__version__}: do not edit. */")
    for x in inputs():
        row("SORT", x, np.sort(x, kind="stable"))
        row("ARGSORT", x, np.argsort(x, kind="stable"))
        values, index, inverse, counts = np.unique(x, return_index=True, return_inverse=True, return_counts=True)
        for op, y in (("UNIQUE", values), ("UNIQUE_INDEX", index), ("UNIQUE_INVERSE", inverse), ("UNIQUE_COUNTS", counts)):
            row(op, x, y)
        for side in (0, 1):
            s = np.sort(x)
            row("SEARCH", x, np.searchsorted(s, x, "right" if side else "left"), s, way=side)
        if x.dtype.kind == "b":
            continue
        wide = x.astype("f8")
        for way, method in enumerate(METHODS):
            for q in (0.1, 0.5, 0.625, 1):
                row("QUANTILE", x, [np.quantile(wide, q, method=method)], argument=q, way=way)
        row("MEDIAN", x, [np.median(wide)])
        if x.dtype.kind in "iu":
            positive = np.abs(x.astype("i8")).astype(x.dtype)
            row("BINCOUNT", positive, np.bincount(positive.astype("i8"), minlength=7), argument=7)
            weights = (rng.integers(-12, 13, len(x)) / 4)
            row("BINCOUNT", positive, np.bincount(positive.astype("i8"), weights=weights), weights)
        if np.isfinite(x).all():
            for bins in (1, 4, 7):
                row("HISTOGRAM", x, np.histogram(wide, bins)[0], argument=bins)
                row("EDGES", x, np.histogram(wide, bins)[1], argument=bins)
        row("HISTOGRAM", x, np.histogram(wide, 5, range=(-2, 2))[0], (-2, 2), argument=5)


main()
print("done", file=sys.stderr)
