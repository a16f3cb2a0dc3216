#!/usr/bin/python3
"""Writes tests/attacks/safetensors/: one small file for each rule that a safetensors reader must not let anyone break,
and table.inc, which says what each one gets: a status and a part of the message. In a header, @ marks the byte that it
names."""
import struct

from attacks import Attacks

ATTACKS = Attacks("safetensors")
write = ATTACKS.write


def attack(name, header, status, message, data=b"\0" * 8, length=None):
    """A file whose header breaks a rule; the message begins with the marked byte."""
    header = header.encode("utf-8") if isinstance(header, str) else header
    mark = header.find(b"@")
    text = header.replace(b"@", b"", 1)
    if mark >= 0:
        message = f"header: byte {8 + mark}: {message}"
    write(name, struct.pack("<Q", len(text) if length is None else length) + text + data, status, message)


def entry(name="a", dtype='"F32"', shape="[2]", offsets="[0,8]"):
    return f'"{name}":{{"dtype":{dtype},"shape":{shape},"data_offsets":{offsets}}}'


def lengths():
    good = "{" + entry() + "}"
    write("empty", b"", "EFORMAT", "byte 0: the file ends inside its header's length")
    write("cut_7", b"\2\0\0\0\0\0\0", "EFORMAT", "byte 7: the file ends inside its header's length")
    attack("length_0", "", "EFORMAT", "header: byte 8: the header does not begin with '{'", data=b"")
    attack("length_beyond_file", good, "EFORMAT", "byte 0: a header of 1000 bytes, but the file ends after 62",
           length=1000)
    attack("length_over_limit", good, "EFORMAT", "byte 0: a header of 100000001 bytes, but the file ends",
           length=100000001)
    attack("length_2_63", good, "EFORMAT", "but the file ends", length=2**63)
    attack("length_2_64", good, "EFORMAT", "but the file ends", length=2**64 - 1)
    attack("length_short", good, "EFORMAT", f"header: byte {8 + len(good) - 1}: the header ends, expected ',' or '}}'",
           length=len(good) - 1)


def objects():
    good = "{" + entry() + "}"
    attack("array", "@[" + good + "]", "EFORMAT", "the header does not begin with '{'")
    attack("string", '@"a"', "EFORMAT", "the header does not begin with '{'")
    attack("null", "@null", "EFORMAT", "the header does not begin with '{'")
    attack("spaces_first", "@  " + good, "EFORMAT", "the header does not begin with '{'")
    attack("bom", "@\ufeff" + good, "EFORMAT", "the header does not begin with '{'")
    attack("text_after", good + " @x", "EFORMAT", "text after the header's object")
    attack("object_after", good + "@{}", "EFORMAT", "text after the header's object")
    attack("zeros_after", good.encode() + b"@\0\0\0", "EFORMAT", "text after the header's object")
    attack("not_closed", "{" + entry() + "@", "EFORMAT", "the header ends, expected ',' or '}'")
    attack("comma_first", "{@," + entry() + "}", "EFORMAT", "expected a string")
    attack("comma_last", "{" + entry() + ",@}", "EFORMAT", "'}' after a comma")
    attack("comma_twice", "{" + entry() + ",@,}", "EFORMAT", "expected a string")
    attack("comma_missing", "{" + entry("a", offsets="[0,4]", shape="[1]") + "@" + entry("b") + "}", "EFORMAT",
           "expected ',' or '}'")
    attack("key_bare", "{@a:1}", "EFORMAT", "expected a string")
    attack("key_single_quotes", "{@'a':1}", "EFORMAT", "expected a string")
    attack("key_number", "{@1:2}", "EFORMAT", "expected a string")
    attack("colon_missing", '{"a" @{}}', "EFORMAT", "expected ':'")
    attack("colon_end", '{"a"@', "EFORMAT", "the header ends, expected ':'")
    attack("comment", "{@/* */}", "EFORMAT", "expected a string")


