#!/usr/bin/python3
"""Writes tests/attacks/gguf/: one small file for each rule that a GGUF reader must not let anyone break, and table.inc,
which says what each one gets: a status and a part of the message."""
import re
import struct

import gguf_writer as g
from attacks import Attacks

ATTACKS = Attacks("gguf")
NUMBERS = struct.pack("<8f", *range(8))
write = ATTACKS.write


def pairs(name, raw, status, message, count=1):
    """A file whose metadata breaks a rule: AT in the message is the first byte of raw."""
    message = re.sub(r"AT\+(\d+)", lambda m: str(24 + int(m[1])), message)
    write(name, g.preamble(0, count) + raw, status, message)


def tensors(name, raw, status, message, count=1, data=NUMBERS, before=b"", before_count=0, align=32):
    """A file whose tensors break a rule."""
    head = g.preamble(count, before_count) + before + raw
    write(name, g.padded(head, align) + data, status, message)


def preambles():
    good = g.build([("a", g.U8, 1)], [("x", (2, 4), "F32", NUMBERS)])
    write("empty", b"", "EFORMAT", "byte 0: the file ends inside its preamble")
    write("cut_preamble", good[:23], "EFORMAT", "byte 0: the file ends inside its preamble")
    write("magic_wrong", b"GGUX" + good[4:], "EFORMAT", "byte 0: not a GGUF file")
    write("magic_old", b"ggml" + good[4:], "EFORMAT", "byte 0: not a GGUF file")
    for version in (0, 1, 4, 2**16 - 1):
        write(f"version_{version}", g.preamble(0, 0, version), "EUNSUPPORTED", f"byte 4: version {version} is not 2 or 3")
    write("big_endian", b"GGUF" + struct.pack(">IQQ", 3, 0, 0), "EUNSUPPORTED", "byte 4: a file of a big-endian machine")
    write("tensors_over_limit", g.preamble(1000001, 0) + bytes(64), "EFORMAT", "byte 8: 1000001 tensors do not fit the file")
    write("tensors_2_64", g.preamble(2**64 - 1, 0) + bytes(64), "EFORMAT", "byte 8: 18446744073709551615 tensors do not fit")
    write("tensors_beyond_file", g.preamble(1000, 0) + bytes(64), "EFORMAT", "byte 8: 1000 tensors do not fit the file")
    write("keys_over_limit", g.preamble(0, 1000001) + bytes(64), "EFORMAT", "byte 16: 1000001 keys do not fit the file")
    write("keys_2_64", g.preamble(0, 2**64 - 1) + bytes(64), "EFORMAT", "byte 16: 18446744073709551615 keys do not fit")
    write("keys_beyond_file", g.preamble(0, 10) + bytes(64), "EFORMAT", "byte 16: 10 keys do not fit the file")
    for n in (30, 60, len(good) - 33):
        write(f"cut_{n}", good[:n], "EFORMAT", "")


def keys():
    pairs("key_beyond_file", struct.pack("<Q", 1000) + b"abcdefgh", "EFORMAT", "byte AT+0: the file ends inside a key")
    pairs("key_2_64", struct.pack("<Q", 2**64 - 1) + b"abcdefgh", "EFORMAT", "byte AT+0: the file ends inside a key")
    pairs("key_empty", g.pair("", g.U8, 1) + bytes(9), "EFORMAT", "byte AT+0: a key is empty")
    pairs("key_zero", g.pair("a\0b", g.U8, 1) + bytes(9), "EUNSUPPORTED", "byte AT+0: a key holds a zero")
    pairs("key_not_utf8", g.pair(b"a\xff", g.U8, 1) + bytes(9), "EFORMAT", "byte AT+0: a key is not UTF-8")
    pairs("key_overlong", g.pair(b"a\xc0\xaf", g.U8, 1) + bytes(9), "EFORMAT", "byte AT+0: a key is not UTF-8")
    pairs("key_twice", g.pair("a", g.U8, 1) + g.pair("b", g.U8, 1) + g.pair("a", g.U8, 2), "EFORMAT",
          "byte AT+28: key 'a' appears twice", count=3)
    pairs("type_13", g.string("a") + struct.pack("<I", 13) + bytes(16), "EFORMAT",
          "byte AT+9: a value of type 13, which is none")
    pairs("type_2_32", g.string("a") + struct.pack("<I", 2**32 - 1) + bytes(16), "EFORMAT",
          "byte AT+9: a value of type 4294967295, which is none")
    pairs("type_cut", g.string("abcd") + b"\0", "EFORMAT", "byte AT+12: the file ends inside the type of a value")
    pairs("bool_2", g.pair("a", g.BOOL, b"\2"), "EFORMAT", "byte AT+13: a bool is 2")
    pairs("bool_255", g.pair("a", g.BOOL, b"\xff"), "EFORMAT", "byte AT+13: a bool is 255")
    pairs("value_cut", g.string("a") + struct.pack("<I", g.U64) + b"\0" * 7, "EFORMAT",
          "byte AT+13: the file ends inside a value")
    pairs("string_beyond_file", g.string("a") + struct.pack("<IQ", g.STRING, 9) + b"12345678", "EFORMAT",
          "byte AT+13: the file ends inside a string")
    pairs("string_2_64", g.string("a") + struct.pack("<IQ", g.STRING, 2**64 - 8) + b"12345678", "EFORMAT",
          "byte AT+13: the file ends inside a string")
    pairs("string_not_utf8", g.pair("a", g.STRING, b"\1\0\0\0\0\0\0\0\xff"), "EFORMAT",
          "byte AT+13: a string is not UTF-8, or holds a zero")
    pairs("string_zero", g.pair("a", g.STRING, b"\3\0\0\0\0\0\0\0a\0b"), "EFORMAT",
          "byte AT+13: a string is not UTF-8, or holds a zero")


