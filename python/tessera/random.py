"""Random numbers: what is drawn is a function of seed, stream and place, the same on every machine."""
from . import _core, ops
from ._core import Rng

__all__ = ["Rng", "Generator", "default_rng"]


def _shape(shape):
    return () if shape is None else shape


class Generator:
    """Draws tensors; rng is its state, which ops take."""

    def __init__(self, seed=0, stream=0):
        self.rng = seed if isinstance(seed, Rng) else Rng(seed, stream)

    def random(self, shape=None, *, dtype=_core.float64):
        """Numbers in [0, 1), evenly."""
        return ops.rand_uniform(self.rng, _shape(shape), dtype=dtype)

    def uniform(self, low=0.0, high=1.0, shape=None, *, dtype=_core.float64):
        """Numbers in [low, high), evenly."""
        return ops.rand_uniform(self.rng, _shape(shape), low, high, dtype=dtype)

    def normal(self, mean=0.0, std=1.0, shape=None, *, dtype=_core.float64):
        """Numbers of the normal distribution."""
        return ops.rand_normal_scaled(self.rng, _shape(shape), mean, std, dtype=dtype)

    def integers(self, low, high=None, shape=None, *, dtype=_core.int64):
        """Integers in [low, high), or in [0, low)."""
        low, high = (0, low) if high is None else (low, high)
        return ops.rand_integers(self.rng, _shape(shape), high, low=low, dtype=dtype)

    def bernoulli(self, p=0.5, shape=None):
        """Bools that are true with probability p."""
        return ops.rand_bernoulli(self.rng, _shape(shape), p=p)

    def permutation(self, n):
        """The numbers 0 … n - 1, or the rows of a tensor, in random order."""
        if isinstance(n, int):
            return ops.rand_permutation(self.rng, n)
        return ops.take(n, ops.rand_permutation(self.rng, n.shape[0]), 0)

    def __repr__(self):
        return f"Generator({self.rng!r})"


def default_rng(seed=0):
    """A generator of a seed; the same seed gives the same numbers."""
    return Generator(seed)
