#!/usr/bin/env python3
"""Writes tests/golden/quant.inc: what ONNX Runtime makes of quantised nodes, for tests/nn/quant_golden_test.c.

    ORT_LIBRARY=.../libonnxruntime.so.1 /usr/bin/python3 scripts/golden_quant.py

As scripts/golden_onnx.py, which writes the models and talks to the library. Integers are those of a generator that the
test has too; every input is a constant of the model, and the result is cast to f32."""
import textwrap

import numpy as np

from golden_onnx import FLOAT, IR_VERSION, OPSET, ROOT, Runtime, attribute, chunk, integer, library, value_info

KINDS = {"float32": 1, "uint8": 2, "int8": 3, "int32": 6}
NAMES = {"uint8": "TSR_U8", "int8": "TSR_I8"}


def numbers(shape, seed, dtype):
    values = []
    for _ in range(int(np.prod(shape))):
        seed = (seed * 1664525 + 1013904223) % 2**32
        values.append(seed >> 24)
    return np.array(values, np.uint8).view(dtype).reshape(shape)


def constant(name, a):
    return (b"".join(integer(1, d) for d in a.shape) + integer(2, KINDS[str(a.dtype)]) + chunk(8, name) +
            chunk(9, np.ascontiguousarray(a).tobytes()))


def model(op, constants, attributes):
    node = b"".join(chunk(1, f"c{k}") for k in range(len(constants))) + chunk(2, "q") + chunk(4, op)
    node += b"".join(chunk(5, attribute(k, v)) for k, v in attributes.items())
    cast = chunk(1, "q") + chunk(2, "y") + chunk(4, "Cast") + chunk(5, attribute("to", FLOAT))
    graph = chunk(1, node) + chunk(1, cast) + chunk(2, "g")
    graph += b"".join(chunk(5, constant(f"c{k}", c)) for k, c in enumerate(constants))
    graph += chunk(12, value_info("y", FLOAT, None))
    return integer(1, IR_VERSION) + chunk(7, graph) + chunk(8, integer(2, OPSET))


def scalar(value, dtype=np.float32):
    return np.array(value, dtype)


def scales_of(n):
    return (np.arange(n, dtype=np.float32) % 5 + 3) * np.float32(1 / 1024)


def row(kind, x, w, y, out, x_zero, y_zero, fields):
    text = ", ".join(str(int(v)) for v in y.flatten())
    body = "\n".join(textwrap.wrap(text, 116))
    head = {"kind": kind, "x_dtype": NAMES[str(x.dtype)], "out_dtype": NAMES[out], "x_zero": x_zero, "out_zero": y_zero}
    head.update(x=x.shape, w=w.shape, out=y.shape, **fields)
    text = ", ".join(f".{k} = " + ("{%s}" % ", ".join(map(str, v)) if isinstance(v, (tuple, list)) else str(v))
                     for k, v in head.items())
    return "\n".join(textwrap.wrap("{" + text + ",", 116)) + "\n.y = (const int16_t[]){\n" + body + "}},"


def product(runtime, m, k, n, x_dtype, out, x_zero, y_zero):
    x, w = numbers((m, k), 1, x_dtype), numbers((k, n), 2, np.int8)
    args = [x, scalar(1 / 64), scalar(x_zero, x_dtype), w, scales_of(n), np.zeros(n, np.int8), scalar(0.75),
            scalar(y_zero, out)]
    return row("PRODUCT", x, w, runtime.run(model("QLinearMatMul", args, {}), []), out, x_zero, y_zero, {})


def convolution(runtime, x_shape, w_shape, x_dtype, out, x_zero, y_zero, groups, stride, dilation, pads):
    x, w = numbers(x_shape, 1, x_dtype), numbers(w_shape, 2, np.int8)
    bias = numbers((w_shape[0],), 3, np.int8).astype(np.int32) * 37
    args = [x, scalar(1 / 64), scalar(x_zero, x_dtype), w, scales_of(w_shape[0]), np.zeros(w_shape[0], np.int8),
            scalar(0.75), scalar(y_zero, out), bias]
    a = {"group": groups, "strides": stride, "dilations": dilation, "pads": pads}
    y = runtime.run(model("QLinearConv", args, a), [])
    fields = {"groups": groups, "stride": stride, "dilation": dilation, "before": pads[:2], "after": pads[2:]}
    return row("CONVOLUTION", x, w, y, out, x_zero, y_zero, fields)


def quantised(runtime, out, y_zero):
    """Quarters of the scale, so that there are halves, on both sides of the range."""
    x = ((np.arange(1400) - 700) / np.float32(4) * np.float32(0.125)).astype(np.float32)
    y = runtime.run(model("QuantizeLinear", [x, scalar(0.125), scalar(y_zero, out)], {}), [])
    dummy = np.zeros(0, out)
    return row("QUANTIZE", dummy, dummy, y, out, 0, y_zero, {})


def main():
    runtime = Runtime(library())
    lines = [f"/* Written by scripts/golden_quant.py from ONNX Runtime {runtime.version}, operator set {OPSET}. */"]
    lines += [quantised(runtime, "uint8", 128), quantised(runtime, "int8", -3)]
    lines += [product(runtime, 5, 33, 37, "uint8", "uint8", 121, 130), product(runtime, 4, 64, 20, "int8", "int8", -7, 5)]
    for x, w, groups, stride, dilation, pads in [
            ((1, 16, 6, 7), (20, 16, 3, 3), 1, [1, 1], [1, 1], [1, 1, 1, 1]),
            ((1, 3, 9, 9), (8, 3, 3, 2), 1, [2, 1], [1, 2], [0, 1, 2, 1]),
            ((2, 6, 5, 5), (6, 1, 3, 3), 6, [1, 1], [1, 1], [1, 1, 1, 1]),
            ((1, 8, 5, 5), (12, 4, 1, 1), 2, [1, 1], [1, 1], [0, 0, 0, 0])]:
        lines.append(convolution(runtime, x, w, "uint8", "uint8", 117, 120, groups, stride, dilation, pads))
        lines.append(convolution(runtime, x, w, "int8", "int8", 9, -4, groups, stride, dilation, pads))
    (ROOT / "tests" / "golden" / "quant.inc").write_text("\n".join(lines) + "\n")
    print(f"{len(lines) - 1} cases")


if __name__ == "__main__":
    main()
