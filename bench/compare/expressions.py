"""The expressions of the group "fuse": their inputs, the same for every contestant in Python."""
import numpy as np

import contest

SIZES = {"1k": (20, 50), "100k": (200, 500), "16M": (4096, 4096)}
SUMS = {"ssd": None, "ssd_ax0": 0, "ssd_ax1": 1}


def parse(spec):
    """fuse_lin_100k_f64: ("lin", (200, 500), "f64"); None when it is no such row."""
    if not spec.startswith("fuse_"):
        return None
    words = spec[5:].split("_")
    at = next(i for i, word in enumerate(words) if word in SIZES)
    return "_".join(words[:at]), SIZES[words[at]], "_".join(words[at + 1:])


def inputs(shape, variant):
    """a, b, c; m and s with a number a row, v with one a column."""
    rows, columns = shape
    numbers = contest.doubles if variant == "f64" else contest.floats

    def wide(start):
        if variant == "f16":
            return contest.halves(shape)
        if variant == "strided":
            return contest.floats((rows, 2 * columns), start)[:, ::2]
        return numbers(shape, start)

    b = contest.floats((1, columns), 7) if variant == "bcast" else wide(7)
    s = numbers((rows, 1), 11)
    s += 4
    return {"a": wide(0), "b": b, "c": numbers(shape, 3), "m": numbers((rows, 1), 5), "s": s,
            "v": numbers((1, columns), 13)}


def output(name, shape, variant):
    """An array for the result."""
    dtype = np.float64 if variant == "f64" else np.float32
    if name in SUMS:
        axis = SUMS[name]
        shape = () if axis is None else tuple(n for i, n in enumerate(shape) if i != axis)
    return contest.arena.empty(shape, dtype)
