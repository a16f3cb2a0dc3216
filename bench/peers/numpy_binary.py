#!/usr/bin/env python3
"""NumPy beside bench_binary: the same ops, sizes and numbers, nanoseconds an element, the least of 40 rounds.

    /usr/bin/python3 bench/peers/numpy_binary.py"""
import time

import numpy as np

N = 1 << 16
rng = np.random.default_rng(1)


def least(op, a, b, out):
    best = 1e30
    for _ in range(40):
        start = time.perf_counter_ns()
        op(a, b, out=out)
        best = min(best, time.perf_counter_ns() - start)
    return best / N


for name in ["power", "arctan2", "hypot", "fmod", "remainder", "floor_divide"]:
    for dtype in ["f4", "f8"]:
        a, b = ((0.1 + 7.9 * rng.random(N)).astype(dtype) for _ in range(2))
        print("%-13s %-4s %8.2f" % (name, dtype, least(getattr(np, name), a, b, np.empty_like(a))))
for name in ["floor_divide", "remainder"]:
    for dtype in ["i1", "u1", "i2", "u2", "i4", "u4"]:
        info = np.iinfo(dtype)
        a = rng.integers(info.min, info.max, N, dtype, endpoint=True)
        b = rng.integers(1, 101, N).astype(dtype)
        print("%-13s %-4s %8.2f" % (name, dtype, least(getattr(np, name), a, b, np.empty_like(a))))
