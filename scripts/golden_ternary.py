#!/usr/bin/env python3
"""Writes tests/golden/ternary.inc: x + value·a·b of every three special values, each step rounded, by NumPy.

    /usr/bin/python3 scripts/golden_ternary.py > tests/golden/ternary.inc

Elements are bit patterns; x is the slowest index, b the fastest. Made with NumPy 1.24. Needs nothing but NumPy."""
import numpy as np

from golden import table
np.seterr(all="ignore")

NUMBERS = {
    "U8": ("u1", 5, [0, 1, 3, 128, 255]),
    "I32": ("i4", -3, [0, 1, -1, 7, 2**31 - 1, -2**31]),
    "I64": ("i8", -3, [0, 1, -7, 2**63 - 1, -2**63]),
    "F32": ("f4", 0.7, [0.0, -0.0, 1.0, -2.5, 1 / 3, np.inf, -np.inf, np.nan, 3e38, 1e-45]),
    "F64": ("f8", 0.7, [0.0, -0.0, 1.0, -2.5, 1 / 3, np.inf, -np.inf, np.nan, 1e308, 5e-324]),
}


print("/* Written by scripts/golden_ternary.py with NumPy %s. */" % np.__version__)
rows = []
for name, (dtype, factor, numbers) in NUMBERS.items():
    values, value = np.array(numbers, dtype), np.array(factor).astype(dtype)
    x, a, b = values[:, None, None], values[None, :, None], values[None, None, :]
    result = x + (value * a) * b
    bits = "u%d" % values.dtype.itemsize
    kind, low = "uint%d_t" % (8 * values.dtype.itemsize), name.lower()
    table(kind, "golden_%s" % low, values.view(bits))
    table(kind, "golden_%s_addcmul" % low, result.view(bits).ravel())
    rows.append("    {TSR_%s, %d, %r, golden_%s, golden_%s_addcmul}," % (name, len(values), factor, low, low))
print("""
static const struct {
  int         dtype, count;
  double      factor;
  const void *values, *results;
} golden_rows[] = {""")
print("\n".join(rows))
print("};")
