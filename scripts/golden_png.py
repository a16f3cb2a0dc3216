#!/usr/bin/python3
"""Writes tests/io/png/: images of kinds that Tessera reads and does not write (palettes, few bits, transparent colours,
interlaced), each with what it shows as .npy. The encoder here is its own, so that a mistake of libpng would be seen."""
import os
import struct
import zlib

FOLDER = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "tests", "io", "png")
MAGIC = b"\x89PNG\r\n\x1a\n"
ADAM7 = [(0, 0, 8, 8), (4, 0, 8, 8), (0, 4, 4, 8), (2, 0, 4, 4), (0, 2, 2, 4), (1, 0, 2, 2), (0, 1, 1, 2)]


def chunk(kind, data, crc=None):
    check = zlib.crc32(kind + data) if crc is None else crc
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", check)


def header(width, height, bits, color, compression=0, filtering=0, interlace=0):
    return struct.pack(">IIBBBBB", width, height, bits, color, compression, filtering, interlace)


def pack_row(samples, bits):
    if bits == 8:
        return bytes(samples)
    if bits == 16:
        return b"".join(struct.pack(">H", s) for s in samples)
    out, per = bytearray((len(samples) * bits + 7) // 8), 8 // bits
    for i, s in enumerate(samples):
        out[i // per] |= s << (8 - bits - i % per * bits)
    return bytes(out)


def raw(rows, bits, interlaced=False):
    """Rows of pixels, each a tuple of samples, as filtered bytes (filter 0)."""
    passes = ADAM7 if interlaced else [(0, 0, 1, 1)]
    out = b""
    for x0, y0, dx, dy in passes:
        for row in rows[y0::dy]:
            samples = [s for pixel in row[x0::dx] for s in pixel]
            if samples:
                out += b"\0" + pack_row(samples, bits)
    return out


def encode(rows, bits, color, interlaced=False, before=b"", body=None):
    data = raw(rows, bits, interlaced) if body is None else body
    return (MAGIC + chunk(b"IHDR", header(len(rows[0]), len(rows), bits, color, interlace=int(interlaced))) + before +
            chunk(b"IDAT", zlib.compress(data)) + chunk(b"IEND", b""))


def pixels(height, width, channels, limit):
    return [[tuple((y * 31 + x * 7 + c * 101 + 3) * 2654435761 % 4294967296 % limit for c in range(channels))
             for x in range(width)] for y in range(height)]


def main():
    import numpy as np
    os.makedirs(FOLDER, exist_ok=True)

    def write(name, content, shown, dtype=np.uint8):
        with open(os.path.join(FOLDER, name + ".png"), "wb") as out:
            out.write(content)
        np.save(os.path.join(FOLDER, name + ".npy"), np.array(shown, dtype=dtype))

    def flat(rows, scale=1):
        return [[p[0] * scale for p in row] for row in rows]

    for bits, scale in [(1, 255), (2, 85), (4, 17)]:
        rows = pixels(5, 11, 1, 1 << bits)
        write(f"grey{bits}", encode(rows, bits, 0), flat(rows, scale))
    colors = [(i * 40 % 256, 255 - i, i * 3 % 256) for i in range(256)]
    palette = chunk(b"PLTE", bytes(s for c in colors for s in c))
    rows = pixels(6, 9, 1, 256)
    write("palette8", encode(rows, 8, 3, before=palette), [[colors[p[0]] for p in row] for row in rows])
    alpha = chunk(b"tRNS", bytes([0, 100, 200]))
    write("palette_alpha", encode(rows, 8, 3, before=palette + alpha),
          [[colors[p[0]] + ((0, 100, 200)[p[0]] if p[0] < 3 else 255,) for p in row] for row in rows])
    rows = pixels(6, 9, 1, 2)
    two = chunk(b"PLTE", bytes([1, 2, 3, 250, 251, 252]))
    write("palette1", encode(rows, 1, 3, before=two), [[((1, 2, 3), (250, 251, 252))[p[0]] for p in row] for row in rows])
    rows = pixels(4, 5, 3, 3)
    key = chunk(b"tRNS", struct.pack(">HHH", *rows[1][2]))
    write("rgb_key", encode(rows, 8, 2, before=key),
          [[p + (0 if p == rows[1][2] else 255,) for p in row] for row in rows])
    rows = pixels(4, 5, 1, 4)
    write("grey_key", encode(rows, 8, 0, before=chunk(b"tRNS", struct.pack(">H", 2))),
          [[p + (0 if p[0] == 2 else 255,) for p in row] for row in rows])
    rows = pixels(13, 10, 1, 65536)
    write("grey16i", encode(rows, 16, 0, interlaced=True), flat(rows), np.uint16)
    rows = pixels(9, 17, 3, 256)
    write("rgb8i", encode(rows, 8, 2, interlaced=True), rows)
    rows = pixels(3, 4, 4, 65536)
    write("rgba16", encode(rows, 16, 6), rows, np.uint16)


if __name__ == "__main__":
    main()
