#!/usr/bin/python3
"""Writes tests/io/gguf/: files of both versions with every kind of metadata and type of tensor that is read, what their
quantised tensors hold as .npy, computed here element by element; and the first inputs of the fuzzer,
fuzz/corpus/gguf/."""
import os
import struct

import numpy as np

import gguf_writer as g

PROJECT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..")
FOLDER = os.path.join(PROJECT, "tests", "io", "gguf")

PAIRS = [("general.architecture", g.STRING, "test"), ("a.u8", g.U8, 255), ("a.i8", g.I8, -128),
         ("a.u16", g.U16, 65535), ("a.i16", g.I16, -32768), ("a.u32", g.U32, 2**32 - 1), ("a.i32", g.I32, -2**31),
         ("a.u64", g.U64, 2**64 - 1), ("a.i64", g.I64, -2**63), ("a.f32", g.F32, 1e-5), ("a.f64", g.F64, 0.1),
         ("a.true", g.BOOL, True), ("a.false", g.BOOL, False), ("a.text", g.STRING, "h\u00e9llo \"w\"\n"),
         ("a.empty", g.STRING, ""), ("list.i32", g.ARRAY, (g.I32, [1, -2, 3])), ("list.f32", g.ARRAY, (g.F32, [0.5, 2])),
         ("list.text", g.ARRAY, (g.STRING, ["a", "b\"c", "\u2581d"])), ("list.bool", g.ARRAY, (g.BOOL, [True, False])),
         ("list.none", g.ARRAY, (g.U64, [])), ("list.long", g.ARRAY, (g.U16, list(range(100)))),
         ("list.bytes", g.ARRAY, (g.STRING, [b"\xff\x00"]))]


def f16(x):
    return struct.pack("<e", x)


def q8_0(rows, columns, seed):
    rng = np.random.default_rng(seed)
    raw, numbers = b"", []
    for _ in range(rows * columns // 32):
        d = np.float16(rng.normal() * 0.1)
        q = rng.integers(-128, 128, 32)
        raw += f16(float(d)) + struct.pack("32b", *[int(x) for x in q])
        numbers += [np.float32(np.float32(d) * np.float32(x)) for x in q]
    return raw, np.array(numbers, dtype=np.float32).reshape(rows, columns)


def q4_0(rows, columns, seed):
    rng = np.random.default_rng(seed)
    raw, numbers = b"", []
    for _ in range(rows * columns // 32):
        d = np.float16(rng.normal())
        q = [int(x) for x in rng.integers(0, 16, 32)]
        raw += f16(float(d)) + bytes(q[i] | q[i + 16] << 4 for i in range(16))
        numbers += [np.float32(np.float32(d) * np.float32(x - 8)) for x in q]
    return raw, np.array(numbers, dtype=np.float32).reshape(rows, columns)


def plain_tensors():
    out = [("f32", (2, 3), "F32", np.arange(6, dtype="<f4").tobytes()),
           ("f16", (5,), "F16", np.arange(5, dtype="<f2").tobytes()),
           ("bf16", (2,), "BF16", struct.pack("<HH", 0x3f80, 0xc000)),
           ("f64", (3,), "F64", np.array([1, -2, 0.5], dtype="<f8").tobytes()),
           ("none", (0, 4), "F32", b"")]
    for bits in (8, 16, 32, 64):
        out.append((f"i{bits}", (2, 1, 2, 2), f"I{bits}", np.arange(-4, 4, dtype=f"<i{bits // 8}").tobytes()))
    return out


def save(name, content):
    with open(os.path.join(FOLDER, name), "wb") as out:
        out.write(content)


def main():
    os.makedirs(FOLDER, exist_ok=True)
    raw8, numbers8 = q8_0(3, 64, 1)
    raw4, numbers4 = q4_0(2, 96, 2)
    np.save(os.path.join(FOLDER, "q8_0.npy"), numbers8)
    np.save(os.path.join(FOLDER, "q4_0.npy"), numbers4)
    blocks = [("q8_0", (3, 64), "Q8_0", raw8), ("q4_0", (2, 96), "Q4_0", raw4)]
    files = {"plain": g.build(PAIRS, plain_tensors()),
             "plain_v2": g.build(PAIRS[:3], plain_tensors(), version=2),
             "wide": g.build([("general.alignment", g.U32, 256)] + PAIRS[:2], plain_tensors(), align=256),
             "narrow": g.build([("general.alignment", g.U32, 1)], plain_tensors()[4:] + plain_tensors()[1:2]
                               + plain_tensors()[:1], align=1),
             "blocks": g.build(PAIRS[:1], blocks + plain_tensors()[:1]),
             "mixed": g.build(PAIRS[:1], blocks + [("q4_k", (2, 256), "Q4_K", bytes(288))] + plain_tensors()[:1]),
             "nothing": g.build([], [])}
    for name, content in files.items():
        save(name + ".gguf", content)
    corpus = os.path.join(PROJECT, "fuzz", "corpus", "gguf")
    os.makedirs(corpus, exist_ok=True)
    for name, content in files.items():
        for choice in (0, 2, 8, 15):
            with open(os.path.join(corpus, f"{name}_{choice}"), "wb") as out:
                out.write(bytes([choice]) + content)
    print(f"{len(files)} files")


main()
