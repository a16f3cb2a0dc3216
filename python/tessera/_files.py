"""Files of tensors."""
from . import _core
from ._core import Tensor


def load(path):
    """The tensors of a file by their names: safetensors, .npz, GGUF; the tensor of a file that holds one: .npy, .png, .csv, PGM,
    PPM. What can be mapped is: its elements are read where they are touched, and must not be written."""
    tensors = _core.load(path)
    single = not str(path).endswith((".safetensors", ".npz", ".gguf"))
    return next(iter(tensors.values())) if single and len(tensors) == 1 else tensors


def save(path, tensors):
    """Writes a tensor, or a dict of names and tensors, to a file of the format that its name ends with. A failure leaves an old
    file whole."""
    _core.save(path, {"x": tensors} if isinstance(tensors, Tensor) else dict(tensors))
