#!/usr/bin/python3
"""Writes tests/attacks/npy/: one small file for each rule that a .npy reader must not let anyone break, and table.inc,
which says what each one gets: a status and a part of the message. In a header, @ marks the byte that it names."""
import struct

from attacks import Attacks

ATTACKS = Attacks("npy")
write = ATTACKS.write


def preamble(major, minor, length):
    return b"\x93NUMPY" + bytes([major, minor]) + struct.pack("<H" if major == 1 else "<I", length)


def attack(name, header, status, message, major=1, data=b"\0" * 64):
    """A file whose header breaks a rule; the message begins with the marked byte."""
    header = header.encode("utf-8") if isinstance(header, str) else header
    start = 10 if major == 1 else 12
    mark = header.find(b"@")
    text = header.replace(b"@", b"")
    if mark >= 0:
        message = f"header: byte {start + mark}: {message}"
    write(name, preamble(major, 0, len(text)) + text + data, status, message)


def descr(name, value, status, message):
    attack("descr_" + name, "{'descr': @%s, 'fortran_order': False, 'shape': (2,), }\n" % value, status, message)


def fortran(name, value):
    attack("fortran_" + name, "{'descr': '<f4', 'fortran_order': @%s, 'shape': (2,), }\n" % value, "EFORMAT",
           "'fortran_order' must be True or False")


def shape(name, value, status, message, **more):
    header = "{'descr': '<f4', 'fortran_order': False, 'shape': %s, }\n" % value
    attack("shape_" + name, header, status, message, **more)


def preambles():
    good = b"{'descr': '<f4', 'fortran_order': False, 'shape': (2,), }\n"
    write("empty", b"", "EFORMAT", "byte 0: the file ends inside its preamble")
    write("magic_cut", b"\x93NUMP", "EFORMAT", "byte 5: the file ends inside its preamble")
    write("magic_wrong", b"\x93NUMPX" + preamble(1, 0, len(good))[6:] + good + b"\0" * 8, "EFORMAT", "not a .npy file")
    write("zip", b"PK\x03\x04\x14\x00\x00\x00\x00\x00", "EFORMAT", "not a .npy file")
    for major, minor in [(0, 0), (1, 1), (4, 0), (255, 255)]:
        write(f"version_{major}_{minor}", preamble(major, minor, len(good)) + good + b"\0" * 8, "EUNSUPPORTED",
              f"version {major}.{minor} is not supported")
    write("length_cut_1", preamble(1, 0, 0)[:9], "EFORMAT", "byte 9: the file ends inside its preamble")
    write("length_cut_2", preamble(2, 0, 0)[:11], "EFORMAT", "byte 11: the file ends inside its preamble")
    write("header_beyond_file", preamble(1, 0, 118) + good, "EFORMAT",
          "a header of 118 bytes, but the file ends after 58")
    write("header_over_limit", preamble(1, 0, 10001) + good + b" " * 100, "ELIMIT",
          "its header takes 10001 bytes, the limit is 10000")
    write("header_4_gib", preamble(2, 0, 0xffffffff) + good, "ELIMIT",
          "its header takes 4294967295 bytes, the limit is 10000")


