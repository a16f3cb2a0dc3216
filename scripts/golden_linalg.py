#!/usr/bin/env python3
"""Writes tests/golden/linalg.inc: small stacks of matrices, and what NumPy and SciPy make of them.

    /usr/bin/python3 scripts/golden_linalg.py > tests/golden/linalg.inc

Made with NumPy 1.24 and SciPy 1.10. A row: the op, the shapes and numbers of a and b, those of the result. Results are such that
signs and orders leave no choice."""
import numpy as np
import scipy.linalg

from golden import ints, numbers

rng = np.random.default_rng(5)
print("/* Written by scripts/golden_linalg.py. */")


def row(op, a, b, out):
    out = np.asarray(out, dtype=float)
    parts = ['"%s"' % op]
    for x in (a, b, out):
        x = np.zeros(0) if x is None else x
        parts.append("{" + ", ".join([str(x.ndim), ints(x.shape), numbers(x, short=True)]) + "}")
    print("{" + ", ".join(parts) + "},")


def matrices(*shape):
    return rng.integers(-20, 21, shape) / 4


for shape in ((1, 1), (2, 2), (3, 3), (2, 3, 3), (5, 5), (2, 1, 4, 4)):
    n = shape[-1]
    a = matrices(*shape) + 4 * np.eye(n)
    positive = a @ np.swapaxes(a, -1, -2) + np.eye(n)
    symmetric = a + np.swapaxes(a, -1, -2)
    b = matrices(n, 2)
    row("solve", a, b, np.linalg.solve(a, np.broadcast_to(b, shape[:-1] + (2,))))
    row("inv", a, None, np.linalg.inv(a))
    row("det", a, None, np.linalg.det(a))
    row("slogdet", a, None, np.linalg.slogdet(a)[1])
    row("cholesky", positive, None, np.linalg.cholesky(positive))
    row("eigvalsh", symmetric, None, np.linalg.eigvalsh(symmetric))
    row("svdvals", a, None, np.linalg.svd(a, compute_uv=False))
    row("cond", a, None, np.linalg.cond(a))
    row("matrix_rank", a, None, np.linalg.matrix_rank(a))
    row("matrix_power", a, None, np.linalg.matrix_power(a, 3))
    if len(shape) == 2:
        row("expm", a / 8, None, scipy.linalg.expm(a / 8))
for shape in ((3, 2), (2, 4), (2, 5, 3)):
    a = matrices(*shape)
    b = matrices(shape[-2])
    row("pinv", a, None, np.linalg.pinv(a))
    row("svdvals", a, None, np.linalg.svd(a, compute_uv=False))
    for kind, order in (("fro", "fro"), ("nuclear", "nuc"), ("one", 1), ("minus_one", -1), ("inf", np.inf),
                        ("minus_inf", -np.inf), ("two", 2), ("minus_two", -2)):
        row(kind, a, None, np.linalg.norm(a, order, axis=(-2, -1)))
    if len(shape) == 2:
        row("lstsq", a, b, np.linalg.lstsq(a, b, rcond=None)[0])
rank_one = np.outer([1.0, 2, 3], [2.0, -1, 4])
row("matrix_rank", rank_one, None, 1)
row("pinv", rank_one, None, np.linalg.pinv(rank_one))
row("det", np.zeros((2, 0, 0)), None, np.linalg.det(np.zeros((2, 0, 0))))
row("det", np.ones((3, 3)), None, 0)
