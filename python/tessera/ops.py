"""Every op of the library by its name, with the parameters of its C function: inputs, what must be given, the rest; `out=` writes
into tensors that are there."""
from ._core import functions as _functions

ALL = _functions()
globals().update(ALL)
__all__ = list(ALL)
