"""The standard's functions of dtypes."""
from . import _core, ops
from ._core import Tensor, to_dtype

BOOL, SIGNED, UNSIGNED, FLOAT, COMPLEX = "bool", "signed integer", "unsigned integer", "real floating", "complex floating"
INTEGERS = (SIGNED, UNSIGNED)
_KINDS = {"bool": (BOOL,), "signed integer": (SIGNED,), "unsigned integer": (UNSIGNED,), "integral": INTEGERS,
          "real floating": (FLOAT,), "complex floating": (COMPLEX,), "numeric": (*INTEGERS, FLOAT, COMPLEX)}
_SCALARS = (bool, int, float, complex)
_SCALAR_KINDS = {bool: (BOOL,), int: INTEGERS, float: (FLOAT,), complex: (COMPLEX,)}


def isdtype(dtype, kind):
    """Whether a dtype is of a kind: a dtype, a name of kinds, or a tuple of them."""
    if isinstance(kind, tuple):
        return any(isdtype(dtype, one) for one in kind)
    if isinstance(kind, str):
        if kind not in _KINDS:
            raise ValueError(f"isdtype: there is no kind {kind!r}; there are {', '.join(_KINDS)}")
        return to_dtype(dtype).kind in _KINDS[kind]
    return to_dtype(dtype) is to_dtype(kind)


def astype(x, dtype, /, *, copy=True, device=None):
    """A copy with another dtype; without copy, the tensor itself where it has that dtype."""
    check(x, "astype")
    dtype = to_dtype(dtype)
    if device is not None:
        x = x.to_device(device)
    if x.dtype is dtype and not copy:
        return x
    return converted(x, dtype, "astype")


def converted(x, dtype, name):
    """A copy with another dtype; of complex numbers only as complex numbers, or whether they are not 0."""
    if x.dtype.kind != COMPLEX or dtype.kind == COMPLEX:
        return ops.cast(x, dtype)
    if dtype is not _core.bool:
        raise TypeError(f"{name}: {x.dtype} as {dtype} would lose the imaginary part; real(x) and imag(x) are its parts")
    return ops.logical_or(*(ops.ne(ops.complex_part(x, part), 0) for part in ("real", "imaginary")))


def _weak(scalar, dtype):
    """The dtype of a number of Python beside a dtype."""
    kind, order = type(scalar), (BOOL, *INTEGERS, FLOAT, COMPLEX)
    if dtype is None:
        return to_dtype(kind)
    if order.index(_SCALAR_KINDS[kind][0]) <= order.index(dtype.kind):
        return dtype
    if kind is complex and dtype.kind == FLOAT:
        return _core.complex128 if dtype is _core.float64 else _core.complex64
    return to_dtype(kind)


def result_type(*arrays_and_dtypes):
    """The dtype that tensors, dtypes and numbers of Python promote to."""
    if not arrays_and_dtypes:
        raise ValueError("result_type: nothing is given")
    scalars = [one for one in arrays_and_dtypes if type(one) in _SCALARS]
    result = None
    for one in arrays_and_dtypes:
        if type(one) in _SCALARS:
            continue
        dtype = one.dtype if isinstance(one, Tensor) else to_dtype(one)
        result = dtype if result is None else _core.promote(result, dtype)
    for scalar in scalars:
        own = _weak(scalar, result)
        result = own if result is None else _core.promote(result, own)
    return result


def can_cast(from_, to, /):
    """Whether promotion would make the one the other."""
    dtype = from_.dtype if isinstance(from_, Tensor) else to_dtype(from_)
    to = to_dtype(to)
    return _core.promote(dtype, to) is to


class finfo:
    """What a dtype of floats can hold: bits, eps, max, min, smallest_normal, dtype."""

    # exponent of the largest power of 2, of the smallest normal one, bits behind the point, the largest number over that power
    _LIMITS = {"float16": (15, -14, 10, None), "bfloat16": (127, -126, 7, None), "float32": (127, -126, 23, None),
               "float64": (1023, -1022, 52, None), "float8_e4m3": (8, -6, 3, 1.75), "float8_e5m2": (15, -14, 2, None)}

    def __init__(self, type, /):
        dtype = type.dtype if isinstance(type, Tensor) else to_dtype(type)
        parts = {"complex64": _core.float32, "complex128": _core.float64}
        self.dtype = parts.get(dtype.name, dtype)
        if self.dtype.name not in self._LIMITS:
            raise TypeError(f"finfo: {dtype} has no floats")
        most, least, digits, largest = self._LIMITS[self.dtype.name]
        self.bits = self.dtype.itemsize * 8
        self.eps = 2.0**-digits
        self.max = (largest or 2 - self.eps) * 2.0**most
        self.min = -self.max
        self.smallest_normal = 2.0**least

    def __repr__(self):
        return f"finfo({self.dtype}, bits={self.bits}, eps={self.eps}, max={self.max}, smallest_normal={self.smallest_normal})"


class iinfo:
    """What a dtype of integers can hold: bits, max, min, dtype."""

    def __init__(self, type, /):
        self.dtype = type.dtype if isinstance(type, Tensor) else to_dtype(type)
        if self.dtype.kind not in INTEGERS:
            raise TypeError(f"iinfo: {self.dtype} has no integers")
        self.bits = self.dtype.itemsize * 8
        signed = self.dtype.kind == SIGNED
        self.max = 2**(self.bits - signed) - 1
        self.min = -2**(self.bits - 1) if signed else 0

    def __repr__(self):
        return f"iinfo({self.dtype}, bits={self.bits}, min={self.min}, max={self.max})"


def broadcast_shapes(*shapes):
    """The shape that shapes broadcast to."""
    result = [1] * max((len(shape) for shape in shapes), default=0)
    for shape in shapes:
        for i, n in enumerate(shape, len(result) - len(shape)):
            if n != result[i] and n != 1 and result[i] != 1:
                raise ValueError(f"broadcast_shapes: {', '.join(map(str, shapes))} do not broadcast")
            if n != 1:
                result[i] = n
    return tuple(result)


def promoted(arrays, name):
    """Tensors of one dtype: what they promote to."""
    arrays = list(arrays)
    for x in arrays:
        check(x, name)
    if not arrays:
        raise ValueError(f"{name}: there is no tensor")
    dtype = result_type(*arrays)
    return [x if x.dtype is dtype else ops.cast(x, dtype) for x in arrays]


def check(x, name):
    """Refuses what is no Tensor."""
    if type(x) is not Tensor:
        raise TypeError(f"{name}: takes a Tensor (tessera.asarray makes one), not {type(x).__name__}")


def dtype_or(dtype, default):
    return default if dtype is None else to_dtype(dtype)
