"""Memory: what is called a thousand times holds no more after it than before; references are as many as they were."""
import gc
import pickle
import sys
import unittest

from support import Case, np, ts


def resident():
    """Bytes of the process in memory."""
    with open("/proc/self/statm") as f:
        return int(f.read().split()[1]) * 4096


def ignored(call):
    try:
        call()
    except Exception:
        pass


X = ts.reshape(ts.arange(40000.0), (200, 200))
MASK, INDEX = X > 5000, ts.asarray([3, 1, 2])
Y = ts.copy(X)
CALLS = {
    "operators": lambda: (X + X, X * 2, 2 - X, -X, X == X, X @ X[:, :1]),
    "in place": lambda: Y.__iadd__(1.0),
    "failures": lambda: [ignored(f) for f in (lambda: X + ts.zeros(3), lambda: X + "a", lambda: X[300], lambda: ts.sum(X, axis=7),
                                              lambda: ts.concat([X, 3]), lambda: ts.asarray([[1], [1, 2]]), lambda: X["a"],
                                              lambda: ts.ops.topk(X, 1, foo=3), lambda: ts.pad(X, before=[10**5] * 3), lambda: bool(X),
                                              lambda: X.__setitem__(0, "a"), lambda: ts.eval("x +", x=X), lambda: ts.load("missing"),
                                              lambda: ts.add(X, X, out=ts.zeros(2)), lambda: ts.asarray([1, None]))],
    "indexing": lambda: (X[0], X[1:, ::2], X[..., None], X[MASK], X[INDEX], X[INDEX, INDEX], X[:, INDEX], X[INDEX, :, None]),
    "assignment": lambda: (Y.__setitem__(0, 1.0), Y.__setitem__(MASK, 2.0), Y.__setitem__((INDEX, INDEX), ts.ones(3)),
                           Y.__setitem__(slice(1, 3), [0.0] * 200), Y.__setitem__(MASK, X[MASK])),
    "functions": lambda: (ts.topk(X, 2), ts.split(X, n=4), ts.concat([X, X]), ts.einsum([X, X], "ij,kj->ik"), ts.where(MASK, X, 0),
                          ts.unique_all(INDEX), ts.meshgrid(INDEX, INDEX), ts.clip(X, 0, 1), ts.unstack(X)[3]),
    "objects": lambda: (X.shape, X.dtype, X.T, X.device, repr(X), str(INDEX), X.tolist(), INDEX.tolist(), list(INDEX), pickle.dumps(INDEX),
                        X.copy(), X.tobytes(), X.__array_namespace__()),
    "sharing": lambda: (memoryview(X), ts.asarray(bytearray(10000)), ts.from_dlpack(X), ts.from_dlpack(X.__dlpack__(max_version=(1, 0))),
                        X.__dlpack__(), X.__dlpack__(max_version=(1, 0)), ts.from_dlpack(X, copy=True)),
    "making": lambda: (ts.asarray([[1, 2], [3, 4]]), ts.asarray([X[0], X[1]]), ts.zeros((100, 100)), ts.full((100,), 1), ts.arange(1000),
                       pickle.loads(pickle.dumps(INDEX))),
    "expressions": lambda: (ts.eval("x*x + k", x=X, k=2), ts.Expression("a + b")(a=X, b=X), ts.Expression("x").names),
    "random": lambda: (ts.random.default_rng(1).normal(shape=(100, 100)), ts.random.Rng(3).seed),
}


@unittest.skipUnless(sys.platform == "linux", "reads /proc")
class Leaks(Case):
    def test_memory_stays(self):
        for name, call in CALLS.items():
            for _ in range(30):
                call()
            gc.collect()
            before = resident()
            for _ in range(60):
                call()
            gc.collect()
            self.assertLess(resident() - before, 2**21, name)

    def test_objects_go(self):
        for name, call in CALLS.items():
            grown = []
            for _ in range(12):  # the interpreter's own lists of free objects grow once; a leak grows every time
                before = sys.getallocatedblocks()
                for _ in range(25):
                    call()
                gc.collect()
                grown.append(sys.getallocatedblocks() - before)
            self.assertLess(min(grown), 10, name)

    @unittest.skipUnless(hasattr(sys, "gettotalrefcount") and "abi3" not in ts._core.__file__,
                         "needs a debug build of Python and of the module: TSR_PYTHON=/usr/bin/python3-dbg (Debian: python3-dbg)")
    def test_all_references(self):
        for name, call in CALLS.items():
            grown = []
            for _ in range(12):
                before = sys.gettotalrefcount()
                for _ in range(25):
                    call()
                gc.collect()
                grown.append(sys.gettotalrefcount() - before)
            self.assertLess(min(grown), 10, name)

    def test_references_of_arguments(self):
        watched = [X, MASK, INDEX, Y, ts.float32, ts.float64, None, True, ts.Tensor]
        for name, call in CALLS.items():
            call()
            before = [sys.getrefcount(one) for one in watched]
            for _ in range(50):
                call()
            after = [sys.getrefcount(one) for one in watched]
            for one, a, b in zip(watched, before, after):
                self.assertLess(abs(b - a), 25, f"{name}: {one if not isinstance(one, ts.Tensor) else 'a tensor'}")

    @unittest.skipIf(np is None, "NumPy is not installed")
    def test_arrays_of_numpy_go(self):
        for make in (lambda a: ts.asarray(a), lambda a: ts.from_dlpack(a), lambda a: ts.asarray(a)[1:], lambda a: ts.asarray(a) + 1,
                     lambda a: ts.asarray([a, a]), lambda a: ts.asarray(a, dtype="f32")):
            a = np.zeros(1000)
            for _ in range(100):
                make(a)
            gc.collect()
            self.assertEqual(sys.getrefcount(a), 2)


if __name__ == "__main__":
    unittest.main()
