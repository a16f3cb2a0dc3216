"""Writes GGUF files for tests: exact ones, and ones that break a rule. Numbers are the format's."""
import struct

U8, I8, U16, I16, U32, I32, F32, BOOL, STRING, ARRAY, U64, I64, F64 = range(13)
CODES = {U8: "B", I8: "b", U16: "H", I16: "h", U32: "I", I32: "i", F32: "f", BOOL: "?", U64: "Q", I64: "q", F64: "d"}
# number, elements of a block, bytes of a block
TYPES = {"F32": (0, 1, 4), "F16": (1, 1, 2), "Q4_0": (2, 32, 18), "Q4_1": (3, 32, 20), "Q8_0": (8, 32, 34),
         "Q4_K": (12, 256, 144), "Q6_K": (14, 256, 210), "I8": (24, 1, 1), "I16": (25, 1, 2), "I32": (26, 1, 4),
         "I64": (27, 1, 8), "F64": (28, 1, 8), "BF16": (30, 1, 2), "MXFP4": (39, 32, 17)}


def string(text):
    raw = text.encode() if isinstance(text, str) else text
    return struct.pack("<Q", len(raw)) + raw


def value(kind, what):
    if kind == STRING:
        return string(what)
    if kind == ARRAY:
        item, items = what
        return struct.pack("<IQ", item, len(items)) + b"".join(value(item, i) for i in items)
    return struct.pack("<" + CODES[kind], what)


def pair(key, kind, what):
    """what may be bytes: a value as it is."""
    return string(key) + struct.pack("<I", kind) + (what if isinstance(what, bytes) else value(kind, what))


def tensor(name, dims, kind, offset):
    """dims are the file's: the fastest first."""
    number = TYPES[kind][0] if isinstance(kind, str) else kind
    return string(name) + struct.pack(f"<I{len(dims)}Q", len(dims), *dims) + struct.pack("<IQ", number, offset)


def bytes_of(dims, kind):
    n = 1
    for d in dims:
        n *= d
    return n // TYPES[kind][1] * TYPES[kind][2]


def preamble(tensors, pairs, version=3, magic=b"GGUF"):
    return magic + struct.pack("<IQQ", version, tensors, pairs)


def padded(raw, align):
    return raw + b"\0" * (-len(raw) % align)


def build(pairs, tensors, version=3, align=32):
    """pairs: (key, kind, value); tensors: (name, shape, kind, bytes), shapes row-major."""
    infos, data = b"", b""
    for name, shape, kind, raw in tensors:
        dims = list(reversed(shape))
        assert len(raw) == bytes_of(dims, kind), name
        infos += tensor(name, dims, kind, len(data))
        data = padded(data + raw, align)
    head = preamble(len(tensors), len(pairs), version) + b"".join(pair(*p) for p in pairs) + infos
    return padded(head, align) + data