def strings():
    attack("string_open", '{@"a', "EFORMAT", "a string does not end")
    attack("string_open_escape", '{"a@\\', "EFORMAT", "an unknown escape in a string")
    attack("string_newline", '{"a@\nb":1}', "EFORMAT", "a control character in a string")
    attack("string_nul", b'{"a@\0b":1}', "EFORMAT", "a control character in a string")
    attack("escape_unknown", '{"a@\\x41":1}', "EFORMAT", "an unknown escape in a string")
    attack("escape_short", '{"a@\\u12":1}', "EFORMAT", "\\u needs four hexadecimal digits")
    attack("escape_signed", '{"a@\\u+123":1}', "EFORMAT", "\\u needs four hexadecimal digits")
    attack("escape_zero", '{"a@\\u0000b":1}', "EUNSUPPORTED", "a string holds a zero")
    attack("surrogate_high", '{"@\\ud83d":1}', "EFORMAT", "half of a surrogate pair")
    attack("surrogate_low", '{"@\\ude00":1}', "EFORMAT", "half of a surrogate pair")
    attack("surrogate_two_high", '{"@\\ud83d\\ud83d":1}', "EFORMAT", "half of a surrogate pair")
    attack("surrogate_plain", '{"@\\ud83dx":1}', "EFORMAT", "half of a surrogate pair")
    for name, raw in [("latin1", b"\xe9"), ("continuation", b"\x80"), ("overlong_2", b"\xc0\xaf"),
                      ("overlong_3", b"\xe0\x80\xaf"), ("overlong_4", b"\xf0\x80\x80\xaf"),
                      ("surrogate", b"\xed\xa0\x80"), ("too_large", b"\xf4\x90\x80\x80"), ("f5", b"\xf5\x80\x80\x80"),
                      ("cut", b"\xe2\x82")]:
        attack("utf8_" + name, b'{"a@' + raw + b'":1}', "EFORMAT", "not UTF-8")
    attack("utf8_metadata", b'{"__metadata__":{"a":"@\xff"}}', "EFORMAT", "not UTF-8", data=b"")


def members():
    d, s, o = '"dtype":"F32"', '"shape":[2]', '"data_offsets":[0,8]'
    attack("tensor_null", '{"a":@null}', "EFORMAT", "a tensor must be an object")
    attack("tensor_array", '{"a":@[1]}', "EFORMAT", "a tensor must be an object")
    attack("tensor_string", '{"a":@"F32"}', "EFORMAT", "a tensor must be an object")
    attack("tensor_empty", '{"a":{@}}', "EFORMAT", "key 'dtype' is missing")
    attack("dtype_missing", f'{{"a":{{{s},{o}@}}}}', "EFORMAT", "key 'dtype' is missing")
    attack("shape_missing", f'{{"a":{{{d},{o}@}}}}', "EFORMAT", "key 'shape' is missing")
    attack("offsets_missing", f'{{"a":{{{d},{s}@}}}}', "EFORMAT", "key 'data_offsets' is missing")
    attack("dtype_twice", f'{{"a":{{{d},@{d},{s},{o}}}}}', "EFORMAT", "key 'dtype' appears twice")
    attack("shape_twice", f'{{"a":{{{d},{s},{o},@"shape":[1000]}}}}', "EFORMAT", "key 'shape' appears twice")
    attack("shape_twice_escaped", f'{{"a":{{{d},{s},{o},@"\\u0073hape":[9]}}}}', "EFORMAT",
           "key 'shape' appears twice")
    attack("offsets_twice", f'{{"a":{{{d},{s},{o},@{o}}}}}', "EFORMAT", "key 'data_offsets' appears twice")
    attack("key_extra", f'{{"a":{{{d},{s},{o},@"extra":1}}}}', "EFORMAT", "key 'extra' is not one of a tensor")
    attack("key_case", f'{{"a":{{@"Dtype":"F32",{s},{o}}}}}', "EFORMAT", "key 'Dtype' is not one of a tensor")
    attack("key_long", f'{{"a":{{@"{"k" * 500}":1}}}}', "EFORMAT", "key '" + "k" * 28 + "...' is not one")
    attack("key_control", '{"a":{@"de\\u001b[31m":1}}', "EFORMAT", "key 'de?[31m' is not one")
    attack("deep_arrays", '{"a":@' + "[" * 5000 + "]" * 5000 + "}", "EFORMAT", "a tensor must be an object")
    attack("deep_objects", "{" + '"a":{@"a":{' + '"a":{' * 3000, "EFORMAT", "key 'a' is not one of a tensor")
    attack("deep_shape", '{"a":{"dtype":"F32","shape":[@' + "[" * 5000, "EFORMAT", "expected a whole number")
    attack("tensor_twice", "{" + entry(shape="[1]", offsets="[0,4]") + ",@" + entry(shape="[1]", offsets="[4,8]") + "}",
           "EFORMAT", "tensor 'a' appears twice")
    attack("tensor_twice_escaped", "{" + entry("abc", shape="[1]", offsets="[0,4]") + ",@" +
           entry("a\\u0062c", shape="[1]", offsets="[4,8]") + "}", "EFORMAT", "tensor 'abc' appears twice")
    attack("tensor_twice_far", "{" + ",".join(entry(f"t{i}", '"U8"', "[0]", "[0,0]") for i in range(40)) + ",@" +
           entry("t7", '"U8"', "[8]", "[0,8]") + "}", "EFORMAT", "tensor 't7' appears twice")


