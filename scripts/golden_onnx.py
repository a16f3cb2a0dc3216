#!/usr/bin/env python3
"""Writes tests/golden/onnx.inc: what ONNX Runtime makes of single nodes, for tests/nn/operators_golden_test.c.

    ORT_LIBRARY=.../libonnxruntime.so.1 /usr/bin/python3 scripts/golden_onnx.py

Without ORT_LIBRARY it takes the library of the package for Node that scripts/setup --peers installs. Needs NumPy. Each
case is a model of one node, written as a protocol buffer here; its inputs are numbers that the test makes too,
multiples of 1/32 whose products and sums are exact in f32, so that a convolution has one right result."""
import ctypes
import glob
import os
import pathlib
import struct
import textwrap

import numpy as np

ROOT = pathlib.Path(__file__).resolve().parent.parent
IR_VERSION, OPSET, FLOAT, INT64 = 10, 23, 1, 7


# ---- inputs: the test makes the same ones ----

def numbers(shape, seed, positive=False):
    values = []
    for _ in range(int(np.prod(shape))):
        seed = (seed * 1664525 + 1013904223) % 2**32
        values.append(((seed >> 16) % 201 - 100) / 32)
    v = np.array(values, np.float32).reshape(shape)
    return np.abs(v) + np.float32(0.5) if positive else v


# ---- models ----

def varint(n):
    n %= 2**64
    out = b""
    while n > 127:
        out, n = out + bytes([n & 127 | 128]), n >> 7
    return out + bytes([n])


def integer(field, n):
    return varint(field << 3) + varint(n)


def chunk(field, data):
    data = data.encode() if isinstance(data, str) else data
    return varint(field << 3 | 2) + varint(len(data)) + data


def attribute(name, value):
    head = chunk(1, name)
    if isinstance(value, float):
        return head + varint(2 << 3 | 5) + struct.pack("<f", value) + integer(20, 1)
    if isinstance(value, int):
        return head + integer(3, value) + integer(20, 2)
    if isinstance(value, str):
        return head + chunk(4, value) + integer(20, 3)
    return head + b"".join(integer(8, v) for v in value) + integer(20, 7)


def value_info(name, kind, shape):
    dims = b"" if shape is None else chunk(2, b"".join(chunk(1, integer(1, d)) for d in shape))
    return chunk(1, name) + chunk(2, chunk(1, integer(1, kind) + dims))


def constant(name, array):
    kind = FLOAT if array.dtype == np.float32 else INT64
    return b"".join(integer(1, d) for d in array.shape) + integer(2, kind) + chunk(8, name) + chunk(9, array.tobytes())


def model(op, inputs, constants, attributes):
    """inputs: arrays; constants: arrays or None (an input that is left out) behind them."""
    names = [f"i{k}" for k in range(len(inputs))] + ["" if c is None else f"c{k}" for k, c in enumerate(constants)]
    node = b"".join(chunk(1, n) for n in names) + chunk(2, "y") + chunk(4, op)
    node += b"".join(chunk(5, attribute(k, v)) for k, v in attributes.items())
    graph = chunk(1, node) + chunk(2, "g")
    graph += b"".join(chunk(5, constant(f"c{k}", c)) for k, c in enumerate(constants) if c is not None)
    graph += b"".join(chunk(11, value_info(f"i{k}", FLOAT, a.shape)) for k, a in enumerate(inputs))
    graph += chunk(12, value_info("y", FLOAT, None))
    return integer(1, IR_VERSION) + chunk(7, graph) + chunk(8, integer(2, OPSET))


# ---- the runtime: its table of functions, which only ever grows at its end ----

