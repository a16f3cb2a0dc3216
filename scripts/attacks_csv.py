#!/usr/bin/python3
"""Writes tests/attacks/csv/: one small file for each rule that a table must keep (include/tessera/csv.h), and table.inc,
which says what each one gets: the dtype that it is read as, a status and a part of the message."""
import gzip

from attacks import Attacks

ATTACKS = Attacks("csv", macro="TABLE_ATTACK",
                  columns="the file, the dtype it is read as, the status, a part of the message")


def write(name, content, status, message, dtype="NONE"):
    ATTACKS.write(name, content, status, message, "TSR_" + dtype)


def rows():
    write("empty", b"", "EFORMAT", "line 1: no rows")
    write("blank_lines", b"\n\r\n  \n", "EFORMAT", "no rows")
    write("mark_alone", b"\xef\xbb\xbf", "EFORMAT", "no rows")
    write("row_short", b"1,2\n3\n", "EFORMAT", "line 2, column 1: the row ends after 1 fields, the first has 2")
    write("row_long", b"1,2\n3,4,5\n", "EFORMAT", "line 2, column 3: more fields than the 2 of the first row")
    write("row_long_after_header", b"a,b\n3,4,5\n", "EFORMAT", "line 2, column 3: more fields than the 2")
    write("row_short_last", b"1,2\n3,4\n5", "EFORMAT", "line 3, column 1: the row ends after 1 fields")


def quotes():
    write("quote_open", b"1\n\"2\n", "EFORMAT", "line 2, column 1: a quoted field does not end")
    write("quote_open_first", b"\"", "EFORMAT", "line 1, column 1: a quoted field does not end")
    write("quote_text_after", b"1\n\"2\"3\n", "EFORMAT", "line 2, column 1: text after a closing quote")
    write("quote_comma_number", b"1\n\"1,5\"\n", "EFORMAT", "line 2, column 1: '1,5' is no number")
    write("quote_across_lines", b"1\n\"2\n3\"\n", "EFORMAT", "line 2, column 1: ")
    write("field_over_limit", b"1\n" + b"1" * 4097 + b"\n", "EFORMAT", "line 2, column 1: ")
    write("name_over_limit", b"\"" + b"a" * 4097 + b"\"\n1\n", "EFORMAT", "line 1, column 1: ")
    write("name_not_utf8", b"a\xff\n1\n", "EFORMAT", "line 1, column 1: a column's name is not UTF-8")
    write("name_surrogate", b"\xed\xa0\x80\n1\n", "EFORMAT", "a column's name is not UTF-8")
    write("name_zero", b"a\0b\n1\n", "EFORMAT", "line 1, column 1: ")


def numbers():
    for name, text in [("word", "x"), ("words", "4 5"), ("hexadecimal", "0x10"), ("exponent_none", "1e"),
                       ("exponent_sign", "1e+"), ("exponent_point", "1e5.5"), ("point", "."), ("signs", "--1"),
                       ("points", "1.2.3"), ("nan_payload", "nan(1)"), ("infinite", "infinit"), ("sign_alone", "-"),
                       ("comma_thousands", "1 000"), ("underscore", "1_000"), ("complex", "1+2j"), ("currency", "$1"),
                       ("suffix", "1f"), ("binary", "0b1"), ("fraction", "1/2"), ("percent", "5%")]:
        write("number_" + name, b"1\n" + text.encode() + b"\n", "EFORMAT", f"line 2, column 1: '{text}' is no number")
    write("number_control", b"1\n\x1b[31m\n", "EFORMAT", "'?[31m' is no number")
    write("number_zero_byte", b"1\n2\0\n", "EFORMAT", "line 2, column 1: ")
    write("number_utf8", b"1\n\xd9\xa1\n", "EFORMAT", "line 2, column 1: ")
    write("number_long", b"1\n" + b"x" * 3000 + b"\n", "EFORMAT", "is no number")


