"""Special cases of the array API standard's functions of elements, in its order: of real numbers, in float32 and float64."""
import itertools
import math
import unittest

from support import FLOATS, Case, ts

nan, inf, pi = math.nan, math.inf, math.pi

# Function: argument and result, a sign of zero included.
UNARY = {
    "abs": ((nan, nan), (-0.0, 0.0), (-inf, inf)),
    "acos": ((nan, nan), (1.5, nan), (-1.5, nan), (1.0, 0.0), (inf, nan)),
    "acosh": ((nan, nan), (0.5, nan), (-inf, nan), (1.0, 0.0), (inf, inf)),
    "asin": ((nan, nan), (1.5, nan), (-1.5, nan), (0.0, 0.0), (-0.0, -0.0)),
    "asinh": ((nan, nan), (0.0, 0.0), (-0.0, -0.0), (inf, inf), (-inf, -inf)),
    "atan": ((nan, nan), (0.0, 0.0), (-0.0, -0.0), (inf, pi / 2), (-inf, -pi / 2)),
    "atanh": ((nan, nan), (-1.5, nan), (1.5, nan), (-1.0, -inf), (1.0, inf), (0.0, 0.0), (-0.0, -0.0)),
    "ceil": ((3.0, 3.0), (inf, inf), (-inf, -inf), (0.0, 0.0), (-0.0, -0.0), (nan, nan), (-0.5, -0.0), (0.5, 1.0)),
    "cos": ((nan, nan), (0.0, 1.0), (-0.0, 1.0), (inf, nan), (-inf, nan)),
    "cosh": ((nan, nan), (0.0, 1.0), (-0.0, 1.0), (inf, inf), (-inf, inf)),
    "exp": ((nan, nan), (0.0, 1.0), (-0.0, 1.0), (inf, inf), (-inf, 0.0)),
    "expm1": ((nan, nan), (0.0, 0.0), (-0.0, -0.0), (inf, inf), (-inf, -1.0)),
    "floor": ((3.0, 3.0), (inf, inf), (-inf, -inf), (0.0, 0.0), (-0.0, -0.0), (nan, nan), (-0.5, -1.0), (0.5, 0.0)),
    "isfinite": ((inf, False), (-inf, False), (nan, False), (1.0, True), (-0.0, True)),
    "isinf": ((inf, True), (-inf, True), (nan, False), (1.0, False)),
    "isnan": ((nan, True), (inf, False), (0.0, False)),
    "log": ((nan, nan), (-1.0, nan), (-inf, nan), (0.0, -inf), (-0.0, -inf), (1.0, 0.0), (inf, inf)),
    "log1p": ((nan, nan), (-1.5, nan), (-inf, nan), (-1.0, -inf), (-0.0, -0.0), (0.0, 0.0), (inf, inf)),
    "log2": ((nan, nan), (-1.0, nan), (-inf, nan), (0.0, -inf), (-0.0, -inf), (1.0, 0.0), (inf, inf)),
    "log10": ((nan, nan), (-1.0, nan), (-inf, nan), (0.0, -inf), (-0.0, -inf), (1.0, 0.0), (inf, inf)),
    "negative": ((0.0, -0.0), (-0.0, 0.0), (inf, -inf), (nan, nan)),
    "positive": ((0.0, 0.0), (-0.0, -0.0), (inf, inf), (nan, nan)),
    "reciprocal": ((nan, nan), (0.0, inf), (-0.0, -inf), (inf, 0.0), (-inf, -0.0)),
    "round": ((3.0, 3.0), (inf, inf), (-inf, -inf), (0.0, 0.0), (-0.0, -0.0), (nan, nan), (0.5, 0.0), (-0.5, -0.0), (1.5, 2.0), (2.5, 2.0),
              (-2.5, -2.0)),
    "signbit": ((0.0, False), (-0.0, True), (inf, False), (-inf, True), (1.0, False), (-1.0, True)),
    "sin": ((nan, nan), (0.0, 0.0), (-0.0, -0.0), (inf, nan), (-inf, nan)),
    "sinh": ((nan, nan), (0.0, 0.0), (-0.0, -0.0), (inf, inf), (-inf, -inf)),
    "sqrt": ((nan, nan), (-1.0, nan), (-inf, nan), (0.0, 0.0), (-0.0, -0.0), (inf, inf)),
    "square": ((nan, nan), (-0.0, 0.0), (-inf, inf)),
    "tan": ((nan, nan), (0.0, 0.0), (-0.0, -0.0), (inf, nan), (-inf, nan)),
    "tanh": ((nan, nan), (0.0, 0.0), (-0.0, -0.0), (inf, 1.0), (-inf, -1.0)),
    "trunc": ((3.0, 3.0), (inf, inf), (-inf, -inf), (0.0, 0.0), (-0.0, -0.0), (nan, nan), (-0.5, -0.0), (0.5, 0.0)),
}
VALUES = (nan, inf, -inf, 0.0, -0.0, 1.0, -1.0, 0.5, -0.5, 2.0, -2.0, 3.0, -3.0, 2.5, -2.5, 1e30, -1e30)


