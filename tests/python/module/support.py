"""What the tests of the module share."""
import unittest

import tessera as ts

try:
    import numpy as np
except ImportError:
    np = None

with_numpy = unittest.skipIf(np is None, "NumPy is not installed")
REALS = ("int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64", "float16", "float32", "float64")
FLOATS = ("float32", "float64")
STANDARD = ("bool", "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64", "float32", "float64", "complex64",
            "complex128")


class Case(unittest.TestCase):
    """Compares tensors with NumPy's arrays and with lists."""

    def equal(self, got, want, message=None):
        """The same shape, dtype (where want has one) and elements; NaN equals NaN."""
        self.assertIsInstance(got, ts.Tensor, message)
        if np is not None and isinstance(want, (np.ndarray, np.generic)):
            self.assertEqual(got.dtype.name, want.dtype.name, message)
            want = np.asarray(want)
            self.assertEqual(got.shape, want.shape, message)
            np.testing.assert_array_equal(np.asarray(got), want, err_msg=message or "")
        elif isinstance(want, ts.Tensor):
            self.assertEqual((got.dtype, got.shape), (want.dtype, want.shape), message)
            self.assertEqual(repr(got.tolist()), repr(want.tolist()), message)
        else:
            self.assertEqual(repr(got.tolist()), repr(want), message)

    def close(self, got, want, rtol=1e-6, atol=1e-8, message=None):
        self.assertIsInstance(got, ts.Tensor, message)
        self.assertEqual(got.shape, np.asarray(want).shape, message)
        np.testing.assert_allclose(np.asarray(got), want, rtol=rtol, atol=atol, err_msg=message or "")
