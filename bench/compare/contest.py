"""What every contestant in Python shares: the line protocol of contest.h, the same memory, inputs and checksum."""
import gc
import itertools
import os
import sys
import time
from functools import partial

import numpy as np

ARENA_BYTES = 1 << 30
GAP = 1088
PERIOD = 65521
SAMPLES = 4096
SAMPLE_NS = 20000
MOST_CALLS = 100000

THREADS = int(os.environ.get("CONTEST_THREADS", "1"))


class Arena:
    """Memory of one workload, touched once and used again by the next; NumPy asks for huge pages itself."""

    def __init__(self):
        self.bytes = np.empty(ARENA_BYTES + 64, np.uint8)
        self.bytes = self.bytes[-self.bytes.ctypes.data % 64:]
        self.used = 0

    def empty(self, shape, dtype=np.float32):
        size = int(np.prod(shape, dtype=np.int64)) * np.dtype(dtype).itemsize
        begin = self.used
        self.used += (size + 63) // 64 * 64 + GAP
        array = self.bytes[begin:begin + size].view(dtype).reshape(shape)
        array.fill(0)
        return array


arena = Arena()


def make_sequence():
    state, values = 1, np.empty(PERIOD, np.float32)
    for i in range(PERIOD):
        state = (state * 1664525 + 1013904223) & 0xFFFFFFFF
        values[i] = np.float32(state >> 8)
    return values * np.float32(8 / 16777216) - np.float32(3)


sequence = make_sequence()
positive = (sequence + np.float32(3)) * np.float32(255 / 8)


def fill(array, values, start=0):
    flat = array.reshape(-1)
    first = min(PERIOD - start, flat.size)
    flat[:first] = values[start:start + first]
    whole = (flat.size - first) // PERIOD * PERIOD
    flat[first:first + whole].reshape(-1, PERIOD)[:] = values
    flat[first + whole:] = values[:flat.size - first - whole]
    return array


def floats(shape, start=0):
    """Numbers from -3 to 5, the same for everyone; a long array has a 9, once."""
    array = fill(arena.empty(shape), sequence, start)
    if array.size > PERIOD:
        array.reshape(-1)[array.size // 4 * 3 + 1] = 9
    return array


def doubles(shape, start=0):
    return fill(arena.empty(shape, np.float64), sequence.astype(np.float64), start)


def positives(shape):
    return fill(arena.empty(shape), positive)


def shuffled_numbers():
    x, mask = np.arange(1 << 20, dtype=np.uint64), np.uint64((1 << 20) - 1)
    for _ in range(3):
        x = (x ^ x >> np.uint64(9)) & mask
        x = (x * np.uint64(0x9E375) + np.uint64(0x1234)) & mask
    return x.astype(np.int32) - np.int32(1 << 19)


def shuffled(shape, dtype=np.float32):
    """2^20 different numbers of both signs in no order."""
    array = arena.empty(shape, dtype)
    array.reshape(-1)[:] = shuffled_numbers().astype(dtype) * dtype(0.70710678 if dtype == np.float32 else 4093)
    return array


def places(n, count):
    """n indices below count in no order, as i64."""
    array = arena.empty(n, np.int64)
    array[:] = (shuffled_numbers().astype(np.int64) + (1 << 19)) % count
    return array


def bytes_(shape):
    return fill(arena.empty(shape, np.uint8), positive.astype(np.uint8))


def halves(shape):
    """f16, cut and not rounded, as contest.c makes them; subnormals are 0."""
    bits = (sequence.view(np.uint32) & np.uint32(0xFFFFE000)).view(np.float32)
    return fill(arena.empty(shape, np.float16), np.where(np.abs(bits) < 2.0 ** -14, 0, bits).astype(np.float16))


def bf16_bits(shape):
    """bf16 as the upper halves of f32."""
    return fill(arena.empty(shape, np.uint16), (sequence.view(np.uint32) >> 16).astype(np.uint16))


class Sweep:
    """sweep OP shape=3,4 a=4,1 b=0,1 axes=0"""

    def __init__(self, spec):
        words = spec.split()
        self.op = words[1]
        fields = dict(word.split("=", 1) for word in words[2:])
        numbers = {key: tuple(int(x) for x in text.split(",") if x) for key, text in fields.items()}
        self.shape, self.axes = numbers["shape"], numbers.get("axes", ())
        self.a, self.b = numbers["a"], numbers.get("b")

    def base(self, strides, start):
        """The flat memory of an input."""
        return floats(sum((n - 1) * s for n, s in zip(self.shape, strides)) + 1, start)

    def kept(self):
        return tuple(n for i, n in enumerate(self.shape) if i not in self.axes)


def checksum(result):
    if result is None:
        return 0.0
    flat = np.asarray(result).reshape(-1)
    sample = flat[::max(1, flat.size // SAMPLES)][:SAMPLES].astype(np.float64)
    return float((sample * (np.arange(sample.size) % 13 + 1)).sum())


def time_calls(run, calls):
    times = itertools.repeat(None, calls)
    start = time.perf_counter_ns()
    for _ in times:
        run()
    return (time.perf_counter_ns() - start) / calls


def calibrate(run):
    calls, ns = 1, time_calls(run, 1)
    while ns * calls < SAMPLE_NS and calls < MOST_CALLS:
        calls *= 4
        ns = time_calls(run, calls)
    return calls


def best_of_round(run, calls, ms):
    end = time.perf_counter_ns() + 1e6 * ms
    best = time_calls(run, calls)
    while time.perf_counter_ns() < end:
        best = min(best, time_calls(run, calls))
    return best


def transform(spec, fft):
    """fft_N, fft_N_f64, rfft_N, and those of matrices, by a module like numpy.fft."""
    def complexes(shape, wide=False):
        numbers = (doubles if wide else floats)(tuple(shape) + (2,))
        return numbers.view(np.complex128 if wide else np.complex64).reshape(shape)

    def parts(y):
        return lambda: np.ascontiguousarray(y()).view(np.float32 if y().dtype == np.complex64 else np.float64)
    if spec == "fft2_512":
        call = partial(fft.fft2, complexes((512, 512)))
    elif spec == "fft_rows_256":
        call = partial(fft.fft, complexes((4096, 256)))
    elif spec == "fft_columns_256":
        call = partial(fft.fft, complexes((256, 4096)), axis=0)
    elif spec.startswith("rfft_"):
        call = partial(fft.rfft, floats(int(spec[5:])))
    else:
        call = partial(fft.fft, complexes((int(spec.split("_")[1]),), spec.endswith("_f64")))
    return call, parts(call)


def serve(version, open_case):
    """open_case(spec) gives a function of no arguments and its result (an array of NumPy, a function that gives one, or
    None), or None when it cannot do that."""
    def say(text):
        print(text, flush=True)

    gc.disable()
    say(f"ready {version}")
    case, calls = None, 1
    for line in sys.stdin:
        word, _, rest = line.strip().partition(" ")
        if word == "open":
            arena.used = 0
            case = open_case(rest)
            if case is None:
                say("none")
                continue
            case[0]()
            say(f"ok {checksum(case[1]() if callable(case[1]) else case[1]):.9g}")
            calls = calibrate(case[0])
        elif word == "round":
            say(f"{best_of_round(case[0], calls, float(rest)):.4g}")
        else:
            case = None
            gc.collect()
            say("ok")
