"""Random shapes and strides, the same in every run: what the workloads do not cover. tessera_sweep.c has the syntax."""
import random

CASES = 20
LEAST, MOST = 14, 22  # log2 of the elements
OPS = {
    "binary": ("add", "sub", "mul", "maximum"),
    "unary": ("exp", "tanh", "abs", "square"),
    "reduce": ("sum", "max", "argmax"),
    "movement": ("copy", "copy", "concat", "pad"),
}
NETWORKS = {
    "product": ("matmul",),
    "conv": ("conv",),
    "nn": ("softmax", "layernorm", "maxpool"),
}
FAMILIES = tuple(OPS) + tuple(NETWORKS)


def random_shape(rng):
    rank = rng.choice((1, 2, 2, 3, 3, 4))
    total = rng.uniform(LEAST, MOST)
    cuts = sorted(rng.uniform(0.1, 0.9) for _ in range(rank - 1))
    parts = [b - a for a, b in zip([0.0] + cuts, cuts + [1.0])]
    return [max(2, round(2 ** (total * part))) for part in parts]


def random_strides(rng, shape, repeats):
    """Contiguous, axes in another order, rows of a wider parent, every second element, or an axis that repeats."""
    kind = rng.choice(("contiguous", "permuted", "parent", "stepped") + (("repeated",) if repeats else ()))
    rank = len(shape)
    order, extra, step = list(range(rank)), [0] * rank, [1] * rank
    special = rng.randrange(rank)
    if kind == "permuted":
        rng.shuffle(order)
    if kind == "parent":
        extra = [rng.randrange(1, 9) for _ in shape]
    if kind == "stepped":
        step[special] = 2
    strides, run = [0] * rank, 1
    for axis in reversed(order):
        strides[axis] = run * step[axis]
        if kind == "repeated" and axis == special:
            strides[axis] = 0
        else:
            run *= shape[axis] * step[axis] + extra[axis]
    return strides


def random_case(rng, family, op):
    def text(numbers):
        return ",".join(str(n) for n in numbers)

    shape = random_shape(rng)
    line = f"sweep {op} shape={text(shape)} a={text(random_strides(rng, shape, False))}"
    if family == "binary" or op == "concat":
        line += f" b={text(random_strides(rng, shape, family == 'binary'))}"
    if family == "reduce":
        count = 1 if op == "argmax" else rng.randint(1, len(shape))
        line += f" axes={text(sorted(rng.sample(range(len(shape)), count)))}"
    if op == "concat":
        line += f" axes={rng.randrange(len(shape))}"
    return line


def power(rng, least, most):
    return round(2 ** rng.uniform(least, most))


def random_network_case(rng, op):
    """matmul: (batch, m, k, n), and whether a and b are transposed; conv: (channels, height, width, filters, kernel,
    stride, pad, groups); maxpool: (channels, height, width, kernel, stride, pad); else (rows, columns)."""
    if op == "matmul":
        numbers = [rng.choice((1, 1, 1, 8)), power(rng, 2, 10), power(rng, 3, 10), power(rng, 3, 10)]
        return f"sweep {op} shape={','.join(map(str, numbers))} a={rng.randrange(2)} b={rng.randrange(2)}"
    if op == "conv":
        channels, side, kernel = rng.choice((3, 16, 24, 64, 96, 160)), rng.randrange(8, 80), rng.choice((1, 3, 3, 5, 7))
        groups = rng.choice((1, 1, 1, channels))
        filters = channels if groups > 1 else rng.choice((16, 32, 48, 64, 128))
        numbers = [channels, side, side + rng.randrange(9), filters, kernel, rng.choice((1, 1, 2)), kernel // 2, groups]
    elif op == "maxpool":
        kernel = rng.choice((2, 3))
        numbers = [power(rng, 2, 8), rng.randrange(14, 120), rng.randrange(14, 120), kernel, rng.choice((1, 2)), kernel // 2]
    else:
        numbers = [power(rng, 4, 11), power(rng, 5, 12)]
    return f"sweep {op} shape={','.join(map(str, numbers))} a=0"


def cases(family, count=CASES):
    rng = random.Random(f"tessera {family}")
    if family in NETWORKS:
        return [random_network_case(rng, NETWORKS[family][i % len(NETWORKS[family])]) for i in range(count)]
    return [random_case(rng, family, OPS[family][i % len(OPS[family])]) for i in range(count)]
