"""The standard's functions that make tensors."""
from operator import index as _index

from . import _core, ops
from ._core import to_dtype
from ._dtypes import COMPLEX, INTEGERS, check, converted, dtype_or, iinfo


def on(x, device):
    """The tensor on a device; None: where it is."""
    return x if device is None else x.to_device(device)


def asarray(obj, /, *, dtype=None, device=None, copy=None):
    """A tensor of an object: of numbers, sequences of numbers, buffers (NumPy's arrays), things with __dlpack__. Memory is shared
    where that is possible; copy=True never shares, copy=False shares or raises ValueError."""
    if dtype is None and device is None and copy is None:
        return _core.make(obj, None)
    dtype = None if dtype is None else to_dtype(dtype)
    x = _core.make(obj, dtype)
    shared = x is obj or not isinstance(obj, (bool, int, float, complex, list, tuple))
    if copy is False and not shared:
        raise ValueError("asarray: numbers of Python cannot be shared; copy=False")
    if dtype is not None and x.dtype is not dtype:
        if copy is False:
            raise ValueError(f"asarray: {x.dtype} as {dtype} is a copy; copy=False")
        x, shared = converted(x, dtype, "asarray"), False
    if device is not None and x.device != device:
        if copy is False:
            raise ValueError(f"asarray: on {device} it is a copy; copy=False")
        x, shared = on(x, device), False
    return ops.copy(x) if copy and shared else x


def from_dlpack(x, /, *, device=None, copy=None):
    """A tensor over the memory of an array of another library; device and copy as the standard has them."""
    where = (1, 0) if device == "cpu" else None  # to another device it is brought from here
    try:
        result = _core.take_dlpack(x, copy, where)
    except TypeError:
        if where is None and copy is None:
            raise
        result = _core.take_dlpack(x, None, None)  # an older producer, which knows neither
        if copy:
            result = ops.copy(result)
    if device is None or result.device == device:
        return result
    if copy is False:
        raise BufferError(f"from_dlpack: from {result.device} to {device} is a copy; copy=False")
    return result.to_device(device)


def _whole(number):
    """A whole number as an int, of other libraries too; None: it is none."""
    try:
        return _index(number)
    except TypeError:
        return None


