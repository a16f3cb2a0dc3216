"""Corners of the array API standard's text that the other tests do not reach: what it says of results, refusals and the ends of ranges."""
import unittest

from support import STANDARD, Case, np, ts, with_numpy

INTEGERS = [name for name in STANDARD if "int" in name]
nan, inf = float("nan"), float("inf")


def in_place(x, operator, y):
    space = {"x": x, "y": y}
    exec(f"x {operator}= y", space)
    return space["x"]


class Making(Case):
    def test_ranges_at_the_ends_of_64_bits(self):
        for start, stop, step, dtype in ((2**63, 2**63 + 3, 1, "uint64"), (2**64 - 2, 2**64 - 5, -1, "uint64"), (0, 2**64 - 1, 2**62, "uint64"),
                                         (-2**63, -2**63 + 3, 1, "int64"), (2**63 - 1, 2**63 - 4, -1, "int64"), (-2**63, 2**63 - 1, 2**61, "int64"),
                                         (-2**63, 2**63 - 1, 2**63 - 1, "int64"), (0, 10, 2**70, "int64"), (5, 0, 2**70, "int64"),
                                         (2**63 - 1, -2**63, -2**63, "int64"), (0, 250, 50, "uint8"), (127, -128, -100, "int8")):
            self.equal(ts.arange(start, stop, step, dtype=dtype), list(range(start, stop, step)))
        for wrong in ((0, 300, 1, "uint8"), (-1, 3, 1, "uint64"), (2**64 - 1, 2**64 + 1, 1, "uint64")):
            with self.assertRaises(ts.RangeError):
                ts.arange(*wrong[:3], dtype=wrong[3])
        self.equal(ts.arange(0, 2**64, 2**62, dtype=ts.float32), [0.0, 2.0**62, 2.0**63, 3 * 2.0**62])

    def test_linspace_of_complex_numbers(self):
        self.equal(ts.linspace(0, 1j, 3), [0j, 0.5j, 1j])
        self.equal(ts.linspace(1 + 1j, 3 - 1j, 3, dtype=ts.complex64), [1 + 1j, 2 + 0j, 3 - 1j])
        self.equal(ts.linspace(0, 1, 2, dtype=ts.complex64, endpoint=False), [0j, 0.5 + 0j])
        with self.assertRaises(TypeError):
            ts.linspace(0, 1j, 3, dtype=ts.float64)

    def test_tuples(self):
        info = ts.__array_namespace_info__()
        for many in (ts.meshgrid(ts.arange(2), ts.arange(3)), ts.meshgrid(), ts.broadcast_arrays(ts.zeros(2), ts.zeros(1)), ts.broadcast_arrays(),
                     info.devices(), ts.nonzero(ts.ones(2)), ts.unstack(ts.ones((2, 2)))):
            self.assertIsInstance(many, tuple)
        self.assertEqual([x.dtype for x in ts.meshgrid(ts.zeros(2), ts.arange(2))], [ts.float64, ts.int64])

    def test_what_is_repeated_is_read_only(self):
        for x in (ts.broadcast_to(ts.zeros(3), (2, 3)), ts.broadcast_arrays(ts.zeros(3), ts.zeros((2, 1)))[0]):
            self.assertTrue(x.readonly)
            with self.assertRaises(ValueError):
                x[0, 0] = 1.0
            ts.copy(x)[0, 0] = 1.0

    def test_questions(self):
        info = ts.__array_namespace_info__()
        self.assertEqual(info.dtypes(device="cpu"), info.dtypes())
        self.assertEqual(info.default_dtypes(device="cpu"), info.default_dtypes())
        self.assertEqual(info.dtypes(kind=()), {})
        for call in (lambda: info.dtypes(device="foo"), lambda: info.default_dtypes(device="foo"), lambda: info.dtypes(kind="foo")):
            with self.assertRaises(ValueError):
                call()
        x = ts.zeros(1)
        for version in ("2021.12", "2022.12", "2023.12", "2024.12", "2025.12", None):
            self.assertIs(x.__array_namespace__(api_version=version), ts)
        for version in ("2020.10", "2023.11", "2026.12", "foo", ""):
            with self.assertRaises(ValueError):
                x.__array_namespace__(api_version=version)


