"""Indexing and assignment, beside NumPy: fixed cases and thousands of random keys."""
import random
import unittest

from support import Case, np, ts, with_numpy

SLICES = [slice(None), slice(1, None), slice(None, -1), slice(None, None, 2), slice(None, None, -1), slice(-100, 100), slice(3, 1),
          slice(100, -100, -1), slice(2, None, -2), slice(0, 0), slice(-2**63, 2**63 - 1), slice(2**62, -2**63, -1)]


def key_for_tensors(key):
    """The key with NumPy's arrays as tensors."""
    if isinstance(key, tuple):
        return tuple(map(key_for_tensors, key))
    return ts.asarray(key, copy=True) if isinstance(key, np.ndarray) else key


def random_key(rng, shape):
    """A key that NumPy takes for a shape."""
    key, axis, arrays = [], 0, rng.random() < 0.5
    common = rng.choice([(), (3,), (2, 3), (1,)])
    ellipsis = rng.random() < 0.2
    while axis < len(shape):
        kind, n = rng.random(), shape[axis]
        if kind < 0.1 and len(key) < 5:
            key.append(None)
            continue
        if kind < 0.3 and n > 0:
            key.append(rng.randrange(-n, n))
        elif kind < 0.5 and arrays and n > 0:
            key.append(np.array(np.random.default_rng(rng.randrange(1000)).integers(-n, n, common)))
        elif kind < 0.6 and arrays and axis + 1 < len(shape):
            key.append(np.random.default_rng(rng.randrange(1000)).random(shape[axis:axis + 2]) < 0.5)
            axis += 1
        elif kind < 0.65 and arrays:
            key.append(np.random.default_rng(rng.randrange(1000)).random(n) < 0.5)
        elif kind < 0.95:
            key.append(rng.choice(SLICES))
        else:
            break
        axis += 1
    if ellipsis:
        key.insert(rng.randrange(len(key) + 1), Ellipsis)
        if axis == len(shape) and rng.random() < 0.5:
            pass
    return tuple(key) if len(key) != 1 or rng.random() < 0.5 else key[0]


@with_numpy
class Reading(Case):
    def both(self, a, key):
        x = ts.asarray(a)
        self.equal(x[key_for_tensors(key)], np.asarray(a[key]), repr(key))

    def test_fixed(self):
        a = np.arange(24).reshape(2, 3, 4)
        for key in (0, -1, (0, 1), (0, 1, 2), (0, -1, -1), Ellipsis, (..., 0), (0, ...), (0, ..., 1), None, (None, 0), (..., None), (),
                    (slice(None), 1), (slice(None), slice(None), slice(None, None, -2)), np.array([1, 0]), np.array([[0, 1], [1, 0]]),
                    (np.array([0, 1]), np.array([1, 2])), (np.array([0, 1]), slice(None), np.array([1, 2])),
                    (slice(None), np.array([0, 1]), np.array([1, 2])), (0, np.array([0, 1])), (np.array([0, 1]), 0),
                    (0, slice(None), np.array([0, 1])), a > 5, a[:, :, 0] > 5, a[:, 0, 0] > 5, (slice(None), a[0] > 2),
                    (np.array([0]), a[0] > 2), (..., np.array([True, False, True, False])), np.zeros((2, 3, 4), bool),
                    (slice(None), np.array([], dtype=int))):
            self.both(a, key)
        self.equal(ts.asarray(a)[[1, 0]], a[[1, 0]])
        self.equal(ts.asarray(a)[:, [True, False, True]], a[:, [True, False, True]])
        self.equal(ts.asarray(a)[:, []], a[:, []])
        for value in (True, False):
            self.equal(ts.asarray(a)[value], a[value])
        self.equal(ts.asarray(a)[ts.asarray(1), ts.asarray(2)], a[1, 2])
        self.equal(ts.asarray(5)[()], np.asarray(5))
        self.equal(ts.asarray(5)[None], np.asarray([5]))

    def test_slices_of_every_length(self):
        for n in (0, 1, 2, 5):
            a = np.arange(n)
            for key in SLICES:
                self.both(a, key)

    def test_random(self):
        rng = random.Random(11)
        for _ in range(3000):
            shape = tuple(rng.choice([0, 1, 2, 3, 4]) if rng.random() < 0.1 else rng.choice([1, 2, 3, 4]) for _ in range(rng.randrange(5)))
            a = np.arange(np.prod(shape, dtype=int)).reshape(shape)
            key = random_key(rng, shape)
            try:
                want = np.asarray(a[key])
            except IndexError:
                with self.assertRaises(IndexError, msg=repr((shape, key))):
                    ts.asarray(a, copy=True)[key_for_tensors(key)]
                continue
            if want.ndim <= 8:
                self.equal(ts.asarray(a)[key_for_tensors(key)], want, repr((shape, key)))

    def test_views_share(self):
        x = ts.zeros((3, 4))
        x[1][2] = 5
        x[:, 1:][0, 0] = 7
        self.equal(x, [[0.0, 7.0, 0.0, 0.0], [0.0, 0.0, 5.0, 0.0], [0.0] * 4])
        y = x[0]
        del x
        self.equal(y, [0.0, 7.0, 0.0, 0.0])

    def test_refused(self):
        x = ts.zeros((2, 3))
        for wrong in (2, -3, (0, 3), (0, 0, 0), (..., ...), (slice(None), slice(None), slice(None)), "a", 1.5, (0, "a"), ts.zeros(2),
                      ts.asarray([5]), ts.asarray([True, False, True]), ts.asarray([[True, False]]), (None,) * 40, 2**70, -2**70,
                      ([0, 1], [0, 1, 2]), object()):
            with self.assertRaises((IndexError, TypeError, ValueError), msg=repr(wrong)):
                x[wrong]
        with self.assertRaises((IndexError, ValueError)):
            x[(None,) * 7]
        with self.assertRaises(ValueError):
            x[::0]


