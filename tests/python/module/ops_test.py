"""Every op of the table as a function: its signature and documentation, `out`, and that no wrong argument does more than raise."""
import inspect
import os
import random
import resource
import unittest

from support import Case, ts

OPS = ts.ops.ALL


class Functions(Case):
    def test_each_has_a_signature_and_a_text(self):
        self.assertGreater(len(OPS), 300)
        for name, op in OPS.items():
            self.assertEqual(op.__name__, name)
            parameters = inspect.signature(op).parameters
            self.assertIn("out", parameters, name)
            self.assertGreater(len(op.__doc__.split("\n")), 2, name)
            self.assertIn(name + "(", op.__doc__, name)

    def test_most_are_in_the_namespace(self):
        for name in OPS:
            self.assertTrue(hasattr(ts, name), name)
        self.assertIs(ts.softmax, ts.ops.softmax)

    def test_arguments(self):
        x = ts.asarray([3.0, 1.0, 2.0])
        self.equal(ts.ops.topk(x, 2)[0], [3.0, 2.0])
        self.equal(ts.ops.topk(x=x, k=1, largest=False)[1], [1])
        self.equal(ts.ops.sum(ts.ones((2, 3)), axes=(0,), keepdims=True), [[2.0, 2.0, 2.0]])
        self.equal(ts.ops.full((2,), 7, dtype="i8"), [7, 7])
        self.equal(ts.ops.pad(x, before=(1,), after=(0,), mode="edge"), [3.0, 3.0, 1.0, 2.0])
        self.equal(ts.ops.einsum([ts.eye(2), ts.ones(2)], "ij,j->i"), [1.0, 1.0])
        self.equal(ts.ops.split(x, n=3)[2], [2.0])
        self.equal(ts.ops.interp(ts.asarray([0.5]), ts.asarray([0.0, 1.0]), ts.asarray([0.0, 2.0])), [1.0])
        conv = ts.ops.conv2d(ts.ones((1, 1, 3, 3)), ts.ones((1, 1, 2, 2)), stride=(2, 2), activation="relu")
        self.equal(conv, [[[[4.0]]]])

    def test_out(self):
        a, out = ts.asarray([1.0, 2.0]), ts.zeros(2)
        self.assertIs(ts.ops.add(a, a, out=out), out)
        self.equal(out, [2.0, 4.0])
        values, index = ts.zeros(1), ts.zeros(1, dtype=ts.int64)
        self.assertIs(ts.ops.topk(a, 1, out=(values, index))[0], values)
        self.equal(index, [1])
        self.equal(ts.ops.topk(a, 1, out=(None, index))[0], [2.0])
        self.equal(ts.ops.fill(3, out=ts.zeros(2)), [3.0, 3.0])
        for wrong, error in ((ts.zeros(3), ValueError), (ts.zeros(2, dtype=ts.int8), TypeError), (1, TypeError), (("a",), TypeError), ("ab", ValueError),
                             ((out, out), ValueError), (ts.asarray(b"ab"), (TypeError, ValueError)),
                             (ts.broadcast_to(ts.zeros(1), (2,)), ValueError)):
            with self.assertRaises(error, msg=repr(wrong)):
                ts.ops.add(a, a, out=wrong)

    def test_wrong_calls(self):
        x = ts.asarray([1.0, 2.0])
        for call, text in ((lambda: ts.ops.softmax(), "misses its argument 'x'"), (lambda: ts.ops.softmax(x, 0, 1), "by position"),
                           (lambda: ts.ops.softmax(x, foo=1), "no argument 'foo'"), (lambda: ts.ops.softmax(x, x=x), "twice"),
                           (lambda: ts.ops.softmax(x, "a"), "an integer"), (lambda: ts.ops.topk(x, 1.5), "an integer"),
                           (lambda: ts.ops.topk(x, 1, largest="yes"), "True or False"), (lambda: ts.ops.full((1,), "a"), "a number"),
                           (lambda: ts.ops.pad(x, mode=[]), "integer"), (lambda: ts.ops.tile(x, "ab"), "integers"),
                           (lambda: ts.ops.rand_normal(3, (2,)), "Rng"), (lambda: ts.ops.einsum([x], 3), "text"),
                           (lambda: ts.ops.concat(x), "Tensor"), (lambda: ts.ops.concat([1]), "Tensor")):
            with self.assertRaises(TypeError) as caught:
                call()
            self.assertIn(text, str(caught.exception))
        with self.assertRaises(ValueError) as caught:
            ts.ops.pad(x, mode="egde")
        self.assertIn("did you mean 'edge'", str(caught.exception))
        with self.assertRaises(OverflowError):
            ts.ops.topk(x, 2**70)