def arrays():
    def array(name, item, count, rest, status, message):
        pairs("array_" + name, g.string("a") + struct.pack("<IIQ", g.ARRAY, item, count) + rest, status, message)

    array("of_arrays", g.ARRAY, 1, struct.pack("<IQ", g.U8, 1) + b"\1", "EUNSUPPORTED", "byte AT+13: an array of arrays")
    array("of_type_13", 13, 1, bytes(16), "EFORMAT", "byte AT+13: an array of type 13, which is none")
    array("beyond_file", g.U8, 100, bytes(16), "EFORMAT", "byte AT+25: the file ends inside an array")
    array("2_64", g.U8, 2**64 - 1, bytes(16), "EFORMAT", "byte AT+25: the file ends inside an array")
    array("wraps", g.U64, 2**61 + 1, bytes(16), "EFORMAT", "byte AT+25: the file ends inside an array")
    array("strings_2_61", g.STRING, 2**61, bytes(16), "EFORMAT", "byte AT+25: the file ends inside an array")
    array("string_beyond_file", g.STRING, 2, g.string("a") + struct.pack("<Q", 50) + b"b", "EFORMAT",
          "byte AT+34: the file ends inside a string")
    array("bool_3", g.BOOL, 3, b"\0\1\3", "EFORMAT", "byte AT+27: a bool is 3")
    array("cut", g.U8, 1, b"", "EFORMAT", "byte AT+25: the file ends inside an array")


def alignments():
    x = g.tensor("x", [4, 2], "F32", 0)
    for name, kind, what, message in [("0", g.U32, 0, "general.alignment 0 is no power of two"),
                                      ("33", g.U32, 33, "general.alignment 33 is no power of two"),
                                      ("2_32", g.U32, 2**32 - 1, "is no power of two"),
                                      ("u64", g.U64, 32, "general.alignment is no u32"),
                                      ("string", g.STRING, "32", "general.alignment is no u32")]:
        tensors("alignment_" + name, x, "EFORMAT", message, before=g.pair("general.alignment", kind, what), before_count=1)
    tensors("alignment_2_31", x, "EFORMAT", "byte 57: tensor 'x' lies past the end of the file",
            before=g.pair("general.alignment", g.U32, 2**31), before_count=1)


