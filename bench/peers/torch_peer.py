"""PyTorch as a contestant: outputs are given wherever a function takes one, gradients are off. Its memory is NumPy's,
on huge pages where the machine has them."""
import os
import sys
from functools import partial

import numpy as np
import torch
from torch.nn import functional

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), os.pardir, "compare"))
import contest  # noqa: E402
import expressions  # noqa: E402
from contest import arena  # noqa: E402

M, SQUARE, IMAGES = 1048576, (4096, 4096), (8, 64, 56, 56)
torch.set_num_threads(contest.THREADS)
torch.set_grad_enabled(False)


def floats(shape, start=0):
    return torch.from_numpy(contest.floats(shape, start))


def empty(shape, dtype=np.float32):
    array = arena.empty(shape, dtype)
    return torch.from_numpy(array)


def bf16(array):
    return torch.from_numpy(array.view(np.int16)).view(torch.bfloat16)


def given(function, *args, shape, dtype=np.float32, **kwargs):
    out = empty(shape, dtype)
    return partial(function, *args, out=out, **kwargs), out.numpy()


def wide(function, add=0.0):
    """f64, from add - 3 to add + 5."""
    x = contest.doubles(M)
    x += add
    return given(function, torch.from_numpy(x), shape=M, dtype=np.float64)


def add(a, b):
    return given(torch.add, a, b, shape=torch.broadcast_shapes(a.shape, b.shape))


def copy(source, out=None):
    out = empty(source.shape) if out is None else out
    return partial(out.copy_, source), out.float


def gelu(approximate):
    return given(torch._C._nn.gelu, floats(M), shape=M, approximate=approximate)


def pad(x, axes, out_shape):
    """What torch.nn.functional.pad does, without its allocation."""
    out = empty(out_shape)
    inside = out
    for axis in axes:
        inside = inside.narrow(axis, 1, out_shape[axis] - 2)

    def run():
        out.zero_()
        inside.copy_(x)
    return run, out.numpy()


def fresh_add(n):
    return partial(torch.add, floats(n), floats(n, 7)), None


def concat(axis):
    shape = (4096, 2048) if axis == 0 else (2048, 4096)
    return given(torch.cat, (floats((2048, 2048)), floats((2048, 2048), 7)), shape=shape, dim=axis)


def flat(function, dtype=np.float32):
    return given(function, floats(16 * M), shape=(), dtype=dtype, dim=0)


def along(function, axis, dtype=np.float32):
    return given(function, floats(SQUARE), shape=(4096,), dtype=dtype, dim=axis)


def product(a_shape, b_shape, transposed=False, numbers=contest.floats):
    a, b = torch.from_numpy(numbers(a_shape)), torch.from_numpy(numbers(b_shape, 7))
    b = b.transpose(-1, -2) if transposed else b
    return given(torch.matmul, a, b, shape=a.shape[:-1] + b.shape[-1:], dtype=a.numpy().dtype)


def product_bf16():
    a, b = floats((1024, 1024)).bfloat16(), floats((1024, 1024), 7).bfloat16()
    out = torch.empty((1024, 1024), dtype=torch.bfloat16)
    return partial(torch.mm, a, b, out=out), out.float


def fresh(function, *args, **kwargs):
    """What takes no output: the result is allocated in every call."""
    def result():
        return function(*args, **kwargs).numpy()
    return partial(function, *args, **kwargs), result


def einsum(equation, shape):
    return fresh(torch.einsum, equation, floats(shape), floats(shape, 7))


def conv(x_shape, w_shape, last=False, **kwargs):
    x, w = floats(x_shape), floats(w_shape, 7)
    if last:
        x, w = (t.contiguous(memory_format=torch.channels_last) for t in (x, w))
    function = functional.conv1d if len(x_shape) == 3 else functional.conv2d
    return fresh(function, x, w, **kwargs)


def pool(last=False):
    x = floats((1, 64, 112, 112))
    return fresh(functional.max_pool2d, x.contiguous(memory_format=torch.channels_last) if last else x, 3, 2, 1)


def softmax(rows, columns):
    return given(torch.softmax, floats((rows, columns)), shape=(rows, columns), dim=-1)


def layernorm():
    return fresh(functional.layer_norm, floats((1024, 1024)), (1024,), floats(1024, 3), floats(1024, 11))


def attention(heads, queries, keys, columns):
    """Heads of q that share one of k and v are that one's queries."""
    q, k, v = (floats((heads, n, columns), start) for n, start in ((queries, 0), (keys, 7), (keys, 13)))
    scores, weights, out = empty((heads, queries, keys)), empty((heads, queries, keys)), empty((heads, queries, columns))
    scale = columns ** -0.5

    def run():
        torch.baddbmm(scores, q, k.transpose(1, 2), beta=0, alpha=scale, out=scores)
        torch.softmax(scores, -1, out=weights)
        torch.bmm(weights, v, out=out)
    return run, out.numpy()


