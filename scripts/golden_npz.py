#!/usr/bin/python3
"""Writes tests/io/npz/: archives as NumPy saves them, stored and deflated, and the first inputs of the fuzzer,
fuzz/corpus/npz/. A member is named DTYPE.SHAPE.ORDER.BYTES: "f32.2.F.big" is shape number 2 in Fortran order, big-endian;
its elements are those of scripts/golden_npy.py."""
import io
import os

import numpy as np

from golden_npy import TYPES, elements, write

SHAPES = [(), (3,), (2, 3), (2, 0, 3)]


def arrays():
    out = {}
    for name, kind, unit, parts in TYPES:
        if name == "f8_e4m3":  # NumPy's V1 does not say which f8 it is
            continue
        for number, shape in enumerate(SHAPES):
            for order in "CF" if number == 2 else "C":
                for byte_order, text in [("<", "little"), (">", "big")]:
                    if kind == "V" and byte_order == ">":
                        continue  # a void type has no byte order
                    array = np.array(elements(kind, unit, parts, shape, byte_order), order=order)
                    if kind == "V":
                        array = array.view(f"V{unit}")
                    out[f"{name}.{number}.{order}.{text}"] = array
    return out


def saved(save, files):
    stream = io.BytesIO()
    save(stream, **files)
    return stream.getvalue()


def seeds():
    few = {"a": np.arange(6, dtype="<f4").reshape(2, 3), "dir/b": np.asfortranarray(np.eye(3, dtype=">i2")),
           "\u00e9": np.array(True)}
    zeros = {"z": np.zeros(5000, "u1")}
    files = {"stored": (0, np.savez, few), "stored_copied": (2, np.savez, few), "deflated": (0, np.savez_compressed, few),
             "lazy": (4, np.savez, few), "zeros": (0, np.savez_compressed, zeros), "nothing": (0, np.savez, {}),
             "few_bytes": (8, np.savez_compressed, zeros), "few_members": (16, np.savez, few)}
    return {name: bytes([choice]) + saved(save, content) for name, (choice, save, content) in files.items()}


def main():
    write("tests/io/npz", {"stored.npz": saved(np.savez, arrays()), "deflated.npz": saved(np.savez_compressed, arrays()),
                           "empty.npz": saved(np.savez, {})})
    write("fuzz/corpus/npz", seeds())


main()
