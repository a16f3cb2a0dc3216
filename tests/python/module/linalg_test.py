"""The standard's linear algebra and Fourier transforms, beside NumPy and by what has to hold."""
import unittest

from support import FLOATS, Case, np, ts, with_numpy


@with_numpy
class Products(Case):
    def test_matmul(self):
        rng = np.random.default_rng(1)
        for sa, sb in (((3,), (3,)), ((2, 3), (3,)), ((3,), (3, 4)), ((2, 3), (3, 4)), ((5, 2, 3), (3, 4)), ((5, 1, 2, 3), (6, 3, 4)),
                       ((0, 3), (3, 4)), ((2, 0), (0, 4))):
            a, b = rng.standard_normal(sa), rng.standard_normal(sb)
            self.close(ts.matmul(ts.asarray(a), ts.asarray(b)), a @ b, 1e-12)
            self.close(ts.asarray(a) @ ts.asarray(b), a @ b, 1e-12)
        for wrong in (((2, 3), (2, 3)), ((), (3,)), ((3,), ())):
            with self.assertRaises(ValueError):
                ts.matmul(ts.zeros(wrong[0]), ts.zeros(wrong[1]))
        self.assertEqual((ts.ones((2, 2), dtype=ts.int8) @ ts.ones((2, 2), dtype=ts.int16)).dtype, ts.int16)

    def test_tensordot_and_vecdot(self):
        rng = np.random.default_rng(2)
        a, b = rng.standard_normal((2, 3, 4)), rng.standard_normal((3, 4, 5))
        for axes in (2, 0, ((1, 2), (0, 1)), ((2,), (1,)), ((-1,), (1,)), ((), ())):
            self.close(ts.tensordot(ts.asarray(a), ts.asarray(b), axes=axes), np.tensordot(a, b, axes), 1e-12)
        c = rng.standard_normal((2, 3, 4))
        self.close(ts.vecdot(ts.asarray(a), ts.asarray(c)), (a * c).sum(-1), 1e-12)
        self.close(ts.vecdot(ts.asarray(a), ts.asarray(c), axis=-2), (a * c).sum(-2), 1e-12)
        self.assertEqual(ts.vecdot(ts.ones(3, dtype=ts.int8), ts.ones(3, dtype=ts.int8)).dtype, ts.int8)
        for wrong in (lambda: ts.vecdot(ts.zeros(2), ts.zeros(3)), lambda: ts.vecdot(ts.zeros(3), ts.zeros(1)),
                      lambda: ts.vecdot(ts.zeros((2, 3)), ts.zeros(3), axis=-2), lambda: ts.vecdot(ts.zeros(3), ts.zeros(3), axis=0)):
            with self.assertRaises(ValueError):
                wrong()

    def test_outer_cross_trace_diagonal(self):
        a, b = np.array([1.0, 2.0, 3.0]), np.array([4.0, 5.0, 7.0])
        self.close(ts.linalg.outer(ts.asarray(a), ts.asarray(b)), np.outer(a, b))
        self.close(ts.linalg.cross(ts.asarray(a), ts.asarray(b)), np.cross(a, b))
        m = np.arange(24.0).reshape(2, 3, 4)
        for offset in (-4, -1, 0, 2, 5):
            self.close(ts.linalg.diagonal(ts.asarray(m), offset=offset), np.diagonal(m, offset, -2, -1))
            self.close(ts.linalg.trace(ts.asarray(m), offset=offset), np.trace(m, offset, -2, -1))
        self.assertEqual(ts.linalg.trace(ts.ones((2, 2), dtype=ts.int8)).dtype, ts.int64)
        self.assertEqual(ts.linalg.trace(ts.ones((2, 2), dtype=ts.int8), dtype=ts.int8).dtype, ts.int8)


