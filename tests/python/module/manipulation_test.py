"""The standard's functions that move elements, take them, and join tensors, beside NumPy."""
import unittest

from support import Case, np, ts, with_numpy


@with_numpy
class Moving(Case):
    a = np.arange(24).reshape(2, 3, 4) if np else None

    def setUp(self):
        self.x = ts.asarray(self.a)

    def test_views_share_memory(self):
        for view in (lambda x: ts.expand_dims(x, axis=1), lambda x: ts.flip(x), lambda x: ts.permute_dims(x, (2, 0, 1)),
                     lambda x: ts.moveaxis(x, 0, 2), lambda x: ts.unstack(x)[0], lambda x: ts.reshape(x, (6, 4)),
                     lambda x: ts.squeeze(ts.expand_dims(x, axis=0), 0), ts.matrix_transpose):
            x = ts.zeros((2, 3, 4))
            view(x)[(0,) * view(x).ndim] = 5
            self.assertEqual(float(ts.sum(x)), 5.0)

    def test_concat_and_stack(self):
        b = -self.a
        for axis in (0, 1, -1):
            self.equal(ts.concat([self.x, ts.asarray(b)], axis=axis), np.concatenate([self.a, b], axis=axis))
        self.equal(ts.concat([self.x, ts.asarray(b)], axis=None), np.concatenate([self.a, b], axis=None))
        self.assertEqual(ts.concat([ts.zeros(2, dtype=ts.int8), ts.zeros(2, dtype=ts.int16)]).dtype, ts.int16)
        for axis in (0, 1, 3, -1, -4):
            self.equal(ts.stack([self.x, ts.asarray(b)], axis=axis), np.stack([self.a, b], axis=axis))
        for wrong, error in (((), ValueError), ((ts.zeros(2), ts.zeros((2, 2))), ValueError), ((1, 2), TypeError), ((self.a,), TypeError)):
            with self.assertRaises(error):
                ts.concat(wrong)
        with self.assertRaises(ValueError):
            ts.stack((ts.zeros(2), ts.zeros(3)))
        with self.assertRaises(IndexError):
            ts.stack((ts.zeros(2),), axis=3)

    def test_axes(self):
        for axis in (0, 1, 3, -1, -4, (0, 1), (0, -1)):
            self.equal(ts.expand_dims(self.x, axis=axis), np.expand_dims(self.a, axis))
        with self.assertRaises(IndexError):
            ts.expand_dims(self.x, axis=4)
        b = self.a.reshape(1, 2, 1, 12)
        for axis in (0, 2, -2, (0, 2), (-2, 0), ()):
            self.equal(ts.squeeze(ts.asarray(b), axis), np.squeeze(b, axis))
        with self.assertRaises(ValueError):
            ts.squeeze(ts.asarray(b), 1)
        with self.assertRaises(ValueError):
            ts.squeeze(ts.asarray(b), (0, 0))
        for axis in (None, 0, -1, (0, 2)):
            self.equal(ts.flip(self.x, axis=axis), np.flip(self.a, axis))
        for axes in ((2, 0, 1), (0, 1, 2), (-1, 0, 1)):
            self.equal(ts.permute_dims(self.x, axes), np.transpose(self.a, axes))
        for wrong in ((0, 1), (0, 0, 1), (0, 1, 3)):
            with self.assertRaises((ValueError, IndexError)):
                ts.permute_dims(self.x, wrong)
        for source, target in ((0, 2), (2, 0), ((0, 1), (1, 2)), (-1, 0), ((0, 2), (-1, 0))):
            self.equal(ts.moveaxis(self.x, source, target), np.moveaxis(self.a, source, target))

    def test_reshape(self):
        for shape in ((24,), (4, 6), (2, -1), (1, 24, 1), (-1,), (3, 2, 4)):
            self.equal(ts.reshape(self.x, shape), self.a.reshape(shape))
        self.equal(ts.reshape(self.x.mT, (6, 4)), self.a.transpose(0, 2, 1).reshape(6, 4))
        y = ts.reshape(self.x, (24,), copy=True)
        y[0] = 99
        self.assertEqual(int(self.x[0, 0, 0]), 0)
        for wrong in ((5, 5), (-1, -1), (-2,)):
            with self.assertRaises(ValueError):
                ts.reshape(self.x, wrong)
        with self.assertRaises(ValueError):
            ts.reshape(self.x.mT, (24,), copy=False)

    def test_roll_repeat_tile(self):
        for shift, axis in ((1, None), (-5, None), (1, 0), (2, -1), ((1, 2), (0, 1)), (1, (0, 2))):
            self.equal(ts.roll(self.x, shift, axis=axis), np.roll(self.a, shift, axis))
        for repeats, axis in ((2, None), (3, 1), (0, 0)):
            self.equal(ts.repeat(self.x, repeats, axis=axis), np.repeat(self.a, repeats, axis))
        for counts in ([1, 0, 3], [0, 0, 0], [2, 2, 2]):
            self.equal(ts.repeat(self.x, ts.asarray(counts), axis=1), np.repeat(self.a, counts, 1))
        self.equal(ts.repeat(ts.asarray([1, 2]), ts.asarray([3])), [1, 1, 1, 2, 2, 2])
        with self.assertRaises(ValueError):
            ts.repeat(self.x, ts.asarray([1, 2]), axis=1)
        for reps in ((2,), (2, 1, 1), (1, 2, 2, 2), (0,), ()):
            self.equal(ts.tile(self.x, reps), np.tile(self.a, reps))

    def test_broadcasting(self):
        a, b = np.arange(3), np.arange(2).reshape(2, 1)
        for got, want in zip(ts.broadcast_arrays(ts.asarray(a), ts.asarray(b)), np.broadcast_arrays(a, b)):
            self.equal(got, want)
        self.equal(ts.broadcast_to(ts.asarray(a), (2, 3)), np.broadcast_to(a, (2, 3)))
        self.assertEqual(ts.broadcast_shapes((3,), (2, 1), ()), (2, 3))
        self.assertEqual(ts.broadcast_shapes(), ())
        self.assertEqual(ts.broadcast_shapes((0,), (1,)), (0,))
        for wrong in (lambda: ts.broadcast_to(ts.asarray(a), (2, 4)), lambda: ts.broadcast_shapes((2,), (3,)),
                      lambda: ts.broadcast_arrays(ts.zeros(2), ts.zeros(3)), lambda: ts.broadcast_to(ts.asarray(a), (3, 1))):
            with self.assertRaises(ValueError):
                wrong()

    def test_unstack(self):
        for axis in (0, 1, -1):
            parts = ts.unstack(self.x, axis=axis)
            self.assertIsInstance(parts, tuple)
            for i, part in enumerate(parts):
                self.equal(part, np.take(self.a, i, axis))
        with self.assertRaises(IndexError):
            ts.unstack(self.x, axis=3)

    def test_take(self):
        for axis in (0, 1, -1):
            index = np.array([1, 0, -1])
            self.equal(ts.take(self.x, ts.asarray(index), axis=axis), np.take(self.a, index, axis))
        self.equal(ts.take(ts.asarray([5, 6]), ts.asarray([1])), [6])
        with self.assertRaises(ValueError):
            ts.take(self.x, ts.asarray([0]))
        with self.assertRaises(IndexError):
            ts.take(self.x, ts.asarray([9]), axis=0)
        with self.assertRaises(TypeError):
            ts.take(self.x, ts.asarray([0.0]), axis=0)
        for axis in (0, 1, -1):
            index = np.argsort(-self.a, axis=axis)
            self.equal(ts.take_along_axis(self.x, ts.asarray(index), axis=axis), np.take_along_axis(self.a, index, axis))


if __name__ == "__main__":
    unittest.main()
