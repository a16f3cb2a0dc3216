#!/usr/bin/env python3
"""Trains the two networks of examples/mcu that read iris flowers and writes their weights and the held-out
flowers as .npz files. Needs PyTorch and NumPy; examples/mcu/weights turns the files into C headers.

    python3 examples/mcu/train.py FOLDER

iris: (N, 4) -> dense 16, ReLU -> dense 8, ReLU -> dense 3.
attention: (N, 4) -> dense 32, ReLU -> four tokens of eight numbers -> self-attention -> mean of the tokens -> dense 3.

Every fifth flower is held out. The features lose their mean and are divided by their deviation inside the first layer's
weights, so that a program hands in centimetres. The seeds are fixed; PyTorch's versions may still differ in the last
digits."""
import os
import sys

import numpy as np
import torch
from torch import nn
from torch.nn import functional

HERE = os.path.dirname(os.path.abspath(__file__))
EPOCHS, BATCH, FIFTH = 120, 16, 4


def load():
    x = np.load(os.path.join(HERE, "..", "data", "iris_x.npy")).astype(np.float32)
    y = np.load(os.path.join(HERE, "..", "data", "iris_y.npy")).astype(np.int64)
    held_out = np.arange(len(y)) % 5 == FIFTH
    return [torch.from_numpy(a) for a in (x[~held_out], y[~held_out], x[held_out], y[held_out])]


class Mlp(nn.Module):
    def __init__(self):
        super().__init__()
        self.first, self.second, self.third = nn.Linear(4, 16), nn.Linear(16, 8), nn.Linear(8, 3)

    def forward(self, x):  # (N, 4)
        return self.third(functional.relu(self.second(functional.relu(self.first(x)))))


class Attention(nn.Module):
    def __init__(self):
        super().__init__()
        self.first, self.third = nn.Linear(4, 32), nn.Linear(8, 3)
        self.q, self.k, self.v = nn.Linear(8, 8), nn.Linear(8, 8), nn.Linear(8, 8)

    def forward(self, x):  # (N, 4)
        t = functional.relu(self.first(x)).reshape(-1, 4, 8)  # (N, T, E)
        scores = self.q(t) @ self.k(t).transpose(1, 2) / 8 ** 0.5  # (N, T, T)
        return self.third((scores.softmax(-1) @ self.v(t)).mean(1))


def train(net, x, y):
    optimizer = torch.optim.Adam(net.parameters(), lr=5e-3, weight_decay=1e-3)
    for _ in range(EPOCHS):
        for batch in torch.randperm(len(y)).split(BATCH):
            loss = functional.cross_entropy(net(x[batch]), y[batch])
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()


def fold(layer, mean, deviation):
    """The layer, for features as they were measured."""
    with torch.no_grad():
        layer.weight /= deviation
        layer.bias -= layer.weight @ mean


def main():
    folder = sys.argv[1]
    torch.set_num_threads(1)
    x, y, test_x, test_y = load()
    mean, deviation = x.mean(0), x.std(0)
    for name, make in (("iris", Mlp), ("attention", Attention)):
        torch.manual_seed(8)
        net = make()
        train(net, (x - mean) / deviation, y)
        fold(net.first, mean, deviation)
        with torch.no_grad():
            right = (net(test_x).argmax(1) == test_y).sum().item()
        print(f"{name}: held out: {right} of {len(test_y)} right")
        weights = {f"{name}_{key.replace('.', '_')}": value.numpy() for key, value in net.state_dict().items()}
        np.savez(os.path.join(folder, f"{name}.npz"), **weights)  # weights are (out, in)
    np.savez(os.path.join(folder, "flowers.npz"), flowers_x=test_x.numpy(), flowers_y=test_y.numpy().astype(np.uint8))


if __name__ == "__main__":
    main()
