#!/usr/bin/env python3
"""Golden values of transforms of frames from PyTorch and SciPy: python3 scripts/golden_stft.py > tests/golden/stft.inc"""
import numpy as np
import scipy
import scipy.signal
import torch

from golden import braces, ints, number

rng = np.random.default_rng(20)
MODES = {"constant": 0, "replicate": 1, "reflect": 2, "circular": 3}


def values(a):
    parts = []
    for v in np.asarray(a).flatten().tolist():
        parts += [v.real, v.imag] if isinstance(v, complex) else [v]
    return braces(number(v) for v in parts)


def row(x, window, n, hop, center, mode, norm, spectrum, length, back):
    print("{%s, %d, %s, %d, %s, %d, %d, %s, %d, %d, %d, %s," %
          (str(np.iscomplexobj(x)).lower(), x.ndim, ints(x.shape), len(window), values(window), n, hop, str(center).lower(), mode, norm,
           spectrum.ndim, ints(spectrum.shape)))
    print(" %s,\n %s, %d,\n %s}," % (values(x), values(spectrum), length, values(back)))


def by_torch(shape, complex_, n, hop, taps, center, mode, ortho):
    x = np.round(rng.uniform(-1, 1, shape), 3)
    if complex_:
        x = x + 1j * np.round(rng.uniform(-1, 1, shape), 3)
    window = np.round(rng.uniform(0.1, 1, taps), 3)
    arguments = dict(n_fft=n, hop_length=hop, win_length=taps, window=torch.from_numpy(window), center=center, normalized=ortho,
                     onesided=not complex_)
    y = torch.stft(torch.from_numpy(x), pad_mode=mode, return_complex=True, **arguments)
    length = min(shape[-1], n + hop * (y.shape[-1] - 1) - (n // 2 if center else 0))
    back = torch.istft(y, length=length, return_complex=complex_, **arguments)
    row(x, window, n, hop, center, MODES[mode], 1 if ortho else 0, y.numpy(), length, back.numpy())


def by_scipy(length, n, hop, window):
    """scipy.signal.stft puts zeros around the signal and divides by the sum of the window."""
    x = np.round(rng.uniform(-1, 1, length), 3)
    weights = scipy.signal.get_window(window, n)
    _, _, y = scipy.signal.stft(x, window=weights, nperseg=n, noverlap=n - hop, boundary="zeros", padded=False)
    _, back = scipy.signal.istft(y, window=weights, nperseg=n, noverlap=n - hop, boundary=True)
    row(x, weights, n, hop, True, 0, 0, y * weights.sum(), len(back), back)


print("/* Written by scripts/golden_stft.py with PyTorch %s, SciPy %s, NumPy %s. */" % (torch.__version__, scipy.__version__, np.__version__))
by_torch((20,), False, 8, 2, 8, True, "reflect", False)
by_torch((2, 19), False, 7, 3, 7, True, "reflect", False)
by_torch((2, 19), False, 8, 2, 5, True, "reflect", True)
by_torch((24,), False, 8, 4, 8, False, "reflect", False)
by_torch((2, 18), False, 6, 2, 6, True, "constant", False)
by_torch((17,), True, 8, 3, 8, True, "reflect", True)
by_torch((2, 17), True, 5, 2, 5, False, "reflect", False)
by_torch((2, 20), False, 8, 4, 8, True, "circular", False)
by_torch((2, 20), False, 8, 2, 8, True, "replicate", False)
by_scipy(24, 8, 4, "hann")
by_scipy(30, 10, 2, "blackman")
by_scipy(24, 8, 2, ("kaiser", 8.6))
