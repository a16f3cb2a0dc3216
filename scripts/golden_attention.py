#!/usr/bin/env python3
"""Writes tests/golden/attention.inc: what PyTorch makes of attention, multi-head attention and linear layers.

    /usr/bin/python3 scripts/golden_attention.py > tests/golden/attention.inc

The file in the tree was made with PyTorch 1.13. Inputs are small fractions by a formula that the test has too (number);
PyTorch computes in float64. Needs nothing but PyTorch."""
import math

import torch
import torch.nn.functional as F

torch.set_default_dtype(torch.float64)


def number(i, seed):
    return ((i * 37 + seed * 11) % 65 - 32) / 16


def tensor(seed, *shape):
    size = math.prod(shape)
    return torch.tensor([number(i, seed) for i in range(size)]).reshape(shape)


def attention(q, k, v, mask=None, causal=False, scale=None):
    """As scaled_dot_product_attention of PyTorch 2 is documented; version 1.13 does not have it."""
    group = q.shape[1] // k.shape[1]
    k, v = k.repeat_interleave(group, 1), v.repeat_interleave(group, 1)
    scores = q @ k.transpose(-2, -1) * (scale or 1 / math.sqrt(q.shape[-1]))
    if causal:
        scores = scores.masked_fill(~torch.ones(q.shape[-2], k.shape[-2], dtype=torch.bool).tril(), -math.inf)
    if mask is not None and mask.dtype == torch.bool:
        scores = scores.masked_fill(~mask, -math.inf)
    elif mask is not None:
        scores = scores + mask
    return F.softmax(scores, -1) @ v


def write(name, t):
    print(f"static const double golden_{name}[] = {{")
    values = [repr(x) for x in t.flatten().tolist()]
    for i in range(0, len(values), 5):
        print("    " + ", ".join(values[i:i + 5]) + ",")
    print("};\n")


print("/* Written by scripts/golden_attention.py. */\n")
q, k, v = tensor(1, 1, 4, 3, 4), tensor(2, 1, 4, 5, 4), tensor(3, 1, 4, 5, 3)
write("plain", attention(q, k, v))
write("causal", attention(q, k, v, causal=True))
write("bool", attention(q, k, v, mask=tensor(4, 3, 5) < 1))
write("added", attention(q, k, v, mask=tensor(5, 4, 1, 5), scale=0.75))
write("grouped", attention(q, k[:, :2], v[:, :2]))

E = 6
x = tensor(6, 2, 5, E)
wq, wk, wv, wo = (tensor(s, E, E) / 4 for s in (7, 8, 9, 10))
bq, bk, bv, bo = (tensor(s, E) for s in (11, 12, 13, 14))
y, _ = F.multi_head_attention_forward(
    x.transpose(0, 1), x.transpose(0, 1), x.transpose(0, 1), E, 3, None, torch.cat([bq, bk, bv]), None, None, False, 0.0,
    wo, bo, need_weights=False, use_separate_proj_weight=True, q_proj_weight=wq, k_proj_weight=wk, v_proj_weight=wv)
write("multi_head", y.transpose(0, 1).contiguous())
write("linear", F.gelu(F.linear(x, wq, bq)))
