#!/usr/bin/env python3
"""numpy_round_trip.py FOLDER: the other half of numpy_test.c. Reads what Tessera wrote there (t_*), writes the same
arrays with NumPy (n_*). Exits with 77 where there is no NumPy, with 1 and the first difference when something differs.

safetensors files are read and written by the few lines below, from the format's description: the package that does it
is not needed."""
import io
import json
import os
import sys

try:
    import numpy as np
except ImportError:
    sys.exit(77)

FOLDER = sys.argv[1]

# Tessera's name: number, NumPy's dtype, safetensors' name, bytes that an element is aligned to.
DTYPES = {
    "bool": (1, "|b1", "BOOL", 1), "i8": (2, "|i1", "I8", 1), "i16": (3, "<i2", "I16", 2), "i32": (4, "<i4", "I32", 4),
    "i64": (5, "<i8", "I64", 8), "u8": (6, "|u1", "U8", 1), "u16": (7, "<u2", "U16", 2), "u32": (8, "<u4", "U32", 4),
    "u64": (9, "<u8", "U64", 8), "f16": (10, "<f2", "F16", 2), "bf16": (11, "|V2", "BF16", 2),
    "f32": (12, "<f4", "F32", 4), "f64": (13, "<f8", "F64", 8), "f8_e4m3": (14, "|V1", "F8_E4M3", 1),
    "f8_e5m2": (15, "|V1", "F8_E5M2", 1), "c64": (16, "<c8", "C64", 4), "c128": (17, "<c16", "C128", 8),
}
SHAPES = {"c": (2, 3, 4), "fortran": (2, 3, 4), "strided": (2, 3, 4), "flipped": (2, 3, 4), "scalar": (), "empty": (0, 3)}


def check(same, what):
    if not same:
        sys.exit(f"numpy_round_trip: {what}")


def row_major_bytes(name, shape):
    """The elements of a case, little-endian: the same rule as in numpy_test.c."""
    number, descr, _, _ = DTYPES[name]
    size, count = np.dtype(descr).itemsize, int(np.prod(shape, dtype=np.int64))
    rule = [[(k * 37 + j * 101 + number * 59 + 3) & 255 for j in range(size)] for k in range(count)]
    flat = bytes(b for element in rule for b in element)
    return bytes(b & 1 for b in flat) if name == "bool" else flat


def array_of(name, order):
    shape = SHAPES[order]
    plain = np.frombuffer(row_major_bytes(name, shape), DTYPES[name][1]).reshape(shape)
    if order == "fortran":
        return np.asfortranarray(plain)
    if order == "strided":
        wide = np.zeros((2, 6, 4), plain.dtype)
        wide[:, ::2] = plain
        return wide[:, ::2]
    if order == "flipped":
        return np.ascontiguousarray(plain[::-1])[::-1]
    return plain


def same_array(got, name, order):
    want = array_of(name, order)
    return (got.shape == want.shape and got.dtype.itemsize == want.dtype.itemsize
            and np.ascontiguousarray(got).tobytes() == row_major_bytes(name, want.shape))


def path(file):
    return os.path.join(FOLDER, file)


CASES = [(name, order) for name in DTYPES for order in SHAPES]


# ---- .npy and .npz ----

def saved(array):
    stream = io.BytesIO()
    np.save(stream, array)
    return stream.getvalue()


def check_npy(name, order):
    file = path(f"t_{name}_{order}.npy")
    got = np.load(file)
    check(same_array(got, name, order), f"{file}: other elements")
    check(order != "fortran" or got.flags.f_contiguous, f"{file}: not in Fortran order")
    check(same_array(np.load(file, mmap_mode="r"), name, order) if order not in ("scalar", "empty") else True,
          f"{file}: other elements when it is mapped")
    if DTYPES[name][1][1] != "V":  # what NumPy has no dtype for, it does not write as Tessera does
        with open(file, "rb") as stream:
            check(stream.read() == saved(array_of(name, order)), f"{file}: other bytes than NumPy's")


def check_npz(name, file):
    with np.load(path(file)) as archive:
        check(sorted(archive.files) == sorted(SHAPES), f"{file}: has {archive.files}")
        for order in SHAPES:
            check(same_array(archive[order], name, order), f"{file}: {order}: other elements")


def write_numpy(name):
    arrays = {order: array_of(name, order) for order in SHAPES}
    for order, array in arrays.items():
        np.save(path(f"n_{name}_{order}.npy"), array)
        if array.dtype.kind != "V":
            np.save(path(f"b_{name}_{order}.npy"), array.astype(array.dtype.newbyteorder(">"), order="K"))
    np.savez(path(f"n_{name}.npz"), **arrays)
    np.savez_compressed(path(f"n_{name}_packed.npz"), **arrays)


# ---- safetensors ----

def read_safetensors(file):
    with open(path(file), "rb") as stream:
        data = stream.read()
    length = int.from_bytes(data[:8], "little")
    header = json.loads(data[8:8 + length].decode("utf-8"))
    check((8 + length) % 8 == 0, f"{file}: data at {8 + length}")
    return header.pop("__metadata__", {}), header, data[8 + length:]


def check_safetensors(file):
    _, header, data = read_safetensors(file)
    check(sorted(header) == sorted(f"{name}.{order}" for name, order in CASES), f"{file}: other names")
    end = 0
    for name, order in CASES:
        entry = header[f"{name}.{order}"]
        begin, stop = entry["data_offsets"]
        check(entry["dtype"] == DTYPES[name][2] and tuple(entry["shape"]) == SHAPES[order], f"{file}: {entry}")
        check(begin % DTYPES[name][3] == 0, f"{file}: {entry} is not aligned")
        check(data[begin:stop] == row_major_bytes(name, SHAPES[order]), f"{file}: {name}.{order}: other bytes")
        end = max(end, stop)
    check(end == len(data), f"{file}: {len(data) - end} bytes after the last tensor")


def plain_safetensors():
    """The widest first, then by name: as the format's own writer does."""
    header, data = {}, b""
    for name, order in sorted(CASES, key=lambda case: (-DTYPES[case[0]][3], f"{case[0]}.{case[1]}")):
        part = row_major_bytes(name, SHAPES[order])
        header[f"{name}.{order}"] = {"dtype": DTYPES[name][2], "shape": list(SHAPES[order]),
                                     "data_offsets": [len(data), len(data) + len(part)]}
        data += part
    text = json.dumps(header, separators=(",", ":")).encode("utf-8")
    text += b" " * (-(8 + len(text)) % 8)
    return len(text).to_bytes(8, "little") + text + data


def main():
    for name, order in CASES:
        check_npy(name, order)
    for name in DTYPES:
        for file in (f"t_{name}.npz", f"t_{name}_packed.npz"):
            if os.path.exists(path(file)):
                check_npz(name, file)
        write_numpy(name)
    check_safetensors("t_all.safetensors")
    metadata, _, _ = read_safetensors("t_all.safetensors")
    check(metadata.get("tessera.order.f32.fortran") == "2,1,0", f"t_all.safetensors: {metadata}")
    plain = plain_safetensors()
    with open(path("t_plain.safetensors"), "rb") as stream:
        check(stream.read() == plain, "t_plain.safetensors: other bytes than the format's rules give")
    with open(path("n_all.safetensors"), "wb") as stream:
        stream.write(plain)


main()
