#!/usr/bin/env python3
"""Writes tests/golden/linalg.inc: small stacks of matrices, and what NumPy and SciPy make of them; or, asked for complex ones, those.

    /usr/bin/python3 scripts/golden_linalg.py > tests/golden/linalg.inc
    /usr/bin/python3 scripts/golden_linalg.py complex > tests/golden/complex_linalg.inc

Made with NumPy 1.24 and SciPy 1.10. A row: the op, the shapes and numbers of a and b, those of the result. Results are such that
signs and orders leave no choice."""
import sys

import numpy as np
import scipy.linalg

from golden import ints, numbers

def complex_row(op, a, b, out):
    """Complex numbers as their parts in turn; whether the result is complex stands behind the op."""
    parts = ['"%s"' % op, str(int(np.iscomplexobj(out)))]
    for x in (a, b, np.asarray(out)):
        x = np.zeros(0, complex) if x is None else x
        flat = np.ascontiguousarray(x).reshape(-1)
        values = flat.view(float) if np.iscomplexobj(flat) else flat.astype(float)
        parts.append("{" + ", ".join([str(x.ndim), ints(x.shape), numbers(values, short=True)]) + "}")
    print("{" + ", ".join(parts) + "},")


def complex_rows():
    rng = np.random.default_rng(6)

    def matrices(*shape):
        return (rng.integers(-20, 21, shape) + 1j * rng.integers(-20, 21, shape)) / 4

    for shape in ((1, 1), (2, 2), (3, 3), (2, 3, 3), (4, 4)):
        n = shape[-1]
        a = matrices(*shape) + 4 * np.eye(n)
        adjoint = np.conj(np.swapaxes(a, -1, -2))
        b = matrices(n, 2)
        complex_row("matmul", a, b, a @ b)
        complex_row("solve", a, b, np.linalg.solve(a, np.broadcast_to(b, shape[:-1] + (2,))))
        complex_row("inv", a, None, np.linalg.inv(a))
        complex_row("det", a, None, np.linalg.det(a))
        complex_row("sign", a, None, np.linalg.slogdet(a)[0])
        complex_row("slogdet", a, None, np.linalg.slogdet(a)[1])
        complex_row("cholesky", a @ adjoint + np.eye(n), None, np.linalg.cholesky(a @ adjoint + np.eye(n)))
        complex_row("eigvalsh", a + adjoint, None, np.linalg.eigvalsh(a + adjoint))
        complex_row("svdvals", a, None, np.linalg.svd(a, compute_uv=False))
        complex_row("cond", a, None, np.linalg.cond(a))
        complex_row("matrix_power", a, None, np.linalg.matrix_power(a, 3))
        if len(shape) == 2:
            complex_row("expm", a / 8, None, scipy.linalg.expm(a / 8))
            complex_row("r", a, None, np.linalg.qr(a)[1])
            complex_row("lu", a, None, scipy.linalg.lu_factor(a)[0])
            complex_row("triangular", a, b, scipy.linalg.solve_triangular(a, b, lower=True, trans="T"))
    for shape in ((3, 2), (2, 4), (2, 5, 3)):
        a = matrices(*shape)
        b = matrices(shape[-2])
        complex_row("pinv", a, None, np.linalg.pinv(a))
        for kind, order in (("fro", "fro"), ("nuclear", "nuc"), ("one", 1), ("minus_one", -1), ("inf", np.inf),
                            ("minus_inf", -np.inf), ("two", 2), ("minus_two", -2)):
            complex_row(kind, a, None, np.linalg.norm(a, order, axis=(-2, -1)))
        if len(shape) == 2:
            complex_row("lstsq", a, b, np.linalg.lstsq(a, b, rcond=None)[0])
            complex_row("kron", a, b, np.kron(a, b))
    x, y = matrices(5), matrices(5)
    complex_row("vdot", x, y, np.vdot(x, y))
    complex_row("dot", x, y, np.dot(x, y))
    complex_row("outer", x, y, np.outer(x, y))


if sys.argv[1:] == ["complex"]:
    print("/* Written by scripts/golden_linalg.py. */")
    complex_rows()
    sys.exit()
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