def divide(a, b):
    if b != 0:
        return a / b
    return nan if a == 0 or a != a else math.copysign(inf, a) * math.copysign(1.0, b)


def multiply(a, b):
    return a * b


def remainder(a, b):
    return nan if b == 0 or math.isinf(a) else a % b


def floor_divide(a, b):
    """As Python has it where the standard leaves the choice: of an infinite dividend NaN, -1 of different signs by an infinity."""
    if b == 0 or a != a or b != b:
        return divide(a, b)
    if math.isinf(a):
        return nan
    return a // b if a % b or a == 0 or math.isinf(b) else divide(a, b)


def power(a, b):
    """The standard's table, which is C's pow."""
    if b == 0 or a == 1:
        return 1.0
    if a != a or b != b:
        return nan
    is_odd = not math.isinf(b) and abs(b) < 2**53 and b % 2 == 1
    if math.isinf(b):
        return 1.0 if abs(a) == 1 else inf if (abs(a) > 1) == (b > 0) else 0.0
    if a == 0 or math.isinf(a):
        size = inf if (a == 0) == (b < 0) else 0.0
        return math.copysign(size, a) if is_odd else size
    if a < 0 and b != int(b):
        return nan
    try:
        return a**b
    except OverflowError:
        return -inf if a < 0 and is_odd else inf


def logaddexp(a, b):
    if a != a or b != b:
        return nan
    if inf in (a, b):
        return inf
    top, low = max(a, b), min(a, b)
    return top + (0.0 if math.isinf(low) else math.log1p(math.exp(low - top)))


BINARY = {"add": lambda a, b: a + b, "subtract": lambda a, b: a - b, "multiply": multiply, "divide": divide, "atan2": math.atan2,
          "copysign": math.copysign, "hypot": math.hypot, "remainder": remainder, "floor_divide": floor_divide, "pow": power,
          "logaddexp": logaddexp, "nextafter": math.nextafter, "equal": lambda a, b: a == b, "not_equal": lambda a, b: a != b,
          "less": lambda a, b: a < b, "less_equal": lambda a, b: a <= b, "greater": lambda a, b: a > b, "greater_equal": lambda a, b: a >= b,
          "maximum": lambda a, b: nan if a != a or b != b else max(a, b), "minimum": lambda a, b: nan if a != a or b != b else min(a, b)}
OPERATORS = {"add": "add", "subtract": "sub", "multiply": "mul", "divide": "truediv", "remainder": "mod", "floor_divide": "floordiv", "pow": "pow"}