@with_numpy
class Writing(Case):
    def both(self, a, key, value):
        x, want = ts.asarray(a, copy=True), a.copy()
        want[key] = value
        x[key_for_tensors(key)] = key_for_tensors(value)
        self.equal(x, want, repr((key, value)))

    def test_fixed(self):
        a = np.arange(24).reshape(2, 3, 4)
        for key in (0, (0, 1, 2), Ellipsis, (..., 0), (slice(None), slice(None, None, -1)), np.array([1, 0]), np.array([0, 0]),
                    (np.array([0, 1]), np.array([1, 2])), (np.array([0, 1]), slice(None), np.array([1, 2])), a > 5, a[:, :, 0] > 5,
                    (slice(None), a[0] > 2), (0, None, 1)):
            self.both(a, key, -1)
            value = -np.arange(a[key].size).reshape(a[key].shape)
            self.both(a, key, value)
        self.both(a, a > 5, np.array([9]))
        self.both(a, (slice(None), 0), np.arange(4))
        self.both(a, 0, np.ones((1, 1, 3, 4), int))
        self.both(a, slice(0, 0), 5)

    def test_random(self):
        rng = random.Random(12)
        for _ in range(1500):
            shape = tuple(rng.choice([1, 2, 3, 4]) for _ in range(rng.randrange(1, 5)))
            a = np.arange(np.prod(shape, dtype=int)).reshape(shape)
            key = random_key(rng, shape)
            try:
                target = a[key]
            except IndexError:
                continue
            if np.asarray(target).ndim > 8:
                continue
            value = -1 if rng.random() < 0.4 else -1 - np.arange(np.size(target)).reshape(np.shape(target))
            indices = [k for k in (key if isinstance(key, tuple) else (key,)) if isinstance(k, np.ndarray) and k.dtype != bool]
            if indices and not isinstance(value, int) and np.size(target) > 0:
                value = np.broadcast_to(-7, np.shape(target)).copy()  # a place may be listed twice
            self.both(a, key, value)

    def test_conversion(self):
        x = ts.zeros(3, dtype=ts.int32)
        x[0] = 2.9
        x[1] = True
        x[2] = ts.asarray(3.7)
        self.equal(x, [2, 1, 3])
        x[:] = [4, 5, 6]
        self.equal(x, [4, 5, 6])
        x[...] = np.array([7, 8, 9], "int8")
        self.equal(x, [7, 8, 9])
        half = ts.zeros(2, dtype=ts.bfloat16)
        half[0] = 1.5
        self.equal(half, [1.5, 0.0])
        z = ts.zeros(2, dtype=ts.complex64)
        z[0], z[1] = 1j, 2
        self.equal(z, [1j, 2 + 0j])
        big = ts.zeros(1, dtype=ts.int64)
        big[0] = 2**62 + 1
        self.equal(big, [2**62 + 1])

    def test_overlap(self):
        a = np.arange(6)
        x = ts.asarray(a, copy=True)
        x[1:] = x[:-1]
        a[1:] = a[:-1].copy()
        self.equal(x, a)

    def test_refused(self):
        x = ts.zeros((2, 3))
        for key, value, error in ((0, [1, 2], ValueError), ((0, 0), 1j, TypeError), (5, 0, IndexError), (0, "a", TypeError),
                                  (ts.asarray([5]), 1, IndexError), (x > 1, [1, 2], ValueError), (0, None, TypeError)):
            with self.assertRaises(error, msg=repr((key, value))):
                x[key] = value
        with self.assertRaises(OverflowError):
            ts.zeros(1, dtype=ts.uint8)[0] = 256
        with self.assertRaises(TypeError):
            del x[0]
        self.equal(x, [[0.0] * 3] * 2)
        frozen = ts.asarray(bytes(4))
        self.assertTrue(frozen.readonly)
        for key in (0, slice(None), frozen == 0, ts.asarray([0])):
            with self.assertRaises(ValueError) as caught:
                frozen[key] = 1
            self.assertEqual(caught.exception.status, "TSR_EREADONLY")


if __name__ == "__main__":
    unittest.main()
