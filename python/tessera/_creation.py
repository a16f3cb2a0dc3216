"""The standard's functions that make tensors."""
from . import _core, ops
from ._core import to_dtype
from ._dtypes import COMPLEX, INTEGERS, check, dtype_or


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
        if x.dtype.kind == COMPLEX and dtype.kind != COMPLEX:
            raise TypeError(f"asarray: {x.dtype} as {dtype} would lose the imaginary part")
        x, shared = ops.cast(x, dtype), False
    if device is not None and x.device != device:
        if copy is False:
            raise ValueError(f"asarray: on {device} it is a copy; copy=False")
        x, shared = on(x, device), False
    return ops.copy(x) if copy and shared else x


def from_dlpack(x, /, *, device=None, copy=None):
    """A tensor over the memory of an array of another library; device and copy as the standard has them."""
    where = None
    if device is not None:
        where = (1, 0) if device == "cpu" else (2, int((device + ":0").split(":")[1]))
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


def arange(start, /, stop=None, step=1, *, dtype=None, device=None):
    """start, start + step, … below stop, or 0, 1, … below start."""
    if stop is None:
        start, stop = 0, start
    if step == 0:
        raise ValueError("arange: step is 0")
    whole = all(isinstance(one, int) for one in (start, stop, step))
    dtype = dtype_or(dtype, _core.int64 if whole else _core.float64)
    if whole and dtype.kind in INTEGERS:
        return ops.arange_i64(stop, start=start, step=step, dtype=dtype, device=device)
    return ops.arange(stop, start=start, step=step, dtype=dtype, device=device)


def linspace(start, stop, /, num, *, dtype=None, device=None, endpoint=True):
    """num numbers from start to stop, which is the last of them unless endpoint is False."""
    dtype = dtype_or(dtype, _core.float64)
    if endpoint or num == 0:
        return ops.linspace(start, stop, num, dtype=dtype, device=device)
    return ops.linspace(start, stop, num + 1, dtype=dtype, device=device)[:-1]


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
    """Grids of the coordinates that vectors list."""
    if indexing not in ("xy", "ij"):
        raise ValueError(f"meshgrid: indexing is 'xy' or 'ij', not {indexing!r}")
    if not arrays:
        return []
    return [ops.copy(grid) for grid in ops.meshgrid(arrays, indexing=indexing)]


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
