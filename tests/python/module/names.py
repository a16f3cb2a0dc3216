"""The functions of the array API standard 2025.12, by its chapters."""
CHAPTERS = {
    "Creation": """arange asarray empty empty_like eye from_dlpack full full_like linspace meshgrid ones ones_like tril triu zeros
zeros_like""",
    "Dtypes": "astype broadcast_shapes can_cast finfo iinfo isdtype result_type",
    "Elements": """abs acos acosh add asin asinh atan atan2 atanh bitwise_and bitwise_invert bitwise_left_shift bitwise_or
bitwise_right_shift bitwise_xor ceil clip conj copysign cos cosh divide equal exp expm1 floor floor_divide greater greater_equal hypot
imag isfinite isinf isnan less less_equal log log10 log1p log2 logaddexp logical_and logical_not logical_or logical_xor maximum minimum
multiply negative nextafter not_equal positive pow real reciprocal remainder round sign signbit sin sinh sqrt square subtract tan tanh
trunc""",
    "Indexing": "take take_along_axis",
    "Inspection": "__array_namespace_info__ capabilities default_device default_dtypes devices dtypes",
    "Products": "matmul matrix_transpose tensordot vecdot",
    "Manipulation": """broadcast_arrays broadcast_to concat expand_dims flip moveaxis permute_dims repeat reshape roll squeeze stack tile
unstack""",
    "Searching and sets": """argmax argmin count_nonzero isin nonzero searchsorted unique_all unique_counts unique_inverse unique_values
where""",
    "Sorting": "argsort sort",
    "Statistics": "cumulative_prod cumulative_sum max mean min prod std sum var",
    "Utility": "all any diff",
    "fft": """fft.fft fft.fftfreq fft.fftn fft.fftshift fft.hfft fft.ifft fft.ifftn fft.ifftshift fft.ihfft fft.irfft fft.irfftn fft.rfft
fft.rfftfreq fft.rfftn""",
    "linalg": """linalg.cholesky linalg.cross linalg.det linalg.diagonal linalg.eig linalg.eigh linalg.eigvals linalg.eigvalsh linalg.inv
linalg.matmul linalg.matrix_norm linalg.matrix_power linalg.matrix_rank linalg.matrix_transpose linalg.outer linalg.pinv linalg.qr
linalg.slogdet linalg.solve linalg.svd linalg.svdvals linalg.tensordot linalg.trace linalg.vecdot linalg.vector_norm""",
}
NAMES = [name for chapter in CHAPTERS.values() for name in chapter.split()]
MISSING = []
METHODS = ("__abs__ __add__ __and__ __array_namespace__ __bool__ __complex__ __dlpack__ __dlpack_device__ __eq__ __float__ __floordiv__ "
           "__ge__ __getitem__ __gt__ __index__ __int__ __invert__ __le__ __lshift__ __lt__ __matmul__ __mod__ __mul__ __ne__ __neg__ "
           "__or__ __pos__ __pow__ __rshift__ __setitem__ __sub__ __truediv__ __xor__ to_device").split()
REFLECTED = "add sub mul truediv floordiv pow mod matmul and or xor lshift rshift".split()
CONSTANTS = "e inf nan newaxis pi".split()


def find(space, name):
    """The function of a name, also fft.fft; None: it is not there."""
    for part in name.split("."):
        space = getattr(space, part, None)
    return space
