"""The standard's reductions, cumulative functions, sorting, searching and sets, beside NumPy."""
import unittest

from support import FLOATS, REALS, Case, np, ts, with_numpy

AXES = (None, 0, 1, -1, (0, 1), (0, -1), ())


@with_numpy
class Reductions(Case):
    a = np.random.default_rng(1).standard_normal((3, 4, 5)) if np else None

    def setUp(self):
        self.x = ts.asarray(self.a)

    def test_over_axes(self):
        for name in ("sum", "prod", "mean", "max", "min", "std", "var", "all", "any", "count_nonzero"):
            for axis in AXES:
                for keepdims in (False, True):
                    if name in ("max", "min") and axis == () or name == "count_nonzero" and axis == ():
                        continue
                    want = getattr(np, name)(self.a, axis=axis, keepdims=keepdims)
                    self.close(getattr(ts, name)(self.x, axis=axis, keepdims=keepdims), want, 1e-12, message=f"{name} {axis}")
            for wrong in (3, -4, (0, 3)):
                with self.assertRaises(IndexError, msg=name):
                    getattr(ts, name)(self.x, axis=wrong)
            with self.assertRaises(ValueError, msg=name):
                getattr(ts, name)(self.x, axis=(0, 0))

    def test_dtypes(self):
        for dtype in REALS:
            x = ts.ones((2, 2), dtype=dtype)
            wide = "uint64" if dtype.startswith("u") else "int64" if dtype.startswith("i") else dtype
            for name in ("sum", "prod"):
                self.assertEqual(getattr(ts, name)(x).dtype.name, wide)
                self.assertEqual(getattr(ts, name)(x, dtype=ts.float32).dtype, ts.float32)
            self.assertEqual(ts.max(x).dtype.name, dtype)
            self.assertEqual(ts.all(x).dtype, ts.bool)
        self.equal(ts.sum(ts.asarray([200, 100], dtype=ts.uint8), dtype=ts.uint8), 44)
        self.equal(ts.sum(ts.asarray([True, True])), 2)

    def test_of_nothing(self):
        x = ts.zeros((0, 3))
        self.equal(ts.sum(x), 0.0)
        self.equal(ts.prod(x, axis=0), [1.0, 1.0, 1.0])
        self.equal(ts.any(x), False)
        self.equal(ts.all(x), True)
        self.assertEqual(repr(ts.mean(x).tolist()), "nan")
        for name in ("max", "min", "argmax", "argmin"):
            with self.assertRaises(ValueError):
                getattr(ts, name)(x)

    def test_nan(self):
        x = ts.asarray([1.0, float("nan"), 3.0])
        for name in ("sum", "max", "min", "mean", "prod", "std", "var"):
            self.assertEqual(repr(getattr(ts, name)(x).tolist()), "nan")
        self.equal(ts.argmax(x), 1)
        self.equal(ts.any(x), True)

    def test_corrections(self):
        for correction in (0, 1, 2.0, 0.5, 1.5):
            for axis in (None, 0, (1, 2)):
                n = self.a.size if axis is None else np.prod([self.a.shape[i] for i in np.atleast_1d(axis)])
                want = np.var(self.a, axis=axis) * n / (n - correction)
                self.close(ts.var(self.x, axis=axis, correction=correction), want, 1e-12)
                self.close(ts.std(self.x, axis=axis, correction=correction), np.sqrt(want), 1e-12)

    def test_places(self):
        b = np.array([[3, 1, 3], [0, 5, 5]])
        for name in ("argmax", "argmin"):
            for axis in (None, 0, 1, -1):
                for keepdims in (False, True):
                    self.equal(getattr(ts, name)(ts.asarray(b), axis=axis, keepdims=keepdims),
                               np.asarray(getattr(np, name)(b, axis=axis, keepdims=keepdims)))

    def test_cumulative(self):
        for ours, theirs in ((ts.cumulative_sum, np.cumsum), (ts.cumulative_prod, np.cumprod)):
            for axis in (0, 1, -1):
                self.close(ours(self.x, axis=axis), theirs(self.a, axis=axis), 1e-12)
                first = ours(self.x, axis=axis, include_initial=True)
                self.assertEqual(first.shape[axis], self.a.shape[axis] + 1)
                self.close(first[(slice(None),) * (axis % 3) + (slice(1, None),)], theirs(self.a, axis=axis), 1e-12)
            self.assertEqual(ours(ts.ones(3, dtype=ts.int8)).dtype, ts.int64)
            self.assertEqual(ours(ts.ones(3, dtype=ts.uint8)).dtype, ts.uint64)
            self.assertEqual(ours(ts.ones(3, dtype=ts.int8), dtype=ts.int8).dtype, ts.int8)
            with self.assertRaises(ValueError):
                ours(self.x)

    def test_diff(self):
        for axis in (0, -1):
            for n in (0, 1, 2):
                self.close(ts.diff(self.x, axis=axis, n=n), np.diff(self.a, n, axis), 1e-12)
        self.equal(ts.diff(ts.asarray([1, 4, 9]), prepend=ts.asarray([0]), append=ts.asarray([16])), [1, 3, 5, 7])