class Real(Case):
    def same(self, got, want, dtype, what, sign=True):
        if isinstance(want, bool):
            return self.assertIs(got, want, what)
        if want != want:
            return self.assertNotEqual(got, got, what)
        bound = 2e-6 if dtype == "float32" else 1e-12
        self.assertTrue(got == want or abs(got - want) <= bound * abs(want), f"{what}: {got}, not {want}")
        if want == 0 and sign:
            self.assertEqual(math.copysign(1, got), math.copysign(1, want), f"{what}: the sign of zero")

    def test_of_one(self):
        for name, rows in UNARY.items():
            for dtype in FLOATS:
                for x, want in rows:
                    self.same(getattr(ts, name)(ts.asarray(x, dtype=dtype)).item(), want, dtype, f"{name}({x}) of {dtype}")
                got = getattr(ts, name)(ts.asarray([x for x, _ in rows] * 9, dtype=dtype)).tolist()  # by vectors
                for one, (x, want) in zip(got, rows * 9):
                    self.same(one, want, dtype, f"{name}({x}) of {dtype}")

    def test_sign(self):
        self.assertEqual(ts.sign(ts.asarray([-3.0, -0.0, 0.0, inf])).tolist(), [-1.0, 0.0, 0.0, 1.0])
        self.assertTrue(math.isnan(ts.sign(ts.asarray(nan)).item()))

    def test_of_two(self):
        pairs = list(itertools.product(VALUES, VALUES))
        for name, reference in BINARY.items():
            for dtype in FLOATS:
                if name == "nextafter" and dtype == "float32":
                    continue  # Python's is of float64
                a, b = (ts.asarray([pair[i] for pair in pairs], dtype=dtype) for i in (0, 1))
                forms = [getattr(ts, name)(a, b)]
                if name in OPERATORS:
                    forms.append(getattr(a, f"__{OPERATORS[name]}__")(b))
                    forms.append(getattr(ts.copy(a), f"__i{OPERATORS[name]}__")(b))
                for form in forms:
                    for (x, y), x32, y32, got in zip(pairs, a.tolist(), b.tolist(), form.tolist()):
                        want = reference(x32, y32)
                        if dtype == "float32" and isinstance(want, float) and not math.isinf(want) and abs(want) > 3.4e38:
                            want = math.copysign(inf, want)
                        if dtype == "float32" and want != 0 and abs(want) < 1.2e-38:
                            continue  # subnormal, or 0
                        if 1e30 in (abs(x), abs(y)) and name in ("remainder", "floor_divide"):
                            continue  # of exact quotients past 2^53
                        self.same(got, want, dtype, f"{name}({x}, {y}) of {dtype}", name not in ("maximum", "minimum"))

    def test_signs_of_nan(self):
        one, nans = ts.ones(2), ts.copysign(ts.full((2,), nan), ts.asarray([1.0, -1.0]))
        self.equal(ts.signbit(nans), [False, True])
        self.equal(ts.copysign(one, nans), [1.0, -1.0])

    def test_reductions(self):
        for name in ("sum", "prod", "mean", "std", "var", "max", "min"):
            for values in ([nan, 1.0], [1.0, nan], [inf, nan, 1.0], [1.0] * 100 + [nan]):
                for dtype in FLOATS:
                    self.assertTrue(math.isnan(getattr(ts, name)(ts.asarray(values, dtype=dtype)).item()), name)
        for name, want in (("sum", 0.0), ("prod", 1.0), ("mean", nan), ("std", nan), ("var", nan)):
            self.same(getattr(ts, name)(ts.zeros(0)).item(), want, "float64", name)
        for values, want in (([inf, -inf], nan), ([inf, 1.0], inf), ([-inf, 1.0], -inf)):
            self.same(ts.sum(ts.asarray(values)).item(), want, "float64", "sum")
            self.same(ts.cumulative_sum(ts.asarray(values))[-1].item(), want, "float64", "cumulative_sum")
        for values, want in (([inf, 0.0], nan), ([inf, -1.0], -inf)):
            self.same(ts.prod(ts.asarray(values)).item(), want, "float64", "prod")
            self.same(ts.cumulative_prod(ts.asarray(values))[-1].item(), want, "float64", "cumulative_prod")

    def test_clip(self):
        for x, low, high, want in ((nan, 0.0, 1.0, nan), (0.5, nan, 1.0, nan), (0.5, 0.0, nan, nan), (-inf, 0.0, 1.0, 0.0), (inf, 0.0, 1.0, 1.0)):
            self.same(ts.clip(ts.asarray(x), low, high).item(), want, "float64", "clip")
            self.same(ts.clip(ts.asarray(x), ts.asarray(low), ts.asarray(high)).item(), want, "float64", "clip")


if __name__ == "__main__":
    unittest.main()
