"""The array API standard: its names, their signatures, its dtypes, constants and the map in docs/array-api.md."""
import inspect
import math
import os
import pathlib
import re
import unittest

from names import CONSTANTS, METHODS, MISSING, NAMES, REFLECTED, find
from signatures import LINES
from support import STANDARD, Case, ts


def wanted(line):
    """The signature that a line describes."""
    name, _, parameters = line.partition("(")
    space = {}
    exec(f"def f({parameters}: pass", space)  # the lines are this test's own
    return name, inspect.signature(space["f"])


class Names(Case):
    def test_each_is_there_or_listed_as_missing(self):
        info = ts.__array_namespace_info__()
        for name in NAMES:
            there = find(ts, name) is not None or hasattr(info, name)
            self.assertEqual(there, name not in MISSING, name)

    def test_methods_and_constants(self):
        for name in METHODS:
            self.assertTrue(hasattr(ts.Tensor, name), name)
        for name in REFLECTED:
            self.assertTrue(hasattr(ts.Tensor, f"__r{name}__"), name)
            self.assertTrue(hasattr(ts.Tensor, f"__i{name}__"), name)
        for name in CONSTANTS:
            self.assertTrue(hasattr(ts, name), name)
        self.assertEqual((ts.e, ts.pi, ts.inf, ts.newaxis), (math.e, math.pi, math.inf, None))
        self.assertTrue(math.isnan(ts.nan))
        self.assertEqual(ts.__array_api_version__, "2025.12")

    def test_the_page_lists_each_name_once(self):
        page = (pathlib.Path(os.environ.get("TSR_SOURCE", pathlib.Path(__file__).parents[3])) / "docs/array-api.md").read_text()
        rows = dict(re.findall(r"^\| `([^`]+)` \| (.*) \|$", page, re.M))
        self.assertEqual(sorted(rows), sorted(NAMES))
        self.assertIn(f"\n{len(NAMES)} functions, ", page)
        for name in NAMES:
            self.assertEqual("not there yet" in rows[name], name in MISSING, name)


class Signatures(Case):
    def test_each_takes_what_the_standard_gives(self):
        lines = dict(wanted(line) for line in LINES)
        for name in NAMES:
            if name not in lines:
                self.assertIn(name, MISSING + ["__array_namespace_info__", "capabilities", "default_device", "default_dtypes", "devices",
                                               "dtypes", "finfo", "iinfo"])
        for name, want in lines.items():
            got = inspect.signature(find(ts, name))
            own = list(got.parameters.values())
            for mine, parameter in zip(own, want.parameters.values()):
                self.assertEqual((mine.name, mine.kind, mine.default), (parameter.name, parameter.kind, parameter.default), f"{name}{got}")
            self.assertGreaterEqual(len(own), len(want.parameters), name)
            for parameter in own[len(want.parameters):]:  # what is there beside the standard
                self.assertEqual(parameter.kind, parameter.KEYWORD_ONLY, name)
                self.assertIsNot(parameter.default, parameter.empty, f"{name} asks for {parameter.name} too")

    def test_places_and_names(self):
        x = ts.asarray([3.0, 4.0])
        for call in (lambda: ts.sin(x=x), lambda: ts.add(x1=x, x2=x), lambda: ts.add(x, x2=x), lambda: ts.add(a=x, b=x), lambda: ts.max(x, 0),
                     lambda: ts.linalg.det(x=ts.eye(2)), lambda: ts.add(x), lambda: ts.add(x, x, x), lambda: ts.sum(x, 0), lambda: ts.sin(),
                     lambda: ts.expand_dims(x)):
            with self.assertRaises(TypeError):
                call()
        self.equal(ts.max(x, axis=0), 4.0)
        self.equal(ts.add(x, x, out=ts.zeros(2)), [6.0, 8.0])
        self.equal(ts.ops.add(a=x, b=x), [6.0, 8.0])  # the op has the names of its C function
        with self.assertRaises(TypeError) as caught:
            ts.max(x, axes=0)
        self.assertIn("it takes axis, keepdims, out", str(caught.exception))

    def test_methods(self):
        for name in METHODS:
            inspect.signature(getattr(ts.Tensor, name))
        self.assertEqual(str(inspect.signature(ts.Tensor.__dlpack__)), "(self, /, *, stream=None, max_version=None, dl_device=None, copy=None)")
        self.assertEqual(str(inspect.signature(ts.Tensor.to_device)), "(self, device, /, *, stream=None)")
        self.assertEqual(str(inspect.signature(ts.Tensor.__array_namespace__)), "(self, /, *, api_version=None)")


