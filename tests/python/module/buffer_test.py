"""Memory shared with others: buffers both ways, DLPack both versions, NumPy's __array__."""
import array
import gc
import sys
import unittest

from support import Case, np, ts, with_numpy

CODES = {"bool": "?", "int8": "i1", "int16": "i2", "int32": "i4", "int64": "i8", "uint8": "u1", "uint16": "u2", "uint32": "u4", "uint64": "u8",
         "float16": "f2", "float32": "f4", "float64": "f8", "complex64": "c8", "complex128": "c16"}


class Out(Case):
    def test_memoryview(self):
        x = ts.reshape(ts.arange(6, dtype=ts.int16), (2, 3))
        view = memoryview(x)
        self.assertEqual((view.format, view.shape, view.strides, view.itemsize, view.readonly), ("h", (2, 3), (6, 2), 2, False))
        self.assertEqual(view.tolist(), [[0, 1, 2], [3, 4, 5]])
        view[1, 2] = 9
        self.assertEqual(x[1, 2].item(), 9)
        self.assertEqual(memoryview(x.T[::-1]).strides, (-2, 6))
        self.assertEqual(bytes(memoryview(ts.zeros(0))), b"")
        self.assertEqual(memoryview(ts.asarray(3.0)).tolist(), 3.0)

    def test_a_view_keeps_the_tensor(self):
        x = ts.arange(1000)
        view = memoryview(x)
        del x
        gc.collect()
        self.assertEqual(view[999], 999)

    def test_refused(self):
        for wrong in (ts.zeros(2, dtype=ts.bfloat16), ts.zeros(2, dtype=ts.float8_e4m3)):
            with self.assertRaises(BufferError):
                memoryview(wrong)
        frozen = ts.asarray(b"ab")
        self.assertTrue(memoryview(frozen).readonly)
        with self.assertRaises(TypeError):
            memoryview(frozen)[0] = 1
        self.assertEqual(bytes(ts.arange(4, dtype=ts.uint8)[::2]), b"\0\2")


class In(Case):
    def test_writes_are_seen_on_both_sides(self):
        a = array.array("f", [1, 2, 3])
        x = ts.asarray(a)
        self.assertIs(x.dtype, ts.float32)
        x[0] = 5
        self.assertEqual(a[0], 5.0)
        with self.assertRaises(BufferError):
            a.append(4)  # the memory is held
        del x
        gc.collect()
        a.append(4)

    def test_each_code(self):
        for code in "bBhHiIlLqQfd":
            x = ts.asarray(array.array(code, [1, 2]))
            self.assertEqual((x.itemsize, x.tolist()), (array.array(code).itemsize, [1, 2]))
        self.assertTrue(ts.asarray(b"abc").readonly)
        self.equal(ts.asarray(memoryview(bytearray(6)).cast("h", (3, 1))), [[0], [0], [0]])
        with self.assertRaises(TypeError):
            ts.asarray(memoryview(b"ab").cast("c"))

    def test_views_of_views(self):
        owner = bytearray(range(10))
        x = ts.asarray(memoryview(owner)[::-2])
        self.equal(x, [9, 7, 5, 3, 1])
        part = x[1:3]
        del x
        gc.collect()
        part[0] = 100
        self.assertEqual(owner[7], 100)
        del part
        gc.collect()
        owner.append(1)


@with_numpy
class NumPy(Case):
    def test_both_ways_without_a_copy(self):
        for name, code in CODES.items():
            a = np.array([[0, 1, 1], [1, 0, 1]], code)
            x = ts.asarray(a)
            self.assertEqual(x.dtype.name, name)
            a[0, 0] = 1
            self.equal(x, a)
            b = np.asarray(x)
            self.assertEqual(b.ctypes.data, a.ctypes.data)
            self.assertEqual((b.dtype, b.strides), (a.dtype, a.strides))
        for view in (lambda a: a[::-1], lambda a: a.T, lambda a: a[:, 1:], lambda a: a[::2, ::-2], lambda a: a[0:0], lambda a: a[0]):
            a = np.arange(24.0).reshape(4, 6)
            self.equal(ts.asarray(view(a)), view(a))
            np.testing.assert_array_equal(np.asarray(view(ts.asarray(a))), view(a))

    def test_what_has_to_be_copied(self):
        swapped = np.arange(3, dtype=">i4")
        self.equal(ts.asarray(swapped), [0, 1, 2])
        self.equal(ts.asarray(np.array([1 + 2j], ">c8")), [1 + 2j])
        odd = np.frombuffer(b"\0" + np.arange(3.0).tobytes(), np.uint8)[1:].view("f8")
        self.equal(ts.asarray(odd), [0.0, 1.0, 2.0])
        part = np.array([(1, 2.0), (3, 4.0)], dtype=[("a", "i1"), ("b", "f8")])
        self.equal(ts.asarray(part["b"]), [2.0, 4.0])
        for wrong in (part, np.array(["a"]), np.array([object()]), np.array(["2020-01-01"], "M8[D]")):
            with self.assertRaises((TypeError, BufferError)):
                ts.asarray(wrong)

    def test_counts(self):
        a = np.zeros(3)
        before = sys.getrefcount(a)
        for _ in range(100):
            x = ts.asarray(a)
            x[0:1]
            ts.from_dlpack(a)
        del x
        gc.collect()
        self.assertEqual(sys.getrefcount(a), before)

    def test_array(self):
        x = ts.asarray([1.5, 2.0], dtype=ts.bfloat16)
        self.equal(ts.asarray(np.asarray(x)), np.array([1.5, 2.0], "f4"))
        y = ts.asarray([1.0, 2.0])
        self.assertEqual(np.asarray(y, dtype="f4").dtype, np.float32)
        self.assertEqual(y.__array__(dtype="i4").dtype, np.int32)
        with self.assertRaises(ValueError):
            x.__array__(copy=False)
        self.assertEqual(float(np.sum(np.asarray(y))), 3.0)

    def test_read_only(self):
        a = np.arange(3)
        a.flags.writeable = False
        x = ts.asarray(a)
        self.assertTrue(x.readonly)
        self.assertFalse(np.asarray(x).flags.writeable)
        with self.assertRaises(ValueError):
            x[0] = 1
        y = ts.asarray(a, copy=True)
        y[0] = 1


