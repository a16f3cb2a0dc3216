#!/usr/bin/env python3
"""Writes tests/golden/cumulative.inc: small tensors, and what NumPy's cumulative ops and norms make of them.

    /usr/bin/python3 scripts/golden_cumulative.py > tests/golden/cumulative.inc

Made with NumPy 1.24. Needs nothing but NumPy. Numbers are C doubles; the test converts them to the dtype."""
import sys

import numpy as np

from golden import ints, number, numbers

np.seterr(all="ignore")

NAMES = {"b1": "BOOL", "i1": "I8", "i2": "I16", "i4": "I32", "i8": "I64", "u1": "U8", "u2": "U16", "u4": "U32",
         "u8": "U64", "f4": "F32", "f8": "F64"}
OPS = [("CUMSUM", np.cumsum), ("CUMPROD", np.cumprod), ("CUMMIN", np.minimum.accumulate),
       ("CUMMAX", np.maximum.accumulate)]
POWERS = (0, 0.5, 1, 1.5, 2, 3, -1, -2.5, np.inf, -np.inf)
rng = np.random.default_rng(11)


def inputs():
    for code in NAMES:
        if code == "b1":
            yield rng.integers(0, 2, (3, 4)).astype("b1")
        elif code[0] == "f":
            yield (rng.integers(-12, 13, (2, 3, 3)) / 4).astype(code)
        else:
            yield rng.integers(0 if code[0] == "u" else -9, 10, (3, 4)).astype(code)
    yield np.array([100, 100, 100, -128], "i1")
    yield np.array([2 ** 62, 2 ** 62, 2 ** 62, 5], "i8")
    for code in ("f4", "f8"):
        yield np.array([[1, np.nan, 2], [np.inf, -np.inf, 3], [-0.0, -0.0, 0.0]], code)
        yield np.array([3, 1, np.nan, 9, -np.inf], code)
        yield np.zeros((0,), code)
        yield np.zeros((2, 0, 2), code)
    yield np.zeros((0, 3), "i4")


def main():
    print(f"/* Written by scripts/golden_cumulative.py with NumPy {np.__version__}: do not edit. */")
    count = 0
    for x in inputs():
        for op, f in OPS:
            for axis in range(x.ndim):
                y = f(x, axis=axis)
                print(f"  {{{op}, TSR_{NAMES[x.dtype.str[1:]]}, TSR_{NAMES[y.dtype.str[1:]]}, {x.ndim}, {ints(x.shape)}, "
                      f"{numbers(x, short=True)}, {axis}, 0, {numbers(y, short=True)}}},")
                count += 1
        if x.dtype.kind == "f" and x.size > 0:
            for power in POWERS:
                y = np.linalg.norm(x.ravel().astype("f8"), power)
                print(f"  {{NORM, TSR_{NAMES[x.dtype.str[1:]]}, TSR_{NAMES[x.dtype.str[1:]]}, {x.ndim}, {ints(x.shape)}, "
                      f"{numbers(x, short=True)}, 0, {number(power, short=True)}, {numbers([y], short=True)}}},")
                count += 1
    print(f"{count} rows", file=sys.stderr)


main()