def infos():
    tensors("name_beyond_file", struct.pack("<Q", 10000) + bytes(40), "EFORMAT", "the file ends inside the name of a tensor")
    tensors("name_zero", g.tensor("a\0", [4, 2], "F32", 0), "EUNSUPPORTED", "the name of a tensor holds a zero")
    tensors("name_not_utf8", g.tensor(b"\xed\xa0\x80", [4, 2], "F32", 0), "EFORMAT", "the name of a tensor is not UTF-8")
    tensors("name_twice", g.tensor("x", [4], "F32", 0) + g.tensor("x", [4], "F32", 32), "EFORMAT",
            "byte 57: tensor 'x' appears twice", count=2, data=bytes(64))
    tensors("rank_5", g.tensor("x", [1, 1, 1, 1, 8], "F32", 0), "EFORMAT", "byte 33: rank 5 is over 4")
    tensors("rank_2_32", g.string("x") + struct.pack("<I", 2**32 - 1) + bytes(64), "EFORMAT", "rank 4294967295 is over 4")
    tensors("dimension_2_63", g.tensor("x", [2**63], "F32", 0), "EOVERFLOW", "byte 37: more elements than can be counted")
    tensors("dimension_2_64", g.tensor("x", [2**64 - 1], "F32", 0), "EOVERFLOW", "more elements than can be counted")
    tensors("product_wraps", g.tensor("x", [2**32, 2**32], "F32", 0), "EOVERFLOW", "byte 45: more elements than can be counted")
    tensors("product_wraps_to_8", g.tensor("x", [2**61 + 1, 8], "F32", 0), "EOVERFLOW", "more elements than can be counted")
    tensors("product_2_16_4", g.tensor("x", [2**16] * 4, "I8", 0), "EOVERFLOW", "more elements than can be counted")
    tensors("zero_hides_overflow", g.tensor("x", [0, 2**32, 2**32], "F32", 0), "EOVERFLOW", "more elements than can be counted")
    tensors("zero_last", g.tensor("x", [2**32, 2**32, 0], "F32", 0), "EOVERFLOW", "more elements than can be counted")
    tensors("zero_hides_bytes_of_a_row", g.tensor("x", [2**63 - 256, 0], 15, 0), "EOVERFLOW", "more bytes than can be addressed")
    tensors("bytes_2_64", g.tensor("x", [2**62], "F32", 0), "EOVERFLOW", "more bytes than can be addressed")
    tensors("terabyte", g.tensor("x", [2**38], "F32", 0), "EFORMAT", "tensor 'x' lies past the end of the file")
    for kind in (4, 5, 31, 36, 40, 1000, 2**32 - 1):
        tensors(f"type_{kind}_of_tensor", g.tensor("x", [32], kind, 0), "EUNSUPPORTED",
                f"byte 45: a tensor of type {kind}, which is not known")
    for kind, n in [("Q8_0", 33), ("Q4_0", 16), ("Q4_K", 128), ("MXFP4", 1)]:
        tensors(f"row_{kind}_{n}", g.tensor("x", [n, 64], kind, 0), "EFORMAT",
                f"rows of {n} elements are not whole blocks of {g.TYPES[kind][1]}, as {kind} has them")
    tensors("row_of_rank_0", g.tensor("x", [], "Q8_0", 0), "EFORMAT", "rows of 1 elements are not whole blocks of 32")
    tensors("tensor_cut", g.tensor("x", [4], "F32", 0)[:-10], "EFORMAT", "do not fit the file", data=b"", align=1)
    tensors("offset_cut", g.tensor("a_longer_name", [4], "F32", 0)[:-4], "EFORMAT",
            "the file ends inside the offset of a tensor", data=b"", align=1)


def places():
    tensors("data_missing", g.tensor("x", [4, 2], "F32", 0), "EFORMAT", "byte 24: tensor 'x' lies past the end of the file",
            data=b"")
    tensors("data_one_less", g.tensor("x", [4, 2], "F32", 0), "EFORMAT", "lies past the end of the file", data=NUMBERS[:-1])
    tensors("offset_past_end", g.tensor("x", [4], "F32", 32), "EFORMAT", "lies past the end of the file", data=bytes(32))
    tensors("offset_2_64", g.tensor("x", [8], "F32", 2**64 - 32), "EFORMAT", "lies past the end of the file")
    tensors("offset_not_aligned", g.tensor("x", [4], "F32", 16), "EFORMAT", "byte 24: tensor 'x' is not aligned to 32")
    tensors("overlap", g.tensor("x", [16], "F32", 0) + g.tensor("y", [4], "F32", 32), "EFORMAT",
            "byte 57: tensor 'y' overlaps another", count=2, data=bytes(64))
    tensors("same_place", g.tensor("x", [4], "F32", 0) + g.tensor("y", [4], "F32", 0), "EFORMAT",
            "tensor 'y' overlaps another", count=2)
    tensors("zero_size_past_end", g.tensor("x", [0], "F32", 64), "EFORMAT", "lies past the end of the file")


def types():
    """Whole files that need an option."""
    for kind in ("Q4_0", "Q8_0"):
        tensors("asked_" + kind, g.tensor("x", [32], kind, 0), "EUNSUPPORTED",
                f"byte 24: tensor 'x' is {kind}: say what it is dequantised to", data=bytes(64))
    for kind in ("Q4_1", "Q4_K", "Q6_K", "MXFP4"):
        tensors("unknown_" + kind, g.tensor("x", [g.TYPES[kind][1]], kind, 0), "EUNSUPPORTED",
                f"byte 24: tensor 'x' is {kind}: that type is not decoded", data=bytes(256))


def main():
    preambles()
    keys()
    arrays()
    alignments()
    infos()
    places()
    types()
    ATTACKS.finish()


main()