def dictionaries():
    f4, order, dims = "'descr': '<f4'", "'fortran_order': False", "'shape': (2,)"
    whole = f"{{{f4}, {order}, {dims}, }}"
    attack("header_empty", "@", "EFORMAT", "expected a dictionary")
    attack("header_spaces", "   @", "EFORMAT", "expected a dictionary")
    attack("header_list", f"@[{whole}]\n", "EFORMAT", "expected a dictionary")
    attack("header_parentheses", f"@({whole})\n", "EFORMAT", "expected a dictionary")
    attack("header_call", f"@dict({dims})\n", "EFORMAT", "expected a dictionary")
    attack("header_bom", f"@\ufeff{whole}\n", "EFORMAT", "expected a dictionary", major=3)
    attack("header_nul", b"@\0" + whole.encode(), "EFORMAT", "expected a dictionary")
    attack("keys_none", "{@}\n", "EFORMAT", "key 'descr' is missing")
    attack("key_descr_missing", f"{{{order}, {dims}@}}\n", "EFORMAT", "key 'descr' is missing")
    attack("key_fortran_missing", f"{{{f4}, {dims}, @}}\n", "EFORMAT", "key 'fortran_order' is missing")
    attack("key_shape_missing", f"{{{f4}, {order}, @}}\n", "EFORMAT", "key 'shape' is missing")
    attack("key_extra", f"{{{f4}, {order}, {dims}, @'extra': 1}}\n", "EFORMAT",
           "key 'extra' is not one of a .npy header")
    attack("key_case", f"{{@'Descr': '<f4', {order}, {dims}}}\n", "EFORMAT", "key 'Descr' is not one of a .npy header")
    attack("key_long", "{@'" + "k" * 500 + "': 1}\n", "EFORMAT", "key '" + "k" * 28 + "...' is not one")
    attack("key_unicode", "{@'d\u00e9scr': '<f4'}\n", "EFORMAT", "key 'd??scr' is not one", major=3)
    attack("key_control", b"{@'de\x1b[31m': '<f4'}\n", "EFORMAT", "key 'de?[31m' is not one")
    attack("key_descr_twice", f"{{{f4}, @{f4}, {order}, {dims}}}\n", "EFORMAT", "key 'descr' appears twice")
    attack("key_fortran_twice", f"{{{f4}, {order}, {dims}, @\"fortran_order\": True}}\n", "EFORMAT",
           "key 'fortran_order' appears twice")
    attack("key_shape_twice", f"{{{f4}, {order}, {dims}, @'shape': (1000,)}}\n", "EFORMAT", "key 'shape' appears twice")
    attack("key_number", f"{{@1: 2, {f4}}}\n", "EFORMAT", "expected a key in quotes")
    attack("key_bare", f"{{@descr: '<f4'}}\n", "EFORMAT", "expected a key in quotes")
    attack("key_bytes", f"{{@b'descr': '<f4'}}\n", "EFORMAT", "expected a key in quotes")
    attack("key_joined", f"{{@'de' 'scr': '<f4'}}\n", "EFORMAT", "key 'de' is not one")
    attack("key_triple_quoted", "{@'''descr''': '<f4'}\n", "EFORMAT", "key '' is not one")
    attack("comma_first", f"{{@, {f4}, {order}, {dims}}}\n", "EFORMAT", "expected a key in quotes")
    attack("comma_twice", f"{{{f4}, @, {order}, {dims}}}\n", "EFORMAT", "expected a key in quotes")
    attack("comma_missing", f"{{{f4} @{order}, {dims}}}\n", "EFORMAT", "expected ',' or '}'")
    attack("colon_missing", f"{{'descr' @'<f4', {order}, {dims}}}\n", "EFORMAT", "expected ':' after a key")
    attack("brace_missing", f"{{{f4}, {order}, {dims}@", "EFORMAT", "expected ',' or '}'")
    attack("text_after", whole + " @{}\n", "EFORMAT", "text after the dictionary")
    attack("nul_after", whole.encode() + b"@\0\0\0", "EFORMAT", "text after the dictionary")
    attack("comment", whole + " @# shape (9,)\n", "EFORMAT", "text after the dictionary")
    attack("expression", f"{{{f4}, {order}, 'shape': (2,) @+ (3,)}}\n", "EFORMAT", "expected ',' or '}'")
    attack("string_open", "{@'descr: 1}", "EFORMAT", "a string does not end")
    attack("string_two_lines", "{@'de\nscr': 1}", "EFORMAT", "a string does not end")
    attack("string_escape", "{'de@\\x73cr': '<f4'}\n", "EFORMAT", "an escape in a string")