def ranges():
    def one(name, text, dtype, status="ERANGE"):
        words = f"line 2, column 1: '{text}' does not fit {dtype.lower()}" if status == "ERANGE" else \
            f"line 2, column 1: '{text}' is no whole number, as {dtype.lower()} needs"
        write(name, b"1\n" + text.encode() + b"\n", status, words, dtype)

    write("f64_over", b"1\n1e400\n", "ERANGE", "line 2, column 1: '1e400' does not fit f64")
    write("f64_exponent_digits", b"1\n1e99999999999999999999\n", "ERANGE", "does not fit f64")
    one("f32_over", "-1e39", "F32")
    one("f16_over", "70000", "F16")
    one("i8_over", "128", "I8")
    one("i8_under", "-129", "I8")
    one("u8_negative", "-1", "U8")
    one("u16_over", "65536", "U16")
    one("i32_over", "2147483648", "I32")
    one("i64_over", "9223372036854775808", "I64")
    one("i64_under", "-9223372036854775809", "I64")
    one("u64_over", "18446744073709551616", "U64")
    one("u64_digits", "100000000000000000000000", "U64")
    one("u64_negative", "-1", "U64")
    one("bool_two", "2", "BOOL")
    one("i32_fraction", "1.5", "I32", "EFORMAT")
    one("i32_exponent", "1e3", "I32", "EFORMAT")
    one("i32_nan", "nan", "I32", "EFORMAT")
    one("i32_inf", "inf", "I32", "EFORMAT")
    for name, text in [("empty", ""), ("na", "NA"), ("null", "null")]:
        write("missing_i32_" + name, b"1,2\n3," + text.encode() + b"\n", "EFORMAT", "line 2, column 2: a missing field",
              "I32")
    write("missing_f8", b"1,2\n3,\n", "EFORMAT", "line 2, column 2: a missing field", "U8")
    write("complex_dtype", b"1\n", "EDTYPE", "csv_decode: ", "C64")


TABLES = Attacks("csv_tables", "csv", columns="the file, the status, a part of the message")


def tables():
    """Tables of columns: what is refused there as well, or only there."""
    def one(name, content, status, message):
        TABLES.write(name, content, status, message)

    one("empty", b"", "EFORMAT", "line 1: no rows")
    one("mark_alone", b"\xef\xbb\xbf", "EFORMAT", "no rows")
    one("utf16", "a,b\n1,2\n".encode("utf-16"), "EFORMAT", "byte 0: it is UTF-16")
    one("row_short", b"a,b\n1,2\n3\n", "EFORMAT", "line 3, column 1: the row ends after 1 fields, the first has 2")
    one("row_long", b"a,b\n1,2\n3,4,5\n", "EFORMAT", "line 3, column 3: more fields than the 2")
    one("comment_first", b"# by hand\n1,2\n", "EFORMAT", "which begins with #: is that a comment?")
    one("quote_open", b"a,b\n1,\"2\n3,4\n", "EFORMAT", "line 2, column 2: a quoted field does not end")
    one("quote_open_first", b"\"a,b\n1,2\n", "EFORMAT", "line 1, column 1: a quoted field does not end")
    one("quote_text_after", b"a,b\n1,\"2\"3\n", "EFORMAT", "line 2, column 2: text after a closing quote")
    one("quotes_odd", b"a\n\"\"\"\n", "EFORMAT", "line 2, column 1: a quoted field does not end")
    one("name_not_utf8", b"a\xff,b\n1,2\n", "EFORMAT", "line 1, column 1: a column's name is not UTF-8")
    one("name_zero", b"a\0,b\n1,2\n", "EFORMAT", "line 1, column 1: a byte of zero")
    one("text_zero", b"a,b\nx\0y,2\n", "EFORMAT", "line 2, column 1: a byte of zero")
    one("f64_over", b"a\n1.5\n1e400\n", "ERANGE", "line 3, column 1: '1e400' does not fit f64")
    one("ns_over", b"d\n2024-01-01T00:00:00.000000001\n9999-01-01T00:00:00\n", "ERANGE", "line 3, column 1: ")
    packed = gzip.compress(b"a,b\n1,2\n", mtime=0)
    one("gzip_cut", packed[:-4], "EFORMAT", "its gzip data is cut short")
    one("gzip_header_cut", packed[:8], "EFORMAT", "its gzip data is cut short")
    one("gzip_crc", packed[:-8] + b"\0\0\0\0" + packed[-4:], "EFORMAT", "another CRC or size")
    one("gzip_size", packed[:-4] + b"\1\0\0\0", "EFORMAT", "another CRC or size")
    one("gzip_flags", packed[:3] + b"\xe0" + packed[4:], "EFORMAT", "bytes follow its gzip data")
    one("gzip_broken", packed[:10] + b"\xff" * 8 + packed[18:], "EFORMAT", "its gzip data is broken")
    one("gzip_more", packed + b"more", "EFORMAT", "its gzip data is cut short")
    one("gzip_bomb", gzip.compress(b"1" + b",1" * 7 + b"\n" + b"\n" * (1 << 20), mtime=0) + gzip.compress(b"x", mtime=0)[:12], "EFORMAT", "cut short")
    TABLES.finish()


def main():
    rows()
    quotes()
    numbers()
    ranges()
    ATTACKS.finish()
    tables()


main()
