#!/usr/bin/env python3
"""Writes tests/golden/binary.inc: what NumPy makes of special values in pairs, and of two dtypes.

    /usr/bin/python3 scripts/golden_binary.py > tests/golden/binary.inc

Elements are bit patterns. For each dtype its values, and for each op the results of every pair: row a, column b. Left
out is where NumPy differs on purpose or refuses: powers of integers, and true division of integers under 32 bits (NumPy
gives f64). Made with NumPy 1.24. Needs nothing but NumPy."""
import numpy as np

from golden import table
np.seterr(all="ignore")

DTYPES = {"I8": "i1", "U8": "u1", "I32": "i4", "I64": "i8", "U64": "u8", "F16": "f2", "F32": "f4", "F64": "f8"}
ALL = {
    "BOOL": "b1", "I8": "i1", "I16": "i2", "I32": "i4", "I64": "i8", "U8": "u1", "U16": "u2", "U32": "u4", "U64": "u8",
    "F16": "f2", "F32": "f4", "F64": "f8", "C64": "c8", "C128": "c16",
}
COMMON = ["add", "subtract", "multiply", "floor_divide", "remainder", "fmod", "maximum", "minimum", "fmax", "fmin",
          "equal", "not_equal", "less", "less_equal", "greater", "greater_equal",
          "logical_and", "logical_or", "logical_xor"]
INTEGERS = ["bitwise_and", "bitwise_or", "bitwise_xor", "left_shift", "right_shift"]
FLOATS = ["true_divide", "copysign", "power", "arctan2", "hypot", "nextafter"]
OURS = {
    "subtract": "sub", "multiply": "mul", "true_divide": "div", "power": "pow", "arctan2": "atan2", "equal": "eq",
    "not_equal": "ne", "less": "lt", "less_equal": "le", "greater": "gt", "greater_equal": "ge",
    "left_shift": "shift_left", "right_shift": "shift_right",
}


def values_of(dtype):
    t = np.dtype(dtype)
    if t.kind == "f":
        info = np.finfo(t)
        numbers = [0.0, -0.0, 1.0, -1.0, 0.5, -2.5, 3.0, -7.0, np.inf, -np.inf, np.nan, info.max, info.tiny]
        return np.array(numbers, t)
    info = np.iinfo(t)
    numbers = [0, 1, 2, 3, 7, 8, info.bits - 1 if info.bits < 64 else 63, info.max, info.max // 2]
    numbers += [-1, -2, -7, info.min] if t.kind == "i" else [info.max - 1, 100, 31, 32]
    return np.array(numbers, t)


def bits(array):
    return array.view("u%d" % array.dtype.itemsize).ravel()


print("/* Written by scripts/golden_binary.py with NumPy %s." % np.__version__)
print(" * GOLDEN_PROMOTIONS: the second table, else the first. */")
print("#ifndef GOLDEN_PROMOTIONS")
rows = []
for name, dtype in DTYPES.items():
    values = values_of(dtype)
    kind = "uint%d_t" % (8 * values.dtype.itemsize)
    low = name.lower()
    table(kind, "golden_%s" % low, bits(values))
    a, b = values[:, None], values[None, :]
    ops = COMMON + (FLOATS if values.dtype.kind == "f" else INTEGERS)
    if values.dtype.kind != "f" and values.dtype.itemsize >= 4:
        ops = ops + ["true_divide"]
    for op in ops:
        result = getattr(np, op)(a, b)
        ours = OURS.get(op, op)
        out = next(k for k, v in ALL.items() if np.dtype(v) == result.dtype)
        table("uint%d_t" % (8 * result.dtype.itemsize), "golden_%s_%s" % (low, ours), bits(result))
        rows.append("    {OP_%s, TSR_%s, TSR_%s, %d, golden_%s, golden_%s_%s},"
                    % (ours, name, out, len(values), low, low, ours))

print("""
static const struct {
  int         op, dtype, result, count;
  const void *values, *results;
} golden_rows[] = {""")
print("\n".join(rows))
print("};\n\n#else\n\n/* a, b, the dtype of their sum. */\nstatic const uint8_t golden_promotions[][3] = {")
for x in ALL:
    line = "   "
    for y in ALL:
        out = np.promote_types(ALL[x], ALL[y])
        text = " {TSR_%s, TSR_%s, TSR_%s}," % (x, y, next(k for k, v in ALL.items() if np.dtype(v) == out))
        if len(line) + len(text) > 118:
            print(line)
            line = "   "
        line += text
    print(line)
print("};\n\n#endif")