def element_types():
    descr("structured", "[('a', '<f4'), ('b', '|O')]", "EUNSUPPORTED", "structured dtypes are not supported")
    descr("subarray", "('<f4', (2,))", "EUNSUPPORTED", "structured dtypes are not supported")
    descr("object", "'|O'", "EUNSUPPORTED", "object dtype '|O' is not supported")
    descr("object_size", "'|O8'", "EUNSUPPORTED", "object dtype '|O8' is not supported")
    descr("bytes", "'|S5'", "EUNSUPPORTED", "byte string dtype '|S5' is not supported")
    descr("string", "'<U3'", "EUNSUPPORTED", "string dtype '<U3' is not supported")
    descr("datetime", "'<M8[ns]'", "EUNSUPPORTED", "datetime dtype '<M8[ns]' is not supported")
    descr("timedelta", "'<m8[s]'", "EUNSUPPORTED", "timedelta dtype '<m8[s]' is not supported")
    descr("void_8", "'|V8'", "EUNSUPPORTED", "void dtype '|V8' is not supported")
    descr("void_1", "'|V1'", "EUNSUPPORTED", "'|V1' could be either f8")
    descr("long_double", "'<f16'", "EUNSUPPORTED", "number dtype '<f16' is not supported")
    descr("long_complex", "'<c32'", "EUNSUPPORTED", "number dtype '<c32' is not supported")
    descr("odd_size", "'<i3'", "EUNSUPPORTED", "number dtype '<i3' is not supported")
    descr("zero_size", "'<f0'", "EUNSUPPORTED", "number dtype '<f0' is not supported")
    descr("padded_size", "'<f04'", "EUNSUPPORTED", "number dtype '<f04' is not supported")
    descr("negative_size", "'<f-4'", "EUNSUPPORTED", "number dtype '<f-4' is not supported")
    descr("pair", "'<f4,<f4'", "EUNSUPPORTED", "number dtype '<f4,<f4' is not supported")
    descr("unknown_kind", "'<q9'", "EFORMAT", "'<q9' is not a dtype")
    descr("order_only", "'<'", "EFORMAT", "'<' is not a dtype")
    descr("no_order", "'f4'", "EFORMAT", "dtype 'f4' has no byte order")
    descr("word", "'float32'", "EFORMAT", "dtype 'float32' has no byte order")
    descr("blank", "''", "EFORMAT", "dtype '' has no byte order")
    descr("none", "None", "EFORMAT", "'descr' must be a string")
    descr("number", "4", "EFORMAT", "'descr' must be a string")
    descr("call", "np.float32", "EFORMAT", "'descr' must be a string")
    descr("import", "__import__('os').system('true')", "EFORMAT", "'descr' must be a string")


def orders():
    for name, value in [("zero", "0"), ("one", "1"), ("none", "None"), ("string", "'True'"), ("lower", "true"),
                        ("longer", "Truest"), ("negated", "not True"), ("nothing", "")]:
        fortran(name, value)


