"""Tensors on a GPU, or where there is none on the emulated one."""
import copy
import pickle
import unittest

from support import Case, ts

DEVICES = ts.__array_namespace_info__().devices()


class Host(Case):
    def test_names(self):
        self.assertEqual(DEVICES[0], "cpu")
        x = ts.zeros(2)
        self.assertIs(x.to_device("cpu"), x)
        self.assertIs(x.to_device("cpu", stream=None), x)
        ts.synchronize("cpu")
        for wrong, error in (("foo", ValueError), (3, TypeError), ("cuda:1000", (RuntimeError, ValueError))):
            with self.assertRaises(error):
                x.to_device(wrong)
            with self.assertRaises(error):
                ts.zeros(2, device=wrong)
        with self.assertRaises(ValueError):
            x.to_device("cpu", stream=1)


@unittest.skipUnless("cuda:0" in DEVICES, "there is no cuda:0: no plug-in, driver or GPU")
class Cuda(Case):
    def setUp(self):
        self.host = ts.asarray([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]], dtype=ts.float32)
        self.x = self.host.to_device("cuda:0")

    def same(self, got, want):
        self.assertEqual(got.device, "cuda:0")
        self.equal(got.to_device("cpu"), want)

    def test_there_and_back(self):
        self.assertEqual((self.x.device, self.x.__dlpack_device__()), ("cuda:0", (2, 0)))
        self.same(self.x, self.host)
        self.same(ts.asarray([1.0], device="cuda:0"), ts.asarray([1.0]))
        self.same(ts.zeros_like(self.x), ts.zeros_like(self.host))
        self.assertIs(self.x.to_device("cuda:0"), self.x)
        self.assertEqual(self.x.tolist(), self.host.tolist())
        self.assertIn("device='cuda:0'", repr(self.x))
        self.assertEqual(self.x.tobytes(), self.host.tobytes())

    def test_made_there(self):
        for make in (lambda device: ts.zeros((2, 3), device=device), lambda device: ts.ones(3, dtype=ts.int32, device=device),
                     lambda device: ts.full((2,), 7, device=device), lambda device: ts.arange(5, device=device),
                     lambda device: ts.linspace(0, 1, 4, endpoint=False, device=device), lambda device: ts.eye(3, k=1, device=device),
                     lambda device: ts.fft.fftfreq(4, device=device), lambda device: ts.ops.window(n=5, device=device)):
            self.same(make("cuda:0"), make("cpu"))
        self.assertEqual(ts.empty((2,), device="cuda:0").device, "cuda:0")
        with self.assertRaises(TypeError):
            ts.ops.softmax(self.x, device="cuda:0")

    def test_calls(self):
        for call in (lambda x: x + x, lambda x: 2 - x, lambda x: x * 0.5 + 1, lambda x: x[0], lambda x: x[:, ::-1], lambda x: x.T,
                     lambda x: ts.where(x > 2, x, 0), lambda x: ts.reshape(x.T, (6,)), lambda x: ts.concat([x, x]), lambda x: x @ x.T,
                     lambda x: ts.sum(x, axis=0), lambda x: ts.argmax(x), lambda x: ts.eval("x*x + 1", x=x), lambda x: copy.copy(x)):
            self.same(call(self.x), call(self.host))
        self.x += 1
        self.x[0] = 7
        self.same(self.x, ts.asarray([[7.0, 7.0, 7.0], [5.0, 6.0, 7.0]], dtype=ts.float32))
        self.assertEqual(float(self.x[1, 1]), 6.0)
        ts.synchronize("cuda:0")

    def test_sharing(self):
        shared = ts.from_dlpack(self.x)
        shared[0] = 9
        self.assertEqual(self.x[0, 0].item(), 9.0)
        self.assertEqual(ts.from_dlpack(self.x, device="cpu").device, "cpu")
        self.equal(pickle.loads(pickle.dumps(self.x)), self.x.to_device("cpu"))
        with self.assertRaises(BufferError):
            memoryview(self.x)

    def test_refused(self):
        with self.assertRaises(RuntimeError) as caught:
            self.x + self.host
        self.assertEqual(caught.exception.status, "TSR_EDEVICE")


if __name__ == "__main__":
    unittest.main()
