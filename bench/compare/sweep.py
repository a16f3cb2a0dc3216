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
FAMILIES = tuple(OPS)


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


def cases(family, count=CASES):
    rng = random.Random(f"tessera {family}")
    return [random_case(rng, family, OPS[family][i % len(OPS[family])]) for i in range(count)]
