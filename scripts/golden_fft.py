#!/usr/bin/env python3
"""Golden values of Fourier transforms from NumPy: python3 scripts/golden_fft.py > tests/golden/fft.inc"""
import numpy as np

from golden import braces, ints, number

rng = np.random.default_rng(19)
NORMS = ["backward", "ortho", "forward"]


def sample(shape, complex_):
    x = np.round(rng.uniform(-1, 1, shape), 3)
    return x + 1j * np.round(rng.uniform(-1, 1, shape), 3) if complex_ else x


def values(a):
    parts = []
    for v in np.asarray(a).flatten().tolist():
        parts += [v.real, v.imag] if isinstance(v, complex) else [v]
    return braces(number(v) for v in parts)


def row(op, x, n, axes, norm, y):
    """n and axes as lists; one of each for ops along one axis."""
    print('{"%s", %s, %s, %d, %s, %s, %d, %s, %d,' % (op, str(np.iscomplexobj(x)).lower(), str(np.iscomplexobj(y)).lower(), x.ndim,
                                                      ints(x.shape), ints(n), len(axes), ints(axes), NORMS.index(norm)))
    print(" %d, %s, %s,\n %s}," % (y.ndim, ints(y.shape), values(x), values(y)))


def line(op, shape, complex_, n, axis, norm):
    x = sample(shape, complex_)
    row(op, x, [n or 0], [axis], norm, getattr(np.fft, op)(x, n=n, axis=axis, norm=norm))


def several(op, shape, complex_, n, axes, norm):
    x = sample(shape, complex_)
    y = getattr(np.fft, op)(x, s=None if n is None else [n[a] or x.shape[a] for a in axes], axes=axes, norm=norm)
    row(op, x, n or [0] * x.ndim, axes, norm, y)


def shifted(op, shape, axes):
    x = sample(shape, False)
    row(op, x, [0], axes, "backward", getattr(np.fft, op)(x, axes=axes))


print("/* Written by scripts/golden_fft.py with NumPy %s. */" % np.__version__)
for i, op in enumerate(["fft", "ifft", "rfft", "irfft", "hfft", "ihfft"]):
    complex_ = op not in ("rfft", "ihfft")
    line(op, (5,), complex_, None, 0, "backward")
    line(op, (3, 4), complex_, 6, 0, NORMS[i % 3])
    line(op, (2, 7), complex_, 5, -1, NORMS[(i + 1) % 3])
    line(op, (6, 2), False, 4, 0, NORMS[(i + 2) % 3])
for i, op in enumerate(["fftn", "ifftn", "rfftn", "irfftn"]):
    complex_ = op != "rfftn"
    several(op, (3, 4), complex_, None, [0, 1], "backward")
    several(op, (2, 3, 4), complex_, [3, 0, 2], [2, 0], NORMS[i % 3])
    several(op, (2, 3, 2), complex_, [2, 5, 4], [0, 1, 2], "ortho")
    several(op, (4, 3), False, None, [0], "forward")
for op in ["fftshift", "ifftshift"]:
    shifted(op, (5,), [0])
    shifted(op, (3, 4), [0, 1])
    shifted(op, (2, 5, 3), [2])
for n in (1, 2, 5, 8):
    for kind, y in enumerate([np.ones(n), np.hanning(n), np.hamming(n), np.blackman(n), np.bartlett(n), np.kaiser(n, 8.6)]):
        row("window", np.array([8.6]), [n], [kind], "backward", y)
