#!/usr/bin/env python3
"""Writes what PyTorch makes of small tensors, for the tests of nn.

    for part in softmax norm pool; do /usr/bin/python3 scripts/golden_nn.py $part > tests/golden/nn_$part.inc; done

Made with PyTorch 1.13 (Debian's). Inputs are f32 numbers; results were computed in f64."""
import math
import sys

import torch
import torch.nn.functional as F

from golden import ints, numbers

torch.manual_seed(7)


def boolean(b):
    return "true" if b else "false"


def rand(*shape, scale=1.0, offset=0.0):
    return (torch.randn(*shape) * scale + offset).float().double()


def softmax():
    inputs = [rand(5), rand(3, 4, scale=10), rand(2, 3, 4, scale=30),
              torch.tensor([[-math.inf] * 3, [0, -math.inf, 1]]).double(),
              torch.tensor([[1.0, math.inf, 0], [math.nan, 1, 2]]).double()]
    for x in inputs:
        for axis in range(-1, x.ndim):
            for log in (False, True):
                y = F.log_softmax(x, axis) if log else F.softmax(x, axis)
                print(f"  {{{boolean(log)}, {axis}, {x.ndim}, {ints(x.shape)}, {numbers(x)}, {numbers(y)}}},")


def norm_row(op, x, attribute, eps, params, y, last=False):
    shape = list(x.shape)
    if last:  # the same numbers, channels last
        x, y = x.movedim(1, -1), y.movedim(1, -1)
        shape = list(x.shape)
    print(f"  {{{op}, {boolean(last)}, {attribute}, {eps}, {len(shape)}, {ints(shape)}, {numbers(x)}, "
          + "{" + ", ".join(f"{{{numbers(p)}, {boolean(p is not None)}}}" for p in params) + f"}}, {numbers(y)}}},")


def norm():
    for shape, axis in (((4, 6), 1), ((2, 3, 4), 1), ((2, 3, 4), 2), ((3, 8), 0)):
        x = rand(*shape, scale=3, offset=100)
        tail = shape[axis:]
        for affine in (True, False):
            w, b = (rand(*tail), rand(*tail)) if affine else (None, None)
            norm_row("LAYER", x, axis, 1e-5, (w, b, None, None), F.layer_norm(x, tail, w, b, 1e-5))
            r = x * torch.rsqrt(x.pow(2).mean(dim=list(range(axis, x.ndim)), keepdim=True) + 1e-6)
            norm_row("RMS", x, axis, 1e-6, (w, None, None, None), r * w if affine else r)
    for shape in ((3, 4), (2, 4, 3), (1, 4, 2, 3), (2, 6, 2, 2)):
        x, c = rand(*shape, offset=-2), shape[1]
        for affine in (True, False):
            w, b = (rand(c), rand(c)) if affine else (None, None)
            mean, var = rand(c), rand(c).abs()
            for last in (False, True):
                if last and len(shape) < 3:
                    continue
                norm_row("BATCH", x, 0, 1e-3, (w, b, mean, var), F.batch_norm(x, mean, var, w, b, False, 0, 1e-3), last)
                norm_row("GROUP", x, 2, 1e-5, (w, b, None, None), F.group_norm(x, 2, w, b, 1e-5), last)
                if len(shape) > 2:
                    norm_row("INSTANCE", x, 0, 1e-5, (w, b, None, None),
                             F.instance_norm(x, None, None, w, b, True, 0, 1e-5), last)


def pool():
    cases = 0
    while cases < 160:
        spatial = int(torch.randint(1, 3, ()))
        shape = [int(torch.randint(1, 3, ())), int(torch.randint(1, 3, ()))]
        shape += [int(v) for v in torch.randint(3, 9, (spatial,))]
        k, s, d = ([int(v) for v in torch.randint(1, top, (spatial,))] for top in (5, 4, 3))
        pad = [int(torch.randint(0, v // 2 + 1, ())) for v in k]
        ceil, include = bool(torch.randint(0, 2, ())), bool(torch.randint(0, 2, ()))
        largest = cases % 2 == 0
        x = rand(*shape)
        if x.numel() > 96:
            continue
        spread = d if largest else [1, 1]
        if not ceil and any(n + 2 * p < (w - 1) * e + 1 for n, p, w, e in zip(shape[2:], pad, k, spread)):
            continue  # PyTorch gives no window for these, or one by rounding towards 0
        try:
            if largest:
                f = F.max_pool1d if spatial == 1 else F.max_pool2d
                y = f(x, k, s, pad, d, ceil)
            else:
                d = [1] * spatial
                f = F.avg_pool1d if spatial == 1 else F.avg_pool2d
                y = f(x, k, s, pad, ceil, include)
        except RuntimeError:
            continue
        cases += 1
        print(f"  {{{boolean(largest)}, {boolean(ceil)}, {boolean(include)}, {len(shape)}, {ints(shape)}, {ints(k)}, "
              f"{ints(s)}, {ints(d)}, {ints(pad)}, {numbers(x)}, {ints(y.shape)}, {numbers(y)}}},")


{"softmax": softmax, "norm": norm, "pool": pool}[sys.argv[1]]()
