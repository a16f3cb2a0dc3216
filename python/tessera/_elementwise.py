"""The standard's functions of elements: most are ops under the standard's names."""
from . import ops
from ._core import Tensor, alias
from ._dtypes import COMPLEX, INTEGERS, check, iinfo

# The standard's name, and the op's where it has another one.
_OTHERWISE = {"bitwise_invert": "bitwise_not", "bitwise_left_shift": "shift_left", "bitwise_right_shift": "shift_right",
              "divide": "div", "equal": "eq", "greater": "gt", "greater_equal": "ge", "less": "lt", "less_equal": "le",
              "multiply": "mul", "negative": "neg", "not_equal": "ne", "positive": "copy", "subtract": "sub"}
_SAME = """abs acos acosh add asin asinh atan atan2 atanh bitwise_and bitwise_or bitwise_xor ceil copysign cos cosh exp expm1
floor floor_divide hypot isfinite isinf isnan log log10 log1p log2 logical_and logical_not logical_or logical_xor maximum
minimum nextafter pow reciprocal remainder round sign sin sinh sqrt square tan tanh trunc where""".split()
globals().update({name: alias(op, name) for name, op in _OTHERWISE.items()})
globals().update({name: ops.ALL[name] for name in _SAME})
__all__ = [*_OTHERWISE, *_SAME, "clip", "conj", "imag", "logaddexp", "real", "signbit"]


def real(x, /):
    """The real parts, a view; x itself where it is real."""
    check(x, "real")
    return ops.complex_part(x, "real") if x.dtype.kind == COMPLEX else x


def imag(x, /):
    """The imaginary parts, a view; zeros where x is real."""
    check(x, "imag")
    return ops.complex_part(x, "imaginary") if x.dtype.kind == COMPLEX else ops.zeros_like(x)


def conj(x, /):
    """The complex conjugates; x itself where it is real."""
    check(x, "conj")
    if x.dtype.kind != COMPLEX:
        return x
    result = ops.copy(x)
    part = imag(result)
    ops.neg(part, out=part)
    return result


def signbit(x, /):
    """Whether the sign is set, of -0.0 and NaN too."""
    check(x, "signbit")
    if x.dtype.kind in INTEGERS:
        return x < 0
    return ops.copysign(ops.ones_like(x), x) < 0


def logaddexp(x1, x2, /):
    """log(exp(x1) + exp(x2)) without overflow."""
    if not isinstance(x1, Tensor) and not isinstance(x2, Tensor):
        raise TypeError("logaddexp: takes a Tensor")
    larger, distance = ops.maximum(x1, x2), abs(ops.sub(x1, x2))
    same = ops.eq(x1, x2)  # of two infinities the distance is no number
    return ops.add(larger, ops.log1p(ops.exp(-ops.where(same, 0, distance))))


def _bound(value, x):
    """A bound that x's dtype holds: whole numbers past it are its ends."""
    if type(value) is not int or x.dtype.kind not in INTEGERS:
        return value
    limits = iinfo(x.dtype)
    return limits.min if value < limits.min else limits.max if value > limits.max else value


def clip(x, /, min=None, max=None):
    """x, but at least min and at most max."""
    check(x, "clip")
    low, high = _bound(min, x), _bound(max, x)
    if low is None and high is None:
        return ops.copy(x)
    result = (ops.minimum(x, high) if low is None else ops.maximum(x, low) if high is None else ops.clamp_tensor(x, low, high))
    return result if result.dtype is x.dtype else ops.cast(result, x.dtype)
