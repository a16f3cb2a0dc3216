#!/usr/bin/env python3
"""Trains the network of examples/digits.c and writes its weights: examples/data/digits_*.npy. Needs PyTorch and NumPy.

    python3 examples/train_digits.py [FOLDER]

8 x 8 images of handwritten digits, 0 to 16; every fifth one is held out. The network:

    (1, 8, 8) -> conv 3 x 3, 8 filters, ReLU -> conv 3 x 3, 16 filters, ReLU -> max-pool 2 x 2 -> dense 10

3,818 weights. The images shift by a pixel at random while it trains. The seeds are fixed; PyTorch's versions may still differ in
the last digits."""
import os
import sys

import numpy as np
import torch
from torch import nn
from torch.nn import functional

HERE = os.path.dirname(os.path.abspath(__file__))
EPOCHS, BATCH, FIFTH = 60, 32, 4


def load():
    x = np.load(os.path.join(HERE, "data", "digits_x.npy")).astype(np.float32) / 16
    y = np.load(os.path.join(HERE, "data", "digits_y.npy")).astype(np.int64)
    held_out = np.arange(len(y)) % 5 == FIFTH
    return [torch.from_numpy(a) for a in (x[~held_out, None], y[~held_out], x[held_out, None], y[held_out])]


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv1 = nn.Conv2d(1, 8, 3, padding=1)
        self.conv2 = nn.Conv2d(8, 16, 3, padding=1)
        self.dense = nn.Linear(16 * 4 * 4, 10)

    def forward(self, x):  # (N, 1, 8, 8)
        x = functional.relu(self.conv1(x))  # (N, 8, 8, 8)
        x = functional.relu(self.conv2(x))  # (N, 16, 8, 8)
        x = functional.max_pool2d(x, 2)  # (N, 16, 4, 4)
        return self.dense(x.flatten(1))  # (N, 10)


def shifted(x):
    """Each image moved by at most a pixel."""
    padded = functional.pad(x, (1, 1, 1, 1))
    moves = torch.randint(0, 3, (len(x), 2))
    return torch.stack([p[:, i:i + 8, j:j + 8] for p, (i, j) in zip(padded, moves.tolist())])


def train(net, x, y):
    optimizer = torch.optim.Adam(net.parameters(), lr=3e-3, weight_decay=1e-5)
    schedule = torch.optim.lr_scheduler.CosineAnnealingLR(optimizer, EPOCHS)
    for epoch in range(EPOCHS):
        for batch in torch.randperm(len(y)).split(BATCH):
            inputs = shifted(x[batch]) if epoch < EPOCHS - 10 else x[batch]
            loss = functional.cross_entropy(net(inputs), y[batch], label_smoothing=0.05)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
        schedule.step()
        if (epoch + 1) % 10 == 0:
            print(f"epoch {epoch + 1:3}  loss {loss.item():.4f}", flush=True)


def main():
    folder = sys.argv[1] if len(sys.argv) > 1 else os.path.join(HERE, "data")
    torch.manual_seed(8)
    torch.set_num_threads(1)
    net, (x, y, test_x, test_y) = Net(), load()
    train(net, x, y)
    with torch.no_grad():
        right = (net(test_x).argmax(1) == test_y).sum().item()
    print(f"held out: {right} of {len(test_y)} right, {100 * right / len(test_y):.2f} %")
    for name, value in net.state_dict().items():
        name = name.replace("weight", "w").replace("bias", "b").replace(".", "_")
        np.save(os.path.join(folder, f"digits_{name}.npy"), value.numpy())


if __name__ == "__main__":
    main()