class Numbers(Case):
    def test_beyond_64_bits(self):
        for dtype in (ts.float32, ts.float64):
            x = ts.asarray([1.0], dtype=dtype)
            self.equal(x * 2**100, [2.0**100])
            self.equal(-2**100 + x, [-2.0**100])
            self.equal(ts.maximum(x, 2**70), [2.0**70])
            x[0] = 2**80
            self.equal(x, [2.0**80])
        self.equal(ts.asarray([2**70, 0.5]), [2.0**70, 0.5])
        self.equal(ts.full((1,), 2**70, dtype=ts.float32), [2.0**70])
        whole = ts.asarray([2**63 - 1, -2**63])
        self.equal(whole < 2**70, [True, True])
        self.equal(whole > -2**70, [True, True])
        self.equal(whole == 2**70, [False, False])
        for call in (lambda: whole + 2**70, lambda: whole.__setitem__(0, 2**70), lambda: ts.asarray(2**70), lambda: ts.zeros(1) + 10**400,
                     lambda: ts.asarray([1], dtype=ts.int8) + 128, lambda: ts.asarray([1], dtype=ts.uint8) + -1):
            with self.assertRaises(OverflowError):
                call()

    def test_shifts_past_the_width(self):
        for name in INTEGERS:
            limits = ts.iinfo(name)
            bits, ends = limits.bits, (limits.min, limits.max, 1, 0)
            x = ts.asarray(ends, dtype=name)
            for by in (0, 1, bits - 1, bits, bits + 1, 100):
                cut = [(n << by if by < bits else 0) & (2**bits - 1) for n in ends]
                self.equal(x << by, [n - 2**bits if n > limits.max else n for n in cut], f"{name} << {by}")
                self.equal(x >> by, [n >> by for n in ends], f"{name} >> {by}")

    def test_truth_of_complex_numbers(self):
        z = ts.asarray([0j, 1j, complex(nan, 0), complex(-0.0, -0.0)])
        self.equal(ts.astype(z, ts.bool), [False, True, True, False])
        self.equal(ts.asarray(z, dtype=ts.bool), [False, True, True, False])
        self.equal(ts.asarray([0j, 1j], dtype=ts.bool), [False, True])
        for dtype in (ts.float64, ts.int8):
            with self.assertRaises(TypeError):
                ts.astype(z, dtype)

    def test_in_place(self):
        self.equal(in_place(ts.ones(2, dtype=ts.int16), "+", ts.ones(2, dtype=ts.int8)), [2, 2])
        self.assertEqual(in_place(ts.ones(2, dtype=ts.float32), "+", 1.5).dtype, ts.float32)
        self.equal(in_place(ts.ones((2, 2)), "+", ts.ones(2)), [[2.0, 2.0]] * 2)
        self.equal(in_place(ts.ones((2, 2)), "@", ts.ones((2, 2))), [[2.0, 2.0]] * 2)
        for operator, want in (("-", 5), ("*", 14), ("//", 3), ("%", 1), ("**", 49), ("&", 2), ("|", 7), ("^", 5), ("<<", 28), (">>", 1)):
            x = ts.asarray([7])
            self.assertIs(in_place(x, operator, 2), x)
            self.equal(x, [want], operator)
        x = ts.asarray([2.0, 3.0])
        self.equal(in_place(x, "+", x[::-1]), [5.0, 5.0])
        for wrong in (lambda: in_place(ts.ones(2, dtype=ts.int8), "+", ts.ones(2, dtype=ts.int16)), lambda: in_place(ts.ones(2, dtype=ts.int8), "+", 1.5),
                      lambda: in_place(ts.ones(2, dtype=ts.int8), "/", 2)):
            with self.assertRaises(TypeError):
                wrong()
        with self.assertRaises(ValueError):
            in_place(ts.ones(2), "+", ts.ones((3, 2)))

    def test_as_numbers_of_python(self):
        for call, error in ((lambda: int(ts.asarray(inf)), OverflowError), (lambda: int(ts.asarray(nan)), ValueError),
                            (lambda: int(ts.asarray(1j)), TypeError), (lambda: float(ts.asarray(1j)), TypeError),
                            (lambda: ts.asarray(1.0).__index__(), TypeError), (lambda: ts.asarray(True).__index__(), TypeError),
                            (lambda: hash(ts.asarray(1)), TypeError)):
            with self.assertRaises(error):
                call()
        self.assertEqual([bool(ts.asarray(v)) for v in (0j, 1j, nan, -0.0, inf)], [False, True, True, False, True])
        self.assertEqual([complex(ts.asarray(v)) for v in (True, 3, 2.5, 1j)], [1 + 0j, 3 + 0j, 2.5 + 0j, 1j])
        self.assertEqual((int(ts.asarray(-2.9)), float(ts.asarray(2**64 - 1)), int(ts.asarray(True))), (-2, 2.0**64, 1))


