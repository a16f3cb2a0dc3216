"""The standard's functions that make tensors."""
import unittest

from support import STANDARD, Case, np, ts, with_numpy


class FromObjects(Case):
    def test_numbers_and_sequences(self):
        for obj, dtype, want in ((True, "bool", True), (3, "int64", 3), (1.5, "float64", 1.5), (1j, "complex128", 1j),
                                 ([True, 2], "int64", [1, 2]), ([1, 2.5], "float64", [1.0, 2.5]), ([1, 2j], "complex128", [1 + 0j, 2j]),
                                 ([[1], [2]], "int64", [[1], [2]]), (((1, 2), [3, 4]), "int64", [[1, 2], [3, 4]]),
                                 (range(3), "int64", [0, 1, 2]), ([], "float64", []), ([[], []], "float64", [[], []]),
                                 ([2**63], "uint64", [2**63])):
            x = ts.asarray(obj)
            self.assertEqual(x.dtype.name, dtype, obj)
            self.equal(x, want)

    def test_dtype_is_given(self):
        for name in STANDARD:
            x = ts.asarray([0, 1], dtype=name)
            self.assertEqual((x.dtype.name, x.shape), (name, (2,)))
        self.equal(ts.asarray([1.9], dtype=ts.int32), [1])
        self.equal(ts.asarray(ts.asarray([1.9]), dtype=ts.int8), [1])
        with self.assertRaises(OverflowError):
            ts.asarray([300], dtype=ts.uint8)
        with self.assertRaises(ValueError):
            ts.asarray([-1], dtype=ts.uint8)
        with self.assertRaises(TypeError):
            ts.asarray([1j], dtype=ts.float32)

    def test_refused(self):
        for wrong, error in (([1, [2]], ValueError), ([[1, 2], [3]], ValueError), ([[1], 2], ValueError), ("abc", TypeError),
                             ({"a": 1}, TypeError), (object(), TypeError), ([None], TypeError), (None, TypeError), (2**70, ValueError),
                             ([[[[[[[[[1]]]]]]]]], ValueError)):
            with self.assertRaises(error, msg=repr(wrong)):
                ts.asarray(wrong)

    def test_sequences_that_change_while_they_are_read(self):
        inner = [1, 2]

        class Nasty:
            def __index__(self):
                inner.clear()
                return 1

        outer = [[Nasty(), 1], inner]
        with self.assertRaises(ValueError):
            ts.asarray(outer)

    def test_copy(self):
        x = ts.zeros(2)
        self.assertIs(ts.asarray(x), x)
        self.assertIsNot(ts.asarray(x, copy=True), x)
        with self.assertRaises(ValueError):
            ts.asarray([1], copy=False)
        with self.assertRaises(ValueError):
            ts.asarray(x, dtype=ts.float32, copy=False)
        data = bytearray(2)
        ts.asarray(data, copy=False)[0] = 7
        self.assertEqual(data[0], 7)
        ts.asarray(data, copy=True)[0] = 9
        self.assertEqual(data[0], 7)

    def test_sequences_of_tensors(self):
        x = ts.arange(3)
        self.equal(ts.asarray([x, x]), [[0, 1, 2], [0, 1, 2]])
        self.equal(ts.asarray([x[0], x[2]]), [0, 2])


