"""Tensors as objects: what they say of themselves, conversions, iteration, text, copies."""
import copy
import gc
import pickle
import unittest
import weakref

from support import Case, ts


class Attributes(Case):
    def test_shape_and_its_kin(self):
        x = ts.zeros((2, 3), dtype=ts.float32)
        self.assertEqual((x.shape, x.ndim, x.size, x.nbytes, x.itemsize), ((2, 3), 2, 6, 24, 4))
        self.assertIs(x.dtype, ts.float32)
        self.assertEqual((x.device, x.strides, x.layout, x.readonly), ("cpu", (3, 1), "plain", False))

    def test_transposes_are_views(self):
        x = ts.reshape(ts.arange(6), (2, 3))
        x.T[0, 1] = 9
        self.equal(x, [[0, 1, 2], [9, 4, 5]])
        self.assertEqual(ts.zeros((2, 3, 4)).mT.shape, (2, 4, 3))
        with self.assertRaises(ValueError):
            ts.zeros(3).T
        with self.assertRaises(ValueError):
            ts.zeros((1, 2, 3)).T

    def test_attributes_cannot_be_set(self):
        for name in ("shape", "dtype", "ndim", "size", "device", "T"):
            with self.assertRaises(AttributeError):
                setattr(ts.zeros(2), name, 1)

    def test_namespace(self):
        x = ts.zeros(2)
        self.assertIs(x.__array_namespace__(), ts)
        self.assertIs(x.__array_namespace__(api_version="2025.12"), ts)
        self.assertIs(x.__array_namespace__(api_version="2021.12"), ts)
        with self.assertRaises(ValueError):
            x.__array_namespace__(api_version="2099.12")

    def test_no_hash_and_no_making_by_the_type(self):
        with self.assertRaises(TypeError):
            hash(ts.zeros(2))
        with self.assertRaises(TypeError):
            ts.Tensor()
        with self.assertRaises(TypeError):
            ts.DType()


class Conversions(Case):
    def test_numbers_of_rank_0(self):
        self.assertIs(bool(ts.asarray(True)), True)
        self.assertIs(bool(ts.asarray(0.0)), False)
        self.assertEqual(int(ts.asarray(-2.75)), -2)
        self.assertEqual(float(ts.asarray(3)), 3.0)
        self.assertEqual(complex(ts.asarray(1 + 2j)), 1 + 2j)
        self.assertEqual(complex(ts.asarray(1.5)), 1.5 + 0j)
        self.assertEqual([1, 2, 3][ts.asarray(1)], 2)
        self.assertEqual(int(ts.asarray(2**64 - 1)), 2**64 - 1)

    def test_refused(self):
        for convert in (bool, int, float, complex):
            with self.assertRaises(TypeError):
                convert(ts.zeros(1))
        with self.assertRaises(TypeError):
            [1][ts.asarray(0.0)]
        with self.assertRaises(TypeError):
            int(ts.asarray(1j))
        with self.assertRaises(TypeError):
            float(ts.asarray(1j))
        with self.assertRaises(OverflowError):
            int(ts.asarray(float("inf")))
        with self.assertRaises(ValueError):
            int(ts.asarray(float("nan")))

    def test_items_and_lists(self):
        self.assertEqual(ts.asarray([[5]]).item(), 5)
        with self.assertRaises(ValueError):
            ts.zeros(2).item()
        self.assertEqual(ts.asarray([[1, 2], [3, 4]]).mT.tolist(), [[1, 3], [2, 4]])
        self.assertEqual(ts.zeros((2, 0)).tolist(), [[], []])
        for name in ("float16", "bfloat16", "float8_e4m3", "float8_e5m2"):
            self.assertEqual(ts.asarray([1.5, -2], dtype=name).tolist(), [1.5, -2.0])

    def test_length_and_iteration(self):
        x = ts.asarray([[1, 2], [3, 4]])
        self.assertEqual(len(x), 2)
        self.assertEqual([row.tolist() for row in x], [[1, 2], [3, 4]])
        a, b = x
        self.equal(b, [3, 4])
        for wrong in (len, iter, list):
            with self.assertRaises(TypeError):
                wrong(ts.asarray(1))
        self.assertEqual(list(ts.zeros((0, 3))), [])

    def test_membership_compares_all(self):
        with self.assertRaises(TypeError):
            3 in ts.asarray([[1, 2], [3, 4]])
        self.assertTrue(any(value == 3 for value in ts.asarray([1, 3])))


