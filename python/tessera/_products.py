"""The standard's products."""
from . import ops
from ._core import alias
from ._dtypes import COMPLEX, check

matmul = alias("matmul", "matmul", "x1 x2 /")


def tensordot(x1, x2, /, *, axes=2):
    """Sums of products over axes: so many last ones of x1 and first ones of x2, or those that are listed for each."""
    check(x1, "tensordot")
    check(x2, "tensordot")
    if isinstance(axes, int):
        if axes < 0:
            raise ValueError(f"tensordot: axes is {axes}; so many axes are 0 or more")
        if axes == 0:
            return ops.mul(x1[(..., *(None,) * x2.ndim)], x2)
        return ops.tensordot(x1, x2, tuple(range(x1.ndim - axes, x1.ndim)), tuple(range(axes)))
    one, two = axes
    if len(one) == 0 and len(two) == 0:
        return ops.mul(x1[(..., *(None,) * x2.ndim)], x2)
    return ops.tensordot(x1, x2, one, two)


def vecdot(x1, x2, /, *, axis=-1):
    """Sums of products along an axis of both; of complex numbers with the conjugates of x1."""
    check(x1, "vecdot")
    check(x2, "vecdot")
    if not -min(x1.ndim, x2.ndim) <= axis < 0:
        raise ValueError(f"vecdot: axis {axis} is to be -1 or less, and one of both")
    if x1.shape[axis] != x2.shape[axis]:
        raise ValueError(f"vecdot: the axes have lengths {x1.shape[axis]} and {x2.shape[axis]}")
    product = ops.mul(ops.conj(x1) if x1.dtype.kind == COMPLEX else x1, x2)
    result = ops.sum(product, axis)
    return result if result.dtype is product.dtype else ops.cast(result, product.dtype)
