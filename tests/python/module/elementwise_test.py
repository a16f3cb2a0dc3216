"""The standard's functions of elements, beside NumPy: dtypes, special values, broadcasting, numbers of Python, refusals."""
import itertools
import unittest

from signatures import BINARY, UNARY
from support import FLOATS, REALS, Case, np, ts, with_numpy

NUMPY = {"acos": "arccos", "acosh": "arccosh", "asin": "arcsin", "asinh": "arcsinh", "atan": "arctan", "atan2": "arctan2",
         "atanh": "arctanh", "bitwise_invert": "invert", "bitwise_left_shift": "left_shift", "bitwise_right_shift": "right_shift",
         "pow": "power", "round": "rint"}
INTEGERS = tuple(name for name in REALS if "int" in name)
SPECIAL = [0.0, -0.0, 1.0, -1.0, 0.5, -0.5, 2.0, -2.5, 3.0, 1e-300, -1e300, 1e30, float("inf"), float("-inf"), float("nan"), 700.0]
# What an op takes by the standard; of floats alone where nothing is said.
TAKES = {**dict.fromkeys("abs ceil floor negative positive round sign square trunc isfinite isinf isnan signbit real".split(), REALS),
         "bitwise_invert": (*INTEGERS, "bool"), "logical_not": ("bool",),
         **dict.fromkeys("bitwise_and bitwise_or bitwise_xor".split(), (*INTEGERS, "bool")),
         **dict.fromkeys(("bitwise_left_shift", "bitwise_right_shift"), INTEGERS),
         **dict.fromkeys("logical_and logical_or logical_xor".split(), ("bool",)),
         **dict.fromkeys("equal not_equal".split(), (*REALS, "bool")),
         **dict.fromkeys(("add subtract multiply floor_divide remainder pow less less_equal greater greater_equal maximum minimum").split(),
                         REALS)}
BOOLS = "isfinite isinf isnan signbit logical_not logical_and logical_or logical_xor equal not_equal less less_equal greater greater_equal"


def takes(name):
    return [dtype for dtype in TAKES.get(name, FLOATS) if dtype != "float16"]


