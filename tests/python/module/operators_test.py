"""Operators of tensors: plain, reflected, in place."""
import operator
import unittest

from support import Case, np, ts, with_numpy

BINARY = (operator.add, operator.sub, operator.mul, operator.truediv, operator.floordiv, operator.mod, operator.pow)
BITS = (operator.and_, operator.or_, operator.xor, operator.lshift, operator.rshift)
COMPARE = (operator.lt, operator.le, operator.eq, operator.ne, operator.gt, operator.ge)


@with_numpy
class Operators(Case):
    def test_beside_numpy(self):
        a, b = np.array([[1, 2, 3], [4, 5, 6]]), np.array([3, 1, 2])
        for op in (*BINARY, *BITS, *COMPARE):
            self.equal(op(ts.asarray(a), ts.asarray(b)), op(a, b), op.__name__)
            self.equal(op(ts.asarray(a), 2), op(a, 2), op.__name__)
            self.equal(op(2, ts.asarray(a)), op(2, a), op.__name__)
        f = a / 4
        for op in (*BINARY, *COMPARE):
            same = self.close if op is operator.pow else self.equal  # the last bit of a power is not NumPy's
            same(op(ts.asarray(f), 2.0), op(f, 2.0), message=op.__name__)
            same(op(2.0, ts.asarray(f)), op(2.0, f), message=op.__name__)
            same(op(ts.asarray(a), 0.5), op(a, 0.5), message=op.__name__)
        self.equal(ts.asarray(a) @ ts.asarray(a.T), a @ a.T)
        self.equal(ts.asarray(b) @ ts.asarray(b), np.asarray(b @ b))

    def test_unary(self):
        a = np.array([1, -2])
        for op in (operator.neg, operator.pos, operator.abs, operator.invert):
            self.equal(op(ts.asarray(a)), op(a))
        x = ts.asarray(a)
        y = +x
        y[0] = 5
        self.equal(x, [1, -2])

    def test_in_place(self):
        for name, value in (("iadd", 2), ("isub", 2), ("imul", 2), ("ifloordiv", 2), ("imod", 2), ("ipow", 2), ("iand", 2), ("ior", 2),
                            ("ixor", 2), ("ilshift", 2), ("irshift", 2)):
            a = np.array([1, 2, 3])
            x = ts.asarray(a.copy())
            y, view = x, x[1:]
            x = getattr(operator, name)(x, value)
            want = getattr(operator, name)(a, value)
            self.assertIs(x, y)
            self.equal(x, want, name)
            self.equal(view, want[1:], name)
        x = ts.asarray([1.0, 2.0])
        x /= 2
        self.equal(x, [0.5, 1.0])
        x += ts.asarray([1.0, 1.0])
        self.equal(x, [1.5, 2.0])

    def test_in_place_keeps_dtype_and_shape(self):
        x = ts.asarray([1, 2])
        with self.assertRaises((TypeError, ValueError)):
            x += 0.5
        with self.assertRaises(ValueError):
            x += ts.zeros((3, 2), dtype=ts.int64)
        with self.assertRaises((TypeError, ValueError)):
            x /= 2
        self.equal(x, [1, 2])
        y = ts.broadcast_to(ts.zeros(1), (3,))
        with self.assertRaises(ValueError):
            y += 1

    def test_small_dtypes(self):
        x = ts.asarray([200, 100], dtype=ts.uint8)
        self.equal(x + 100, [44, 200])
        self.assertEqual((x + 100).dtype, ts.uint8)
        with self.assertRaises(OverflowError):
            x + 300
        with self.assertRaises(ValueError):
            x - (-1)
        self.equal(x < 300, [True, True])
        self.equal(x == -1, [False, False])
        self.equal(ts.asarray([2**64 - 1]) > -1, [True])
        half = ts.asarray([1.0, 2.0], dtype=ts.float16)
        self.assertEqual((half * 0.1).dtype, ts.float16)
        self.assertEqual((half * 0.1).tolist(), (np.array([1.0, 2.0], "f2") * np.float16(0.1)).tolist())

    def test_numbers_of_numpy(self):
        x = ts.asarray([1.0, 2.0])
        for number in (np.float64(2), np.float32(2), np.int64(2), np.int8(2)):
            self.equal(number * x, [2.0, 4.0])
            self.equal(x * number, [2.0, 4.0])
        self.equal(ts.asarray([1, 2]) * np.bool_(True), [1, 2])

    def test_others_are_asked(self):
        class Other:
            def __radd__(self, x):
                return "asked"

            def __eq__(self, x):
                return "equal"

        x = ts.zeros(2)
        self.assertEqual(x + Other(), "asked")
        self.assertEqual(x == Other(), "equal")
        self.assertIs(x == None, False)  # noqa: E711
        self.assertIs(x != "a", True)
        for wrong in ("a", None, [1, 2], {}):
            with self.assertRaises(TypeError):
                x + wrong
            with self.assertRaises(TypeError):
                wrong - x
        with self.assertRaises(TypeError):
            pow(x, 2, 3)

    def test_divmod(self):
        a = np.array([7, -7, 5])
        for got, want in zip(divmod(ts.asarray(a), 3), divmod(a, 3)):
            self.equal(got, want)
        with self.assertRaises(TypeError):
            divmod(ts.zeros(2), "a")

    def test_large_ones_run_without_the_lock(self):
        a = np.arange(100000.0)
        self.equal(ts.asarray(a) + ts.asarray(a), a + a)


if __name__ == "__main__":
    unittest.main()