def types():
    for name in ["F4", "F6_E2M3", "F6_E3M2", "F8_E8M0", "F8_E4M3FNUZ", "F8_E5M2FNUZ"]:
        attack("dtype_" + name, "{" + entry(dtype=f'@"{name}"') + "}", "EUNSUPPORTED", f"unsupported dtype {name}")
    attack("dtype_unknown", "{" + entry(dtype='@"Q9"') + "}", "EUNSUPPORTED", "unsupported dtype Q9")
    attack("dtype_lower", "{" + entry(dtype='@"f32"') + "}", "EUNSUPPORTED", "unsupported dtype f32")
    attack("dtype_blank", "{" + entry(dtype='@""') + "}", "EUNSUPPORTED", "unsupported dtype ")
    attack("dtype_control", "{" + entry(dtype='@"F32\\n"') + "}", "EUNSUPPORTED", "unsupported dtype F32?")
    attack("dtype_number", "{" + entry(dtype="@32") + "}", "EFORMAT", "expected a string")
    attack("dtype_null", "{" + entry(dtype="@null") + "}", "EFORMAT", "expected a string")


def shapes():
    def shape(name, value, status, message, **more):
        attack("shape_" + name, "{" + entry(shape=value, **more) + "}", status, message)

    shape("number", "@2", "EFORMAT", "expected '['")
    shape("null", "@null", "EFORMAT", "expected '['")
    shape("object", "@{}", "EFORMAT", "expected '['")
    shape("string", '[@"2"]', "EFORMAT", "expected a whole number")
    shape("negative", "[@-2]", "EFORMAT", "a negative number")
    shape("minus_zero", "[@-0]", "EFORMAT", "a negative number")
    shape("float", "[@2.0]", "EFORMAT", "not a whole number")
    shape("exponent", "[@2e0]", "EFORMAT", "not a whole number")
    shape("exponent_upper", "[@2E0]", "EFORMAT", "not a whole number")
    shape("leading_zero", "[@02]", "EFORMAT", "a number begins with 0")
    shape("plus", "[@+2]", "EFORMAT", "expected a whole number")
    shape("hexadecimal", "[0@x2]", "EFORMAT", "expected ',' or ']'")
    shape("true", "[@true]", "EFORMAT", "expected a whole number")
    shape("null_inside", "[@null]", "EFORMAT", "expected a whole number")
    shape("comma_last", "[2,@]", "EFORMAT", "']' after a comma")
    shape("comma_missing", "[1 @2]", "EFORMAT", "expected ',' or ']'")
    shape("nested", "[@[2]]", "EFORMAT", "expected a whole number")
    shape("rank_9", "[1,1,1,1,1,1,1,1,@2]", "EUNSUPPORTED", "more than 8 dimensions")
    shape("dimension_2_63", f"[@{2**63}]", "EOVERFLOW", "a dimension does not fit its integer type")
    shape("dimension_2_64", f"[@{2**64}]", "EOVERFLOW", "a number does not fit 64 bits")
    shape("dimension_digits", f"[@{'9' * 4000}]", "EOVERFLOW", "a number does not fit 64 bits")

    def size(name, value, status, message, offsets="[0,8]", dtype='"F32"'):
        attack("size_" + name, '{"a":@{"dtype":%s,"shape":%s,"data_offsets":%s}}' % (dtype, value, offsets), status,
               message)

    size("product_2_64", f"[{2**32},{2**32}]", "EOVERFLOW", "the bytes of F32 [")
    size("product_wraps", f"[{2**32 + 1},{2**32}]", "EOVERFLOW", "the bytes of F32 [")
    size("bits_wrap", f"[{2**59}]", "EOVERFLOW", "the bytes of F32 [")
    size("wraps_to_8", f"[{2**61 + 2}]", "EOVERFLOW", "the bytes of F32 [")
    size("zero_hides_overflow", f"[{2**62},{2**62},0]", "EOVERFLOW", "the bytes of F32 [",
         offsets="[0,0]")
    size("zero_first", f"[0,{2**62},{2**62}]", "EOVERFLOW", "the bytes of F32 [",
         offsets="[0,0]")
    size("less", "[1]", "EFORMAT", "F32 [1] takes 4 bytes, its data_offsets span 8")
    size("more", "[3]", "EFORMAT", "F32 [3] takes 12 bytes, its data_offsets span 8")
    size("scalar", "[]", "EFORMAT", "F32 [] takes 4 bytes, its data_offsets span 8")
    size("zero", "[0]", "EFORMAT", "F32 [0] takes 0 bytes, its data_offsets span 8")
    size("dtype", "[2]", "EFORMAT", "F64 [2] takes 16 bytes, its data_offsets span 8", dtype='"F64"')