def values(dtype, count=40):
    """Values of a dtype: special ones first."""
    rng = np.random.default_rng(5)
    if dtype == "bool":
        return np.array([True, False] * (count // 2))
    if "int" in dtype:
        info = np.iinfo(dtype)
        own = [0, 1, 2, 3, 7, info.max, info.min, info.max - 1]
        return np.array(own + rng.integers(info.min, info.max, count - len(own), dtype=dtype, endpoint=True).tolist(), dtype=dtype)
    with np.errstate(all="ignore"):
        return np.concatenate([np.array(SPECIAL), rng.standard_normal(count - len(SPECIAL)) * 3]).astype(dtype)


def by_numpy(name, *arrays):
    if name == "signbit" and arrays[0].dtype.kind in "iu":
        return arrays[0] < 0
    with np.errstate(all="ignore"):
        return getattr(np, NUMPY.get(name, name))(*arrays)


@with_numpy
class Unary(Case):
    def test_beside_numpy(self):
        for name in UNARY:
            if name in ("conj", "imag", "real"):
                continue
            for dtype in takes(name):
                x = values(dtype)
                got, want = getattr(ts, name)(ts.asarray(x)), by_numpy(name, x)
                self.assertEqual(got.dtype.name, "bool" if name in BOOLS.split() else dtype, (name, dtype))
                self.assertEqual(got.shape, x.shape)
                np.testing.assert_allclose(np.asarray(got), want, rtol=1e-15 if dtype == "float64" and name == "sqrt" else 2e-6,
                                           err_msg=f"{name} {dtype}")
                zeros = np.flatnonzero(want == 0) if want.dtype.kind == "f" and name != "sign" else []
                np.testing.assert_array_equal(np.signbit(np.asarray(got)[zeros]), np.signbit(want[zeros]), f"{name} {dtype}: zeros")

    def test_shapes(self):
        for shape in ((), (0,), (2, 0, 3), (2, 3)):
            self.assertEqual(ts.exp(ts.zeros(shape)).shape, shape)

    def test_complex_parts(self):
        z = ts.asarray([1 + 2j, complex(0, -3)])
        self.equal(ts.real(z), [1.0, 0.0])
        self.equal(ts.imag(z), [2.0, -3.0])
        self.equal(ts.conj(z), [1 - 2j, 3j])
        self.equal(z, [1 + 2j, complex(0, -3)])
        x = ts.asarray([1.0, 2.0])
        self.equal(ts.real(x), x)
        self.equal(ts.conj(x), x)
        self.equal(ts.imag(x), [0.0, 0.0])

    def test_refused(self):
        for wrong in (1, 1.5, [1.0], None, "a"):
            with self.assertRaises(TypeError):
                ts.sin(wrong)
        with self.assertRaises(TypeError):
            ts.floor(ts.asarray(1j))
        with self.assertRaises(TypeError):
            ts.bitwise_invert(ts.zeros(2))


@with_numpy
class Binary(Case):
    def pair(self, name, dtype):
        a = values(dtype)
        a, b = (np.array(pair) for pair in zip(*itertools.product(a, a)))
        if name in ("bitwise_left_shift", "bitwise_right_shift"):
            b = (np.abs(b.astype("float64")) % (np.dtype(dtype).itemsize * 8)).astype(dtype)
        if name == "pow" and "int" in dtype:
            b = (np.abs(b.astype("float64")) % 5).astype(dtype)
        if name in ("floor_divide", "remainder") and "int" in dtype:
            b = np.where(b == 0, np.array(3, dtype), b)
        return a, b

    def test_beside_numpy(self):
        for name in BINARY:
            for dtype in takes(name):
                a, b = self.pair(name, dtype)
                got, want = getattr(ts, name)(ts.asarray(a), ts.asarray(b)), by_numpy(name, a, b)
                self.assertEqual(got.dtype.name, "bool" if name in BOOLS.split() else dtype, (name, dtype))
                if name in ("floor_divide", "remainder") and "float" in dtype:  # NumPy's rounds otherwise far from 0
                    fine = (np.abs(a) < 1e6) & (np.abs(b) > 1e-6) & (np.abs(b) < 1e6)
                    got, want = np.asarray(got)[fine], want[fine]
                zeros = np.flatnonzero(want == 0) if want.dtype.kind == "f" and name not in ("maximum", "minimum", "logaddexp") else []
                np.testing.assert_array_equal(np.signbit(np.asarray(got)[zeros]), np.signbit(want[zeros]), f"{name} {dtype}: zeros")
                np.testing.assert_allclose(np.asarray(got), want, rtol=4e-6, atol=3e-7 if name == "logaddexp" else 0, err_msg=f"{name} {dtype}")

    def test_tables_of_the_standard(self):
        inf, nan = float("inf"), float("nan")
        for name, a, b, want in (("atan2", 0.0, -0.0, np.pi), ("atan2", -0.0, 0.0, -0.0), ("atan2", inf, -inf, 3 * np.pi / 4),
                                 ("copysign", 1.0, -0.0, -1.0), ("divide", 1.0, -0.0, -inf), ("divide", 0.0, 0.0, nan),
                                 ("hypot", inf, nan, inf), ("hypot", nan, 1.0, nan), ("logaddexp", inf, inf, inf),
                                 ("logaddexp", -inf, -inf, -inf), ("logaddexp", nan, 1.0, nan), ("maximum", nan, 1.0, nan),
                                 ("nextafter", 0.0, 1.0, 5e-324), ("pow", 1.0, nan, 1.0), ("pow", nan, 0.0, 1.0),
                                 ("pow", -inf, -3.0, -0.0), ("remainder", -1.0, inf, inf), ("remainder", 1.0, 0.0, nan),
                                 ("floor_divide", 1.0, inf, 0.0), ("add", inf, -inf, nan), ("multiply", inf, 0.0, nan)):
            got = getattr(ts, name)(ts.asarray(a), ts.asarray(b)).item()
            self.assertEqual(repr(got), repr(float(want)), (name, a, b))

    def test_broadcasting(self):
        a, b = np.arange(6.0).reshape(2, 1, 3), np.arange(4.0).reshape(4, 1)
        self.equal(ts.add(ts.asarray(a), ts.asarray(b)), a + b)
        self.equal(ts.asarray(a) * ts.asarray(5.0), a * 5.0)
        self.assertEqual((ts.zeros((0, 1)) + ts.zeros((1, 3))).shape, (0, 3))
        with self.assertRaises(ValueError) as caught:
            ts.add(ts.zeros(3), ts.zeros(4))
        self.assertEqual(caught.exception.status, "TSR_ESHAPE")
        self.assertIn("broadcast", str(caught.exception))

    def test_promotion(self):
        for a in REALS:
            for b in REALS:
                if "float" in a and "int" in b or "int" in a and "float" in b or "16" in a + b:
                    continue
                with np.errstate(all="ignore"):
                    want = (np.ones(2, a) + np.ones(2, b)).dtype.name
                self.assertEqual((ts.ones(2, dtype=a) + ts.ones(2, dtype=b)).dtype.name, want, (a, b))

    def test_numbers_on_either_side(self):
        x = ts.asarray([1, 2, 3])
        for name in BINARY:
            if name in ("logical_and", "logical_or", "logical_xor"):
                self.equal(getattr(ts, name)(ts.asarray([True, False]), True), getattr(ts, name)(ts.asarray([True, False]), ts.asarray(True)))
                continue
            y = x if "int" in TAKES.get(name, FLOATS)[0] else ts.asarray([1.0, 2.0, 3.0])
            two = ts.asarray(2, dtype=y.dtype)
            self.equal(getattr(ts, name)(y, 2), getattr(ts, name)(y, two), name)
            self.equal(getattr(ts, name)(2, y), getattr(ts, name)(two, y), name)
        for wrong in ("a", None, [1, 2, 3], object()):
            with self.assertRaises(TypeError):
                ts.add(x, wrong)
        with self.assertRaises(TypeError):
            ts.add(1, 2)

    def test_where_and_clip(self):
        mask, a, b = np.array([True, False, True]), np.array([1, 2, 3]), np.array([4, 5, 6])
        self.equal(ts.where(ts.asarray(mask), ts.asarray(a), ts.asarray(b)), np.where(mask, a, b))
        self.equal(ts.where(ts.asarray(mask), ts.asarray(a), 0), [1, 0, 3])
        self.equal(ts.where(ts.asarray(mask), 0.5, 2), [0.5, 2.0, 0.5])
        with self.assertRaises(TypeError):
            ts.where(ts.asarray(a), 1, 2)
        x = ts.asarray([-5, 0, 5], dtype=ts.int8)
        self.equal(ts.clip(x, -1, 2), [-1, 0, 2])
        self.equal(ts.clip(x), [-5, 0, 5])
        self.equal(ts.clip(x, max=2), [-5, 0, 2])
        self.equal(ts.clip(x, -1000, 1000), [-5, 0, 5])
        self.equal(ts.clip(x, ts.asarray([0, 1, 2], dtype=ts.int8)), [0, 1, 5])
        self.assertEqual(ts.clip(x, -1, 2).dtype, ts.int8)
        self.assertEqual(ts.clip(ts.ones(1, dtype=ts.float32), ts.zeros(1)).dtype, ts.float32)
        self.assertEqual(repr(ts.clip(ts.asarray([float("nan")]), 0, 1).tolist()), "[nan]")
        self.assertEqual(repr(ts.clip(ts.asarray([1.0]), float("nan"), 1).tolist()), "[nan]")


if __name__ == "__main__":
    unittest.main()