class Filled(Case):
    def test_shapes_and_dtypes(self):
        for make, value in ((ts.zeros, 0), (ts.ones, 1)):
            self.assertEqual(make(3).dtype, ts.float64)
            self.assertEqual(make(()).shape, ())
            for name in STANDARD:
                x = make((2, 3), dtype=name)
                self.assertEqual((x.shape, x.dtype.name), ((2, 3), name))
                self.assertTrue(all(one == value for row in x.tolist() for one in row))
        self.assertEqual(ts.empty((2, 0)).shape, (2, 0))
        for wrong in (-1, (2, -1), "a", 1.5, (1,) * 9, (2**40, 2**40)):
            with self.assertRaises((ValueError, TypeError, MemoryError)):
                ts.zeros(wrong)

    def test_full(self):
        for value, dtype in ((True, "bool"), (3, "int64"), (1.5, "float64"), (1j, "complex128")):
            self.assertEqual(ts.full((2,), value).dtype.name, dtype)
        self.equal(ts.full((2,), 2**60 + 1), [2**60 + 1] * 2)
        self.equal(ts.full(2, 1, dtype=ts.float32), [1.0, 1.0])
        self.equal(ts.full((), 7), 7)
        x = ts.full((2,), 1)
        x[0] = 5
        self.equal(x, [5, 1])

    def test_like(self):
        x = ts.zeros((2, 3), dtype=ts.float32)
        for make in (ts.zeros_like, ts.ones_like, ts.empty_like):
            self.assertEqual((make(x).shape, make(x).dtype), ((2, 3), ts.float32))
            self.assertEqual(make(x, dtype=ts.int8).dtype, ts.int8)
        self.equal(ts.full_like(x, 2), [[2.0] * 3] * 2)
        self.assertEqual(ts.full_like(x, 2).dtype, ts.float32)
        with self.assertRaises(TypeError):
            ts.zeros_like([1])

    def test_eye_and_triangles(self):
        self.equal(ts.eye(2, 3, k=1, dtype=ts.int8), [[0, 1, 0], [0, 0, 1]])
        self.equal(ts.eye(2), [[1.0, 0.0], [0.0, 1.0]])
        x = ts.reshape(ts.arange(9), (3, 3))
        self.equal(ts.tril(x, k=-1), [[0, 0, 0], [3, 0, 0], [6, 7, 0]])
        self.equal(ts.triu(x), [[0, 1, 2], [0, 4, 5], [0, 0, 8]])
        with self.assertRaises(ValueError):
            ts.tril(ts.zeros(3))


class Ranges(Case):
    def test_arange(self):
        self.equal(ts.arange(3), [0, 1, 2])
        self.equal(ts.arange(3.0), [0.0, 1.0, 2.0])
        self.equal(ts.arange(5, 1, -2), [5, 3])
        self.equal(ts.arange(1, 2, 0.5), [1.0, 1.5])
        self.equal(ts.arange(3, 1), [])
        self.assertEqual(ts.arange(3, dtype=ts.int8).dtype, ts.int8)
        self.assertEqual(ts.arange(3, dtype=ts.float32).dtype, ts.float32)
        self.equal(ts.arange(2**62, 2**62 + 2), [2**62, 2**62 + 1])
        with self.assertRaises(ValueError):
            ts.arange(0, 1, 0)

    def test_linspace(self):
        self.equal(ts.linspace(0, 1, 5), [0.0, 0.25, 0.5, 0.75, 1.0])
        self.equal(ts.linspace(0, 1, 4, endpoint=False), [0.0, 0.25, 0.5, 0.75])
        self.equal(ts.linspace(2, 3, 1), [2.0])
        self.equal(ts.linspace(2, 3, 0), [])
        self.equal(ts.linspace(2, 3, 1, endpoint=False), [2.0])
        self.assertEqual(ts.linspace(0, 1, 2, dtype=ts.float32).dtype, ts.float32)

    @with_numpy
    def test_meshgrid(self):
        vectors = [np.arange(2), np.arange(3.0), np.arange(4)]
        for indexing in ("xy", "ij"):
            for got, want in zip(ts.meshgrid(*map(ts.asarray, vectors[:2]), indexing=indexing), np.meshgrid(*vectors[:2], indexing=indexing)):
                self.equal(got, want)
            for got, want in zip(ts.meshgrid(*map(ts.asarray, vectors), indexing=indexing), np.meshgrid(*vectors, indexing=indexing)):
                self.equal(got, want)
        with self.assertRaises(ValueError):
            ts.meshgrid(ts.zeros(2), indexing="ab")


if __name__ == "__main__":
    unittest.main()
