"""Tensors from C in Python: the array API standard 2025.12, and every op of the library by its name.

    >>> import tessera as ts
    >>> x = ts.asarray([[1.0, 2.0], [3.0, 4.0]])
    >>> ts.softmax(x @ x.T, axis=-1)

What the standard names is as the standard has it; `tessera.ops` has all ops with the parameters of their C functions.
"""
import sys as _sys
from math import e, inf, nan, pi

from . import _core
from ._core import (AxisError, DType, Expression, LinAlgError, RangeError, Tensor, __version__, bfloat16, bool, build_info, complex64,
                    complex128, eval, float8_e4m3, float8_e5m2, float16, float32, float64, int8, int16, int32, int64,
                    synchronize, uint8, uint16, uint32, uint64)
from . import ops

newaxis = None
globals().update({name: op for name, op in ops.ALL.items() if name != "fft"})  # that name is the namespace's

from ._dtypes import astype, broadcast_shapes, can_cast, finfo, iinfo, isdtype, result_type
from ._creation import (arange, asarray, empty, empty_like, eye, from_dlpack, full, full_like, linspace, meshgrid, ones, ones_like,
                        tril, triu, zeros, zeros_like)
from ._elementwise import *
from ._manipulation import (broadcast_arrays, broadcast_to, concat, expand_dims, flip, matrix_transpose, moveaxis, permute_dims,
                            repeat, reshape, roll, squeeze, stack, take, take_along_axis, tile, unstack)
from ._reductions import (all, any, argmax, argmin, argsort, count_nonzero, cumulative_prod, cumulative_sum, diff, max, mean, min,
                          prod, sort, std, sum, var)
from ._searching import (isin, nonzero, searchsorted, unique_all, unique_counts, unique_inverse, unique_values)
from ._products import matmul, tensordot, vecdot
from ._info import __array_namespace_info__
from ._files import load, save
from . import fft, linalg, random

__array_api_version__ = "2025.12"
