"""The standard's functions that move elements or view them otherwise."""
from . import _core, ops
from ._core import Tensor
from ._dtypes import INTEGERS, broadcast_shapes, check, promoted


def axis_of(axis, ndim, name):
    """An axis counted from 0."""
    if not -ndim <= axis < ndim:
        raise _core.AxisError(f"{name}: axis {axis} is out of range for rank {ndim}")
    return axis % ndim


def axes_of(axes, ndim, name):
    """Axes counted from 0, none twice."""
    axes = [axis_of(axis, ndim, name) for axis in ((axes,) if isinstance(axes, int) else axes)]
    if len(set(axes)) != len(axes):
        raise ValueError(f"{name}: an axis is given twice")
    return axes


def broadcast_to(x, /, shape):
    """x repeated to a shape: a view that is read only, because its elements share memory."""
    check(x, "broadcast_to")
    return _core.read_only(ops.broadcast_to(x, shape))


def broadcast_arrays(*arrays):
    """Tensors repeated to the shape that they broadcast to, a tuple of views that are read only."""
    for x in arrays:
        check(x, "broadcast_arrays")
    shape = broadcast_shapes(*(x.shape for x in arrays))
    return tuple(broadcast_to(x, shape) for x in arrays)


def concat(arrays, /, *, axis=0):
    """Tensors one after the other along an axis; axis=None: their elements."""
    arrays = promoted(arrays, "concat")
    if axis is None:
        return ops.concat([ops.flatten(x) for x in arrays])
    return ops.concat(arrays, axis)


def stack(arrays, /, *, axis=0):
    """Tensors of one shape along a new axis."""
    return ops.stack(promoted(arrays, "stack"), axis)


def expand_dims(x, /, axis):
    """A new axis of length 1, or several."""
    check(x, "expand_dims")
    if isinstance(axis, int):
        return ops.unsqueeze(x, axis)
    for one in sorted(axes_of(axis, x.ndim + len(axis), "expand_dims")):
        x = ops.unsqueeze(x, one)
    return x


def squeeze(x, /, axis):
    """Without axes of length 1."""
    check(x, "squeeze")
    for one in sorted(axes_of(axis, x.ndim, "squeeze"), reverse=True):
        if x.shape[one] != 1:
            raise ValueError(f"squeeze: axis {one} has length {x.shape[one]}")
        x = ops.squeeze(x, one)
    return x


def flip(x, /, *, axis=None):
    """Axes backwards, all where none is given: a view."""
    check(x, "flip")
    for one in range(x.ndim) if axis is None else axes_of(axis, x.ndim, "flip"):
        x = ops.flip(x, one)
    return ops.view(x)


def permute_dims(x, /, axes):
    """The axes in another order, a view."""
    return ops.permute(x, axes)


def matrix_transpose(x, /):
    """Every matrix of a stack transposed, a view."""
    check(x, "matrix_transpose")
    return x.mT


def moveaxis(x, source, destination, /):
    """Axes at other places, a view; the others keep their order."""
    check(x, "moveaxis")
    source, destination = axes_of(source, x.ndim, "moveaxis"), axes_of(destination, x.ndim, "moveaxis")
    if len(source) != len(destination):
        raise ValueError("moveaxis: as many places as axes")
    order = [axis for axis in range(x.ndim) if axis not in source]
    for place, axis in sorted(zip(destination, source)):
        order.insert(place, axis)
    return ops.permute(x, order)


def reshape(x, /, shape, *, copy=None):
    """Another shape of the same elements: a view where that is possible, and copy says otherwise."""
    if copy is False:
        return ops.reshape_view(x, shape)
    return ops.reshape(ops.copy(x) if copy else x, shape)


def repeat(x, repeats, /, *, axis=None):
    """Every element several times in a row."""
    check(x, "repeat")
    if axis is None:
        x, axis = ops.flatten(x), 0
    if isinstance(repeats, int):
        return ops.repeat(x, repeats, axis)
    check(repeats, "repeat")
    if repeats.dtype.kind not in INTEGERS:
        raise TypeError(f"repeat: repeats is {repeats.dtype}, it takes integers")
    if repeats.size == 1:
        return ops.repeat(x, repeats.item(), axis)
    n = x.shape[axis_of(axis, x.ndim, "repeat")]
    if repeats.shape != (n,):
        raise ValueError(f"repeat: repeats has shape {repeats.shape}, the axis length {n}")
    if n > 0 and ops.min(repeats) < 0:
        raise ValueError("repeat: a number of repeats is below 0")
    ends = ops.cumsum(ops.cast(repeats, _core.int64), 0)
    places = ops.arange_i64(ends[-1].item() if n > 0 else 0)
    return ops.take(x, ops.searchsorted(ends, places, right=True), axis)


def roll(x, /, shift, *, axis=None):
    """Elements further along axes; what leaves at an end comes in at the other."""
    check(x, "roll")
    if axis is None:
        return ops.reshape(ops.roll(ops.flatten(x), shift, 0), x.shape)
    axes = (axis,) if isinstance(axis, int) else axis
    shifts = (shift,) * len(axes) if isinstance(shift, int) else shift
    if len(shifts) != len(axes):
        raise ValueError("roll: as many shifts as axes")
    for one, by in zip(axes, shifts):
        x = ops.roll(x, by, one)
    return x


def tile(x, repetitions, /):
    """The whole tensor several times along axes."""
    return ops.tile(x, repetitions)


def unstack(x, /, *, axis=0):
    """The tensors along an axis, a tuple of views."""
    check(x, "unstack")
    axis = axis_of(axis, x.ndim, "unstack")
    return tuple(ops.select(x, axis, i) for i in range(x.shape[axis]))


def take(x, indices, /, *, axis=None):
    """The listed indices of an axis."""
    check(x, "take")
    if axis is None and x.ndim != 1:
        raise ValueError(f"take: axis is needed for rank {x.ndim}")
    return ops.take(x, indices, 0 if axis is None else axis)


def take_along_axis(x, indices, /, *, axis=-1):
    """Along an axis the elements that indices names at the same place of the others."""
    return ops.gather(x, indices, axis)
