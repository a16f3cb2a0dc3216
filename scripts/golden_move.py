#!/usr/bin/env python3
"""Writes tests/golden/move.inc: what NumPy makes of 0, 1, 2, … padded, rolled, tiled, repeated, cut to triangles, taken;
its grids of 0, 1, 2, … each way, and rows of its identity matrix.

    /usr/bin/python3 scripts/golden_move.py > tests/golden/move.inc

The file in the tree was made with NumPy 1.24. Needs nothing but NumPy. Wrapping further than once around is indexed here
by hand: that version of np.pad had an error there."""
import itertools

import numpy as np

MODES = ["constant", "edge", "reflect", "wrap"]
cases, values = [], []


def numbered(shape):
    return np.arange(int(np.prod(shape)), dtype=np.int16).reshape(shape)


def case(op, shape, axis, numbers, mode, result):
    assert result.ndim <= 4 and len(numbers) <= 6
    cases.append('    {"%s", %d, %d, {%s}, {%s}, %d, %d, {%s}, %d},' % (
        op, len(shape), axis, ", ".join(map(str, shape)), ", ".join(map(str, numbers)), mode, result.ndim,
        ", ".join(map(str, result.shape)), len(values)))
    values.extend(int(x) for x in result.ravel())


def pad(x, before, after, mode):
    if mode != "wrap":
        extra = {"constant_values": -7} if mode == "constant" else {}
        return np.pad(x, list(zip(before, after)), mode=mode, **extra)
    for axis, (front, back) in enumerate(zip(before, after)):
        n = x.shape[axis]
        x = np.take(x, np.arange(-front, n + back) % n, axis=axis)
    return x


SHAPES = [(5,), (1,), (3, 4), (2, 1, 3)]
for shape in SHAPES:
    x = numbered(shape)
    for amount in [(1, 0), (2, 3), (0, 4), (11, 9)]:
        before = [(amount[0] + k) % 12 for k in range(len(shape))]
        after = [max(amount[1] - k, 0) for k in range(len(shape))]
        if len(shape) == 3 and amount == (11, 9):
            continue
        for number, mode in enumerate(MODES):
            case("pad", shape, 0, before + after, number, pad(x, before, after, mode))
    for axis in range(-len(shape), len(shape)):
        for shift in [0, 1, -1, 3, -7, 100]:
            case("roll", shape, axis, [shift], 0, np.roll(x, shift, axis))
        for count in [0, 1, 3]:
            case("repeat", shape, axis, [count], 0, np.repeat(x, count, axis))
        n = shape[axis]
        for index in [[0], [n - 1, 0, -1], [-n, 0, 0, n - 1, -1]]:
            case("take", shape, axis, [len(index)] + index, 0, np.take(x, index, axis))
    for reps in itertools.chain([[2], [3, 1], [1, 2, 2], [0, 2], []], [[2, 1, 1, 2]] if len(shape) == 1 else []):
        case("tile", shape, len(reps), reps or [0], 0, np.tile(x, reps))
    if len(shape) >= 2:
        for offset in [0, 1, -1, 2, -3, 9]:
            case("tril", shape, 0, [offset], 0, np.tril(x, offset))
            case("triu", shape, 0, [offset], 0, np.triu(x, offset))

for lengths in [(3,), (2, 3), (4, 1), (2, 3, 2), (0, 2)]:
    for number, indexing in enumerate(["ij", "xy"]):
        grids = np.meshgrid(*[np.arange(n, dtype=np.int16) for n in lengths], indexing=indexing)
        for axis, grid in enumerate(grids):
            case("meshgrid", lengths, axis, [0], number, grid)
for classes, index in [(1, [0]), (4, [3, 0, 1, 1]), (7, [6, 2])]:
    case("one_hot", (len(index),), 0, [classes] + index, 0, np.where(np.eye(classes)[index] == 1, 5, -3))

print("/* Written by scripts/golden_move.py. Op, rank, axis (tile: how many numbers), shape, numbers, mode, the result's")
print(" * rank and shape, where its values begin. */")
print("static const int16_t golden_values[] = {")
for i in range(0, len(values), 24):
    print("    " + " ".join("%d," % v for v in values[i:i + 24]))
print("};")
print("static const golden golden_cases[] = {")
print("\n".join(cases))
print("};")
