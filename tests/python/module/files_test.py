"""Files: what was saved is loaded; what is mapped is not read before it is touched."""
import os
import pathlib
import tempfile
import unittest

from support import Case, np, ts, with_numpy


class Files(Case):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def test_names_and_tensors(self):
        tensors = {"w": ts.reshape(ts.arange(6.0), (2, 3)), "é": ts.ones(2, dtype=ts.bfloat16), "": ts.asarray(3)}
        for end in (".safetensors", ".npz"):
            path = self.folder / ("x" + end)
            keep = {k: v for k, v in tensors.items() if end != ".npz" or v.dtype is not ts.bfloat16}
            ts.save(path, keep)
            for name, x in ts.load(path).items():
                self.equal(x, keep[name])
            self.assertEqual(sorted(ts.load(str(path))), sorted(keep))

    def test_one_tensor(self):
        x = ts.reshape(ts.arange(6.0), (2, 3))
        for end in (".npy", ".csv"):
            ts.save(self.folder / ("x" + end), x)
            self.equal(ts.astype(ts.load(self.folder / ("x" + end)), ts.float64), x)
        ts.save(os.fsencode(self.folder / "y.npy"), x)

    def test_mapped(self):
        path = self.folder / "x.safetensors"
        ts.save(path, {"x": ts.arange(1000)})
        x = ts.load(path)["x"]
        self.assertTrue(x.readonly)
        part = x[10:20]
        del x
        ts.save(path, {"x": ts.zeros(3)})  # the old file stays as long as it is mapped
        self.equal(part, list(range(10, 20)))

    def test_refused(self):
        with self.assertRaises(OSError) as caught:
            ts.load(self.folder / "missing.npy")
        self.assertEqual(caught.exception.status, "TSR_EIO")
        (self.folder / "bad.safetensors").write_bytes(b"\xff" * 100)
        for wrong, error in (("bad.safetensors", Exception), (".", Exception)):
            with self.assertRaises(error):
                ts.load(self.folder / wrong)
        for wrong in (3, None, "a\0b"):
            with self.assertRaises((TypeError, ValueError)):
                ts.load(wrong)
        with self.assertRaises((TypeError, ValueError)):
            ts.save(self.folder / "x.npy", [1, 2])
        with self.assertRaises(TypeError):
            ts.save(self.folder / "x.npz", {"a": 1})
        with self.assertRaises(TypeError):
            ts.save(self.folder / "x.npz", {1: ts.zeros(1)})
        with self.assertRaises(Exception):
            ts.save(self.folder / "x.unknown", ts.zeros(1))

    @with_numpy
    def test_numpys_files(self):
        a = np.arange(6.0).reshape(2, 3)
        np.save(self.folder / "a.npy", a)
        self.equal(ts.load(self.folder / "a.npy"), a)
        np.savez(self.folder / "a.npz", a=a, b=a.T)
        self.equal(ts.load(self.folder / "a.npz")["b"], a.T)
        ts.save(self.folder / "b.npy", ts.asarray(a))
        np.testing.assert_array_equal(np.load(self.folder / "b.npy"), a)


if __name__ == "__main__":
    unittest.main()
