#!/usr/bin/env python3
"""Writes tests/golden/einsum.inc: what NumPy's einsum, tensordot, inner, vdot, kron, trace, cross, diff, gradient,
interp, convolve and correlate make of small tensors.

    /usr/bin/python3 scripts/golden_einsum.py > tests/golden/einsum.inc

Made with NumPy 1.24. Needs nothing but NumPy. A row: name, text, whole numbers, numbers, inputs, result; a tensor:
dtype, rank, shape, real parts, imaginary parts."""
import sys

import numpy as np

from golden import ints, numbers

NAMES = {"b1": "BOOL", "i1": "I8", "i2": "I16", "i4": "I32", "i8": "I64", "u1": "U8", "u2": "U16", "u4": "U32",
         "u8": "U64", "f4": "F32", "f8": "F64", "c8": "C64", "c16": "C128"}
rng = np.random.default_rng(11)


def tensor(x):
    x = np.asarray(x)
    imaginary = numbers(x.imag, short=True) if x.dtype.kind == "c" else "{0}"
    return (f"{{TSR_{NAMES[x.dtype.str[1:]]}, {x.ndim}, {ints(x.shape)}, {numbers(x.real.astype('f8'), short=True)}, "
            f"{imaginary}}}")


def row(name, result, *inputs, text="", whole=(), real=()):
    print(f'  {{"{name}", "{text}", {ints(whole)}, {numbers(list(real), short=True)}, {len(inputs)}, '
          f'{{{", ".join(tensor(x) for x in inputs)}}}, {tensor(result)}}},')


def make(code, *shape):
    """Small numbers: sums of their products are exact."""
    low, high = (0, 2) if code == "b1" else (0, 4) if code[0] == "u" else (-4, 5)
    x = rng.integers(low, high, shape)
    if code[0] == "c":
        x = x + 1j * rng.integers(low, high, shape)
    return x.astype(code)


def einsums():
    sizes = dict(i=2, j=3, k=4, l=2, a=2, b=3, A=2)
    equations = ("i", "ii", "ii->i", "ij->ji", "ij->", "ij->j", "ijj", "iij->j", "i,i", "i,j", "ij,jk", "ij,kj->ik",
                 "ij,ij->ij", "ij,ij", "ij,ij->i", "ijk,jl->ikl", "ijk,ikl->ijl", "kA,aA", "ij,jk,kl->il", "ij,jk,ki",
                 "i,ij,j", "i,j,k,l->lkji", "a b , b a -> a", "ib,jb,kb->ijk")
    for equation in equations:
        for code in ("f8", "i4", "c16"):
            inputs = [make(code, *(sizes[c] for c in labels if c != " "))
                      for labels in equation.split("->")[0].split(",")]
            row("einsum", np.einsum(equation, *inputs), *inputs, text=equation)
    for equation, shapes in (("...", [(2, 3)]), ("...i->i...", [(2, 3)]), ("i...->...", [(2, 3)]),
                             ("...,...", [(2, 3), (3,)]),
                             ("...ij,...jk->...ik", [(2, 1, 2, 3), (3, 3, 2)]), ("i...i", [(2, 3, 2)]),
                             ("i...,...->i...", [(2, 3), ()]), ("ij,jk->ik", [(2, 1), (3, 2)])):
        for code in ("f4", "i8", "c8"):
            inputs = [make(code, *shape) for shape in shapes]
            row("einsum", np.einsum(equation, *inputs), *inputs, text=equation)
    for codes in (("i2", "f8"), ("f4", "c8"), ("u1", "i1"), ("f4", "f8")):
        inputs = [make(code, 2, 2) for code in codes]
        row("einsum", np.einsum("ij,jk", *inputs), *inputs, text="ij,jk")
    row("einsum", np.einsum("ij,jk", x := make("b1", 3, 3), x), x, x, text="ij,jk")
    big = (np.arange(9).reshape(3, 3) * 31).astype("u1")
    row("einsum", np.einsum("ij,jk", big, big), big, big, text="ij,jk")


