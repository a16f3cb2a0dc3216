#!/usr/bin/env python3
"""Writes tests/golden/conv.inc: convolutions as PyTorch computes them in float64, from whole numbers, so that every
result is exact in f32. Run with the Python that has PyTorch: /usr/bin/python3 scripts/golden_conv.py"""
import pathlib
import textwrap

import torch
import torch.nn.functional as F

# rank, x (N, C, H, W), filters (O, I, KH, KW), stride, dilation, pads (top, left, bottom, right), groups, bias
CASES = [
    (4, (1, 2, 5, 5), (3, 2, 3, 3), (1, 1), (1, 1), (0, 0, 0, 0), 1, True),
    (4, (2, 3, 6, 5), (4, 3, 3, 3), (1, 1), (1, 1), (1, 1, 1, 1), 1, True),
    (4, (1, 3, 9, 9), (2, 3, 7, 7), (2, 2), (1, 1), (3, 3, 3, 3), 1, False),
    (4, (1, 4, 6, 7), (6, 2, 2, 3), (2, 1), (1, 2), (0, 1, 1, 2), 2, True),
    (4, (1, 4, 5, 6), (4, 1, 3, 3), (1, 2), (1, 1), (1, 1, 1, 1), 4, True),
    (4, (1, 3, 5, 5), (6, 1, 3, 2), (1, 1), (2, 1), (2, 0, 2, 1), 3, False),
    (4, (2, 5, 3, 4), (3, 5, 1, 1), (1, 1), (1, 1), (0, 0, 0, 0), 1, True),
    (4, (1, 16, 6, 6), (16, 16, 3, 3), (1, 1), (1, 1), (1, 1, 1, 1), 1, True),
    (3, (2, 3, 1, 9), (4, 3, 1, 3), (1, 2), (1, 2), (0, 2, 0, 1), 1, True),
    (3, (1, 4, 1, 8), (4, 1, 1, 5), (1, 1), (1, 1), (0, 2, 0, 2), 4, False),
]


def numbers(count, seed):
    """Small whole numbers; the test makes the same ones."""
    values = []
    for _ in range(count):
        seed = (seed * 1664525 + 1013904223) % 2**32
        values.append((seed >> 16) % 7 - 3)
    return torch.tensor(values, dtype=torch.float64)


def result(case):
    rank, x, w, stride, dilation, pads, groups, bias = case
    a = numbers(torch.Size(x).numel(), 1).reshape(x)
    b = numbers(torch.Size(w).numel(), 2).reshape(w)
    c = numbers(w[0], 3) if bias else None
    a = F.pad(a, (pads[1], pads[3], pads[0], pads[2]))
    return F.conv2d(a, b, c, stride=stride, dilation=dilation, groups=groups)


def row(case):
    rank, x, w, stride, dilation, pads, groups, bias = case
    y = result(case)
    lists = [x, w, stride, dilation, pads[:2], pads[2:], tuple(y.shape)]
    text = ", ".join("{" + ", ".join(str(v) for v in l) + "}" for l in lists)
    values = ", ".join(str(int(v)) for v in y.flatten().tolist())
    line = f"{{{rank}, {text}, {groups}, {int(bias)}, (const float[]){{{values}}}}},"
    return "\n".join(textwrap.wrap(line, 118, subsequent_indent=" "))


def main():
    target = pathlib.Path(__file__).resolve().parent.parent / "tests" / "golden" / "conv.inc"
    lines = ["/* Written by scripts/golden_conv.py from PyTorch " + torch.__version__.split("+")[0] +
             ". Each row:",
             " * rank, x, filters, stride, dilation, pads before and after, out, groups, bias, values. */"]
    target.write_text("\n".join(lines + [row(case) for case in CASES]) + "\n")


if __name__ == "__main__":
    main()
