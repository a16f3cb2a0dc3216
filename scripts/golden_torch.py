#!/usr/bin/env python3
"""Writes tests/golden/torch_nn.inc: what PyTorch makes, in float64, of the operations that it and ONNX name differently
or that ONNX does not have, for tests/nn/operators_golden_test.c. Rows and inputs are those of golden_onnx.py.

    /usr/bin/python3 scripts/golden_torch.py"""
import torch
import torch.nn.functional as F

import golden_onnx as onnx


def cases():
    """op, shapes of the inputs, fields of the test's row, and the function of the inputs."""
    for x, size in [((2, 3, 7), [3]), ((1, 2, 5), [8]), ((1, 2, 6, 7), [4, 3]), ((2, 1, 3, 5), [5, 5]),
                    ((1, 3, 4, 4), [1, 2])]:
        mean = F.adaptive_avg_pool1d if len(size) == 1 else F.adaptive_avg_pool2d
        greatest = F.adaptive_max_pool1d if len(size) == 1 else F.adaptive_max_pool2d
        yield "AdaptiveAvg", [x], dict(kernel=size), lambda v, f=mean, s=size: f(v, s)
        yield "AdaptiveMax", [x], dict(kernel=size), lambda v, f=greatest, s=size: f(v, s)
    for x, w, groups, stride, dilation, pads, extra in [
            ((1, 4, 3, 5), (4, 2, 3, 3), 2, [2, 1], [1, 2], [1, 2], [1, 1]),
            ((2, 2, 4, 3), (2, 3, 2, 4), 1, [1, 3], [3, 1], [0, 1], [2, 2]),
            ((1, 3, 5), (3, 2, 4), 1, [2], [3], [1], [2])]:
        f = F.conv_transpose1d if len(x) == 3 else F.conv_transpose2d
        fields = dict(stride=stride, dilation=dilation, before=pads, after=pads, extra=extra, groups=groups)
        yield "ConvTranspose", [x, w, (w[1] * groups,)], fields, (
            lambda v, k, b, f=f, s=stride, p=pads, e=extra, g=groups, d=dilation: f(v, k, b, s, p, e, g, d))
    fields = dict(stride=[1, 2, 1], dilation=[2, 1, 1], before=[1, 0, 1], after=[1, 0, 1], groups=2)
    yield "Conv", [(1, 4, 4, 5, 3), (2, 2, 2, 2, 3), (2,)], fields, (
        lambda v, k, b: F.conv3d(v, k, b, [1, 2, 1], [1, 0, 1], [2, 1, 1], 2))
    for x, size in [((1, 2, 4, 5), [7, 3]), ((2, 1, 3, 3), [2, 8])]:  # groups: coordinates; ceil: rounding
        for fields, how in [(dict(include=1, groups=0), dict(mode="bilinear", align_corners=False)),
                            (dict(include=1, groups=2), dict(mode="bilinear", align_corners=True)),
                            (dict(groups=1, ceil=2), dict(mode="nearest")),
                            (dict(groups=0, ceil=1), dict(mode="nearest-exact"))]:
            yield "Resize", [x], dict(fields, kernel=size), lambda v, s=size, h=how: F.interpolate(v, s, **h)
    yield "LRN", [(1, 6, 2, 3)], dict(groups=5, real=[0.25, 0.75, 2.0]), (
        lambda v: F.local_response_norm(v, 5, 0.25, 0.75, 2.0))
    yield "DepthToSpace", [(1, 18, 2, 2)], dict(groups=3), lambda v: F.pixel_shuffle(v, 3)
    yield "SpaceToDepth", [(1, 2, 4, 6)], dict(groups=2), lambda v: F.pixel_unshuffle(v, 2)


def main():
    lines = [f"/* Written by scripts/golden_torch.py from PyTorch {torch.__version__.split('a')[0]}. */"]
    for op, shapes, fields, function in cases():
        inputs = [onnx.numbers(s, k + 1) for k, s in enumerate(shapes)]
        y = function(*[torch.from_numpy(a).double() for a in inputs]).float().numpy()
        name = f"TORCH_{op}" if op.startswith("Adaptive") else f"ONNX_{op}"
        lines.append(onnx.text_of(name, inputs, fields, y))
    (onnx.ROOT / "tests" / "golden" / "torch_nn.inc").write_text("\n".join(lines) + "\n")


if __name__ == "__main__":
    main()
