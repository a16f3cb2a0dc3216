#!/usr/bin/python3
"""Writes tests/io/data/: arrays as NumPy saves them, several to a file, in the order that npy_golden_test.c reads; and
the first inputs of the fuzzer, fuzz/corpus/npy/.

golden_<dtype>.npy: for every shape, row-major and Fortran order, each little- then big-endian. Element k (in row-major
order) has the bits of PATTERN * (k + 1), cut to its size, so that no two of its bytes are alike.
"""
import io
import os

import numpy as np
from numpy.lib import format as npy

PROJECT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..")
SHAPES = [(), (3,), (2, 3), (2, 3, 2), (1, 2, 1, 3), (2, 1, 2, 1, 2), (0,), (2, 0, 3)]
PATTERN = 0x0102030405060708

# Tessera's name, NumPy's kind, bytes of one number, numbers of one element.
TYPES = [("bool", "b", 1, 1), ("i8", "i", 1, 1), ("i16", "i", 2, 1), ("i32", "i", 4, 1), ("i64", "i", 8, 1),
         ("u8", "u", 1, 1), ("u16", "u", 2, 1), ("u32", "u", 4, 1), ("u64", "u", 8, 1), ("f16", "f", 2, 1),
         ("bf16", "V", 2, 1), ("f32", "f", 4, 1), ("f64", "f", 8, 1), ("f8_e4m3", "V", 1, 1), ("c64", "c", 4, 2),
         ("c128", "c", 8, 2)]


def elements(kind, unit, parts, shape, byte_order):
    """An array of the pattern, as unsigned numbers of the unit in byte_order, then viewed as the element type."""
    count = int(np.prod(shape, dtype=np.int64)) * parts
    if kind == "b":
        return np.array([k % 3 != 0 for k in range(count)], dtype="?").reshape(shape)
    bits = [(PATTERN * (k + 1)) % (1 << 8 * unit) for k in range(count)]
    numbers = np.array(bits, dtype=f"{byte_order}u{unit}")
    if kind == "V":
        return numbers.reshape(shape)
    return np.frombuffer(numbers.tobytes(), dtype=f"{byte_order}{kind}{unit * parts}").reshape(shape)


def saved(array, descr=None):
    """np.save's bytes. NumPy has no bf16 and f8: packages that add them save numbers under a void type's name."""
    stream = io.BytesIO()
    if descr is None:
        np.save(stream, array)
        return stream.getvalue()
    header = dict(npy.header_data_from_array_1_0(array), descr=descr)
    npy._write_array_header(stream, header)
    return stream.getvalue() + array.tobytes("F" if header["fortran_order"] else "C")


def golden(kind, unit, parts):
    out = b""
    for shape in SHAPES:
        for order in "CF":
            for byte_order in "<>":
                array = np.array(elements(kind, unit, parts, shape, byte_order), order=order)
                out += saved(array, f"{byte_order}V{unit}" if kind == "V" else None)
    return out


def versions():
    stream = io.BytesIO()
    for version in [(1, 0), (2, 0), (3, 0)]:
        npy.write_array(stream, np.arange(6, dtype="<i4").reshape(2, 3), version=version)
    return stream.getvalue()


def values():
    """Numbers that a person can check, in both byte orders."""
    out = b""
    for byte_order in "<>":
        for array in [np.array([0.0, 1.5, -2.25, np.inf], dtype=byte_order + "f4"),
                      np.array([0.0, 1.5, -2.25, 1e300], dtype=byte_order + "f8"),
                      np.array([-32768, -1, 0, 32767], dtype=byte_order + "i2"),
                      np.array([1 + 2j, -0.5j], dtype=byte_order + "c8")]:
            out += saved(array)
    return out


def seed(options, array, version):
    """A fuzzer's input: a byte of options (see npy_fuzz.c), then the file."""
    stream = io.BytesIO()
    npy.write_array(stream, array, version=version)
    return bytes([options]) + stream.getvalue()


def short_seed(options, major, header, data):
    length = len(header).to_bytes(2 if major == 1 else 4, "little")
    return bytes([options]) + b"\x93NUMPY" + bytes([major, 0]) + length + header + data


def seeds():
    return {
        "scalar_f64": seed(0, np.array(1.5), (1, 0)),
        "rows_f32": seed(1, np.arange(6, dtype="<f4").reshape(2, 3), (1, 0)),
        "columns_i16_big": seed(2, np.asfortranarray(np.arange(6, dtype=">i2").reshape(2, 3)), (2, 0)),
        "complex_version_3": seed(0, np.arange(2, dtype="<c16"), (3, 0)),
        "zero_size": seed(0, np.zeros((2, 0, 3), "u1"), (1, 0)),
        "bool": seed(0, np.array([True, False]), (1, 0)),
        "void_short": short_seed(1, 1, b"{'shape':(3L,),'fortran_order':False,'descr':'<V1'}", b"abc"),
        "void_two": short_seed(0, 2, b"{'shape':(1,1,2),'fortran_order':True,\"descr\":'>V2'}\n", b"abcd"),
    }


def write(folder, files):
    folder = os.path.join(PROJECT, folder)
    os.makedirs(folder, exist_ok=True)
    for name, content in files.items():
        with open(os.path.join(folder, name), "wb") as out:
            out.write(content)
    print(f"{len(files)} files, {sum(map(len, files.values()))} bytes, NumPy {np.__version__}")


def main():
    files = {f"golden_{name}.npy": golden(kind, unit, parts) for name, kind, unit, parts in TYPES}
    files["versions.npy"] = versions()
    files["values.npy"] = values()
    write("tests/io/data", files)
    write("fuzz/corpus/npy", seeds())


if __name__ == "__main__":
    main()