@with_numpy
class Factorisations(Case):
    def setUp(self):
        rng = np.random.default_rng(4)
        self.stack = rng.standard_normal((2, 5, 5))
        self.tall = rng.standard_normal((3, 6, 4))

    def test_against_numpy(self):
        s = self.stack
        for name in ("inv", "det"):
            self.close(getattr(ts.linalg, name)(ts.asarray(s)), getattr(np.linalg, name)(s), 1e-8)
        got, want = ts.linalg.slogdet(ts.asarray(s)), np.linalg.slogdet(s)
        self.close(got.sign, want[0])
        self.close(got.logabsdet, want[1])
        b = np.arange(5.0)
        self.close(ts.linalg.solve(ts.asarray(s), ts.asarray(b)), np.linalg.solve(s, np.stack([b, b])[..., None])[..., 0], 1e-8)
        b = np.arange(20.0).reshape(2, 5, 2)
        self.close(ts.linalg.solve(ts.asarray(s), ts.asarray(b)), np.linalg.solve(s, b), 1e-8)
        for n in (0, 1, 3, -2):
            self.close(ts.linalg.matrix_power(ts.asarray(s), n), np.linalg.matrix_power(s, n), 1e-6)
        for wide in (self.tall, self.tall.transpose(0, 2, 1)):
            self.close(ts.linalg.svdvals(ts.asarray(wide)), np.linalg.svd(wide, compute_uv=False), 1e-8)
            self.close(ts.linalg.pinv(ts.asarray(wide)), np.linalg.pinv(wide), 1e-6)
            self.equal(ts.linalg.matrix_rank(ts.asarray(wide)), np.linalg.matrix_rank(wide))

    def test_what_has_to_hold(self):
        for dtype, bound in (("float64", 1e-12), ("float32", 1e-4)):
            s, t = ts.asarray(self.stack, dtype=dtype), ts.asarray(self.tall, dtype=dtype)
            symmetric = s @ s.mT
            for upper in (False, True):
                c = ts.linalg.cholesky(symmetric, upper=upper)
                self.close(c.mT @ c if upper else c @ c.mT, np.asarray(symmetric), bound, bound)
            values, vectors = ts.linalg.eigh(symmetric)
            self.close(symmetric @ vectors, np.asarray(vectors) * np.asarray(values)[:, None, :], bound * 10, bound * 10)
            self.close(ts.linalg.eigvalsh(symmetric), np.asarray(values), bound * 10, bound * 10)
            for mode in ("reduced", "complete"):
                q, r = ts.linalg.qr(t, mode=mode)
                self.close(q @ r, np.asarray(t), bound, bound)
            for full in (True, False):
                u, d, vh = ts.linalg.svd(t, full_matrices=full)
                self.assertEqual(u.shape[-1], 6 if full else 4)
                self.close((u[..., :4] * d[..., None, :]) @ vh, np.asarray(t), bound * 10, bound * 10)
            self.assertEqual((u.dtype.name, d.dtype.name), (dtype, dtype))

    def test_eigenvalues_of_any(self):
        for dtype, wide, bound in (("float64", "complex128", 1e-12), ("float32", "complex64", 1e-4)):
            s = ts.asarray(self.stack, dtype=dtype)
            values, vectors = ts.linalg.eig(s)
            self.assertEqual((values.dtype.name, vectors.dtype.name), (wide, wide))
            w, v = np.asarray(values), np.asarray(vectors)
            np.testing.assert_allclose(np.asarray(s) @ v, v * w[:, None, :], bound, bound)
            np.testing.assert_allclose(np.linalg.norm(v, axis=-2), np.ones(w.shape), bound)
            want = np.linalg.eigvals(np.asarray(s))
            for got in (w, np.asarray(ts.linalg.eigvals(s))):
                np.testing.assert_allclose(np.sort_complex(got), np.sort_complex(want), bound * 10, bound * 10)
        with self.assertRaises(ValueError):
            ts.linalg.eig(ts.ones((2, 3)))

    def test_complex_against_numpy(self):
        rng = np.random.default_rng(9)
        s = rng.standard_normal((2, 5, 5)) + 1j * rng.standard_normal((2, 5, 5))
        tall = rng.standard_normal((3, 6, 4)) + 1j * rng.standard_normal((3, 6, 4))
        h = s @ s.conj().swapaxes(-1, -2)
        b = rng.standard_normal((2, 5, 2)) + 1j
        x = ts.asarray(s)
        self.close(x @ ts.asarray(h), s @ h, 1e-10)
        self.close(ts.linalg.inv(x), np.linalg.inv(s), 1e-8)
        self.close(ts.linalg.det(x), np.linalg.det(s), 1e-8)
        sign, log = ts.linalg.slogdet(x)
        self.close(sign, np.linalg.slogdet(s)[0], 1e-10)
        self.close(log, np.linalg.slogdet(s)[1], 1e-10)
        self.close(ts.linalg.solve(x, ts.asarray(b)), np.linalg.solve(s, b), 1e-8)
        self.close(ts.linalg.cholesky(ts.asarray(h)), np.linalg.cholesky(h), 1e-8)
        self.close(ts.linalg.eigvalsh(ts.asarray(h)), np.linalg.eigvalsh(h), 1e-8)
        self.close(ts.linalg.matrix_power(x, -2), np.linalg.matrix_power(s, -2), 1e-6)
        q, r = ts.linalg.qr(ts.asarray(tall))
        self.close(q @ r, tall, 1e-12)
        self.close(r[0], np.linalg.qr(tall[0])[1], 1e-10)
        for wide in (tall, tall.transpose(0, 2, 1)):
            t = ts.asarray(wide)
            self.close(ts.linalg.svdvals(t), np.linalg.svd(wide, compute_uv=False), 1e-8)
            self.close(ts.linalg.pinv(t), np.linalg.pinv(wide), 1e-6)
            self.close(ts.linalg.pinv(t, rtol=ts.zeros(3)), np.linalg.pinv(wide), 1e-6)
            self.equal(ts.linalg.matrix_rank(t), np.linalg.matrix_rank(wide))
            for order in ("fro", "nuc", 1, -1, 2, -2, float("inf"), float("-inf")):
                self.close(ts.linalg.matrix_norm(t, ord=order), np.linalg.norm(wide, order, (-2, -1)), 1e-10)
        u, d, vh = ts.linalg.svd(ts.asarray(tall), full_matrices=False)
        self.assertEqual((u.dtype.name, d.dtype.name, vh.dtype.name), ("complex128", "float64", "complex128"))
        self.close((u * d[..., None, :]) @ vh, tall, 1e-10)
        values, vectors = ts.linalg.eig(x)
        np.testing.assert_allclose(s @ np.asarray(vectors), np.asarray(vectors) * np.asarray(values)[:, None, :], 1e-10, 1e-10)
        np.testing.assert_allclose(np.sort_complex(np.asarray(values)), np.sort_complex(np.linalg.eigvals(s)), 1e-10, 1e-10)
        self.close(ts.linalg.outer(x[0, 0, :], x[1, 0, :]), np.outer(s[0, 0], s[1, 0]), 1e-12)
        self.close(ts.tensordot(x[0, ...], x[1, ...], axes=1), np.tensordot(s[0], s[1], 1), 1e-10)

    def test_tolerances(self):
        t = ts.asarray(self.tall)
        d = np.linalg.svd(self.tall, compute_uv=False)
        cut = (d[:, 1] + d[:, 2]) / 2 / d[:, 0]
        self.equal(ts.linalg.matrix_rank(t, rtol=ts.asarray(cut)), [2, 2, 2])
        self.equal(ts.linalg.matrix_rank(t[0], rtol=float(cut[0])), 2)
        for rtol in (cut[0], 1e-10):
            self.close(ts.linalg.pinv(t[0], rtol=rtol), np.linalg.pinv(self.tall[0], rtol), 1e-8)
        self.close(ts.linalg.pinv(t, rtol=ts.asarray(cut)), np.linalg.pinv(self.tall, cut), 1e-8, 1e-12)

    def test_norms(self):
        m = self.tall
        for order in ("fro", "nuc", 1, -1, 2, -2, float("inf"), -float("inf")):
            for keepdims in (False, True):
                want = np.linalg.norm(m, order, axis=(-2, -1), keepdims=keepdims)
                self.close(ts.linalg.matrix_norm(ts.asarray(m), ord=order, keepdims=keepdims), want, 1e-8)
        with self.assertRaises(ValueError):
            ts.linalg.matrix_norm(ts.asarray(m), ord=3)
        for order in (0, 1, 2, 3, 0.5, -1, float("inf"), -float("inf")):
            self.close(ts.linalg.vector_norm(ts.asarray(m), ord=order, axis=1), np.linalg.norm(m, order, axis=1), 1e-8)
        self.close(ts.linalg.vector_norm(ts.asarray(m)), np.linalg.norm(m.ravel()), 1e-10)
        self.close(ts.linalg.vector_norm(ts.asarray(m), axis=(0, 2), keepdims=True), np.sqrt((m * m).sum((0, 2), keepdims=True)), 1e-10)

    def test_refused(self):
        singular = ts.ones((2, 2))
        for wrong in (lambda: ts.linalg.inv(singular), lambda: ts.linalg.solve(singular, ts.ones(2)), lambda: ts.linalg.cholesky(-ts.eye(2))):
            with self.assertRaises(ts.LinAlgError):
                wrong()
        self.equal(ts.linalg.det(singular), 0.0)
        for wrong in (ts.zeros(3), ts.zeros((2, 3))):
            with self.assertRaises(ValueError):
                ts.linalg.inv(wrong)
        with self.assertRaises(ts.LinAlgError):
            ts.linalg.inv(ts.asarray([[1j, 1], [-1, 1j]]))  # its rows are multiples of each other
        with self.assertRaises(ValueError):
            ts.linalg.qr(ts.eye(2), mode="r")