class Text(Case):
    def test_repr(self):
        self.assertEqual(repr(ts.asarray([1.0, 2.5])), "Tensor([1. , 2.5])")
        self.assertEqual(repr(ts.asarray([[1, 2], [3, 4]])), "Tensor([[1, 2],\n        [3, 4]])")
        self.assertEqual(repr(ts.asarray([True])), "Tensor([ True])")
        self.assertEqual(repr(ts.asarray(3)), "Tensor(3)")
        self.assertEqual(repr(ts.asarray([1], dtype=ts.int8)), "Tensor([1], dtype=int8)")
        self.assertEqual(repr(ts.zeros(0)), "Tensor([], dtype=float64)")
        self.assertEqual(repr(ts.zeros((2, 0), dtype="f32")), "Tensor([], shape=(2, 0), dtype=float32)")
        self.assertEqual(repr(ts.zeros((2, 1, 1))), "Tensor([[[0.]],\n\n        [[0.]]])")
        self.assertIn("...", repr(ts.arange(2000)))

    def test_str_and_format(self):
        self.assertEqual(str(ts.asarray([1, 2])), "[1 2]")
        self.assertEqual(f"{ts.asarray(2.0):.3f}", "2.000")
        self.assertEqual(f"{ts.asarray([1])}", "[1]")
        with self.assertRaises(ValueError):
            f"{ts.zeros(2):.3f}"

    def test_notebooks(self):
        self.assertIn("<td>1.5</td>", ts.asarray([[1.5, 2.0]])._repr_html_())
        self.assertIn("float64 [2]", ts.asarray([1.5, 2.0])._repr_html_())
        self.assertIn("…", ts.zeros((100, 100))._repr_html_())
        self.assertIn("<pre>", ts.zeros((2, 2, 2))._repr_html_())
        self.assertIn("[0]", ts.zeros(0)._repr_html_())

    def test_dtypes(self):
        self.assertEqual(repr(ts.float32), "tessera.float32")
        self.assertEqual(str(ts.bfloat16), "bfloat16")


class Copies(Case):
    def test_copies_are_their_own(self):
        x = ts.asarray([[1, 2], [3, 4]])
        for other in (copy.copy(x), copy.deepcopy(x), x.copy(), pickle.loads(pickle.dumps(x))):
            self.equal(other, x)
            other[0, 0] = 9
            self.assertEqual(x[0, 0].item(), 1)

    def test_pickle_of_each_dtype_and_of_views(self):
        for dtype in (*ts.__array_namespace_info__().dtypes().values(), ts.float16, ts.bfloat16, ts.float8_e4m3):
            x = ts.asarray([[0, 1, 1], [1, 0, 1]], dtype=dtype)
            for protocol in range(pickle.HIGHEST_PROTOCOL + 1):
                y = pickle.loads(pickle.dumps(x.T, protocol))
                self.assertIs(y.dtype, dtype)
                self.assertEqual(y.tolist(), x.T.tolist())
        self.assertIs(pickle.loads(pickle.dumps(ts.bfloat16)), ts.bfloat16)
        self.assertIs(copy.deepcopy(ts.int8), ts.int8)

    def test_weak_references(self):
        x = ts.zeros(2)
        ref = weakref.ref(x)
        self.assertIs(ref(), x)
        del x
        gc.collect()
        self.assertIsNone(ref())

    def test_bytes(self):
        self.assertEqual(ts.asarray([[1, 2], [3, 4]], dtype=ts.uint8).T.tobytes(), b"\1\3\2\4")


if __name__ == "__main__":
    unittest.main()