class Runtime:
    MESSAGE, ENV, SESSION, RUN, OPTIONS, TENSOR, DATA = 2, 3, 8, 9, 10, 49, 51
    DIMS_COUNT, DIMS, SHAPE, MEMORY = 61, 62, 65, 69

    def __init__(self, path):
        library = ctypes.CDLL(path)
        library.OrtGetApiBase.restype = ctypes.POINTER(ctypes.c_void_p * 2)
        base = library.OrtGetApiBase().contents
        self.version = ctypes.CFUNCTYPE(ctypes.c_char_p)(base[1])().decode()
        api = ctypes.CFUNCTYPE(ctypes.c_void_p, ctypes.c_uint32)(base[0])(18)
        self.table = ctypes.cast(api, ctypes.POINTER(ctypes.c_void_p))
        self.env, self.options, self.memory = (ctypes.c_void_p() for _ in range(3))
        self.call(self.ENV, 3, b"golden", ctypes.byref(self.env))
        self.call(self.OPTIONS, ctypes.byref(self.options))
        self.call(self.MEMORY, 0, 0, ctypes.byref(self.memory))

    def call(self, place, *args):
        status = ctypes.CFUNCTYPE(ctypes.c_void_p)(self.table[place])(*args)
        if status:
            get = ctypes.CFUNCTYPE(ctypes.c_char_p, ctypes.c_void_p)(self.table[self.MESSAGE])
            raise RuntimeError(get(status).decode())

    def run(self, data, inputs):
        session, y = ctypes.c_void_p(), ctypes.c_void_p()
        self.call(self.SESSION, self.env, ctypes.c_char_p(data), ctypes.c_size_t(len(data)), self.options,
                  ctypes.byref(session))
        values = (ctypes.c_void_p * len(inputs))()
        inputs = [np.ascontiguousarray(a) for a in inputs]
        for k, a in enumerate(inputs):
            shape = (ctypes.c_int64 * a.ndim)(*a.shape)
            value = ctypes.c_void_p()
            self.call(self.TENSOR, self.memory, ctypes.c_void_p(a.ctypes.data), ctypes.c_size_t(a.nbytes), shape,
                      ctypes.c_size_t(a.ndim), FLOAT, ctypes.byref(value))
            values[k] = value
        names = (ctypes.c_char_p * len(inputs))(*[f"i{k}".encode() for k in range(len(inputs))])
        self.call(self.RUN, session, None, names, values, ctypes.c_size_t(len(inputs)), (ctypes.c_char_p * 1)(b"y"),
                  ctypes.c_size_t(1), ctypes.byref(y))
        return self.array(y)

    def array(self, value):
        info, count, at = ctypes.c_void_p(), ctypes.c_size_t(), ctypes.c_void_p()
        self.call(self.SHAPE, value, ctypes.byref(info))
        self.call(self.DIMS_COUNT, info, ctypes.byref(count))
        dims = (ctypes.c_int64 * count.value)()
        self.call(self.DIMS, info, dims, count)
        self.call(self.DATA, value, ctypes.byref(at))
        size = int(np.prod(list(dims)))
        values = ctypes.cast(at, ctypes.POINTER(ctypes.c_float * size)).contents
        return np.array(values, np.float32).reshape(list(dims))


# ---- cases: op, shapes of the inputs, ONNX's attributes, fields of the test's row ----

def spatial(n, stride=None, dilation=None, pads=None, **more):
    """ONNX's attributes and the row's fields that most ops with windows share."""
    a, f = dict(more), {}
    if stride:
        a["strides"], f["stride"] = stride, stride
    if dilation:
        a["dilations"], f["dilation"] = dilation, dilation
    if pads:
        a["pads"], f["before"], f["after"] = pads, pads[:n], pads[n:]
    return a, f


