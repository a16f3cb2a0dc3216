#!/usr/bin/env python3
"""Writes tests/golden/matmul.inc: small tensors, and what numpy.matmul makes of them.

    /usr/bin/python3 scripts/golden_matmul.py > tests/golden/matmul.inc

Made with NumPy 1.24. Needs nothing but NumPy. The numbers are such that every product is exact; they are C doubles, which the
test converts to the dtype."""
import warnings

import numpy as np

from golden import ints, numbers

warnings.simplefilter("ignore")
np.seterr(all="ignore")

NAMES = {"i1": "I8", "i2": "I16", "i4": "I32", "i8": "I64", "u1": "U8", "u2": "U16", "u4": "U32", "u8": "U64",
         "f2": "F16", "f4": "F32", "f8": "F64"}
SHAPES = [((4,), (4,)), ((4,), (4, 3)), ((2, 4), (4,)), ((2, 3), (3, 4)), ((5, 1), (1, 5)), ((1, 5), (5, 1)),
          ((2, 2, 3), (3,)), ((3,), (2, 3, 2)), ((2, 2, 3), (2, 3, 2)), ((2, 1, 2, 3), (3, 3, 2)),
          ((1, 2, 3), (2, 3, 1)), ((2, 0), (0, 3)), ((0, 2), (2, 3)), ((2, 3), (3, 0)), ((0, 2, 2), (2, 2))]
rng = np.random.default_rng(11)


def values(shape, code):
    kind = code[0]
    if kind == "f":
        x = rng.integers(-8, 9, shape) / 4
        if x.size and rng.integers(6) == 0:
            x.flat[rng.integers(x.size)] = rng.choice([np.nan, np.inf, -np.inf, 0.0])
        return x.astype(code)
    return rng.integers(0 if kind == "u" else -9, 40, shape).astype(code)


def row(a, b):
    out = np.matmul(a, b)
    codes = [NAMES[x.dtype.str[1:]] for x in (a, b, out)]
    parts = ["TSR_" + c for c in codes]
    for x in (a, b, out):
        parts += ["{" + ", ".join([str(x.ndim), ints(x.shape), numbers(x, short=True)]) + "}"]
    print("  {" + ", ".join(parts) + "},")


print("/* Written by scripts/golden_matmul.py. */")
for name in NAMES:
    for left, right in SHAPES:
        row(values(left, name), values(right, name))
for left, right in [("i1", "u1"), ("u1", "i1"), ("i1", "f4"), ("f2", "f4"), ("i4", "i8"), ("f4", "f8"), ("u2", "i4")]:
    row(values((2, 3), left), values((3, 2), right))