def _arange_wholes(start, stop, step, dtype, device):
    """Whole numbers: those that 64 bits do not hold as differences are unsigned, or too many."""
    count = max(0, -((start - stop) // step))
    if count == 0:
        return ops.empty((0,), dtype=dtype, device=device)
    last = start + (count - 1) * step
    info = iinfo(dtype)
    for number in (start, last):
        if not info.min <= number <= info.max:
            raise _core.RangeError(f"arange: {number} does not fit {dtype}")
    limits = iinfo(_core.int64)
    if count == 1:
        return full((1,), start, dtype=dtype, device=device)
    if all(limits.min <= number <= limits.max for number in (start, last + (1 if step > 0 else -1), step)):
        return ops.arange_i64(last + (1 if step > 0 else -1), start=start, step=step, dtype=dtype, device=device)
    steps = ops.arange_i64(count, device=device)  # each number is start and so many steps, modulo 2^64
    return ops.add(ops.mul(ops.cast(steps, dtype), full((), step % 2**64, dtype=_core.uint64, device=device)), start)


def arange(start, /, stop=None, step=1, *, dtype=None, device=None):
    """start, start + step, … below stop, or 0, 1, … below start."""
    if stop is None:
        start, stop = 0, start
    if step == 0:
        raise ValueError("arange: step is 0")
    wholes = [_whole(one) for one in (start, stop, step)]
    dtype = dtype_or(dtype, _core.float64 if None in wholes else _core.int64)
    if None not in wholes and dtype.kind in INTEGERS:
        return _arange_wholes(*wholes, dtype, device)
    return ops.arange(stop, start=start, step=step, dtype=dtype, device=device)


def _complex_linspace(start, stop, num, dtype):
    """The real and the imaginary parts, each on its own."""
    if dtype.kind != COMPLEX:
        raise TypeError(f"linspace: from {start} to {stop} is no {dtype}")
    start, stop = complex(start), complex(stop)
    result = ops.empty((num,), dtype=dtype)
    for part, first, last in (("real", start.real, stop.real), ("imaginary", start.imag, stop.imag)):
        view = ops.complex_part(result, part)
        ops.linspace(first, last, num, dtype=view.dtype, out=view)
    return result


def linspace(start, stop, /, num, *, dtype=None, device=None, endpoint=True):
    """num numbers from start to stop, which is the last of them unless endpoint is False."""
    is_complex = isinstance(start, complex) or isinstance(stop, complex)
    dtype = dtype_or(dtype, _core.complex128 if is_complex else _core.float64)
    count = num if endpoint or num == 0 else num + 1
    if is_complex or dtype.kind == COMPLEX:
        result = on(_complex_linspace(start, stop, count, dtype), device)
    else:
        result = ops.linspace(start, stop, count, dtype=dtype, device=device)
    return result if count == num else result[:-1]


def empty(shape, *, dtype=None, device=None):
    """A tensor that is not initialised."""
    return ops.empty(shape, dtype=_core.float64 if dtype is None else dtype, device=device)


def zeros(shape, *, dtype=None, device=None):
    """All zeros."""
    return ops.zeros(shape, dtype=_core.float64 if dtype is None else dtype, device=device)


def ones(shape, *, dtype=None, device=None):
    """All ones."""
    return ops.ones(shape, dtype=_core.float64 if dtype is None else dtype, device=device)


def full(shape, fill_value, *, dtype=None, device=None):
    """All fill_value."""
    value = _core.make(fill_value, None if dtype is None else to_dtype(dtype))
    if dtype is not None and value.dtype is not to_dtype(dtype):
        value = ops.cast(value, to_dtype(dtype))
    return ops.copy(ops.broadcast_to(on(value, device), shape))


def _like(make, x, dtype, device, *value):
    check(x, f"{make.__name__}_like")
    return make(x.shape, *value, dtype=dtype_or(dtype, x.dtype), device=device or x.device)


def empty_like(x, /, *, dtype=None, device=None):
    """A tensor of x's shape, not initialised."""
    return _like(empty, x, dtype, device)


def zeros_like(x, /, *, dtype=None, device=None):
    """Zeros in x's shape."""
    return _like(zeros, x, dtype, device)


def ones_like(x, /, *, dtype=None, device=None):
    """Ones in x's shape."""
    return _like(ones, x, dtype, device)


def full_like(x, /, fill_value, *, dtype=None, device=None):
    """fill_value in x's shape."""
    return _like(full, x, dtype, device, fill_value)


def eye(n_rows, n_cols=None, /, *, k=0, dtype=None, device=None):
    """Ones on the diagonal that begins k columns to the right, zeros elsewhere."""
    cols = n_rows if n_cols is None else n_cols
    return ops.eye(n_rows, cols, offset=k, dtype=dtype_or(dtype, _core.float64), device=device)


def meshgrid(*arrays, indexing="xy"):
    """Grids of the coordinates that vectors list, a tuple."""
    if indexing not in ("xy", "ij"):
        raise ValueError(f"meshgrid: indexing is 'xy' or 'ij', not {indexing!r}")
    if not arrays:
        return ()
    return tuple(ops.copy(grid) for grid in ops.meshgrid(arrays, indexing=indexing))


def _triangle(op, x, k):
    check(x, op.__name__)
    if x.ndim < 2:
        raise ValueError(f"{op.__name__}: x has rank {x.ndim}, a matrix has 2")
    return op(x, k)


def tril(x, /, *, k=0):
    """The elements on and below a diagonal, zeros above it."""
    return _triangle(ops.tril, x, k)


def triu(x, /, *, k=0):
    """The elements on and above a diagonal, zeros below it."""
    return _triangle(ops.triu, x, k)