def cases():
    for x, w, bias, groups, stride, dilation, pads in [
            ((1, 3, 6, 7), (4, 3, 3, 3), True, 1, None, None, [1, 1, 1, 1]),
            ((2, 4, 5, 6), (6, 2, 2, 3), False, 2, [2, 1], [1, 2], [0, 1, 2, 0]),
            ((1, 6, 5, 5), (6, 1, 3, 3), True, 6, [2, 2], None, [1, 0, 0, 1]),
            ((2, 3, 9), (4, 3, 4), True, 1, [2], [2], [3, 1]),
            ((1, 2, 4, 5, 4), (3, 2, 2, 3, 2), True, 1, [1, 2, 1], None, [1, 0, 1, 0, 1, 0]),
            ((1, 4, 5, 4, 5), (4, 2, 3, 1, 2), False, 2, None, [2, 1, 2], None)]:
        a, f = spatial(len(x) - 2, stride, dilation, pads, group=groups)
        yield "Conv", [x, w] + ([(w[0],)] if bias else []), a, dict(f, groups=groups)
    for x, w, bias, groups, stride, dilation, pads, extra in [
            ((1, 3, 4, 5), (3, 2, 3, 3), True, 1, None, None, None, None),
            ((2, 4, 3, 4), (4, 3, 3, 2), True, 2, [2, 3], None, [1, 0, 1, 1], [1, 2]),
            ((1, 2, 4, 3), (2, 2, 2, 3), False, 1, [1, 2], [2, 2], [0, 2, 1, 1], [0, 1]),
            ((2, 3, 6), (3, 4, 3), True, 1, [3], [2], [1, 2], [2])]:
        a, f = spatial(len(x) - 2, stride, dilation, pads, group=groups)
        if extra:
            a["output_padding"], f["extra"] = extra, extra
        yield "ConvTranspose", [x, w] + ([(w[1] * groups,)] if bias else []), a, dict(f, groups=groups)
    for x, kernel, stride, dilation, pads, ceil in [
            ((1, 2, 6, 7), [2, 3], None, None, None, 0), ((2, 1, 7, 6), [3, 2], [2, 2], None, [1, 0, 1, 1], 1),
            ((1, 2, 8, 9), [3, 3], [2, 3], [2, 1], [1, 1, 0, 1], 1), ((2, 2, 11), [4], [3], None, [1, 2], 1)]:
        for op in ("MaxPool", "AveragePool", "LpPool"):
            variants = {"MaxPool": [{}], "AveragePool": [{}, {"count_include_pad": 1}],
                        "LpPool": [{"p": 1}, {"p": 2}, {"p": 3}]}
            for more in variants[op]:
                a, f = spatial(len(kernel), stride or [1] * len(kernel), dilation, pads, kernel_shape=kernel,
                               ceil_mode=ceil, **more)
                yield op, [x], a, dict(f, kernel=kernel, ceil=ceil, include=more.get("count_include_pad", 0),
                                       real=[float(more.get("p", 0))])
    yield "GlobalAveragePool", [(2, 3, 4, 5)], {}, {}
    yield "GlobalMaxPool", [(2, 3, 7)], {}, {}
    for x, size, alpha, beta, bias in [
            ((1, 6, 2, 3), 3, 1e-2, 0.75, 1.0), ((2, 7, 2, 2), 5, 0.5, 0.5, 2.0), ((1, 3, 2, 2), 7, 1.0, 1.25, 0.5)]:
        attributes = dict(size=size, alpha=alpha, beta=beta, bias=bias)
        yield "LRN", [x], attributes, dict(groups=size, real=[alpha, beta, bias])
    names = ["half_pixel", "asymmetric", "align_corners", "pytorch_half_pixel"]
    rules = ["round_prefer_floor", "round_prefer_ceil", "floor", "ceil"]
    for x, size in [((1, 2, 3, 4), [7, 5]), ((2, 1, 5, 6), [2, 9]), ((1, 1, 4, 4), [1, 3])]:
        for c, name in enumerate(names):
            sizes = np.array(list(x[:2]) + size, np.int64)
            yield "Resize", [x, None, None, sizes], dict(mode="linear", coordinate_transformation_mode=name), dict(
                kernel=size, include=1, groups=c)
            for r, rule in enumerate(rules):
                attributes = dict(mode="nearest", coordinate_transformation_mode=name, nearest_mode=rule)
                yield "Resize", [x, None, None, sizes], attributes, dict(kernel=size, groups=c, ceil=r)
    for mode, c in [("linear", 0), ("linear", 1), ("nearest", 1)]:  # scales that do not give whole sizes
        scales = np.array([1, 1, 1.75, 0.625], np.float32)
        more = {"nearest_mode": "floor"} if mode == "nearest" else {}
        attributes = dict(mode=mode, coordinate_transformation_mode=names[c], **more)
        yield "Resize", [(1, 2, 5, 6), None, scales], attributes, dict(
            kernel=[8, 3], include=int(mode == "linear"), groups=c, ceil=2 * int(mode == "nearest"), real=[1.75, 0.625])
    for mode in ("DCR", "CRD"):
        yield "DepthToSpace", [(2, 12, 2, 3)], dict(blocksize=2, mode=mode), dict(groups=2, include=int(mode == "DCR"))
    yield "SpaceToDepth", [(1, 2, 4, 6)], dict(blocksize=2), dict(groups=2, include=1)
    positions = [[4, 0, 2], [1, 1, 5]]
    for interleaved, features in [(0, 6), (1, 6), (0, 4), (1, 2)]:
        table = (6, features // 2)
        yield "RotaryEmbedding", [(2, 2, 3, 6), table, table, np.array(positions, np.int64)], dict(
            interleaved=interleaved, rotary_embedding_dim=features), dict(
                include=interleaved, kernel=positions[0], extra=positions[1])
    for op in ("Softmax", "LogSoftmax"):
        for x, axis in [((3, 5), 1), ((2, 3, 4), 1), ((4, 3), 0), ((2, 3, 2, 2), -3)]:
            yield op, [x], dict(axis=axis), dict(axis=axis)
    for x, axis, eps, bias in [((3, 8), 1, 1e-5, True), ((2, 3, 4), 1, 1e-3, True), ((2, 3, 4), -1, 1e-5, False)]:
        tail = x[axis:]
        yield "LayerNormalization", [x, tail] + ([tail] if bias else []), dict(axis=axis, epsilon=eps), dict(
            axis=axis, real=[eps])
    yield "BatchNormalization", [(2, 4, 3), (4,), (4,), (4,), "+4"], dict(epsilon=1e-3), dict(real=[1e-3])
    yield "BatchNormalization", [(1, 3, 2, 2), (3,), (3,), (3,), "+3"], dict(epsilon=1e-5), dict(real=[1e-5])
    yield "InstanceNormalization", [(2, 3, 4, 2), (3,), (3,)], dict(epsilon=1e-5), dict(real=[1e-5])
    yield "GroupNormalization", [(2, 6, 3), (6,), (6,)], dict(num_groups=3, epsilon=1e-5), dict(groups=3, real=[1e-5])
    for a, b, c, ta, tb, alpha, beta in [
            ((3, 4), (4, 5), (5,), 0, 0, 1.0, 1.0), ((4, 3), (5, 4), (3, 5), 1, 1, 0.5, 2.0),
            ((3, 4), (5, 4), None, 0, 1, 0.25, 1.0)]:
        yield "Gemm", [a, b] + ([c] if c else []), dict(transA=ta, transB=tb, alpha=alpha, beta=beta), dict(
            include=ta, ceil=tb, real=[alpha, beta])
    for a, b in [((3, 4), (4, 2)), ((2, 3, 4), (4, 5)), ((2, 1, 3, 4), (3, 4, 2)), ((4,), (4, 3)), ((2, 3, 4), (4,))]:
        yield "MatMul", [a, b], {}, {}


# ---- the file ----

def braces(values):
    return "{" + ", ".join(str(v) for v in values) + "}"


def number(v):
    return repr(float(v)).replace("inf", "INFINITY").replace("nan", "NAN")


def text_of(name, inputs, fields, y):
    parts = [name, str(len(inputs)), braces(braces([a.ndim, braces(a.shape)]) for a in inputs)]
    parts += [f".{k} = {braces(v) if isinstance(v, list) else v}" for k, v in fields.items()]
    parts += [f".out = {{{y.ndim}, {braces(y.shape) if y.ndim else '{0}'}}}"]
    parts += [".y = (const float[]){" + ", ".join(number(v) for v in y.flatten()) + "}"]
    return "\n".join(textwrap.wrap("{" + ", ".join(parts) + "},", 118, subsequent_indent=" "))


def row(runtime, op, shapes, attributes, fields):
    inputs, constants = [], []
    for k, s in enumerate(shapes):
        if s is None or isinstance(s, np.ndarray):
            constants.append(s)
        elif isinstance(s, str):  # "+4": positive numbers
            inputs.append(numbers((int(s[1:]),), k + 1, True))
        else:
            inputs.append(numbers(s, k + 1))
    y = runtime.run(model(op, inputs, constants, attributes), inputs)
    return text_of(f"ONNX_{op}", inputs, fields, y)


def library():
    found = glob.glob(str(ROOT / "build-peers/node_modules/onnxruntime-node/bin/napi-v*/linux/x64/libonnxruntime.so*"))
    return os.environ.get("ORT_LIBRARY") or (found[0] if found else "libonnxruntime.so.1")


def main():
    runtime = Runtime(library())
    lines = [f"/* Written by scripts/golden_onnx.py from ONNX Runtime {runtime.version}, operator set {OPSET}. */"]
    for case in cases():
        try:
            lines.append(row(runtime, *case))
        except RuntimeError as error:
            print(f"left out: {case[0]} {case[2]}: {error}")
    (ROOT / "tests" / "golden" / "onnx.inc").write_text("\n".join(lines) + "\n")
    print(f"{len(lines) - 1} cases")


if __name__ == "__main__":
    main()
