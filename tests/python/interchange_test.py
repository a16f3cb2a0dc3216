"""NumPy and PyTorch against Tessera: arrays through DLPack in both directions without a copy, .npz files there and back."""
import os
import sys
import tempfile

import numpy as np

import tessera_test as tessera

passed = failed = 0
skipped = []
DTYPES = {"bool": "?", "i8": "i1", "i16": "<i2", "i32": "<i4", "i64": "<i8", "u8": "u1", "u16": "<u2", "u32": "<u4",
          "u64": "<u8", "f16": "<f2", "f32": "<f4", "f64": "<f8", "c64": "<c8", "c128": "<c16"}


def check(ok, what):
    global passed, failed
    passed, failed = passed + bool(ok), failed + (not ok)
    if not ok:
        print("FAILED ", what)


class Exporter:
    """What np.from_dlpack and torch.from_dlpack take."""

    def __init__(self, dtype, order):
        self.dtype, self.order = dtype, order

    def __dlpack__(self, stream=None):
        return tessera.export(self.dtype, self.order)

    def __dlpack_device__(self):
        return (1, 0)


def expected(dtype, order):
    """What tessera.export makes: bytes 1, 2, 3 … in the order of memory."""
    code = np.dtype(DTYPES[dtype])
    raw = bytes((i + 1) % 2 if dtype == "bool" else (i + 1) % 256 for i in range(6 * code.itemsize))
    return np.frombuffer(raw, code).reshape((2, 3), order="F" if order else "C")


def same(a, b):
    return a.shape == b.shape and a.dtype == b.dtype and a.tobytes() == b.tobytes()


def numpy_both_ways():
    for dtype in DTYPES:
        for order in (0, 2):  # TSR_ROW_MAJOR, TSR_FORTRAN
            what = f"numpy {dtype} order {order}"
            want = expected(dtype, order)
            try:
                got = np.from_dlpack(Exporter(dtype, order))
                check(same(got, want), what + " from Tessera")
            except (RuntimeError, BufferError) as error:  # NumPy before 1.25 has no bool here
                skipped.append(f"{what} from Tessera: {error}")
            try:
                name, shape, raw = tessera.take(np.array(want, order="F" if order else "C").__dlpack__())
                check(name == dtype and shape == (2, 3) and raw == want.tobytes(), what + " to Tessera")
            except (TypeError, BufferError) as error:
                skipped.append(f"{what} to Tessera: {error}")
    reverse = np.arange(10, dtype="<i4")[::-2]
    name, shape, raw = tessera.take(reverse.__dlpack__())
    check(name == "i32" and shape == (5,) and raw == reverse.tobytes(), "numpy with a negative stride")
    owner = np.zeros(3)
    count = sys.getrefcount(owner)
    for _ in range(100):
        tessera.take(owner.__dlpack__())
    check(sys.getrefcount(owner) == count, "numpy: the deleter ran once each time")
    unused = owner.__dlpack__()
    del unused
    check(sys.getrefcount(owner) == count, "numpy: a capsule that nobody took")
    tessera.export("f32", 0)  # a capsule of ours that nobody takes


def torch_both_ways():
    try:
        import torch
    except ImportError:
        skipped.append("torch is not installed")
        return
    kinds = {"bool": torch.bool, "i8": torch.int8, "i16": torch.int16, "i32": torch.int32, "i64": torch.int64,
             "u8": torch.uint8, "f16": torch.float16, "bf16": torch.bfloat16, "f32": torch.float32, "f64": torch.float64,
             "c64": torch.complex64, "c128": torch.complex128}
    for dtype, kind in kinds.items():
        for order in (0, 2):
            what = f"torch {dtype} order {order}"
            try:
                got = torch.utils.dlpack.from_dlpack(tessera.export(dtype, order))
            except RuntimeError as error:  # bool before 2.0
                skipped.append(f"{what} from Tessera: {error}")
                got = None
            if got is not None:
                check(got.dtype == kind and tuple(got.shape) == (2, 3), what + " from Tessera")
                if dtype in DTYPES:
                    check(same(got.numpy(), expected(dtype, order)), what + " from Tessera, elements")
            mine = torch.arange(6).reshape(2, 3).to(kind)
            mine = mine.t().contiguous().t() if order else mine
            try:
                capsule = torch.utils.dlpack.to_dlpack(mine)
            except RuntimeError as error:
                skipped.append(f"{what} to Tessera: {error}")
                continue
            name, shape, raw = tessera.take(capsule)
            whole = mine.contiguous()
            want = whole.view(torch.int16).numpy().tobytes() if dtype == "bf16" else whole.numpy().tobytes()
            check(name == dtype and shape == (2, 3) and raw == want, what + " to Tessera")


def npz_both_ways():
    arrays = {f"{name}.{order}": np.array(expected(name, 0), order=order) for name in DTYPES for order in "CF"}
    arrays.update({"scalar": np.float64(1.5), "none": np.zeros((2, 0, 3), "<i2"), "big": np.arange(4, dtype=">f4"),
                   "dir/\u00e9": np.arange(3)})
    with tempfile.TemporaryDirectory() as folder:
        for save in (np.savez, np.savez_compressed):
            for deflate in (False, True):
                source, target = os.path.join(folder, "a.npz"), os.path.join(folder, "b.npz")
                save(source, **arrays)
                try:
                    tessera.convert(source, target, deflate)
                except ValueError as error:
                    if "no zlib" not in str(error):
                        raise
                    skipped.append(f"npz {save.__name__}, deflate {deflate}: {error}")
                    continue
                with np.load(target) as back:
                    check(list(back.files) == list(arrays), "npz names")
                    for name, array in arrays.items():
                        got = back[name]
                        check(got.shape == np.shape(array) and np.array_equal(got, array) and
                              got.dtype == np.asarray(array).dtype.newbyteorder("<") and
                              got.flags.f_contiguous == np.asarray(array).flags.f_contiguous, f"npz {name}")
                import zipfile
                with zipfile.ZipFile(target) as archive:
                    check(archive.testzip() is None, "npz: Python finds every CRC right")


numpy_both_ways()
torch_both_ways()
npz_both_ways()
for why in skipped:
    print("skipped", why)
print(f"{passed} passed, {failed} failed, {len(skipped)} skipped")
sys.exit(failed > 0)
