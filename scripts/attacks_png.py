#!/usr/bin/python3
"""Writes tests/attacks/png/: one small file for each rule that a PNG reader must not let anyone break, and table.inc,
which says what each one gets: a status and a part of the message; and the first inputs of the fuzzer, fuzz/corpus/png/.
Texts of libpng are left out of the table where they are libpng's to choose."""
import os
import struct
import zlib

from attacks import PROJECT, Attacks
from golden_png import MAGIC, chunk, encode, header, pixels, raw

ATTACKS = Attacks("png")
PIXELS = pixels(4, 5, 3, 256)
END = chunk(b"IEND", b"")


def write(name, content, status, message="byte "):
    ATTACKS.write(name, content, status, message)


def image(ihdr=None, data=None, before=b"", after=END, header_crc=None):
    ihdr = header(5, 4, 8, 2) if ihdr is None else ihdr
    data = zlib.compress(raw(PIXELS, 8)) if data is None else data
    return MAGIC + chunk(b"IHDR", ihdr, header_crc) + before + chunk(b"IDAT", data) + after


def main():
    good = encode(PIXELS, 8, 2)
    write("empty", b"", "EFORMAT", "byte 0: the file ends too early")
    write("not_png", b"GIF89a, not a PNG image at all", "EFORMAT", "byte 8: Not a PNG file")
    write("magic_text", MAGIC.replace(b"\r\n", b"\n") + good[8:], "EFORMAT")
    write("magic_alone", MAGIC, "EFORMAT", "byte 8: the file ends too early")
    write("cut_header", good[:20], "EFORMAT", "the file ends too early")
    write("cut_data", good[:60], "EFORMAT", "the file ends too early")
    write("cut_end", good[:-1], "EFORMAT", "the file ends too early")
    write("no_end", good[:-12], "EFORMAT", "the file ends too early")
    write("no_header", MAGIC + chunk(b"IDAT", b"") + END, "EFORMAT")
    write("no_data", MAGIC + chunk(b"IHDR", header(5, 4, 8, 2)) + END, "EFORMAT")
    write("header_twice", image(before=chunk(b"IHDR", header(5, 4, 8, 2))), "EFORMAT")
    write("header_crc", image(header_crc=1), "EFORMAT")
    write("data_crc", good.replace(good[-16:-12], b"\1\2\3\4"), "EFORMAT")
    write("chunk_length_2_31", MAGIC + b"\x80\0\0\0IHDR" + header(5, 4, 8, 2), "EFORMAT")
    write("chunk_length_past_file", MAGIC + b"\x7f\xff\xff\xffIHDR" + header(5, 4, 8, 2), "EFORMAT")
    write("chunk_name", MAGIC + chunk(b"IHDR", header(5, 4, 8, 2)) + chunk(b"\1\2\3\4", b"") + END, "EFORMAT")
    write("critical_unknown", image(before=chunk(b"ABCD", b"")), "EFORMAT")
    write("width_0", image(header(0, 4, 8, 2)), "EFORMAT")
    write("height_0", image(header(5, 0, 8, 2)), "EFORMAT")
    write("width_2_31", image(header(2**31, 4, 8, 2)), "EFORMAT")
    write("pixels_2_62", image(header(2**31 - 1, 2**31 - 1, 16, 6)), "EFORMAT",
          "byte 16: 2147483647 x 2147483647 pixels cannot be in 132 bytes")
    write("pixels_over_limit", image(header(2**15, 2**14, 8, 0)), "EFORMAT",
          "byte 16: 32768 x 16384 pixels cannot be in 132 bytes")
    write("pixels_without_bytes", image(header(16384, 16384, 16, 6)), "EFORMAT", "byte 16: 16384 x 16384 pixels cannot be in")
    write("pixels_of_a_row", image(header(2**28, 1, 16, 6)), "EFORMAT", "byte 16: 268435456 x 1 pixels cannot be in")
    for bits in [0, 3, 5, 32]:
        write(f"bits_{bits}", image(header(5, 4, bits, 0)), "EFORMAT")
    for color in [1, 5, 7, 255]:
        write(f"color_{color}", image(header(5, 4, 8, color)), "EFORMAT")
    write("rgb_of_4_bits", image(header(5, 4, 4, 2)), "EFORMAT")
    write("palette_of_16_bits", image(header(5, 4, 16, 3), before=chunk(b"PLTE", b"\0" * 3)), "EFORMAT")
    write("compression_1", image(header(5, 4, 8, 2, compression=1)), "EFORMAT")
    write("filter_method_1", image(header(5, 4, 8, 2, filtering=1)), "EFORMAT")
    write("interlace_2", image(header(5, 4, 8, 2, interlace=2)), "EFORMAT")
    write("palette_missing", image(header(5, 4, 8, 3)), "EFORMAT")
    write("palette_of_4_bytes", image(header(5, 4, 8, 3), before=chunk(b"PLTE", b"\0" * 4)), "EFORMAT")
    write("palette_of_300", image(header(5, 4, 8, 3), before=chunk(b"PLTE", b"\0" * 900)), "EFORMAT")
    write("data_broken", image(data=b"\xff" * 40), "EFORMAT")
    write("data_short", image(data=zlib.compress(raw(PIXELS, 8)[:-1])), "EFORMAT")
    write("data_cut", image(data=zlib.compress(raw(PIXELS, 8))[:-20]), "EFORMAT")
    write("data_empty", image(data=b""), "EFORMAT")
    write("filter_5", image(data=zlib.compress(b"\5" + raw(PIXELS, 8)[1:])), "EFORMAT")
    ATTACKS.finish()
    corpus = os.path.join(PROJECT, "fuzz", "corpus", "png")
    os.makedirs(corpus, exist_ok=True)
    samples = os.path.join(PROJECT, "tests", "io", "png")
    for name in sorted(os.listdir(samples)):
        if name.endswith(".png"):
            with open(os.path.join(samples, name), "rb") as source, open(os.path.join(corpus, name[:-4]), "wb") as out:
                out.write(b"\1" + source.read())


main()
