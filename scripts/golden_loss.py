#!/usr/bin/env python3
"""Writes what PyTorch makes of small tensors, for the tests of losses.

    /usr/bin/python3 scripts/golden_loss.py > tests/golden/nn_loss.inc

Made with PyTorch 1.13 (Debian's). Inputs are f32 numbers; results were computed in f64."""
import math

import torch
import torch.nn.functional as F

from golden import numbers

torch.manual_seed(16)
REDUCTIONS = ("mean", "sum", "none")


def row(op, reduction, attribute, ignored, x, target, y):
    print(f"  {{{op}, {REDUCTIONS.index(reduction)}, {attribute}, {ignored}, {x.ndim}, "
          + "{" + (", ".join(map(str, x.shape)) or "0") + f"}}, {numbers(x)}, {numbers(target)}, {numbers(y)}}},")


def rand(*shape, scale=1.0):
    return (torch.randn(shape) * scale).float().double()


def pairs(op, attribute, f, inputs):
    for x, t in inputs:
        for reduction in REDUCTIONS:
            row(op, reduction, attribute, 0, x, t, f(x, t, reduction))


inf, nan = math.inf, math.nan
edges = (torch.tensor([inf, inf, -inf, nan, 0.0, 1.0]).double(), torch.tensor([inf, 0.0, 1.0, 0.0, nan, -inf]).double())
numbers_of = [(rand(), rand()), (rand(7, scale=3), rand(7)), (rand(2, 3, 4), rand(2, 3, 4)), edges]
chances = [(torch.rand(8).float().double(), torch.rand(8).float().double()),
           (torch.tensor([0.0, 1, 0, 1, 0.5, 1e-30]).double(), torch.tensor([0.0, 1, 1, 0, 0.5, 1]).double())]
logits = [(rand(3, 4, scale=8), torch.rand(3, 4).float().double()),
          (torch.tensor([inf, inf, -inf, -inf, nan, 1000, -1000, 1000, 0]).double(),
           torch.tensor([1.0, 0, 0, 1, 0, 0, 1, 1, 0.5]).double())]
parts = [(F.log_softmax(rand(3, 4), 1).float().double(), F.softmax(rand(3, 4), 1).float().double()),
         (torch.tensor([-inf, -1, 0, -inf, nan, -1]).double(), torch.tensor([0.0, 0, 1, 0.5, 0, -0.5]).double())]
logs = [(F.log_softmax(rand(3, 4), 1).float().double(), F.log_softmax(rand(3, 4), 1).float().double()),
        (torch.tensor([-inf, -1, 0, -inf]).double(), torch.tensor([-inf, -inf, 0, 0.5]).double())]
pairs("MSE", 0, lambda x, t, r: F.mse_loss(x, t, reduction=r), numbers_of)
pairs("MAE", 0, lambda x, t, r: F.l1_loss(x, t, reduction=r), numbers_of)
for delta in (0.5, 2):
    pairs("HUBER", delta, lambda x, t, r: F.huber_loss(x, t, reduction=r, delta=delta), numbers_of)
pairs("BCE", 0, lambda x, t, r: F.binary_cross_entropy(x, t, reduction=r), chances)
pairs("BCE_LOGITS", 0, lambda x, t, r: F.binary_cross_entropy_with_logits(x, t, reduction=r), logits)
pairs("KL", 0, lambda x, t, r: F.kl_div(x, t, reduction=r), parts)
pairs("KL", 1, lambda x, t, r: F.kl_div(x, t, reduction=r, log_target=True), logs)

rows = [(rand(4, 5, scale=4), torch.tensor([0, 4, 2, 2])), (rand(2, 3, 4), torch.randint(0, 3, (2, 4))),
        (rand(2, 3, 2, 2, scale=30), torch.randint(0, 3, (2, 2, 2))), (rand(3, 2), torch.tensor([-100, 1, -100])),
        (rand(2, 2), torch.tensor([-100, -100])),
        (torch.tensor([[1, -inf], [-inf, -inf], [1, inf], [nan, 1], [-inf, 2]]).double(),
         torch.tensor([0, 0, 1, 1, 0]))]
for x, t in rows:
    for reduction in REDUCTIONS:
        for ignored in (-100, 2) if bool((t >= 0).all()) else (-100,):
            row("NLL", reduction, 0, ignored, x, t, F.nll_loss(x, t, ignore_index=ignored, reduction=reduction))
            for smoothing in (0, 0.1, 1):
                y = F.cross_entropy(x, t, ignore_index=ignored, reduction=reduction, label_smoothing=smoothing)
                row("CROSS_ENTROPY", reduction, smoothing, ignored, x, t, y)