class DLPack(Case):
    def test_of_its_own(self):
        x = ts.reshape(ts.arange(6.0), (2, 3))
        self.assertEqual(x.__dlpack_device__(), (1, 0))
        for version in (None, (0, 8), (1, 0), (1, 1), (2, 0)):
            y = ts.from_dlpack(x.T.__dlpack__(max_version=version))
            y[0, 0] = 7
            self.assertEqual(x[0, 0].item(), 7)
            x[0, 0] = 0
        y = ts.from_dlpack(x)
        del x
        gc.collect()
        self.equal(y, [[0.0, 1.0, 2.0], [3.0, 4.0, 5.0]])

    def test_copies(self):
        x = ts.zeros(2)
        y = ts.from_dlpack(x.__dlpack__(max_version=(1, 0), copy=True))
        y[0] = 1
        self.equal(x, [0.0, 0.0])
        y = ts.from_dlpack(x, copy=True)
        y[0] = 1
        self.equal(x, [0.0, 0.0])
        self.equal(ts.from_dlpack(x, device="cpu"), x)
        self.equal(ts.from_dlpack(x.__dlpack__(dl_device=(1, 0))), x)
        with self.assertRaises(BufferError):
            x.__dlpack__(dl_device=(2, 0))

    def test_a_capsule_is_taken_once(self):
        capsule = ts.zeros(2).__dlpack__()
        ts.from_dlpack(capsule)
        with self.assertRaises(TypeError):
            ts.from_dlpack(capsule)
        for version in (None, (1, 0)):
            unused = ts.zeros(2).__dlpack__(max_version=version)
            del unused
        for wrong in (1, "a", None, [1]):
            with self.assertRaises((TypeError, AttributeError)):
                ts.from_dlpack(wrong)

    def test_read_only(self):
        frozen = ts.asarray(b"ab")
        with self.assertRaises(BufferError):
            frozen.__dlpack__()
        self.assertTrue(ts.from_dlpack(frozen.__dlpack__(max_version=(1, 0))).readonly)

    def test_wrong_arguments(self):
        x = ts.zeros(2)
        for names in ({"max_version": 1}, {"max_version": (1,)}, {"max_version": ("a", 0)}, {"dl_device": 1}, {"dl_device": ("a", 0)},
                      {"stream": "a"}, {"foo": 1}):
            with self.assertRaises(TypeError, msg=str(names)):
                x.__dlpack__(**names)

    @with_numpy
    def test_numpy(self):
        a = np.arange(3.0)  # NumPy before 2.1 knows neither copy nor device
        ts.from_dlpack(a, copy=True)[0] = 5
        self.assertEqual(a[0], 0.0)
        ts.from_dlpack(a, copy=False)[0] = 5
        ts.from_dlpack(a, device="cpu")[1] = 6
        self.assertEqual(a.tolist(), [5.0, 6.0, 2.0])
        for name, code in CODES.items():
            if name == "bool":
                continue  # NumPy before 1.25 has none
            a = np.array([[0, 1], [1, 2]], code)
            self.equal(ts.from_dlpack(a), a)
            np.testing.assert_array_equal(np.from_dlpack(ts.asarray(a)), a)
        a = np.arange(10)
        x = ts.from_dlpack(a[::-3])
        self.equal(x, a[::-3])
        del a
        gc.collect()
        self.equal(x, [9, 6, 3, 0])


if __name__ == "__main__":
    unittest.main()
