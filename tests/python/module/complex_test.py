"""Complex numbers: the standard's tables of special cases, operators and numbers of Python, reductions, beside NumPy where it is there."""
import math
import unittest

from support import Case, np, ts, with_numpy

nan, inf, pi = math.nan, math.inf, math.pi
ANY = "any"  # a sign or a value that the standard leaves open
COMPLEX = ("complex64", "complex128")

# Function: (a, b) and the parts of the result, in the standard's order. Signs of b follow from conj(f(z)) == f(conj(z)).
SPECIAL = {
    "exp": (((0.0, 0.0), (1.0, 0.0)), ((-0.0, 0.0), (1.0, 0.0)), ((1.0, inf), (nan, nan)), ((1.0, nan), (nan, nan)),
            ((inf, 0.0), (inf, 0.0)), ((-inf, 1.0), (0.0, 0.0)), ((inf, 1.0), (inf, inf)), ((-inf, inf), (ANY, ANY)),
            ((inf, inf), (ANY, nan)), ((-inf, nan), (ANY, ANY)), ((inf, nan), (ANY, nan)), ((nan, 0.0), (nan, 0.0)),
            ((nan, 1.0), (nan, nan)), ((nan, nan), (nan, nan))),
    "expm1": (((0.0, 0.0), (0.0, 0.0)), ((1.0, inf), (nan, nan)), ((1.0, nan), (nan, nan)), ((inf, 0.0), (inf, 0.0)),
              ((-inf, 1.0), (-1.0, 0.0)), ((inf, 1.0), (inf, inf)), ((-inf, inf), (-1.0, ANY)), ((inf, inf), (ANY, nan)),
              ((-inf, nan), (-1.0, ANY)), ((inf, nan), (ANY, nan)), ((nan, 0.0), (nan, 0.0)), ((nan, 1.0), (nan, nan))),
    "log": (((-0.0, 0.0), (-inf, pi)), ((0.0, 0.0), (-inf, 0.0)), ((1.0, inf), (inf, pi / 2)), ((1.0, nan), (nan, nan)),
            ((-inf, 1.0), (inf, pi)), ((inf, 1.0), (inf, 0.0)), ((-inf, inf), (inf, 3 * pi / 4)), ((inf, inf), (inf, pi / 4)),
            ((inf, nan), (inf, nan)), ((-inf, nan), (inf, nan)), ((nan, 1.0), (nan, nan)), ((nan, inf), (inf, nan)), ((nan, nan), (nan, nan))),
    "log1p": (((-1.0, 0.0), (-inf, 0.0)), ((1.0, inf), (inf, pi / 2)), ((1.0, nan), (nan, nan)), ((-inf, 1.0), (inf, pi)),
              ((inf, 1.0), (inf, 0.0)), ((-inf, inf), (inf, 3 * pi / 4)), ((inf, inf), (inf, pi / 4)), ((inf, nan), (inf, nan)),
              ((nan, 1.0), (nan, nan)), ((nan, inf), (inf, nan)), ((nan, nan), (nan, nan))),
    "sqrt": (((0.0, 0.0), (0.0, 0.0)), ((-0.0, 0.0), (0.0, 0.0)), ((1.0, inf), (inf, inf)), ((nan, inf), (inf, inf)),
             ((1.0, nan), (nan, nan)), ((-inf, 1.0), (0.0, inf)), ((inf, 1.0), (inf, 0.0)), ((-inf, nan), (nan, ANY)),
             ((inf, nan), (inf, nan)), ((nan, 1.0), (nan, nan)), ((nan, nan), (nan, nan))),
    "sinh": (((0.0, 0.0), (0.0, 0.0)), ((0.0, inf), (ANY, nan)), ((0.0, nan), (ANY, nan)), ((1.0, inf), (nan, nan)),
             ((1.0, nan), (nan, nan)), ((inf, 0.0), (inf, 0.0)), ((inf, 1.0), (inf, inf)), ((inf, inf), (ANY, nan)),
             ((inf, nan), (ANY, nan)), ((nan, 0.0), (nan, 0.0)), ((nan, 1.0), (nan, nan)), ((nan, nan), (nan, nan))),
    "cosh": (((0.0, 0.0), (1.0, 0.0)), ((0.0, inf), (nan, ANY)), ((0.0, nan), (nan, ANY)), ((1.0, inf), (nan, nan)),
             ((1.0, nan), (nan, nan)), ((inf, 0.0), (inf, 0.0)), ((inf, 1.0), (inf, inf)), ((inf, inf), (ANY, nan)),
             ((inf, nan), (ANY, nan)), ((nan, 0.0), (nan, ANY)), ((nan, 1.0), (nan, nan)), ((nan, nan), (nan, nan))),
    "tanh": (((0.0, 0.0), (0.0, 0.0)), ((1.0, inf), (nan, nan)), ((1.0, nan), (nan, nan)), ((inf, 1.0), (1.0, 0.0)),
             ((inf, inf), (1.0, ANY)), ((inf, nan), (1.0, ANY)), ((nan, 0.0), (nan, 0.0)), ((nan, 1.0), (nan, nan)), ((nan, nan), (nan, nan))),
    "asinh": (((0.0, 0.0), (0.0, 0.0)), ((1.0, inf), (inf, pi / 2)), ((1.0, nan), (nan, nan)), ((inf, 1.0), (inf, 0.0)),
              ((inf, inf), (inf, pi / 4)), ((inf, nan), (inf, nan)), ((nan, 0.0), (nan, 0.0)), ((nan, 1.0), (nan, nan)),
              ((nan, inf), (ANY, nan)), ((nan, nan), (nan, nan))),
    "acosh": (((0.0, 0.0), (0.0, pi / 2)), ((-0.0, 0.0), (0.0, pi / 2)), ((1.0, inf), (inf, pi / 2)), ((0.0, nan), (nan, pi / 2)),
              ((1.0, nan), (nan, nan)), ((-inf, 1.0), (inf, pi)), ((inf, 1.0), (inf, 0.0)), ((-inf, inf), (inf, 3 * pi / 4)),
              ((inf, inf), (inf, pi / 4)), ((inf, nan), (inf, nan)), ((-inf, nan), (inf, nan)), ((nan, 1.0), (nan, nan)),
              ((nan, inf), (inf, nan)), ((nan, nan), (nan, nan))),
    "atanh": (((0.0, 0.0), (0.0, 0.0)), ((0.0, nan), (0.0, nan)), ((1.0, 0.0), (inf, 0.0)), ((1.0, inf), (0.0, pi / 2)),
              ((1.5, nan), (nan, nan)), ((inf, 1.0), (0.0, pi / 2)), ((inf, inf), (0.0, pi / 2)), ((inf, nan), (0.0, nan)),
              ((nan, 1.0), (nan, nan)), ((nan, inf), (ANY, pi / 2)), ((nan, nan), (nan, nan))),
    "acos": (((0.0, 0.0), (pi / 2, -0.0)), ((-0.0, 0.0), (pi / 2, -0.0)), ((0.0, nan), (pi / 2, nan)), ((1.0, inf), (pi / 2, -inf)),
             ((1.0, nan), (nan, nan)), ((-inf, 1.0), (pi, -inf)), ((inf, 1.0), (0.0, -inf)), ((-inf, inf), (3 * pi / 4, -inf)),
             ((inf, inf), (pi / 4, -inf)), ((inf, nan), (nan, ANY)), ((nan, 1.0), (nan, nan)), ((nan, inf), (nan, -inf)), ((nan, nan), (nan, nan))),
    "sign": (((0.0, 0.0), (0.0, 0.0)), ((-0.0, -0.0), (0.0, 0.0)), ((3.0, 4.0), (0.6, 0.8)), ((nan, 1.0), (nan, nan))),
    "round": (((0.5, 1.5), (0.0, 2.0)), ((-2.5, inf), (-2.0, inf)), ((nan, -0.5), (nan, -0.0))),
    "conj": (((1.0, -0.0), (1.0, 0.0)), ((inf, nan), (inf, nan))),
    "negative": (((0.0, 1.0), (-0.0, -1.0)), ((nan, -inf), (nan, inf))),
}
REAL = {"abs": (((inf, nan), inf), ((nan, -inf), inf), ((nan, 1.0), nan), ((3.0, -4.0), 5.0), ((0.0, -0.0), 0.0)),
        "isfinite": (((inf, nan), False), ((1.0, nan), False), ((1.0, 2.0), True)),
        "isinf": (((inf, nan), True), ((nan, -inf), True), ((nan, 1.0), False)),
        "isnan": (((inf, nan), True), ((inf, 1.0), False))}


