"""The standard's linear algebra on stacks of matrices."""
from collections import namedtuple as _namedtuple

from . import ops
from ._core import LinAlgError, Tensor, alias, to_dtype
from ._dtypes import COMPLEX, check
from ._manipulation import matrix_transpose
from ._products import matmul, tensordot, vecdot

__all__ = ["LinAlgError", "cholesky", "cross", "det", "diagonal", "eig", "eigh", "eigvals", "eigvalsh", "expm", "inv", "lstsq", "matmul", "matrix_norm",
           "matrix_power", "matrix_rank", "matrix_transpose", "outer", "pinv", "qr", "slogdet", "solve", "svd", "svdvals",
           "tensordot", "trace", "vecdot", "vector_norm"]

EigResult = _namedtuple("EigResult", "eigenvalues eigenvectors")
EighResult = _namedtuple("EighResult", "eigenvalues eigenvectors")
QRResult = _namedtuple("QRResult", "Q R")
SlogdetResult = _namedtuple("SlogdetResult", "sign logabsdet")
SVDResult = _namedtuple("SVDResult", "U S Vh")

# Ops as the standard has them.
det, eigvals, eigvalsh, inv, svdvals = (alias(name, name, "x /", "tessera.linalg") for name in "det eigvals eigvalsh inv svdvals".split())
outer, solve = (alias(name, name, "x1 x2 /", "tessera.linalg") for name in ("outer", "solve"))
matrix_power = alias("matrix_power", "matrix_power", "x n /", "tessera.linalg")
expm, lstsq = ops.expm, ops.lstsq


def cholesky(x, /, *, upper=False):
    """The triangle L with x = L·Lᴴ, or Lᴴ."""
    return ops.cholesky(x, upper)


def cross(x1, x2, /, *, axis=-1):
    """The product of vectors of 3 along an axis."""
    for x in (x1, x2):
        check(x, "cross")
        if -x.ndim <= axis < x.ndim and x.shape[axis] != 3:
            raise ValueError(f"cross: axis {axis} has length {x.shape[axis]}, vectors of 3 are taken")
    return ops.cross(x1, x2, axis)


def diagonal(x, /, *, offset=0):
    """The diagonals of the matrices, a view."""
    return ops.diagonal(x, offset)


def eig(x, /):
    """Eigenvalues and eigenvectors of square matrices, both complex."""
    return EigResult(*ops.eig(x))


def eigh(x, /):
    """Eigenvalues, the smallest first, and eigenvectors of symmetric or Hermitian matrices."""
    return EighResult(*ops.eigh(x))


_NORMS = {None: "fro", "fro": "fro", "nuc": "nuclear", 1: "one", -1: "minus_one", 2: "two", -2: "minus_two", float("inf"): "inf",
          float("-inf"): "minus_inf"}


def matrix_norm(x, /, *, keepdims=False, ord="fro"):
    """A norm of each matrix."""
    if ord not in _NORMS:
        raise ValueError(f"matrix_norm: ord is {ord!r}; it is one of {', '.join(map(repr, list(_NORMS)[1:]))}")
    result = ops.matrix_norm(x, _NORMS[ord])
    return result[..., None, None] if keepdims else result


def _above(s, rtol):
    """Which singular values are above a tolerance of each matrix times the largest."""
    return s > rtol[..., None] * s[..., :1]


def matrix_rank(x, /, *, rtol=None):
    """How many singular values are above rtol, which may be a tensor, times the largest."""
    if isinstance(rtol, Tensor):
        return ops.count_nonzero(_above(ops.svdvals(x), rtol), (-1,))
    return ops.matrix_rank(x, -1.0 if rtol is None else rtol)


def _adjoint(x):
    return ops.conj(x.mT) if x.dtype.kind == COMPLEX else x.mT


def pinv(x, /, *, rtol=None):
    """The pseudo-inverse; singular values that are not above rtol, which may be a tensor, times the largest count as 0."""
    if isinstance(rtol, Tensor):
        u, s, vh = ops.svd(x)
        above = _above(s, rtol)
        inverse = ops.where(above, ops.reciprocal(ops.where(above, s, 1)), 0)
        return (_adjoint(vh) * inverse[..., None, :]) @ _adjoint(u)
    return ops.pinv(x, -1.0 if rtol is None else rtol)


def qr(x, /, *, mode="reduced"):
    """x = Q·R, Q with orthonormal columns, R an upper triangle."""
    if mode not in ("reduced", "complete"):
        raise ValueError(f"qr: mode is 'reduced' or 'complete', not {mode!r}")
    return QRResult(*ops.qr(x, mode == "complete"))


def slogdet(x, /):
    """The sign of the determinant and the logarithm of its size."""
    return SlogdetResult(*ops.slogdet(x))


def svd(x, /, *, full_matrices=True):
    """x = U·diag(S)·Vh, the largest singular value first."""
    return SVDResult(*ops.svd(x, full_matrices))


def trace(x, /, *, offset=0, dtype=None):
    """The sums along the diagonals of the matrices."""
    if dtype is None:
        return ops.trace(x, offset, -2, -1)
    dtype = to_dtype(dtype)
    result = ops.trace(ops.cast(x, dtype), offset, -2, -1)
    return result if result.dtype is dtype else ops.cast(result, dtype)


def vector_norm(x, /, *, axis=None, keepdims=False, ord=2):
    """The norm of vectors along axes, of all elements where none is given."""
    return ops.norm(x, ord, axis, keepdims)