@with_numpy
class Sorting(Case):
    def test_sort(self):
        rng = np.random.default_rng(2)
        for dtype in REALS:
            a = rng.integers(0, 100, (4, 5, 6)).astype(dtype)
            for axis in (0, 1, -1):
                self.equal(ts.sort(ts.asarray(a), axis=axis), np.sort(a, axis))
                self.equal(ts.argsort(ts.asarray(a), axis=axis), np.argsort(a, axis, kind="stable"))
                self.equal(ts.sort(ts.asarray(a), axis=axis, descending=True), np.flip(np.sort(a, axis), axis))
        x = ts.asarray([1, 0, 1, 0])
        self.equal(ts.argsort(x, descending=True), [0, 2, 1, 3])
        self.equal(ts.argsort(x, stable=False), [1, 3, 0, 2])

    def test_searchsorted(self):
        a = np.array([1, 3, 3, 5])
        v = np.array([[0, 3], [4, 9]])
        for side in ("left", "right"):
            self.equal(ts.searchsorted(ts.asarray(a), ts.asarray(v), side=side), np.searchsorted(a, v, side))
            self.equal(ts.searchsorted(ts.asarray(a), 3, side=side), np.asarray(np.searchsorted(a, 3, side)))
        b = np.array([5, 1, 3])
        self.equal(ts.searchsorted(ts.asarray(b), ts.asarray(v), sorter=ts.argsort(ts.asarray(b))), np.searchsorted(b, v, sorter=np.argsort(b)))
        self.equal(ts.searchsorted(ts.asarray(a), ts.asarray([2.5])), [1])
        with self.assertRaises(ValueError):
            ts.searchsorted(ts.asarray(a), 1, side="middle")

    def test_nonzero(self):
        a = np.array([[0, 1, 0], [2, 0, 3]])
        for got, want in zip(ts.nonzero(ts.asarray(a)), np.nonzero(a)):
            self.equal(got, want)
        with self.assertRaises(ValueError):
            ts.nonzero(ts.asarray(1))

    def test_isin(self):
        a = np.array([[1, 2], [3, 4]])
        for b in ([1, 3], [], [7]):
            for invert in (False, True):
                self.equal(ts.isin(ts.asarray(a), ts.asarray(b, dtype=ts.int64), invert=invert), np.isin(a, b, invert=invert))
        self.equal(ts.isin(ts.asarray(a), 4), a == 4)
        nan = float("nan")
        self.equal(ts.isin(ts.asarray([nan, 1.0, -0.0]), ts.asarray([nan, 0.0])), [False, False, True])


@with_numpy
class Sets(Case):
    def test_beside_numpy(self):
        rng = np.random.default_rng(3)
        for dtype in (*REALS, "bool"):
            a = rng.integers(0, 5, (4, 5)).astype(dtype)
            got, want = ts.unique_all(ts.asarray(a)), np.unique(a, return_index=True, return_inverse=True, return_counts=True)
            self.equal(got.values, want[0])
            self.equal(got.indices, want[1])
            self.equal(got.inverse_indices, want[2].reshape(a.shape))
            self.equal(got.counts, want[3])
            self.equal(ts.unique_values(ts.asarray(a)), want[0])
            self.equal(ts.unique_counts(ts.asarray(a)).counts, want[3])
            self.equal(ts.take(got.values, got.inverse_indices), a)

    def test_each_nan_is_another(self):
        nan = float("nan")
        x = ts.asarray([[nan, 1.0], [nan, 1.0], [0.0, nan]])
        got = ts.unique_all(x)
        self.equal(got.values, [0.0, 1.0, nan, nan, nan])
        self.equal(got.counts, [1, 2, 1, 1, 1])
        self.equal(got.indices, [4, 1, 0, 2, 5])
        self.equal(got.inverse_indices, [[2, 1], [3, 1], [0, 4]])
        self.assertEqual(ts.unique_values(ts.zeros(0)).shape, (0,))
        self.equal(ts.unique_all(ts.asarray([nan])).counts, [1])


if __name__ == "__main__":
    unittest.main()
