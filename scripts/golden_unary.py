#!/usr/bin/env python3
"""Writes tests/golden/unary.inc: what NumPy makes of special numbers, as bit patterns of f32.

    /usr/bin/python3 scripts/golden_unary.py > tests/golden/unary.inc

The file in the tree was made with NumPy 1.24. Needs nothing but NumPy."""
import numpy as np

from golden import bits, table

np.seterr(all="ignore")
VALUES = np.array(
    [0.0, -0.0, np.inf, -np.inf, np.nan, 1, -1, 0.5, -0.5, 1.5, -1.5, 2.5, -2.5, 2, -2, 3, 10, -10, 88.5, -88.5, 89,
     -104, 2**-126, -(2**-126), 2**-149, -(2**-149), 2**-140, 3.4028235e38, -3.4028235e38, 2**23 + 1, -(2**23 + 1),
     8388607.5, 0.49999997, -0.49999997, 4.5, 1e-8, -1e-8, 1e5, 1e10, 1e30, 127.5, -149.5, -1 + 2**-24], dtype=np.float32)
# ours, NumPy's, whether the result is exact in both
OPS = [
    ("abs", np.abs, 1), ("neg", np.negative, 1), ("sign", np.sign, 1), ("square", np.square, 1), ("sqrt", np.sqrt, 1),
    ("reciprocal", np.reciprocal, 1), ("floor", np.floor, 1), ("ceil", np.ceil, 1), ("round", np.rint, 1),
    ("trunc", np.trunc, 1), ("exp", np.exp, 0), ("exp2", np.exp2, 0), ("expm1", np.expm1, 0), ("log", np.log, 0),
    ("log2", np.log2, 0), ("log10", np.log10, 0), ("log1p", np.log1p, 0), ("sin", np.sin, 0), ("cos", np.cos, 0),
    ("tan", np.tan, 0), ("tanh", np.tanh, 0), ("isnan", np.isnan, 1), ("isinf", np.isinf, 1),
    ("isfinite", np.isfinite, 1), ("logical_not", np.logical_not, 1), ("cbrt", np.cbrt, 0), ("asin", np.arcsin, 0),
    ("acos", np.arccos, 0), ("atan", np.arctan, 0), ("sinh", np.sinh, 0), ("cosh", np.cosh, 0), ("asinh", np.arcsinh, 0),
    ("acosh", np.arccosh, 0), ("atanh", np.arctanh, 0),
]


def rounded(function, exact):
    """The f32 result: of f32 arithmetic where it is exact, else of f64 rounded, which is nearer the truth."""
    result = function(VALUES) if exact else function(VALUES.astype(np.float64)).astype(np.float32)
    return result.astype(np.float32)


print("/* Made by scripts/golden_unary.py with NumPy %s. */" % np.__version__)
table("uint32_t", "golden_inputs", VALUES.view(np.uint32))
print("\nstatic const golden_row golden_rows[] = {")
for name, function, exact in OPS:
    print('    {"%s", tsr_%s, %d, {' % (name, name, exact))
    print(bits(rounded(function, exact).view(np.uint32), " " * 8) + "}},")
print("};")