class Special(Case):
    def same(self, got, want, what):
        if want == ANY:
            return
        if math.isnan(want):
            self.assertTrue(math.isnan(got), what)
        elif want == 0 or math.isinf(want):
            self.assertEqual(repr(got), repr(float(want)), what)
        else:
            self.assertAlmostEqual(got, want, delta=1e-6 * abs(want), msg=str(what))

    def test_tables_of_the_standard(self):
        for dtype in COMPLEX:
            for name, rows in SPECIAL.items():
                for (a, b), (re, im) in rows:
                    got = complex(getattr(ts, name)(ts.asarray(complex(a, b), dtype=getattr(ts, dtype))))
                    self.same(got.real, re, (name, dtype, a, b, got))
                    self.same(got.imag, im, (name, dtype, a, b, got))

    def test_real_results(self):
        for dtype, part in zip(COMPLEX, ("float32", "float64")):
            for name, rows in REAL.items():
                for (a, b), want in rows:
                    got = getattr(ts, name)(ts.asarray(complex(a, b), dtype=getattr(ts, dtype)))
                    self.assertEqual(got.dtype.name, part if name == "abs" else "bool")
                    self.assertEqual(repr(got.item()), repr(want), (name, a, b))

    def test_trigonometry_by_hyperbolic_functions(self):
        z = ts.asarray([1 + 2j, -0.5j, 3.0 + 0.25j])
        for one, other, sign in (("sin", "sinh", -1j), ("tan", "tanh", -1j), ("asin", "asinh", -1j), ("atan", "atanh", -1j)):
            self.assertTrue(ts.max(abs(getattr(ts, one)(z) - sign * getattr(ts, other)(1j * z))).item() < 1e-12, one)

    def test_conjugates_commute(self):
        z = ts.asarray([complex(a, b) for a in (0.5, -2.0, inf, -inf, nan) for b in (1.5, inf, nan)])
        for name in ("exp", "log", "sqrt", "sinh", "cosh", "tanh", "asinh", "acosh", "atanh", "expm1", "log1p"):
            f = getattr(ts, name)
            for one, other in zip(ts.conj(f(z)).tolist(), f(ts.conj(z)).tolist()):
                for a, b in ((one.real, other.real), (one.imag, other.imag)):
                    self.assertTrue(abs(a) == abs(b) or (math.isnan(a) and math.isnan(b)), (name, one, other))


