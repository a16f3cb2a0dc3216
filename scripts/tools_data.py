#!/usr/bin/env python3
"""Writes tests/tools/data: small files that the tests of the command look at. Needs NumPy."""
import json
import pathlib
import struct

import numpy

folder = pathlib.Path(__file__).resolve().parent.parent / "tests" / "tools" / "data"
TYPES = {"float32": "F32", "float64": "F64", "float16": "F16", "int64": "I64", "uint8": "U8", "bool": "BOOL",
         "complex64": "C64"}


def safetensors(name, tensors, metadata=None, foreign=()):
    header, data = {}, b""
    if metadata:
        header["__metadata__"] = metadata
    for key, value in tensors.items():
        raw = value.tobytes()
        header[key] = {"dtype": TYPES[str(value.dtype)], "shape": list(value.shape),
                       "data_offsets": [len(data), len(data) + len(raw)]}
        data += raw
    for key, dtype, shape, size in foreign:
        header[key] = {"dtype": dtype, "shape": shape, "data_offsets": [len(data), len(data) + size]}
        data += bytes(size)
    text = json.dumps(header).encode()
    text += b" " * (-len(text) % 8)
    (folder / name).write_bytes(struct.pack("<Q", len(text)) + text + data)


def main():
    folder.mkdir(parents=True, exist_ok=True)
    eighths = numpy.arange(96, dtype="f4").reshape(2, 8, 6) / 8 - 4
    model = {"encoder.w": eighths, "encoder.b": numpy.zeros(6, "f4"), "head.w": numpy.eye(4, 3), "ids": numpy.arange(5),
             "mask": numpy.array([True, False, True]), "a[0]": numpy.ones(2, "f2")}
    safetensors("model.safetensors", model, {"made by": "a test", "note": "two\nlines"})
    model["encoder.w"] = eighths.copy()
    model["encoder.w"][1, 2, 3] += 0.5
    model["encoder.w"][1, 7, 5] = 0
    del model["mask"]
    model["extra"] = numpy.zeros(1, "u1")
    safetensors("changed.safetensors", model)
    safetensors("hostile.safetensors", {"\x1b[31mred\x1b[0m": numpy.ones(2, "f4"), "two\nlines\t\\": numpy.ones(1, "f4"),
                                        "\u202eevil\u0007": numpy.ones(1, "f4"), "../up": numpy.ones(1, "f4"),
                                        'quote"': numpy.ones(1, "f4")}, {"\x1b]0;title\x07": "\x1b[2J"})
    safetensors("foreign.safetensors", {"w": numpy.ones(4, "f4")}, {"made by": "a test"}, [("scale", "F8_E8M0", [2, 4], 8)])
    safetensors("complex.safetensors", {"z": numpy.array([1 + 2j, 3 - 4j], "c8")})
    odd = numpy.array([[1, 0, -2, 4], [numpy.nan, numpy.inf, -numpy.inf, 0.5], [8, 1, 1, 0]], "f4")
    numpy.save(folder / "odd.npy", odd)
    numpy.save(folder / "ramp.npy", numpy.arange(64, dtype="f4").reshape(8, 8))
    numpy.save(folder / "fortran.npy", numpy.asfortranarray(numpy.arange(6, dtype="i4").reshape(2, 3)))
    numpy.save(folder / "filters.npy", (numpy.arange(2 * 3 * 4 * 4, dtype="f4") % 17 - 8).reshape(2, 3, 4, 4))
    numpy.save(folder / "none.npy", numpy.zeros((0, 3), "f4"))
    whole = (folder / "model.safetensors").read_bytes()
    (folder / "cut.safetensors").write_bytes(whole[:-3])
    (folder / "pickle.pt").write_bytes(b"\x80\x02}q\x00.")
    (folder / "model.gguf").write_bytes(b"GGUF\x03\0\0\0")
    (folder / "page.html").write_text("<html></html>\n")


main()
