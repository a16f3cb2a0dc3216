"""Random calls beside NumPy: operators, functions, reductions, indices on random tensors of random layouts. TSR_CALLS says how many."""
import os
import random
import unittest

from support import Case, np, ts, with_numpy

DTYPES = ["bool", "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64", "float32", "float64"]
NUMERIC = DTYPES[1:]
FLOATS = DTYPES[9:]
TOLERANCE = {"float32": 2e-5, "float64": 1e-9}


class Pool:
    """Arrays that calls take again and again, and tensors over the same memory."""

    def __init__(self, rng):
        self.rng = rng
        self.pairs = [self.fresh() for _ in range(200)]

    def fresh(self):
        rng = self.rng
        shape = tuple(rng.choice([0, 1, 1, 2, 3, 4, 5, 17] if rng.random() < 0.1 else [1, 2, 3, 4, 5]) for _ in range(rng.randrange(5)))
        dtype = rng.choice(DTYPES)
        numbers = np.random.default_rng(rng.randrange(2**32))
        a = numbers.standard_normal(shape) * 3 if "float" in dtype else numbers.integers(0, 2 if dtype == "bool" else 9, shape)
        a = np.asarray(a).astype(dtype)
        if a.ndim > 1 and rng.random() < 0.4:
            a = a.transpose(rng.sample(range(a.ndim), a.ndim))
        if a.ndim > 0 and rng.random() < 0.3:
            a = a[::rng.choice([-1, 2])]
        return a, ts.asarray(a)

    def take(self, dtypes=DTYPES):
        while True:
            a, x = self.rng.choice(self.pairs)
            if a.dtype.name in dtypes:
                return a, x


BINARY = {"add": NUMERIC, "subtract": NUMERIC, "multiply": NUMERIC, "maximum": NUMERIC, "minimum": NUMERIC, "equal": DTYPES,
          "less": NUMERIC, "greater_equal": NUMERIC, "divide": FLOATS, "hypot": FLOATS, "bitwise_and": DTYPES[:9], "bitwise_xor": DTYPES[:9],
          "logical_or": ["bool"]}
UNARY = {"abs": NUMERIC, "negative": NUMERIC, "square": NUMERIC, "sign": NUMERIC, "exp": FLOATS, "tanh": FLOATS, "sin": FLOATS, "floor": NUMERIC,
         "isfinite": NUMERIC, "logical_not": ["bool"], "trunc": FLOATS, "expm1": FLOATS}
REDUCE = {"sum": NUMERIC, "prod": FLOATS, "mean": FLOATS, "max": NUMERIC, "min": NUMERIC, "any": DTYPES, "all": DTYPES, "std": FLOATS,
          "argmax": NUMERIC, "cumulative_sum": NUMERIC}


def broadcastable(a, b):
    try:
        np.broadcast_shapes(a.shape, b.shape)
        return a.shape != () or b.shape != ()
    except ValueError:
        return False


@with_numpy
class Calls(Case):
    def same(self, got, want, what):
        want = np.asarray(want)
        if got.dtype.name != want.dtype.name or got.shape != want.shape:
            self.fail(f"{what}: {got.dtype} {got.shape}, NumPy {want.dtype} {want.shape}")
        mine = np.asarray(got)
        if want.dtype.name in TOLERANCE:
            bound = TOLERANCE[want.dtype.name]
            fine = np.isclose(mine, want, rtol=bound, atol=bound * 10, equal_nan=True)
        else:
            fine = mine == want
        if not np.all(fine):
            self.fail(f"{what}: {mine} NumPy {want}")

    def binary(self, rng, pool):
        name = rng.choice(list(BINARY))
        a, x = pool.take(BINARY[name])
        if rng.random() < 0.3 and name != "divide":
            number = rng.choice([0, 1, 2, 3]) if "int" in a.dtype.name else True if a.dtype == bool else rng.choice([2, 0.5])
            b = np.array(number, a.dtype)
            order = rng.random() < 0.5
            got = getattr(ts, name)(x, number) if order else getattr(ts, name)(number, x)
            return got, getattr(np, name)(a, b) if order else getattr(np, name)(b, a), (name, a, number)
        for _ in range(20):
            b, y = pool.take([a.dtype.name])
            if broadcastable(a, b):
                return getattr(ts, name)(x, y), getattr(np, name)(a, b), (name, a, b)
        return None

    def unary(self, rng, pool):
        name = rng.choice(list(UNARY))
        a, x = pool.take(UNARY[name])
        want = getattr(np, name)(a)
        return getattr(ts, name)(x), want.astype(a.dtype) if name == "floor" else want, (name, a)

    def reduce(self, rng, pool):
        name = rng.choice(list(REDUCE))
        a, x = pool.take(REDUCE[name])
        axis = rng.choice([None, *range(-a.ndim, a.ndim)])
        if name == "cumulative_sum":
            if a.ndim == 0 or axis is None:
                return None
            return ts.cumulative_sum(x, axis=axis), np.cumsum(a, axis), (name, a, axis)
        keepdims = rng.random() < 0.5
        if name in ("max", "min", "argmax", "mean", "std") and (a.size == 0 or a.ndim == 0 and name == "argmax"):
            return None
        names = {"axis": axis, "keepdims": keepdims}
        return getattr(ts, name)(x, **names), getattr(np, name)(a, **names), (name, a, names)

    def index(self, rng, pool):
        a, x = pool.take()
        key = []
        for n in a.shape[:rng.randrange(a.ndim + 1)]:
            kind = rng.random()
            if kind < 0.35 and n > 0:
                key.append(rng.randrange(-n, n))
            else:
                key.append(slice(*(rng.choice([None, rng.randrange(-6, 6)]) for _ in range(2)), rng.choice([None, 1, 2, -1, -2])))
        return x[tuple(key)], a[tuple(key)], ("index", a, key)

    def move(self, rng, pool):
        a, x = pool.take()
        kind = rng.randrange(6)
        if kind == 0:
            axes = rng.sample(range(a.ndim), a.ndim)
            return ts.permute_dims(x, axes), a.transpose(axes), ("permute", a, axes)
        if kind == 1:
            return ts.reshape(x, (-1,)), a.reshape(-1), ("reshape", a)
        if kind == 2:
            return ts.concat([x, x], axis=None), np.concatenate([a, a], axis=None), ("concat", a)
        if kind == 3 and a.ndim > 0:
            axis = rng.randrange(-a.ndim, a.ndim)
            return ts.roll(x, 2, axis=axis), np.roll(a, 2, axis), ("roll", a, axis)
        if kind == 4 and a.ndim > 0:
            axis = rng.randrange(-a.ndim, a.ndim)
            return ts.sort(x, axis=axis), np.sort(a, axis), ("sort", a, axis)
        return x[x == x], a[a == a], ("mask", a)

    def test_beside_numpy(self):
        rng = random.Random(int(os.environ.get("TSR_SEED", "1")))
        calls, done = int(os.environ.get("TSR_CALLS", "100000")), 0
        kinds = [self.binary, self.binary, self.unary, self.reduce, self.index, self.move]
        with np.errstate(all="ignore"):
            while done < calls:
                if done % 20000 == 0:
                    pool = Pool(rng)
                one = rng.choice(kinds)(rng, pool)
                if one is not None:
                    self.same(*one)
                    done += 1
        print(f"{done} calls, the same as NumPy's")


if __name__ == "__main__":
    unittest.main()