def shuffled(shape, dtype=np.float32):
    return torch.from_numpy(contest.shuffled(shape, dtype))


def sort(shape, dtype=np.float32, index=False):
    out = empty(shape, dtype), empty(shape, np.int64)
    return partial(torch.sort, shuffled(shape, dtype), out=out), out[1 if index else 0].numpy()


def topk():
    out = empty(100), empty(100, np.int64)
    return partial(torch.topk, shuffled(M), 100, out=out), out[1].numpy()


def searchsorted():
    ordered = torch.sort(shuffled(M))[0]
    return given(torch.searchsorted, ordered, shuffled(M), shape=M, dtype=np.int64)


def nonzero():
    x = floats(16 * M)
    x[x <= 4.2] = 0
    return partial(torch.nonzero, x), None


def masked_select():
    x = floats(16 * M)
    return partial(torch.masked_select, x, x > 4.2), None


def scatter_add():
    index, x, out = torch.from_numpy(contest.places(M, 10000)), floats(M), empty(10000)

    def run():
        out.zero_()
        out.scatter_add_(0, index, x)
    return run, out.numpy()


ROWS = {
    "add_1k": lambda: add(floats(1000), floats(1000, 7)),
    "add_100k": lambda: add(floats(100000), floats(100000, 7)),
    "add_16M": lambda: add(floats(16 * M), floats(16 * M, 7)),
    "add_16M_fresh": lambda: fresh_add(16 * M),
    "bcast_row": lambda: add(floats((1024, 1024)), floats(1024, 7)),
    "bcast_col": lambda: add(floats((1024, 1024)), floats((1024, 1), 7)),
    "bcast_3d": lambda: add(floats((64, 1, 256)), floats((1, 128, 256), 7)),
    "addT_2048": lambda: add(floats((2048, 2048)), floats((2048, 2048), 7).t()),
    "exp_1M": lambda: given(torch.exp, floats(M), shape=M),
    "tanh_1M": lambda: given(torch.tanh, floats(M), shape=M),
    "gelu_erf_1M": lambda: gelu("none"),
    "gelu_tanh_1M": lambda: gelu("tanh"),
    "sigmoid_1M": lambda: given(torch.sigmoid, floats(M), shape=M),
    "relu_1M": lambda: given(torch.clamp_min, floats(M), 0, shape=M),
    "exp_1M_f64": lambda: wide(torch.exp),
    "log_1M_f64": lambda: wide(torch.log, 3.5),
    "sin_1M_f64": lambda: wide(torch.sin),
    "tanh_1M_f64": lambda: wide(torch.tanh),
    "pow_1M": lambda: given(torch.pow, torch.from_numpy(contest.positives(M)), floats(M, 7), shape=M),
    "atan2_1M": lambda: given(torch.atan2, floats(M), floats(M, 7), shape=M),
    "sum_16M": lambda: flat(torch.sum),
    "sum_ax0": lambda: along(torch.sum, 0),
    "sum_ax1": lambda: along(torch.sum, 1),
    "max_ax0": lambda: along(torch.amax, 0),
    "max_ax1": lambda: along(torch.amax, 1),
    "argmax_ax0": lambda: along(torch.argmax, 0, np.int64),
    "argmax_ax1": lambda: along(torch.argmax, 1, np.int64),
    "argmax_16M": lambda: flat(torch.argmax, np.int64),
    "transpose_4096": lambda: copy(floats(SQUARE).t()),
    "perm_nchw2nhwc": lambda: copy(floats(IMAGES).permute(0, 2, 3, 1)),
    "perm_nhwc2nchw": lambda: copy(floats((8, 56, 56, 64)).permute(0, 3, 1, 2)),
    "cast_f16": lambda: copy(floats(16 * M), empty(16 * M, np.float16)),
    "cast_bf16": lambda: copy(floats(16 * M), bf16(arena.empty(16 * M, np.int16))),
    "cast_u8": lambda: copy(torch.from_numpy(contest.positives(16 * M)), empty(16 * M, np.uint8)),
    "cast_f16_to_f32": lambda: copy(torch.from_numpy(contest.halves(16 * M))),
    "cast_bf16_to_f32": lambda: copy(bf16(contest.bf16_bits(16 * M))),
    "cast_u8_to_f32": lambda: copy(torch.from_numpy(contest.bytes_(16 * M))),
    "slice_cols2": lambda: copy(floats(SQUARE)[:, ::2]),
    "slice_block": lambda: copy(floats(SQUARE)[1000:3000, 1000:3000]),
    "concat_ax0": lambda: concat(0),
    "concat_ax1": lambda: concat(1),
    "pad_1": lambda: pad(floats(IMAGES), (2, 3), (8, 64, 58, 58)),
    "sort_1M": lambda: sort(M),
    "sort_1M_i32": lambda: sort(M, np.int32),
    "sort_rows": lambda: sort((1024, 1024)),
    "sort_rows_i32": lambda: sort((1024, 1024), np.int32),
    "argsort_1M": lambda: sort(M, index=True),
    "argsort_1M_i32": lambda: sort(M, np.int32, index=True),
    "argsort_rows": lambda: sort((1024, 1024), index=True),
    "argsort_rows_i32": lambda: sort((1024, 1024), np.int32, index=True),
    "sort_1M_f64": lambda: sort(M, np.float64),
    "sort_1M_i64": lambda: sort(M, np.int64),
    "sort_8": lambda: sort((M // 8, 8)),
    "argsort_8": lambda: sort((M // 8, 8), index=True),
    "argsort_1M_f64": lambda: sort(M, np.float64, index=True),
    "topk_100_1M": topk,
    "unique_1M": lambda: (partial(torch.unique, floats(M)), None),
    "searchsorted_1M": searchsorted,
    "histogram_16M": lambda: given(torch.histc, floats(16 * M), shape=100, bins=100, min=-3, max=5),
    "nonzero_16M": nonzero,
    "masked_select_16M": masked_select,
    "scatter_add_1M": scatter_add,
    "cumsum_16M": lambda: given(torch.cumsum, floats(16 * M), shape=16 * M, dim=0),
    "cumsum_ax0": lambda: given(torch.cumsum, floats(SQUARE), shape=SQUARE, dim=0),
    "cumsum_ax1": lambda: given(torch.cumsum, floats(SQUARE), shape=SQUARE, dim=1),
    "sgemm_64": lambda: product((64, 64), (64, 64)),
    "sgemm_256": lambda: product((256, 256), (256, 256)),
    "sgemm_1024": lambda: product((1024, 1024), (1024, 1024)),
    "sgemm_2048": lambda: product((2048, 2048), (2048, 2048)),
    "dgemm_1024": lambda: product((1024, 1024), (1024, 1024), numbers=contest.doubles),
    "bf16gemm_1024": product_bf16,
    "gemv_4096": lambda: product((1, 4096), (4096, 4096)),
    "gemv_4096_wT": lambda: product((1, 4096), (4096, 4096), transposed=True),
    "gemm_32x4096": lambda: product((32, 4096), (4096, 4096)),
    "gemm_32x4096_wT": lambda: product((32, 4096), (4096, 4096), transposed=True),
    "bmm_64": lambda: product((64, 128, 64), (64, 64, 128)),
    "einsum_bij_bjk": lambda: einsum("bij,bjk->bik", (32, 128, 128)),
    "einsum_ij_kj": lambda: einsum("ij,kj->ik", (1024, 1024)),
    "einsum_bhqd_bhkd": lambda: einsum("bhqd,bhkd->bhqk", (8, 16, 128, 64)),
    "conv7s2": lambda: conv((1, 3, 224, 224), (64, 3, 7, 7), stride=2, padding=3),
    "conv3_64": lambda: conv((1, 64, 56, 56), (64, 64, 3, 3), padding=1),
    "conv3_64_nhwc": lambda: conv((1, 64, 56, 56), (64, 64, 3, 3), last=True, padding=1),
    "conv3_256": lambda: conv((1, 256, 14, 14), (256, 256, 3, 3), padding=1),
    "conv1x1": lambda: conv((1, 128, 28, 28), (512, 128, 1, 1)),
    "convdw3": lambda: conv((1, 32, 112, 112), (32, 1, 3, 3), padding=1, groups=32),
    "conv1d": lambda: conv((8, 64, 1024), (64, 64, 5), padding=2),
    "maxpool": pool,
    "maxpool_nhwc": lambda: pool(last=True),
    "softmax_1024": lambda: softmax(1024, 1024),
    "softmax_64x50257": lambda: softmax(64, 50257),
    "layernorm_1024": layernorm,
    "attn": lambda: attention(8, 512, 512, 64),
    "attn_decode_gqa": lambda: attention(8, 4, 4096, 128),
    "attn_decode": lambda: attention(8 * 16, 1, 1024, 64),
    "add4_given": lambda: add(floats(4), floats(4, 7)),
    "add4_fresh": lambda: fresh_add(4),
    "new_free_4": lambda: (partial(torch.empty, 4), None),
    "view": lambda: (partial(floats(4).view, 2, 2), None),
}


def network_sweep(case):
    """What sweep.py says of the numbers."""
    if case.op == "matmul":
        batch, m, k, n = case.shape
        a = floats((batch, k, m)).transpose(1, 2) if case.a[0] else floats((batch, m, k))
        b = floats((batch, n, k), 7).transpose(1, 2) if case.b[0] else floats((batch, k, n), 7)
        return given(torch.matmul, a, b, shape=(batch, m, n))
    if case.op == "conv":
        channels, height, width, filters, kernel, stride, pad_, groups = case.shape
        return conv((1, channels, height, width), (filters, channels // groups, kernel, kernel), stride=stride, padding=pad_,
                    groups=groups)
    if case.op == "maxpool":
        channels, height, width, kernel, stride, pad_ = case.shape
        return fresh(functional.max_pool2d, floats((1, channels, height, width)), kernel, stride, pad_)
    rows, columns = case.shape
    if case.op == "softmax":
        return softmax(rows, columns)
    return fresh(functional.layer_norm, floats((rows, columns)), (columns,), floats(columns, 3), floats(columns, 11))


def open_sweep(case):
    if case.op in ("matmul", "conv", "maxpool", "softmax", "layernorm"):
        return network_sweep(case)

    def strided(strides, start):
        return torch.from_numpy(case.base(strides, start)).as_strided(case.shape, strides)

    a = strided(case.a, 0)
    b = strided(case.b, 7) if case.b is not None else None
    if case.op == "copy":
        return copy(a)
    if case.op == "pad":
        return pad(a, range(a.dim()), [n + 2 for n in case.shape])
    if case.op == "concat":
        joined = [2 * n if i == case.axes[0] else n for i, n in enumerate(case.shape)]
        return given(torch.cat, (a, b), shape=joined, dim=case.axes[0])
    if case.op == "argmax":
        return given(torch.argmax, a, shape=case.kept(), dtype=np.int64, dim=case.axes[0])
    if case.op in ("sum", "max"):
        return given({"sum": torch.sum, "max": torch.amax}[case.op], a, shape=case.kept(), dim=case.axes)
    binary = {"add": torch.add, "sub": torch.sub, "mul": torch.mul, "maximum": torch.maximum}
    if case.op in binary:
        return given(binary[case.op], a, b, shape=case.shape)
    unary = {"exp": torch.exp, "tanh": torch.tanh, "abs": torch.abs, "square": torch.square}
    return given(unary[case.op], a, shape=case.shape) if case.op in unary else None


def chain(x):
    t = (x["a"] * x["b"]).add_(x["c"]).sub_(x["a"]).mul_(0.5).abs_().add_(1).sqrt_()
    return torch.maximum(x["b"] / t, x["c"]).square_().neg_().add_(x["a"])


FUSED = {  # eager, in place where nobody sees it
    "lin": lambda x: (2 * x["a"]).add_(x["b"], alpha=3),
    "muladd": lambda x: (x["a"] * x["b"]).add_(x["c"]) if x["a"].dtype == x["c"].dtype else x["a"] * x["b"] + x["c"],
    "gelu": lambda x: functional.gelu((x["a"] * x["b"]).add_(x["c"])),
    "trig": lambda x: torch.sin(x["a"]).square_().add_(torch.cos(x["a"]).square_()),
    "ssd": lambda x: (x["a"] - x["b"]).square_().sum(),
    "ssd_ax0": lambda x: (x["a"] - x["b"]).square_().sum(dim=0),
    "ssd_ax1": lambda x: (x["a"] - x["b"]).square_().sum(dim=1),
    "where": lambda x: torch.where(x["a"] > 0, x["a"], 0.1 * x["a"]),
    "clip": lambda x: (x["a"] - x["m"]).div_(x["s"]).clamp_(-3, 3),
    "softmax": lambda x: torch.softmax((x["a"] * 0.125).add_(x["v"]), dim=1),
    "chain": chain,
}


def fused(name, shape, variant):
    if name not in FUSED:
        return None
    x = {key: torch.from_numpy(value) for key, value in expressions.inputs(shape, variant).items()}
    return partial(FUSED[name], x), lambda: FUSED[name](x).numpy()


class Fft:
    """torch.fft with NumPy's names."""

    @staticmethod
    def fft(x, axis=-1):
        return torch.fft.fft(torch.from_numpy(x), dim=axis).numpy()

    @staticmethod
    def rfft(x):
        return torch.fft.rfft(torch.from_numpy(x)).numpy()

    @staticmethod
    def fft2(x):
        return torch.fft.fft2(torch.from_numpy(x)).numpy()


def open_case(spec):
    if spec.startswith(("fft", "rfft")):
        return contest.transform(spec, Fft)
    if spec.startswith("sweep "):
        return open_sweep(contest.Sweep(spec))
    if spec.startswith("fuse_"):
        return fused(*expressions.parse(spec))
    return ROWS[spec]() if spec in ROWS else None


contest.serve(torch.__version__, open_case)
