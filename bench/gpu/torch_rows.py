"""PyTorch's rows of the GPU's table, measured as bench_gpu measures ours: the median of 9 times 5 calls by events, after 60 ms of
the same. Requests and answers are those of bench_gpu; a row that it does not have is answered with "none"."""
import ctypes
import os
import shutil
import subprocess
import functools
import sys
import tempfile
import time

import torch
import torch_networks
from torch.nn import functional

TINY = "--tiny" in sys.argv
DEVICE = "cuda" if torch.cuda.is_available() else None
SIDE = 128 if TINY else 16384
DTYPES = {"f16": torch.float16, "f32": torch.float32, "f64": torch.float64, "i32": torch.int32}


def measured(call):
    rounds, inner = (2, 1) if TINY else (9, 5)
    call()
    torch.cuda.synchronize()
    begun = time.monotonic()
    while not TINY and time.monotonic() - begun < 0.06:
        for _ in range(inner):
            call()
        torch.cuda.synchronize()
    samples = []
    for _ in range(rounds):
        first, last = torch.cuda.Event(enable_timing=True), torch.cuda.Event(enable_timing=True)
        first.record()
        for _ in range(inner):
            call()
        last.record()
        last.synchronize()
        samples.append(first.elapsed_time(last) / inner)
    return sorted(samples)[rounds // 2]


class KeySort:
    """Values alone, sorted by CUB, which is compiled here; without nvcc by CuPy; without either there is no row."""

    def __init__(self, x):
        self.x, self.out = x, torch.empty_like(x)
        self.room = torch.empty(x.numel() + (1 << 24), device=DEVICE)
        self.cub = self.cupy = None
        try:
            self.cub = ctypes.CDLL(compiled_cub())
            self.cub.sort_keys.argtypes = [ctypes.c_void_p] * 3 + [ctypes.c_size_t, ctypes.c_int, ctypes.c_void_p]
        except (OSError, subprocess.SubprocessError):
            try:
                import cupy
                self.cupy = cupy
            except ImportError:
                raise RuntimeError("neither nvcc nor CuPy is here") from None

    def __call__(self):
        if self.cupy is not None:
            return self.cupy.sort(self.cupy.asarray(self.x))
        status = self.cub.sort_keys(self.x.data_ptr(), self.out.data_ptr(), self.room.data_ptr(),
                                    self.room.numel() * 4, self.x.numel(), torch.cuda.current_stream().cuda_stream)
        if status != 0:
            raise RuntimeError(f"CUB: {status}")
        return self.out


def compiled_cub():
    source = os.path.join(os.path.dirname(os.path.abspath(__file__)), "cub_sort.cu")
    library = os.path.join(tempfile.mkdtemp(), "libcub_sort.so")
    nvcc = shutil.which("nvcc") or "/usr/local/cuda/bin/nvcc"
    major, minor = torch.cuda.get_device_capability()
    subprocess.run([nvcc, "-O3", f"-arch=sm_{major}{minor}", "-shared", "-Xcompiler", "-fPIC", source, "-o", library],
                   check=True, capture_output=True)
    return library


class Lazy:
    """What is made when its row is first asked for."""

    def __init__(self, make):
        self.make, self.call = make, None

    def __call__(self):
        if self.call is None:
            self.call = self.make()
        return self.call()


class Compiled:
    """A function that torch.compile makes a kernel of when it is first called; where it cannot, the function itself."""

    def __init__(self, function):
        self.plain, self.call = function, None

    def __call__(self, *args):
        if self.call is None:
            try:
                self.call = torch.compile(self.plain)
                self.call(*args)
            except Exception as problem:  # whatever its compilers raise
                print(f"not compiled: {problem}", file=sys.stderr)
                self.call = self.plain
        return self.call(*args)


def make_rows():
    n = SIDE
    a, b = torch.randn(n, n, device=DEVICE), torch.randn(n, n, device=DEVICE)
    out, half = torch.empty_like(a), torch.empty(n, n, device=DEVICE, dtype=torch.float16)
    row, scale, col = b[0].clone(), b[1].clone(), b[:, :1].clone()
    mask = a > 0
    images = a.view(2, 8, 16, -1) if TINY else a.view(64, 256, 128, 128)
    flat = a.view(-1)
    channels = images.shape[1]
    mean, variance = torch.zeros(channels, device=DEVICE), torch.ones(channels, device=DEVICE)
    table = a.view(-1, 64)[:1 << 20]
    index = torch.randint(0, len(table), (len(table),), device=DEVICE)
    classes = torch.randint(0, n, (n,), device=DEVICE)
    brain, f16, g16 = a.bfloat16(), a.half(), b.half()
    m = n // 2
    odd = flat[:(n - 3) * (n - 5)].view(n - 3, n - 5)
    odd_out = torch.empty(n - 5, n - 3, device=DEVICE)
    lower = [x[:n // 2].view(n, n // 2) for x in (a, b)]
    torch.backends.cuda.matmul.allow_tf32 = False

    def rows_of(length):
        length = length if not TINY or length // 16 <= 4 else length // 16
        return flat[:flat.numel() // length * length].view(-1, length)

    def square(x):
        return x[:m // 2].view(m, m)

    def first_images(x, *shape):
        count = 1
        for length in shape:
            count *= length
        return x.view(-1)[:count].view(shape)

    def convolve(x, c, o, k, last=False, relu=False):
        count, side = (2, 8) if TINY else (64, 56)
        depthwise = c == 0
        c, o = (16, 16) if TINY else (c or o, o)
        each = 1 if depthwise else c
        if last:
            images, filters = first_images(x, count, side, side, c), first_images(x, o, k, k, each)
            images, filters = images.permute(0, 3, 1, 2), filters.permute(0, 3, 1, 2)
        else:
            images, filters = first_images(x, count, c, side, side), first_images(x, o, each, k, k)
        call = functools.partial(functional.conv2d, images, filters, padding=k // 2, groups=c if depthwise else 1)
        return (lambda: torch.relu_(call())) if relu else call

    def smaller(full, tiny):
        return tiny if TINY else full

    last_images = a.view(images.shape[0], images.shape[2], images.shape[3], images.shape[1]).permute(0, 3, 1, 2)
    to_resize = first_images(a, *smaller((64, 64, 128, 128), (2, 8, 8, 8)))
    to_transpose, backwards = first_images(a, *smaller((16, 64, 28, 28), (2, 8, 6, 6))), first_images(b, *smaller((64, 64, 4, 4), (8, 8, 4, 4)))
    volumes, solid = first_images(a, *smaller((4, 32, 32, 32, 32), (1, 4, 6, 6, 6))), first_images(b, *smaller((32, 32, 3, 3, 3), (4, 4, 3, 3, 3)))
    torch.backends.cudnn.allow_tf32 = False
    torch.backends.cudnn.benchmark = True
    def heads_of(x, count, shape):
        return [x.view(-1)[i * count:(i + 1) * count].view(shape) for i in range(3)]

    def attend(x, columns, causal=False):
        count = n * n // 16
        shape = (1, 1, -1, 16) if TINY else (4, 1024 // columns, -1, columns)
        q, k, v = heads_of(x, count, shape)
        return lambda: functional.scaled_dot_product_attention(q, k, v, is_causal=causal)

    def decode(batch, heads, group):
        d = 16 if TINY else 128
        batch, heads = (1, 2) if TINY else (batch, heads)
        q = g16.view(-1)[:batch * heads * group * d].view(batch, heads * group, 1, d)
        k, v = f16.view(batch, heads, -1, d), g16.view(batch, heads, -1, d)
        return lambda: functional.scaled_dot_product_attention(q, k, v, enable_gqa=group > 1)

    fused_gelu = Compiled(lambda x, y, z: functional.gelu(x * y + z))
    fused_sum = Compiled(lambda x, y: ((x - y) ** 2).sum())
    fused_softmax = Compiled(lambda x, v: torch.softmax(x * 0.5 + v, 1))
    third = []  # made when it is asked for

    def third_matrix():
        if not third:
            third.append(torch.randn(n, n, device=DEVICE))
        return third[0]

    some = flat[:1 << 24]
    some_rows = some.view(-1, 64 if TINY else 1024)
    whole = torch.randint(0, 1 << 20, some.shape, device=DEVICE, dtype=torch.int32)
    sums = table.clone()
    products = [torch.empty(m, m, device=DEVICE, dtype=t) for t in (torch.float32, torch.float16, torch.bfloat16)]
    return {
        "copy": lambda: out.copy_(a),
        "add": lambda: torch.add(a, b, out=out),
        "gelu": lambda: functional.gelu(a),
        "cast f16": lambda: half.copy_(a),
        "where": lambda: torch.where(mask, a, b, out=out),
        "add row": lambda: torch.add(a, row, out=out),
        "add col": lambda: torch.add(a, col, out=out),
        "flip": lambda: a.flip(1),
        "slice ::2": lambda: a[:, ::2].contiguous(),
        "transpose": lambda: out.copy_(a.t()),
        "transpose odd": lambda: odd_out.copy_(odd.t()),
        "add odd": lambda: torch.add(a[:n - 3, :n - 5], b[:n - 3, 1:n - 4]),
        "nhwc": lambda: images.contiguous(memory_format=torch.channels_last),
        "concat of slices": lambda: torch.cat((a[:, :m], b[:, :m]), 1, out=out),
        "concat": lambda: torch.cat(lower, 1, out=out),
        "pad": lambda: functional.pad(images, (1, 1, 1, 1)),
        "gather rows of 64": lambda: torch.index_select(table, 0, index),
        "normal": lambda: out.normal_(),
        "uniform": lambda: out.uniform_(),
        "dropout": lambda: functional.dropout(a, 0.5, training=True),
        "sum": lambda: a.sum(),
        "sum axis 0": lambda: a.sum(0),
        "sum axis 1": lambda: a.sum(1),
        "sum rows of 1000": lambda x=rows_of(1000): x.sum(1),
        "sum rows of 64": lambda x=rows_of(64): x.sum(1),
        "sum rows of 7": lambda x=rows_of(7): x.sum(1),
        "max axis 0": lambda: a.amax(0),
        "argmax axis 0": lambda: a.argmax(0),
        "argmax axis 1": lambda: a.argmax(1),
        "var axis 1": lambda: a.var(1),
        "logsumexp axis 1": lambda: a.logsumexp(1),
        "cumsum axis 0": lambda: torch.cumsum(a, 0, out=out),
        "cumsum axis 1": lambda: torch.cumsum(a, 1, out=out),
        "cumsum rows of 1000": lambda x=rows_of(1000): torch.cumsum(x, 1),
        "cumsum rows of 64": lambda x=rows_of(64): torch.cumsum(x, 1),
        "cumsum": lambda: torch.cumsum(flat, 0, out=out.view(-1)),
        "nonzero": lambda: torch.nonzero(flat > 0),
        "masked select": lambda: torch.masked_select(flat, flat > 0),
        "histogram": lambda: torch.histc(flat, 256, -5.7, 5.9),
        "diff": lambda: torch.diff(a, dim=1),
        "searchsorted": lambda: torch.searchsorted(torch.linspace(-4, 4, n, device=DEVICE), flat),
        "softmax": lambda: torch.softmax(a, 1, out=out),
        "softmax axis 0": lambda: torch.softmax(a, 0, out=out),
        "softmax rows of 1000": lambda x=rows_of(1000): torch.softmax(x, 1),
        "softmax rows of 64": lambda x=rows_of(64): torch.softmax(x, 1),
        "softmax rows of 7": lambda x=rows_of(7): torch.softmax(x, 1),
        "layer norm": lambda: functional.layer_norm(a, (n,), row, scale),
        "rms norm": lambda: functional.rms_norm(a, (n,), row, 1e-5),
        "group norm 32": lambda: functional.group_norm(images, 4 if TINY else 32),
        "batch norm": lambda: functional.batch_norm(images, mean, variance),
        "cross entropy": lambda: functional.cross_entropy(a, classes),
        "gelu bf16": lambda: functional.gelu(brain),
        "gelu(a*b+c)": lambda: fused_gelu(a, b, third_matrix()),
        "sum((a-b)**2)": lambda: fused_sum(a, b),
        "softmax(a*s+v)": lambda: fused_softmax(a, row),
        "sort 16M": Lazy(lambda: KeySort(some)),
        "argsort 16M": lambda: torch.sort(some),
        "sort rows of 1024": lambda: torch.sort(some_rows, 1),
        "argsort rows of 1024": lambda: torch.argsort(some_rows, 1),
        "top 100 of 16M": lambda: torch.topk(some, 100),
        "top 10 of rows of 1024": lambda: torch.topk(some_rows, 10, 1),
        "median 16M": lambda: torch.median(some),
        "unique 16M i32": lambda: torch.unique(whole),
        "index_add 1M x 64": lambda: sums.index_add_(0, index, table),
        "matmul f32": lambda: torch.matmul(square(a), square(b), out=products[0]),
        "matmul f16": lambda: torch.matmul(square(f16), square(g16), out=products[1]),
        "matmul bf16": lambda: torch.matmul(square(brain), square(brain), out=products[2]),
        "conv 3x3 f32": convolve(a, 64, 64, 3),
        "conv 3x3 bf16 last": convolve(brain, 256, 256, 3, True),
        "conv 3x3 64 bf16 last relu": convolve(brain, 64, 64, 3, True, True),
        "conv 1x1 bf16 last relu": convolve(brain, 256, 64, 1, True, True),
        "conv 1x1 f32 relu": convolve(a, 256, 64, 1, False, True),
        "conv transposed f32": lambda: functional.conv_transpose2d(to_transpose, backwards, stride=2, padding=1),
        "conv 3d f32": lambda: functional.conv3d(volumes, solid, padding=1),
        "depthwise 3x3": convolve(a, 0, 256, 3),
        "depthwise 3x3 bf16 last": convolve(brain, 0, 256, 3, True),
        "max pool 2": lambda: functional.max_pool2d(images, 2),
        "max pool 3 by 2": lambda: functional.max_pool2d(images, 3, 2, 1),
        "mean pool 2 last": lambda: functional.avg_pool2d(last_images, 2),
        "global mean pool": lambda: functional.adaptive_avg_pool2d(images, 1),
        "resize linear": lambda: functional.interpolate(to_resize, scale_factor=2, mode="bilinear", align_corners=False),
        "resize nearest": lambda: functional.interpolate(to_resize, scale_factor=2, mode="nearest"),
        "pixel shuffle": lambda: functional.pixel_shuffle(images, 2),
        "attention f32": attend(a, 64),
        "attention f16": attend(f16, 64),
        "attention bf16": attend(brain, 64),
        "attention bf16 causal": attend(brain, 64, True),
        "attention bf16 of 128": attend(brain, 128),
        "decode f16": decode(8, 32, 1),
        "decode f16 grouped": decode(1, 8, 4),
    }


def sweep(case):
    op, dtype, shape, order, step = case.split()
    lengths, axes = [int(x) for x in shape.split("x")], [int(x) for x in order.split(",")]
    x = torch.ones(lengths, device=DEVICE, dtype=DTYPES[dtype]).permute(axes)[..., ::int(step)]
    row = torch.ones(x.shape[-1], device=DEVICE, dtype=DTYPES[dtype])
    out = torch.empty(x.shape, device=DEVICE, dtype=DTYPES[dtype])
    to = torch.float16 if dtype == "f32" else torch.float32
    calls = {"copy": lambda: out.copy_(x), "cast": lambda: x.to(to, memory_format=torch.contiguous_format),
             "add": lambda: torch.add(x, row, out=out), "relu": lambda: torch.relu(x), "sum": lambda: x.sum(-1),
             "sum0": lambda: x.sum(0), "max": lambda: x.amax(-1), "softmax": lambda: torch.softmax(x, -1)}
    return measured(calls[op])


def small():
    a, out = torch.ones(1024, device=DEVICE), torch.ones(1024, device=DEVICE)
    times = []
    for waits in (False, True):
        best = None
        for _ in range(8):
            begun = time.perf_counter()
            for _ in range(100 if waits else 1000):
                torch.add(a, a, out=out)
                if waits:
                    torch.cuda.synchronize()
            us = (time.perf_counter() - begun) * 1e6 / (100 if waits else 1000)
            torch.cuda.synchronize()
            best = us if best is None else min(best, us)
        times.append(best)
    return f"{times[0]:.3f} {times[1]:.3f}"


def main():
    if DEVICE is None:
        print("skipped: PyTorch finds no GPU", flush=True)
        return
    torch.set_grad_enabled(False)
    rows = make_rows()
    for line in sys.stdin:
        word, _, rest = line.strip().partition(" ")
        try:
            if word == "list":
                answer = "\n".join(list(rows) + ["."])
            elif word == "row":
                answer = f"{measured(rows[rest]):.6f}" if rest in rows else "none"
            elif word == "sweep":
                answer = f"{sweep(rest):.6f}"
            elif word == "small":
                answer = small()
            elif word == "network":
                answer = torch_networks.network(rest, DEVICE, TINY, measured)
            else:
                answer = f"error what is {word}?"
        except RuntimeError as problem:
            answer = "error " + str(problem).split("\n", maxsplit=1)[0]
        print(answer, flush=True)


main()