def shapes():
    shape("number", "@2", "EFORMAT", "'shape' must be a tuple")
    shape("list", "@[2]", "EFORMAT", "'shape' must be a tuple")
    shape("none", "@None", "EFORMAT", "'shape' must be a tuple")
    shape("parentheses", "@(2)", "EFORMAT", "a tuple of one needs a comma")
    shape("comma_only", "(@,)", "EFORMAT", "a dimension must be a plain integer")
    shape("comma_twice", "(2,@,)", "EFORMAT", "a dimension must be a plain integer")
    shape("comma_missing", "(2 @3)", "EFORMAT", "expected ',' or ')'")
    shape("open", "(2, @", "EFORMAT", "a dimension must be a plain integer")
    shape("nested", "(@(2,),)", "EFORMAT", "a dimension must be a plain integer")
    shape("negative", "(2, @-3)", "EFORMAT", "a dimension is negative")
    shape("minus_zero", "(@-0,)", "EFORMAT", "a dimension is negative")
    shape("plus", "(@+3,)", "EFORMAT", "a dimension must be a plain integer")
    shape("bool_true", "(2, @True)", "EFORMAT", "a dimension is a bool")
    shape("bool_false", "(@False,)", "EFORMAT", "a dimension is a bool")
    shape("none_inside", "(@None, 2)", "EFORMAT", "a dimension must be a plain integer")
    shape("string", "(@'2',)", "EFORMAT", "a dimension must be a plain integer")
    shape("float", "(@2.0,)", "EFORMAT", "a dimension must be a plain integer")
    shape("exponent", "(@1e3,)", "EFORMAT", "a dimension must be a plain integer")
    shape("hexadecimal", "(@0x10,)", "EFORMAT", "a dimension must be a plain integer")
    shape("underscore", "(@1_0,)", "EFORMAT", "a dimension must be a plain integer")
    shape("leading_zero", "(@02,)", "EFORMAT", "a dimension begins with 0")
    shape("numpy_integer", "(@np.int64(1),)", "EFORMAT", "a dimension must be a plain integer")
    shape("sum", "(1@+1,)", "EFORMAT", "expected ',' or ')'")
    shape("power", "(9@**9**9,)", "EFORMAT", "expected ',' or ')'")
    shape("suffix_twice", "(@2LL,)", "EFORMAT", "a dimension must be a plain integer")
    shape("suffix_lower", "(@2l,)", "EFORMAT", "a dimension must be a plain integer")
    shape("suffix_version_3", "(@2L,)", "EFORMAT", "a dimension must be a plain integer", major=3)
    shape("rank_9", "(1, 1, 1, 1, 1, 1, 1, 1, @1)", "EUNSUPPORTED", "more than 8 dimensions")
    shape("rank_1000", "(1, 1, 1, 1, 1, 1, 1, 1, @" + "1, " * 992 + ")", "EUNSUPPORTED", "more than 8 dimensions")
    shape("rank_9_zero", "(0, 0, 0, 0, 0, 0, 0, 0, @0)", "EUNSUPPORTED", "more than 8 dimensions")
    shape("dimension_2_63", f"(@{2**63},)", "EOVERFLOW", "a dimension does not fit its integer type")
    shape("dimension_2_64", f"(2, @{2**64})", "EOVERFLOW", "a dimension does not fit its integer type")
    shape("dimension_2_64_2", f"(@{2**64 + 2},)", "EOVERFLOW", "a dimension does not fit its integer type")
    shape("dimension_digits", f"(@{'9' * 4000},)", "EOVERFLOW", "a dimension does not fit its integer type")
    shape("product_2_64", f"({2**32}, {2**32})", "EOVERFLOW", "do not fit their integer type")
    shape("product_wraps", f"({2**32 + 1}, {2**32})", "EOVERFLOW", "do not fit their integer type")
    shape("bytes_2_64", f"({2**62},)", "EOVERFLOW", "do not fit their integer type")
    shape("bytes_2_63", f"({2**61},)", "EOVERFLOW", "do not fit their integer type")
    shape("zero_hides_overflow", f"({2**62}, {2**62}, 0)", "EOVERFLOW", "do not fit their integer type")
    shape("zero_first_overflow", f"(0, {2**63 - 1}, 8)", "EOVERFLOW", "do not fit their integer type")
    shape("terabyte", f"({2**38},)", "EFORMAT", "data cut short", data=b"\0" * 20)
    shape("data_none", "(2,)", "EFORMAT", "data cut short: f32 [2] takes 8 bytes, 0 are there", data=b"")
    shape("data_one_less", "(2,)", "EFORMAT", "data cut short: f32 [2] takes 8 bytes, 7 are there", data=b"\0" * 7)
    shape("scalar_cut", "()", "EFORMAT", "data cut short: f32 [] takes 4 bytes, 3 are there", data=b"\0" * 3)


def main():
    for family in [preambles, dictionaries, element_types, orders, shapes]:
        family()
    ATTACKS.finish()


main()