class Operators(Case):
    def test_numbers_of_python_are_weak(self):
        for dtype, want in (("float32", "complex64"), ("float64", "complex128"), ("complex64", "complex64"), ("complex128", "complex128")):
            x = ts.ones(2, dtype=getattr(ts, dtype))
            for got in (x * 2j, 2j * x, x + 1j, 1j - x, 1j / x, x**1j, 2j**x):
                self.assertEqual(got.dtype.name, want, dtype)
        self.assertEqual((ts.ones(2, dtype=ts.complex64) * 2.5).dtype, ts.complex64)
        self.assertEqual((ts.ones(2, dtype=ts.complex64) + ts.ones(2, dtype=ts.float64)).dtype, ts.complex128)

    def test_arithmetic(self):
        z, w = ts.asarray([1 + 2j, -3j]), ts.asarray([2 - 1j, 0.5 + 0j])
        for op in ("__add__", "__sub__", "__mul__", "__truediv__"):
            want = [getattr(complex(a), op)(complex(b)) for a, b in zip(z.tolist(), w.tolist())]
            self.assertTrue(ts.max(abs(getattr(z, op)(w) - ts.asarray(want))).item() < 1e-15, op)
        self.equal(z == ts.asarray([1 + 2j, 3j]), [True, False])
        self.equal(z != 1 + 2j, [False, True])
        self.equal(-z, [-1 - 2j, 3j])
        z *= 1j
        self.assertEqual(z.tolist(), [-2 + 1j, 3 + 0j])
        self.assertEqual(repr(ts.asarray([1 + 2j, -0.5j])), repr(ts.asarray([1 + 2j, -0.5j])))

    def test_order_is_refused(self):
        z = ts.asarray([1 + 2j])
        for call in (lambda: z < z, lambda: z >= 1, lambda: ts.maximum(z, z), lambda: ts.max(z), lambda: ts.sort(z), lambda: ts.floor(z),
                     lambda: z // 2, lambda: z % 2, lambda: ts.argmax(z), lambda: ts.clip(z, 0, 1)):
            with self.assertRaises(TypeError):
                call()

    def test_expressions(self):
        z, x = ts.asarray([1 + 2j, 3j]), ts.asarray([1.0, 2.0], dtype=ts.float32)
        self.equal(ts.eval("z*2j + 1", z=z), z * 2j + 1)
        self.equal(ts.eval("k*x", k=2j, x=x), x * 2j)
        self.equal(ts.eval("abs(z)**2", z=z), abs(z)**2)
        self.equal(ts.eval("conj(z)*z", z=z), ts.conj(z) * z)


class Reductions(Case):
    def test_sums_and_products(self):
        z = ts.asarray([[1 + 2j, 3 - 1j], [-2j, 1 + 0j]])
        self.equal(ts.sum(z), 5 - 1j)
        self.equal(ts.sum(z, axis=0), [1 + 0j, 4 - 1j])
        self.assertEqual(ts.prod(z, axis=1).tolist(), [5 + 5j, -2j])
        self.equal(ts.mean(z), 1.25 - 0.25j)
        self.equal(ts.cumulative_sum(z, axis=1), [[1 + 2j, 4 + 1j], [-2j, 1 - 2j]])
        self.equal(ts.cumulative_prod(z, axis=0), [[1 + 2j, 3 - 1j], [4 - 2j, 3 - 1j]])
        self.assertEqual(ts.sum(ts.ones(3), dtype=ts.complex64).dtype, ts.complex64)
        self.assertEqual(ts.var(z).dtype, ts.float64)

    def test_vecdot_takes_the_conjugates_of_the_first(self):
        z, w = ts.asarray([1 + 2j, 3 - 1j]), ts.asarray([1j, 2 + 0j])
        self.equal(ts.vecdot(z, w), 8 + 3j)
        self.equal(ts.vecdot(ts.ones(2), w), 2 + 1j)


@with_numpy
class BesideNumPy(Case):
    def test_functions(self):
        rng = np.random.default_rng(3)
        for dtype, rtol in (("complex64", 2e-6), ("complex128", 1e-13)):
            z = (rng.standard_normal(200) * 2 + 1j * rng.standard_normal(200) * 2).astype(dtype)
            w = (rng.standard_normal(200) + 1j * rng.standard_normal(200)).astype(dtype)
            names = {"acos": "arccos", "acosh": "arccosh", "asin": "arcsin", "asinh": "arcsinh", "atan": "arctan", "atanh": "arctanh"}
            for name in ("exp expm1 log log1p log2 log10 sqrt square sin cos tan sinh cosh tanh asin acos atan asinh acosh atanh reciprocal "
                         "abs conj negative isnan round").split():
                want = getattr(np, names.get(name, {"round": "rint"}.get(name, name)))(z)
                got = getattr(ts, name)(ts.asarray(z))
                self.assertEqual(got.dtype.name, want.dtype.name, name)
                self.close(got, want, rtol=rtol, atol=rtol, message=f"{name} {dtype}")
            for name, other in (("add", None), ("subtract", None), ("multiply", None), ("divide", None), ("pow", "power"), ("equal", None)):
                want = getattr(np, other or name)(z, w)
                got = getattr(ts, name)(ts.asarray(z), ts.asarray(w))
                self.assertEqual(got.dtype.name, want.dtype.name, name)
                self.close(got, want, rtol=4 * rtol, atol=rtol, message=f"{name} {dtype}")
            for name in ("sum", "prod", "mean", "var", "std"):
                self.close(getattr(ts, name)(ts.asarray(z[:20])), getattr(np, name)(z[:20]), rtol=20 * rtol, message=f"{name} {dtype}")


if __name__ == "__main__":
    unittest.main()
