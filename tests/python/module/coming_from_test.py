"""The table "From NumPy" of docs/coming-from.md, in Python: the same line with both modules, and the same result."""
import unittest

from support import Case, np, ts, with_numpy

# NumPy's line and ours, of x [4,6], v [6], b [4,6], m (bool), z (complex), i (integers); `xp` is either module where they are the same.
SAME = """x[1]; x[:, -1]; x[1:3]; x[:, ::2]; x[::-1]; x[1:3, 2:4]; x.T; x[None]; xp.broadcast_to(v, (4, 6)); xp.expand_dims(x, axis=-1);
xp.reshape(x, (3, -1)); xp.zeros((2, 3), dtype=xp.float32); xp.zeros_like(x); xp.arange(0, 10, 2); xp.linspace(0, 1, 5); xp.eye(3, 4, k=1);
xp.asarray([1.0, 2.0, 3.0]); x + b; x * 2; 1 - x; x < b; ~m; xp.sqrt(((x - b)**2)[0]); xp.sum(x); xp.sum(x, axis=0); xp.mean(x, axis=(0, 1), keepdims=True);
xp.argmax(x); xp.argmax(x, axis=1); x @ x.T; xp.where(m, x, b); xp.clip(x, 0, 1); xp.stack([x, b]); x[[0, 2]]; x[m]; xp.take_along_axis(x, i, axis=1);
x[1, 2]; xp.flip(x, axis=0); xp.tril(x); xp.sort(x, axis=0); xp.roll(x, 2, axis=1); xp.max(x, axis=1); xp.any(m); xp.all(m, axis=0); xp.maximum(x, b);
xp.where(x > 0, x, 0); abs(x); -x; x // 0.5; x ** 2; xp.nonzero(m)[0]; xp.diff(x); xp.tile(x, (2, 1)); xp.repeat(x, 2, axis=0); xp.real(z); xp.imag(z);
xp.full((2, 3), 7); xp.unstack(x)[1] if hasattr(xp, 'unstack') else x[1]; xp.searchsorted(xp.sort(v), v)""".replace("\n", " ").split(";")
OTHERWISE = {
    "x.astype(np.float16)": "ts.astype(x, ts.float16)", "x.view(np.uint8)": "ts.bitcast(x, 'u8')", "x.diagonal(1)": "ts.diagonal(x, 1, 0, 1)",
    "np.lib.stride_tricks.sliding_window_view(v, 3)": "ts.sliding_window(v, 0, 3)", "x.transpose(1, 0)": "ts.permute_dims(x, (1, 0))",
    "x.ravel()": "ts.flatten(x)", "x.reshape(3, 8, order='F')": "ts.reshape_ordered(x, (3, 8), 'fortran')",
    "np.pad(x, ((1, 1), (0, 2)), 'edge')": "ts.pad(x, (1, 0), (1, 2), 'edge')", "x.cumsum(0)": "ts.cumulative_sum(x, axis=0)",
    "np.concatenate([x, b], 1)": "ts.concat([x, b], axis=1)", "x.std(0, ddof=1)": "ts.std(x, axis=0, correction=1)",
    "500*v + 150*v**2": "ts.eval('500*t + 150*t**2', t=v)", "np.sqrt(((x - b)**2).sum(-1))": "ts.eval('sqrt(sum((x - b)**2, axis=-1))', x=x, b=b)",
    "np.frombuffer(b'abcd', np.uint8)": "ts.asarray(b'abcd')", "np.kron(v, v)": "ts.kron(v, v)", "np.trace(x)": "ts.ops.trace(x)",
    "np.einsum('ij,kj->ik', x, b)": "ts.einsum([x, b], 'ij,kj->ik')", "np.median(x, axis=0)": "ts.median(x, (0,))",
    "np.interp(v, np.sort(v), v)": "ts.interp(v, ts.sort(v), v)", "np.convolve(v, v[:3])": "ts.convolve(v, v[:3])",
    "np.linalg.norm(x)": "ts.linalg.vector_norm(x)", "np.fft.rfft(v)": "ts.fft.rfft(v)", "np.histogram(v, 4)[0]": "ts.histogram(v, 4)[0]",
}


@with_numpy
class Lines(Case):
    def test_the_same(self):
        rng = np.random.default_rng(8)
        arrays = {"x": rng.standard_normal((4, 6)), "v": rng.standard_normal(6), "b": rng.standard_normal((4, 6))}
        arrays["m"], arrays["i"] = arrays["x"] > 0, np.argsort(arrays["x"], axis=1)
        arrays["z"] = arrays["x"] + 1j * arrays["b"]
        tensors = {name: ts.asarray(a) for name, a in arrays.items()}
        lines = {line.strip(): line.strip() for line in SAME}
        self.assertGreaterEqual(len(lines), 30)
        for theirs, ours in {**lines, **OTHERWISE}.items():
            want = np.asarray(eval(theirs, {"np": np, "xp": np, **arrays}))
            got = eval(ours, {"ts": ts, "xp": ts, **tensors})
            self.assertEqual(got.dtype.name, want.dtype.name, ours)
            self.close(got, want, 1e-12, 1e-12, ours)


if __name__ == "__main__":
    unittest.main()