@with_numpy
class Fourier(Case):
    def test_lines(self):
        rng = np.random.default_rng(6)
        real = rng.standard_normal((3, 10))
        z = real + 1j * rng.standard_normal((3, 10))
        for name in ("fft", "ifft", "rfft", "irfft", "hfft", "ihfft"):
            a = real if name in ("rfft", "ihfft") else z
            for n in (None, 1, 7, 10, 16):
                if name in ("irfft", "hfft") and n == 1:
                    continue
                for axis in (-1, 0):
                    for norm in ("backward", "ortho", "forward"):
                        want = getattr(np.fft, name)(a, n, axis, norm)
                        self.close(getattr(ts.fft, name)(ts.asarray(a), n=n, axis=axis, norm=norm), want, 1e-9, 1e-9, f"{name} {n} {axis} {norm}")
            with self.assertRaises((ValueError, IndexError)):
                getattr(ts.fft, name)(ts.asarray(a), n=0)
            with self.assertRaises(IndexError):
                getattr(ts.fft, name)(ts.asarray(a), axis=5)
            with self.assertRaises(ValueError):
                getattr(ts.fft, name)(ts.asarray(a), norm="other")
        self.assertEqual(ts.fft.fft(ts.ones(4, dtype=ts.complex64)).dtype, ts.complex64)
        self.assertEqual(ts.fft.rfft(ts.ones(4, dtype=ts.float32)).dtype, ts.complex64)
        self.assertEqual(ts.fft.irfft(ts.ones(4, dtype=ts.complex64)).dtype, ts.float32)
        with self.assertRaises(TypeError):
            ts.fft.rfft(ts.ones(4, dtype=ts.complex64))

    def test_many_axes(self):
        a = np.random.default_rng(7).standard_normal((3, 4, 6))
        z = a + 1j * a[::-1]
        for name in ("fftn", "ifftn", "rfftn", "irfftn"):
            b = a if name == "rfftn" else z
            for s, axes in ((None, None), (None, (0, 1)), ((4, 5), None), ((4, 5), (0, 2)), (None, (-1,)), ((2, 3, 4), (2, 0, 1))):
                want = getattr(np.fft, name)(b, s, axes)
                self.close(getattr(ts.fft, name)(ts.asarray(b), s=s, axes=axes), want, 1e-9, 1e-9, f"{name} {s} {axes}")
        with self.assertRaises(ValueError):
            ts.fft.fftn(ts.asarray(z), s=(1,), axes=(0, 1))
        with self.assertRaises(IndexError):
            ts.fft.fftn(ts.asarray(z), s=(1,), axes=(5,))

    def test_frequencies_and_shifts(self):
        for n in (1, 4, 5):
            self.close(ts.fft.fftfreq(n, d=0.5), np.fft.fftfreq(n, 0.5))
            self.close(ts.fft.rfftfreq(n, d=0.5), np.fft.rfftfreq(n, 0.5))
        self.assertEqual(ts.fft.fftfreq(4, dtype=ts.float32).dtype, ts.float32)
        a = np.arange(20).reshape(4, 5)
        for axes in (None, 0, (0, 1)):
            self.equal(ts.fft.fftshift(ts.asarray(a), axes=axes), np.fft.fftshift(a, axes))
            self.equal(ts.fft.ifftshift(ts.asarray(a), axes=axes), np.fft.ifftshift(a, axes))


if __name__ == "__main__":
    unittest.main()
