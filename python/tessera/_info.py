"""What the namespace has, as the standard asks."""
from . import _core
from ._dtypes import isdtype

_STANDARD = ("bool", "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64", "float32", "float64", "complex64",
             "complex128")


class _Info:
    def capabilities(self):
        """Which parts of the standard that may be left out are there."""
        return {"boolean indexing": True, "data-dependent shapes": True, "max dimensions": 8}

    def default_device(self):
        """Where tensors are made."""
        return "cpu"

    def _check(self, device):
        if device is not None and device not in self.devices():
            raise ValueError(f"there is no device {device!r}; there are {', '.join(self.devices())}")

    def default_dtypes(self, *, device=None):
        """The dtypes that functions take where none is given; the same on all devices."""
        self._check(device)
        return {"real floating": _core.float64, "complex floating": _core.complex128, "integral": _core.int64,
                "indexing": _core.int64}

    def devices(self):
        """The names of all devices."""
        return ("cpu", *(f"cuda:{i}" for i in range(_core.device_count("cuda"))))

    def dtypes(self, *, device=None, kind=None):
        """The standard's dtypes by their names, of a kind, or of a tuple of kinds."""
        self._check(device)
        all_of_them = {name: getattr(_core, name) for name in _STANDARD}
        return {name: dtype for name, dtype in all_of_them.items() if kind is None or isdtype(dtype, kind)}


def __array_namespace_info__():
    """What the namespace has: capabilities, devices, dtypes and their defaults."""
    return _Info()
