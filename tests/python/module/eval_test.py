"""Expressions and random numbers."""
import copy
import pickle
import threading
import unittest

from support import Case, ts


class Expressions(Case):
    def test_values(self):
        x, y = ts.asarray([1.0, 2.0]), ts.asarray([[1.0], [10.0]])
        self.equal(ts.eval("a*b + c", a=x, b=y, c=1), [[2.0, 3.0], [11.0, 21.0]])
        self.equal(ts.eval("sum(x*x)", x=x), 5.0)
        self.equal(ts.eval("x**2 + 0.5", x=x), x**2 + 0.5)
        self.equal(ts.eval("x + k", x=ts.asarray([1, 2]), k=2), [3, 4])
        self.equal(ts.eval("text + names", text=x, names=x), [2.0, 4.0])
        e = ts.Expression("d = a - b\nsqrt(mean(d*d))")
        self.assertEqual(e.names, ["a", "b"])
        for _ in range(3):
            self.equal(e(a=x, b=x), 0.0)
        self.equal(e(b=ts.ones(3), a=ts.zeros(3)), 1.0)

    def test_refused(self):
        x = ts.zeros(2)
        for call, error, text in ((lambda: ts.eval("x +", x=x), ValueError, "column"), (lambda: ts.eval("x + y", x=x), ValueError, "y"),
                                  (lambda: ts.eval("foo(x)", x=x), ValueError, "foo"), (lambda: ts.eval("x", x="a"), TypeError, "Tensor"),
                                  (lambda: ts.eval(3), TypeError, ""), (lambda: ts.eval(), TypeError, ""),
                                  (lambda: ts.eval("x + y", x=x, y=ts.zeros(3)), ValueError, "broadcast"),
                                  (lambda: ts.Expression("x")(x), TypeError, "names"), (lambda: ts.Expression(), TypeError, ""),
                                  (lambda: ts.eval("x", **{f"n{i}": x for i in range(100)}), ValueError, "names")):
            with self.assertRaises(error) as caught:
                call()
            self.assertIn(text, str(caught.exception))

    def test_threads(self):
        e, x, failures = ts.Expression("exp(x) + x"), ts.zeros(200000), []

        def run():
            for _ in range(20):
                try:
                    if e(x=x)[0].item() != 1.0:
                        failures.append("value")
                except RuntimeError:
                    pass  # another thread has it
                ts.add(x, x)

        threads = [threading.Thread(target=run) for _ in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual(failures, [])


class Random(Case):
    def test_the_same_seed_gives_the_same(self):
        a, b = ts.random.default_rng(3), ts.random.default_rng(3)
        for draw in (lambda g: g.random((2, 3)), lambda g: g.normal(1.0, 2.0, (4,)), lambda g: g.integers(-5, 5, 10),
                     lambda g: g.uniform(2.0, 3.0, 5, dtype=ts.float32), lambda g: g.bernoulli(0.3, 8), lambda g: g.permutation(6),
                     lambda g: g.random()):
            self.equal(draw(a), draw(b))
        self.assertEqual(repr(a), repr(b))
        self.assertNotEqual(a.random(3).tolist(), a.random(3).tolist())

    def test_ranges(self):
        g = ts.random.Generator(1)
        x = g.integers(10, shape=1000)
        self.assertEqual((int(ts.min(x)), int(ts.max(x))), (0, 9))
        y = g.uniform(2.0, 3.0, 1000)
        self.assertTrue(bool(ts.all(y >= 2)) and bool(ts.all(y < 3)))
        self.assertEqual(sorted(g.permutation(5).tolist()), [0, 1, 2, 3, 4])
        self.assertEqual(sorted(g.permutation(ts.asarray([[1], [2]])).tolist()), [[1], [2]])
        for wrong in (lambda: g.integers(5, 5, 2), lambda: g.normal(shape=-1), lambda: g.bernoulli(2.0)):
            with self.assertRaises(ValueError):
                wrong()

    def test_state(self):
        rng = ts.random.Rng(7, 2)
        first = ts.ops.rand_normal(rng, (3,))
        self.assertEqual((rng.seed, rng.stream, rng.counter), (7, 2, 3))
        again = pickle.loads(pickle.dumps(ts.random.Rng(7, 2)))
        self.equal(ts.ops.rand_normal(again, (3,)), first)
        self.assertEqual(repr(copy.copy(rng)), "Rng(seed=7, stream=2, counter=3)")


if __name__ == "__main__":
    unittest.main()