class Dtypes(Case):
    def test_objects(self):
        for name in STANDARD:
            dtype = getattr(ts, name)
            self.assertIsInstance(dtype, ts.DType)
            self.assertEqual((dtype.name, str(dtype)), (name, name))
            self.assertTrue(dtype == dtype and not dtype != dtype)
            self.assertEqual({dtype: 1}[dtype], 1)
        self.assertNotEqual(ts.int8, ts.uint8)
        self.assertNotEqual(ts.int8, "int8")
        self.assertEqual(ts.float32.itemsize, 4)

    def test_names_of_other_kinds(self):
        for name, want in (("f32", ts.float32), ("float32", ts.float32), (bool, ts.bool), (int, ts.int64), (float, ts.float64),
                           (complex, ts.complex128), (ts.int8, ts.int8)):
            self.assertIs(ts.zeros(1, dtype=name).dtype, want)
        for wrong in ("float33", 3, None.__class__, [], 1.5):
            with self.assertRaises(TypeError):
                ts.zeros(1, dtype=wrong)

    def test_promotion_table(self):
        order = {"i": ["int8", "int16", "int32", "int64"], "u": ["uint8", "uint16", "uint32", "uint64"], "f": ["float32", "float64"],
                 "c": ["complex64", "complex128"]}
        for names in order.values():
            for i, a in enumerate(names):
                for j, b in enumerate(names):
                    want = getattr(ts, names[max(i, j)])
                    self.assertIs(ts.result_type(getattr(ts, a), getattr(ts, b)), want)
        for i, a in enumerate(order["i"]):
            for j, b in enumerate(order["u"][:3]):
                want = getattr(ts, order["i"][max(i, j + 1)])
                self.assertIs(ts.result_type(getattr(ts, a), getattr(ts, b)), want)
                self.assertIs(ts.result_type(getattr(ts, b), getattr(ts, a)), want)
        self.assertIs(ts.result_type(ts.bool, ts.bool), ts.bool)
        self.assertIs(ts.result_type(ts.float64, ts.complex64), ts.complex128)
        self.assertIs(ts.result_type(ts.float32, ts.complex64), ts.complex64)

    def test_numbers_are_weak(self):
        for dtype, number, want in (("int8", 1, "int8"), ("float32", 1, "float32"), ("float32", 1.5, "float32"),
                                    ("float32", 1j, "complex64"), ("float64", 1j, "complex128"), ("bool", True, "bool"),
                                    ("uint8", True, "uint8"), ("int8", 1.5, "float64"), ("bool", 1, "int64")):
            self.assertIs(ts.result_type(getattr(ts, dtype), number), getattr(ts, want))
            self.assertIs(ts.result_type(number, ts.zeros(1, dtype=dtype)), getattr(ts, want))
            if want[0] != "c":
                self.assertIs((ts.ones(2, dtype=dtype) * number).dtype, getattr(ts, want))
                self.assertIs((number * ts.ones(2, dtype=dtype)).dtype, getattr(ts, want))
        with self.assertRaises(ValueError):
            ts.result_type()

    def test_can_cast(self):
        self.assertTrue(ts.can_cast(ts.int8, ts.int16))
        self.assertFalse(ts.can_cast(ts.int16, ts.int8))
        self.assertTrue(ts.can_cast(ts.zeros(1, dtype=ts.float32), ts.float64))
        self.assertFalse(ts.can_cast(ts.float64, ts.float32))

    def test_isdtype(self):
        kinds = {"bool": "bool", "int": "signed integer", "uint": "unsigned integer", "float": "real floating",
                 "complex": "complex floating"}
        for name in STANDARD:
            own = kinds[name.rstrip("0123456789")]
            for kind in kinds.values():
                self.assertIs(ts.isdtype(getattr(ts, name), kind), kind == own, (name, kind))
            self.assertIs(ts.isdtype(getattr(ts, name), "integral"), "integer" in own)
            self.assertIs(ts.isdtype(getattr(ts, name), "numeric"), own != "bool")
            self.assertTrue(ts.isdtype(getattr(ts, name), ("numeric", ts.bool)))
            self.assertTrue(ts.isdtype(getattr(ts, name), getattr(ts, name)))
        with self.assertRaises(ValueError):
            ts.isdtype(ts.int8, "foo")

    def test_limits(self):
        info = ts.finfo(ts.float32)
        self.assertEqual((info.bits, info.eps, info.max, info.min, info.smallest_normal, info.dtype),
                         (32, 2.0**-23, 3.4028234663852886e38, -3.4028234663852886e38, 2.0**-126, ts.float32))
        self.assertIs(ts.finfo(ts.complex128).dtype, ts.float64)
        self.assertEqual(ts.finfo(ts.zeros(1)).bits, 64)
        for name in ("float16", "bfloat16", "float32", "float64", "float8_e4m3", "float8_e5m2"):
            info = ts.finfo(name)
            x = ts.asarray([info.max, 1 + info.eps, info.smallest_normal], dtype=name)
            self.assertEqual(x.tolist(), [info.max, 1 + info.eps, info.smallest_normal])
        self.assertEqual((ts.iinfo(ts.int8).min, ts.iinfo(ts.int8).max, ts.iinfo(ts.uint64).max), (-128, 127, 2**64 - 1))
        for wrong in (lambda: ts.finfo(ts.int8), lambda: ts.iinfo(ts.float32), lambda: ts.iinfo(ts.bool)):
            with self.assertRaises(TypeError):
                wrong()

    def test_astype(self):
        x = ts.asarray([1.5, -2.0, 0.0])
        self.equal(ts.astype(x, ts.int32), [1, -2, 0])
        self.equal(ts.astype(x, ts.bool), [True, True, False])
        self.equal(ts.astype(ts.asarray([True, False]), ts.complex64), [1 + 0j, 0j])
        self.assertIs(ts.astype(x, ts.float64, copy=False), x)
        self.assertIsNot(ts.astype(x, ts.float64), x)
        with self.assertRaises(TypeError):
            ts.astype(ts.asarray(1j), ts.float64)

    def test_info(self):
        info = ts.__array_namespace_info__()
        self.assertEqual(info.capabilities(), {"boolean indexing": True, "data-dependent shapes": True, "max dimensions": 8})
        self.assertIn(info.default_device(), info.devices())
        self.assertEqual(info.default_dtypes()["real floating"], ts.ones(1).dtype)
        self.assertEqual(info.default_dtypes()["integral"], ts.arange(1).dtype)
        self.assertEqual(info.default_dtypes()["complex floating"], ts.asarray(1j).dtype)
        self.assertEqual(info.default_dtypes()["indexing"], ts.argmax(ts.zeros(2)).dtype)
        self.assertEqual(list(info.dtypes()), list(STANDARD))
        self.assertEqual(list(info.dtypes(kind=("bool", "real floating"))), ["bool", "float32", "float64"])


if __name__ == "__main__":
    unittest.main()