class Keys(Case):
    def test_masks_of_length_0(self):
        x = ts.zeros((2, 3, 4))
        for shape, want in (((0,), (0, 3, 4)), ((2, 0), (0, 4)), ((0, 3, 4), (0,)), ((0, 0), (0, 4))):
            self.assertEqual(x[ts.zeros(shape, dtype=ts.bool)].shape, want)
            x[ts.zeros(shape, dtype=ts.bool)] = 7.0
        self.assertEqual(float(ts.sum(x)), 0.0)
        for shape in ((3,), (2, 2), (2, 3, 4, 1)):
            with self.assertRaises(IndexError):
                x[ts.zeros(shape, dtype=ts.bool)]

    def test_masks_of_rank_0(self):
        x = ts.asarray([1, 2])
        self.equal(x[ts.asarray(True)], [[1, 2]])
        self.assertEqual(x[ts.asarray(False)].shape, (0, 2))
        x[ts.asarray(False)] = 9
        self.equal(x, [1, 2])
        x[ts.asarray(True)] = 9
        self.equal(x, [9, 9])


@with_numpy
class Statistics(Case):
    def test_corrections(self):
        a = np.random.default_rng(3).standard_normal((3, 4))
        x = ts.asarray(a)
        for axis in (None, 0, -1, (0, 1)):
            n = a.size if axis in (None, (0, 1)) else a.shape[axis]
            for correction in (0, 1, 2.0, 0.5, 1.25, -1, -0.5, n - 1, n - 0.5):
                for name in ("var", "std"):
                    want = getattr(np, name)(a, axis=axis, ddof=correction, keepdims=True)
                    self.close(getattr(ts, name)(x, axis=axis, correction=correction, keepdims=True), want, 1e-12, message=f"{axis} {correction}")
            for correction in (n, n + 0.5, n + 1, 100, inf):
                for name in ("var", "std"):
                    got = getattr(ts, name)(x, axis=axis, correction=correction)
                    self.assertTrue(bool(ts.all(ts.isnan(got))), (name, axis, correction))
        with self.assertRaises(IndexError):
            ts.var(x, axis=2, correction=0.5)
        self.assertEqual(ts.var(ts.zeros((0, 3)), axis=1, correction=0.5).shape, (0,))

    def test_of_integers_is_float64(self):
        for dtype in INTEGERS:
            x = ts.asarray([1, 2, 3], dtype=dtype)
            for name in ("mean", "var", "std"):
                self.assertEqual(getattr(ts, name)(x).dtype, ts.float64, (name, dtype))
        self.equal(ts.mean(ts.asarray([2**53 - 2, 2**53])), 2.0**53 - 1)

    def test_dtypes_of_sums(self):
        for dtype in INTEGERS:
            x = ts.ones((2, 2), dtype=dtype)
            wide = "uint64" if dtype.startswith("u") else "int64"
            for call in (ts.sum, ts.prod, lambda x: ts.cumulative_sum(x, axis=0), lambda x: ts.cumulative_prod(x, axis=0),
                         lambda x: ts.cumulative_sum(x, axis=0, include_initial=True), ts.linalg.trace):
                self.assertEqual(call(x).dtype.name, wide)
            for call in (ts.matmul, ts.vecdot, ts.tensordot, lambda a, b: ts.tensordot(a, b, axes=0), lambda a, b: ts.linalg.outer(a[0], b[0])):
                self.assertEqual(call(x, x).dtype.name, dtype)


