"""The standard's functions of elements: most are ops under the standard's names and with its signatures."""
from . import ops
from ._core import Tensor, alias
from ._dtypes import COMPLEX, INTEGERS, check, iinfo

# The standard's name, and the op's where it has another one.
_ONE = """abs acos acosh asin asinh atan atanh bitwise_invert:bitwise_not ceil cos cosh exp expm1 floor isfinite isinf isnan log log10
log1p log2 logical_not negative:neg positive:copy reciprocal round sign sin sinh sqrt square tan tanh trunc"""
_TWO = """add atan2 bitwise_and bitwise_left_shift:shift_left bitwise_or bitwise_right_shift:shift_right bitwise_xor copysign divide:div
equal:eq floor_divide greater:gt greater_equal:ge hypot less:lt less_equal:le logical_and logical_or logical_xor maximum minimum
multiply:mul nextafter not_equal:ne pow remainder subtract:sub"""


def _functions(names, signature):
    for name, _, op in (one.partition(":") for one in names.split()):
        yield name, alias(op or name, name, signature)


_all = {**dict(_functions(_ONE, "x /")), **dict(_functions(_TWO, "x1 x2 /")), "where": alias("where", "where", "condition x1 x2 /")}
globals().update(_all)
__all__ = [*_all, "clip", "conj", "imag", "logaddexp", "real", "signbit"]



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
    return ops.conj(x) if x.dtype.kind == COMPLEX else x


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