def products():
    for code in ("f8", "i4", "c16"):
        a, b = make(code, 2, 3, 2), make(code, 3, 2, 2)
        for count in (0, 1, 2) if code == "f8" else (2,):
            x, y = (a, b) if count else (make(code, 2), make(code, 2, 2))
            if count == 1:
                y = make(code, 2, 3)
            y = np.moveaxis(a, 0, -1).copy() if count == 2 else y
            row("tensordot", np.tensordot(x, y, count), x, y, text="count", whole=(count,))
        row("tensordot", np.tensordot(a, b, ((0, 1), (2, 0))), a, b, text="lists", whole=(2, 0, 1, 2, 0))
        row("tensordot", np.tensordot(a, b, ((-2,), (0,))), a, b, text="lists", whole=(1, -2, 0))
        row("inner", np.inner(a, b), a, b)
        row("inner", np.inner(a[0, 0], b), a[0, 0], b)
        row("inner", np.inner(a[0, 0, 0], b), a[0, 0, 0], b)
        row("vdot", np.vdot(a, b), a, b)
        row("vdot", np.vdot(a[0, 0, 0], b[0, 0, 0]), a[0, 0, 0], b[0, 0, 0])
        for x, y in ((a[0], b[0]), (a[0, 0], b[0]), (a[0], b[0, 0]), (a[0, 0], b[0, 0]), (a[0, 0, 0], b),
                     (a, b[:1, :, :1])):
            row("kron", np.kron(x, y), x, y)
    for code in ("f8", "i4", "u1", "b1", "c8"):
        x = make(code, 3, 4)
        for offset in (0, 1, -1, 3, 4, -3):
            row("trace", np.trace(x, offset), x, whole=(offset, 0, 1))
        x = make(code, 2, 3, 2)
        row("trace", np.trace(x, 0, 0, 2), x, whole=(0, 0, -1))
        row("trace", np.trace(x, 1, 1, 0), x, whole=(1, 1, 0))
    for code in ("f8", "f4", "i4", "u1", "c16"):
        a, b = make(code, 2, 3), make(code, 2, 3)
        row("cross", np.cross(a, b), a, b, whole=(-1,))
        row("cross", np.cross(a[0], b), a[0], b, whole=(-1,))
        row("cross", np.cross(a.T, b.T, axis=0), a.T, b.T, whole=(0,))
        row("cross", np.cross(a[:, :2], b[:, 1:]), a[:, :2], b[:, 1:], whole=(-1,))


def series():
    for code in ("f8", "i4", "u1", "b1", "c16"):
        x, y, z = make(code, 3, 4), make(code, 3, 2), make(code, 3, 1)
        for n in (0, 1, 2, 3, 5):
            row("diff", np.diff(x, n), x, whole=(n, -1, 0, 0))
            row("diff", np.diff(x, n, axis=0), x, whole=(n, 0, 0, 0))
        row("diff", np.diff(x, 2, prepend=y), x, y, whole=(2, 1, 1, 0))
        row("diff", np.diff(x, 1, append=z), x, z, whole=(1, 1, 0, 1))
        row("diff", np.diff(x, 3, prepend=y, append=z[0, 0]), x, y, z[0, 0], whole=(3, 1, 1, 1))
    for code in ("f8", "f4", "i4", "c16"):
        x = (make(code, 4, 3) * 1.5).astype(code) if code != "i4" else make(code, 4, 3)
        for edge in (1, 2):
            for axis in (0, 1):
                row("gradient", np.gradient(x, axis=axis, edge_order=edge), x, whole=(axis, edge), real=(1,))
                row("gradient", np.gradient(x, 0.5, axis=axis, edge_order=edge), x, whole=(axis, edge), real=(0.5,))
            places = np.array([0, 1, 3, 3.5])
            if code != "f4":
                row("gradient", np.gradient(x, places, axis=0, edge_order=edge), x, places, whole=(0, edge), real=(1,))
        row("gradient", np.gradient(x[:2], axis=0), x[:2], whole=(0, 1), real=(1,))
    xp, fp = np.array([-1, 0.25, 2, 2, 7.5]), np.array([3, -2, 0.125, 8, np.inf])
    x = np.array([[-2, -1, -0.5, 0.25], [1, 2, 2.5, 7.5], [8, np.nan, np.inf, -np.inf]])
    row("interp", np.interp(x, xp, fp), x, xp, fp, whole=(0, 0), real=(0, 0))
    row("interp", np.interp(x, xp, fp, left=-7), x, xp, fp, whole=(1, 0), real=(-7, 0))
    row("interp", np.interp(x, xp, fp, right=np.nan), x, xp, fp, whole=(0, 1), real=(0, np.nan))
    row("interp", np.interp(x[:2], xp[:1], fp[:1]), x[:2], xp[:1], fp[:1], whole=(0, 0), real=(0, 0))
    xp, fp = xp[:3], fp[:3] + 1j * xp[:3]
    row("interp", np.interp(x[0], xp, fp), x[0], xp, fp, whole=(0, 0), real=(0, 0))
    for code in ("f8", "i4", "u1", "c16"):
        for n, m in ((6, 3), (5, 4), (3, 6), (1, 1), (4, 1), (7, 7)):
            a, v = make(code, n), make(code, m)
            for mode, name in enumerate(("full", "same", "valid")):
                row("convolve", np.convolve(a, v, name), a, v, whole=(mode,))
                row("correlate", np.correlate(a, v, name), a, v, whole=(mode,))


print(f"/* Written by scripts/golden_einsum.py with NumPy {np.__version__}: do not edit. */")
einsums()
products()
series()
print("done", file=sys.stderr)
