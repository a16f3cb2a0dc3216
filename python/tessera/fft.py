"""The standard's Fourier transforms."""
from . import _core, ops
from ._dtypes import check, dtype_or

__all__ = ["fft", "ifft", "fftn", "ifftn", "rfft", "irfft", "rfftn", "irfftn", "hfft", "ihfft", "fftfreq", "rfftfreq", "fftshift",
           "ifftshift"]


def _length(n):
    """In C, 0 stands for the length that there is."""
    if n is not None and n < 1:
        raise ValueError(f"fft: n is {n}, a transform has an element at least")
    return 0 if n is None else n


def fft(x, /, *, n=None, axis=-1, norm="backward"):
    """The transform along an axis."""
    return ops.fft(x, _length(n), axis, norm)


def ifft(x, /, *, n=None, axis=-1, norm="backward"):
    """The inverse transform."""
    return ops.ifft(x, _length(n), axis, norm)


def rfft(x, /, *, n=None, axis=-1, norm="backward"):
    """The transform of real numbers: the half that is not the conjugate of the other."""
    return ops.rfft(x, _length(n), axis, norm)


def irfft(x, /, *, n=None, axis=-1, norm="backward"):
    """The inverse of rfft."""
    return ops.irfft(x, _length(n), axis, norm)


def hfft(x, /, *, n=None, axis=-1, norm="backward"):
    """The transform of half a signal whose other half is its conjugate: it is real."""
    return ops.hfft(x, _length(n), axis, norm)


def ihfft(x, /, *, n=None, axis=-1, norm="backward"):
    """The inverse of hfft."""
    return ops.ihfft(x, _length(n), axis, norm)


def _many(op, x, s, axes, norm):
    """s lists lengths of axes, the last ones where axes are not given; in C there is a length for each axis."""
    check(x, op.__name__)
    if axes is None:
        axes = range(x.ndim) if s is None else range(x.ndim - len(s), x.ndim)
    axes = [axis % x.ndim if -x.ndim <= axis < x.ndim else axis for axis in axes]
    if s is None:
        return op(x, axes, None, norm)
    if len(s) != len(axes):
        raise ValueError(f"fft: s has {len(s)} lengths for {len(axes)} axes")
    lengths = [0] * x.ndim
    for axis, n in zip(axes, s):
        if not 0 <= axis < x.ndim:
            raise _core.AxisError(f"fft: axis {axis} is out of range for rank {x.ndim}")
        lengths[axis] = 0 if n == -1 else _length(n)
    return op(x, axes, lengths, norm)


def fftn(x, /, *, s=None, axes=None, norm="backward"):
    """The transform along several axes."""
    return _many(ops.fftn, x, s, axes, norm)


def ifftn(x, /, *, s=None, axes=None, norm="backward"):
    """The inverse of fftn."""
    return _many(ops.ifftn, x, s, axes, norm)


def rfftn(x, /, *, s=None, axes=None, norm="backward"):
    """rfft along the last of the axes, fft along the others."""
    return _many(ops.rfftn, x, s, axes, norm)


def irfftn(x, /, *, s=None, axes=None, norm="backward"):
    """The inverse of rfftn."""
    return _many(ops.irfftn, x, s, axes, norm)


def fftfreq(n, /, *, d=1.0, dtype=None, device=None):
    """The frequencies of a transform of n samples that are d apart."""
    return ops.fftfreq(n, d, dtype=dtype_or(dtype, _core.float64), device=device)


def rfftfreq(n, /, *, d=1.0, dtype=None, device=None):
    """The frequencies of rfft."""
    return ops.rfftfreq(n, d, dtype=dtype_or(dtype, _core.float64), device=device)


def fftshift(x, /, *, axes=None):
    """Frequency 0 in the middle of the axes."""
    return ops.fftshift(x, axes)


def ifftshift(x, /, *, axes=None):
    """The way back."""
    return ops.ifftshift(x, axes)