def offsets():
    def value(name, text, status, message):
        attack("offsets_" + name, "{" + entry(offsets=text) + "}", status, message)

    value("number", "@0", "EFORMAT", "expected '['")
    value("none", "@[]", "EFORMAT", "data_offsets must be two numbers")
    value("one", "@[0]", "EFORMAT", "data_offsets must be two numbers")
    value("three", "@[0,8,8]", "EFORMAT", "data_offsets must be two numbers")
    value("negative", "[@-8,0]", "EFORMAT", "a negative number")
    value("float", "[0,@8.0]", "EFORMAT", "not a whole number")
    value("string", '[0,@"8"]', "EFORMAT", "expected a whole number")
    value("2_64", f"[0,@{2**64 + 8}]", "EOVERFLOW", "a number does not fit 64 bits")
    value("backwards", "@[8,0]", "EFORMAT", "the data ends before it begins")
    value("past_the_file", "@[0,9]", "EFORMAT", "the data ends past the file: only 8 bytes are there")
    value("terabyte", f"@[0,{2**40}]", "EFORMAT", "the data ends past the file")
    value("largest", f"@[{2**64 - 9},{2**64 - 1}]", "EFORMAT", "the data ends past the file")
    attack("data_none", "{" + entry(offsets="@[0,8]") + "}", "EFORMAT", "the data ends past the file: only 0 bytes",
           data=b"")
    half = dict(shape="[1]")
    attack("first_not_0", "{@" + entry(offsets="[4,8]", **half) + "}", "EFORMAT",
           "the first data, of 'a', begins at 4, not at 0")
    attack("gap", "{" + entry(offsets="[0,4]", **half) + ",@" + entry("b", offsets="[8,12]", **half) + "}", "EFORMAT",
           "a gap of 4 bytes before the data of 'b'", data=b"\0" * 12)
    attack("gap_unsorted", "{@" + entry(offsets="[8,12]", **half) + "," + entry("b", offsets="[0,4]", **half) + "}",
           "EFORMAT", "a gap of 4 bytes before the data of 'a'", data=b"\0" * 12)
    attack("overlap", "{" + entry(offsets="[0,8]") + ",@" + entry("b", offsets="[4,12]") + "}", "EFORMAT",
           "the data of 'b' overlaps other data", data=b"\0" * 12)
    attack("overlap_same", "{" + entry(offsets="[0,8]") + ",@" + entry("b", offsets="[0,8]") + "}", "EFORMAT",
           "the data of 'b' overlaps other data")
    attack("overlap_inside", "{" + entry(shape="[4]", offsets="[0,16]") + ",@" + entry("b", offsets="[4,12]") + "}",
           "EFORMAT", "the data of 'b' overlaps other data", data=b"\0" * 16)
    attack("overlap_empty", "{" + entry(offsets="[0,8]") + ",@" + entry("b", shape="[0]", offsets="[4,4]") + "}",
           "EFORMAT", "the data of 'b' overlaps other data")
    good = "{" + entry() + "}"
    attack("data_after", good, "EFORMAT", f"byte {8 + len(good) + 8}: 5 bytes after the last tensor",
           data=b"\0" * 13)
    attack("data_without_tensors", "{}", "EFORMAT", "byte 10: 8 bytes after the last tensor")


def metadata():
    def meta(name, text, status, message):
        attack("metadata_" + name, '{"__metadata__":%s}' % text, status, message, data=b"")

    meta("null", "@null", "EFORMAT", "__metadata__ must be an object")
    meta("array", "@[]", "EFORMAT", "__metadata__ must be an object")
    meta("string", '@"x"', "EFORMAT", "__metadata__ must be an object")
    meta("number", '{"a":@1}', "EFORMAT", "expected a string")
    meta("object", '{"a":@{}}', "EFORMAT", "expected a string")
    meta("true", '{"a":@true}', "EFORMAT", "expected a string")
    meta("value_missing", '{"a"@}', "EFORMAT", "expected ':'")
    meta("key_twice", '{"a":"1",@"a":"2"}', "EFORMAT", "metadata key 'a' appears twice")
    meta("key_twice_escaped", '{"ab":"1","c":"3",@"a\\u0062":"2"}', "EFORMAT", "metadata key 'ab' appears twice")
    attack("metadata_twice", '{"__metadata__":{},@"__metadata__":{}}', "EFORMAT", "__metadata__ appears twice",
           data=b"")
    attack("metadata_twice_escaped", '{"__metadata__":{},@"\\u005f_metadata__":{}}', "EFORMAT",
           "__metadata__ appears twice", data=b"")


def main():
    for family in [lengths, objects, strings, members, types, shapes, offsets, metadata]:
        family()
    ATTACKS.finish()


main()
