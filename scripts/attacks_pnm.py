#!/usr/bin/python3
"""Writes tests/attacks/pnm/: one small file for each rule that a reader of PGM and PPM must not let anyone break, and
table.inc, which says what each one gets: a status and a part of the message; and the first inputs of the fuzzer,
fuzz/corpus/pnm/."""
import os

from attacks import PROJECT, Attacks

ATTACKS = Attacks("pnm")
GOOD = {"p2": b"P2\n# a comment\n3 2\n255\n0 1 2\n3 4 255\n", "p3": b"P3 1 2 15\n1 2 3\n4 5 15",
        "p5": b"P5\n3 2\n255\n" + bytes(range(6)), "p6": b"P6\n2 1\n255\n" + bytes(range(6)),
        "p5_16": b"P5 2 1 65535\n\0\1\xff\xfe", "p6_16": b"P6#c\n1 1 1023\n\0\0\3\xff\1\2", "p2_16": b"P2 2 1 300\n7 300\n"}


def write(name, content, message, status="EFORMAT"):
    ATTACKS.write(name, content, status, message)


def main():
    what = "byte 0: not a PGM or PPM file: P2, P3, P5 or P6"
    write("empty", b"", what)
    write("magic_cut", b"P5", what)
    write("magic_joined", b"P52 2 255 abcd", what)
    for kind in (0, 1, 4, 7, 9):
        write(f"magic_p{kind}", b"P%d 2 2 255 " % kind + b"abcd", what)
    write("magic_lower", b"p5 2 2 255 abcd", what)
    write("magic_zero", b"P\0 2 2 255 abcd", what)
    write("width_missing", b"P5\n", "byte 3: the file ends, expected the width")
    write("width_0", b"P5\n0 2 255\n", "byte 3: the width is not 1 to 2147483647")
    write("width_negative", b"P5\n-1 2 255\n", "byte 3: expected the width, a number")
    write("width_word", b"P5\nx 2 255\n", "byte 3: expected the width, a number")
    write("width_2_31", b"P5\n2147483648 1 255\n", "byte 3: the width is not 1 to 2147483647")
    write("width_2_64", b"P5\n18446744073709551617 1 255\n", "byte 3: the width is not 1 to 2147483647")
    write("width_digits", b"P5\n" + b"9" * 1000 + b" 1 255\n", "byte 3: the width is not 1 to 2147483647")
    write("height_0", b"P5\n2 0 255\n", "byte 5: the height is not 1 to 2147483647")
    write("height_missing", b"P5\n2 # 2 255", "byte 12: the file ends, expected the height")
    write("most_0", b"P5\n2 2 0\nabcd", "byte 7: the greatest number is not 1 to 65535")
    write("most_65536", b"P5\n2 2 65536\nabcdefgh", "byte 7: the greatest number is not 1 to 65535")
    write("most_float", b"P5\n2 2 1.5\nabcd", "byte 8: no white space behind the header")
    write("space_missing", b"P5\n2 2 255", "byte 10: no white space behind the header")
    write("pixels_over_limit", b"P5\n32768 16384 255\nabcd", "32768 x 16384 pixels cannot be in the 4 bytes")
    write("pixels_2_62", b"P6\n2147483647 2147483647 255\nabcd", "2147483647 x 2147483647 pixels cannot be in the 4 bytes")
    write("bytes_one_less", b"P5\n2 2 255\nabc", "2 x 2 pixels cannot be in the 3 bytes that follow")
    write("bytes_16_bits", b"P5\n2 2 256\nabcdefg", "2 x 2 pixels cannot be in the 7 bytes that follow")
    write("bytes_three_channels", b"P6\n2 2 255\nabcdefghijk", "2 x 2 pixels cannot be in the 11 bytes that follow")
    write("text_one_less", b"P2\n2 2 255\n10 20 30", "byte 19: the file ends, expected a pixel")
    write("text_too_short", b"P2\n100 100 255\n1 2 3", "100 x 100 pixels cannot be in the 5 bytes that follow")
    write("text_word", b"P2\n2 2 255\n1 2 x 3", "byte 15: expected a pixel, a number")
    write("text_negative", b"P2\n2 2 255\n1 2 -3 4", "byte 15: expected a pixel, a number")
    write("text_over", b"P2\n2 2 255\n1 2 256 4", "byte 15: a pixel is not 0 to 255")
    write("text_over_15", b"P3\n1 1 15\n1 2 16", "byte 14: a pixel is not 0 to 15")
    write("text_2_64", b"P2\n2 2 65535\n1 2 18446744073709551616 4", "byte 17: a pixel is not 0 to 65535")
    write("pixel_over", b"P5\n2 2 7\n\1\7\10\0", "byte 11: a pixel is 8, the greatest number 7")
    write("pixel_over_16", b"P5\n2 1 256\n\1\0\1\1", "byte 13: a pixel is 257, the greatest number 256")
    ATTACKS.finish()
    corpus = os.path.join(PROJECT, "fuzz", "corpus", "pnm")
    os.makedirs(corpus, exist_ok=True)
    for name, content in GOOD.items():
        for choice in (0, 2):
            with open(os.path.join(corpus, f"{name}_{choice}"), "wb") as out:
                out.write(bytes([choice]) + content)


main()