WRONG = [None, True, 0, -1, 1, 3, 2**31, 2**63 - 1, -2**63, 2**70, 0.5, float("nan"), float("inf"), 1j, "", "a", "relu", "f32", b"ab", (),
         (0,), (1, 2), (-1, 5), (2**62, 2**62), [1.5], ["a"], [None], {}, object(), int, ts.float32, ts.random.Rng(1), range(3), iter([1])]
EXPECTED = (TypeError, ValueError, IndexError, OverflowError, MemoryError, NotImplementedError, RuntimeError, BufferError)


def tensors(rng):
    dtype = rng.choice(["bool", "int8", "int64", "uint8", "float16", "bfloat16", "float32", "float64", "complex64", "float8_e4m3"])
    shape = tuple(rng.choice([0, 1, 2, 3, 4]) for _ in range(rng.randrange(5)))
    x = ts.zeros(shape, dtype=dtype) if rng.random() < 0.5 else ts.ones(shape, dtype=dtype)
    return x.mT if x.ndim > 1 and rng.random() < 0.3 else x


@unittest.skipUnless(os.path.exists("/proc/self/statm"), "limits memory by /proc")
class Anything(Case):
    def setUp(self):
        """Little memory: what asks for more gets MemoryError, and the machine keeps its own. Sanitizers limit it themselves."""
        if "TSR_UNLIMITED" in os.environ:
            return
        limits = resource.getrlimit(resource.RLIMIT_AS)
        with open("/proc/self/statm") as f:
            used = int(f.read().split()[0]) * resource.getpagesize()
        resource.setrlimit(resource.RLIMIT_AS, (used + 2**28, limits[1]))
        self.addCleanup(resource.setrlimit, resource.RLIMIT_AS, limits)

    def argument(self, rng, name):
        kind = rng.random()
        if kind < 0.55:
            return tensors(rng)
        if kind < 0.62:
            return [tensors(rng) for _ in range(rng.randrange(4))]
        if kind < 0.8:
            return rng.choice([0, 1, 2, 3, -1, (1,), (1, 1), (2, 2), (0, 1), "constant", "edge", 0.5, True])
        return rng.choice(WRONG)

    def test_no_argument_does_more_than_raise(self):
        rng = random.Random(int(os.environ.get("TSR_SEED", "1")))
        rounds = int(os.environ.get("TSR_ROUNDS", "60"))
        for name, op in OPS.items():
            parameters = [p for p in inspect.signature(op).parameters if p != "out"]
            for _ in range(rounds):
                names = [p for p in parameters if rng.random() < 0.75]
                arguments = {p: self.argument(rng, p) for p in names}
                if rng.random() < 0.15:
                    arguments["out"] = rng.choice([tensors(rng), (tensors(rng), tensors(rng)), 3, None, ()])
                try:
                    result = op(**arguments)
                except EXPECTED:
                    continue
                for one in result if isinstance(result, tuple) else (result,):
                    self.assertIsInstance(one, ts.Tensor, name)
                    if one.size < 1000 and one.nbytes < 2**20:
                        repr(one)

    def test_functions_of_the_standard(self):
        rng = random.Random(int(os.environ.get("TSR_SEED", "2")))
        for space in (ts, ts.linalg, ts.fft):
            for name in dir(space):
                op = getattr(space, name)
                if name.startswith("_") or not inspect.isfunction(op) or name in ("load", "save"):
                    continue
                for _ in range(int(os.environ.get("TSR_ROUNDS", "40"))):
                    names, args = {}, []
                    for p in inspect.signature(op).parameters.values():
                        if p.kind == p.KEYWORD_ONLY:
                            if rng.random() < 0.5:
                                names[p.name] = self.argument(rng, p.name)
                        else:
                            args.append(self.argument(rng, p.name))
                    try:
                        op(*args, **names)
                    except EXPECTED:
                        pass
                    except AttributeError:
                        self.assertEqual(name, "from_dlpack")  # the standard wants this one


if __name__ == "__main__":
    unittest.main()