class Sets(Case):
    def test_complex_numbers(self):
        z = ts.asarray([[1j, 1, 1j], [complex(nan, 1), -0.0, 0j], [complex(nan, 1), complex(1, nan), 2]])
        values, index, inverse, counts = ts.unique_all(z)
        self.assertEqual((values.dtype, inverse.shape, int(ts.sum(counts))), (ts.complex128, (3, 3), 9))
        self.assertEqual([v for v in values.tolist() if v == v], [0j, 1j, 1 + 0j, 2 + 0j])
        self.assertEqual(values.size, 7)  # each NaN is one of its own
        flat = ts.reshape(z, (-1,)).tolist()
        self.assertEqual([repr(flat[i]) for i in index.tolist()], [repr(v) for v in values.tolist()])
        for i, place in enumerate(ts.reshape(inverse, (-1,)).tolist()):
            if flat[i] == flat[i]:
                self.assertEqual(values.tolist()[place], flat[i])
                self.assertEqual(counts.tolist()[place], flat.count(flat[i]))
        self.assertEqual([part.shape for part in ts.unique_all(ts.zeros((0, 2), dtype=ts.complex64))], [(0,), (0,), (0, 2), (0,)])
        self.equal(ts.isin(ts.asarray([1j, 2, complex(nan, 0)]), ts.asarray([1j, complex(nan, 0)])), [True, False, False])

    def test_isin(self):
        x = ts.asarray([1, 2], dtype=ts.uint8)
        for other, want in ((2, [False, True]), (-1, [False, False]), (300, [False, False]), (ts.asarray([], dtype=ts.int64), [False, False])):
            self.equal(ts.isin(x, other), want)
            self.equal(ts.isin(x, other, invert=True), [not one for one in want])
        self.equal(ts.isin(2, x), True)
        self.equal(ts.isin(ts.asarray([2**63, 2**63 + 1], dtype=ts.uint64), 2**63), [True, False])
        with self.assertRaises(TypeError):
            ts.isin(1, 2)

    def test_searchsorted_of_a_number(self):
        self.equal(ts.searchsorted(ts.asarray([1, 2, 3]), 2), 1)
        self.equal(ts.searchsorted(ts.asarray([1, 2, 3]), 2, side="right"), 2)
        self.equal(ts.searchsorted(ts.asarray([1.0, 2.0], dtype=ts.float32), 1.5), 1)
        self.equal(ts.searchsorted(ts.asarray([1, 2, 3], dtype=ts.uint8), -1), 0)
        self.equal(ts.searchsorted(ts.asarray([3, 1, 2]), ts.asarray([0, 4]), sorter=ts.asarray([1, 2, 0], dtype=ts.uint8)), [0, 3])


class Refusals(Case):
    def test_each(self):
        x = ts.ones((2, 3))
        for call, error in ((lambda: ts.tensordot(x, x, axes=-1), ValueError), (lambda: ts.tensordot(x, x, axes=3), ValueError),
                            (lambda: ts.repeat(x[0], ts.asarray([1, -1, 1])), ValueError), (lambda: ts.repeat(x[0], -1), ValueError),
                            (lambda: ts.repeat(x[0], ts.asarray([1.0, 1.0, 1.0])), TypeError), (lambda: ts.linalg.cross(ts.ones(2), ts.ones(2)), ValueError),
                            (lambda: ts.linalg.cross(ts.ones(1), ts.ones(3)), ValueError), (lambda: ts.linalg.cross(x, [1, 2, 3]), TypeError),
                            (lambda: ts.vecdot(ts.ones((2, 1)), x), ValueError), (lambda: ts.expand_dims(x, (0, 0)), ValueError),
                            (lambda: ts.expand_dims(x, 3), IndexError), (lambda: ts.expand_dims(x, (0, 4)), IndexError),
                            (lambda: ts.squeeze(x, 0), ValueError), (lambda: ts.nonzero(ts.asarray(1)), ValueError),
                            (lambda: x.__dlpack__(stream=1), BufferError), (lambda: ts.from_dlpack(x, device="foo"), ValueError),
                            (lambda: ts.from_dlpack(x, device="cuda:0", copy=False), BufferError), (lambda: ts.from_dlpack(3), AttributeError)):
            with self.assertRaises(error):
                call()
        self.equal(ts.linalg.matrix_norm(ts.ones((2, 2)), ord=None), 2.0)


if __name__ == "__main__":
    unittest.main()
