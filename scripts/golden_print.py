#!/usr/bin/env python3
"""Writes tests/golden/print.inc: tensors as bit patterns, and what NumPy's str() and array2string() make of them.

    /usr/bin/python3 scripts/golden_print.py > tests/golden/print.inc

The file in the tree was made with NumPy 1.24, whose rules are the contract. Needs nothing but NumPy."""
import sys

import numpy as np

NAMES = {
    "b1": "BOOL", "i1": "I8", "i2": "I16", "i4": "I32", "i8": "I64", "u1": "U8", "u2": "U16", "u4": "U32", "u8": "U64",
    "f2": "F16", "f4": "F32", "f8": "F64", "c8": "C64", "c16": "C128",
}
FLOATS = ["f2", "f4", "f8"]
INTS = ["i1", "i2", "i4", "i8", "u1", "u2", "u4", "u8"]
COMPLEX = ["c8", "c16"]
MAX_TEXT = 4000  # C promises string literals of 4095 bytes

np.seterr(all="ignore")
random = np.random.default_rng(12)
bits, cases, seen = [], [], {}


def patterns(values):
    """The bit patterns of a 1-D array; complex numbers are two each."""
    part = values.dtype.itemsize // (2 if values.dtype.kind == "c" else 1)
    return [int(x) for x in values.view("u%d" % part)]


def text_of(array, options):
    if array.ndim == 0 and not options.get("precision") and not options.get("suppress"):
        return str(array)
    kwargs = {}
    if options.get("precision"):
        kwargs["precision"] = max(options["precision"], 0)
    if options.get("line_width"):
        kwargs["max_line_width"] = options["line_width"]
    if options.get("threshold"):
        kwargs["threshold"] = options["threshold"]
    if options.get("edge_items"):
        kwargs["edgeitems"] = options["edge_items"]
    if options.get("separator"):
        kwargs["separator"] = options["separator"] + " "
    if options.get("suppress"):
        kwargs["suppress_small"] = True
    return np.array2string(array, **kwargs)


def case(kind, shape, values, **options):
    """A tensor of shape, filled with values over and over."""
    values = np.asarray(values, dtype=kind).ravel()
    array = np.resize(values, shape)
    text = text_of(array, options)
    if len(text) > MAX_TEXT:
        sys.exit("a text of %d bytes is too long for a literal: %s %s" % (len(text), kind, shape))
    key = tuple(patterns(values))
    if key not in seen:
        seen[key] = len(bits)
        bits.extend(key)
    cases.append((NAMES[kind], shape, seen[key], len(values), options, text))


def row(kind, values, **options):
    case(kind, (len(values),), values, **options)


def scalars():
    for kind in FLOATS:
        for x in [0, -0.0, 1, -1, 0.1, 1 / 3, 1e-4, 9.99e-5, 1e-7, 123.456, 65504, 1e5, 123456789, 9.999e15, 1e16,
                  1.5e20, 3e-39, 1e300, 5e-324, np.inf, -np.inf, np.nan]:
            case(kind, (), [x])
        for precision in [-1, 1, 3, 8, 17]:
            case(kind, (), [2.5], precision=precision)
            case(kind, (), [1234.56789], precision=precision)
    for kind in COMPLEX:
        for z in [0, 1, 1j, -1j, complex(-0.0, 1), complex(0, -0.0), 1 + 2j, 1e20 + 1e-7j, 0.1 - 1.5e16j,
                  complex(np.nan, np.inf), complex(0, np.nan), complex(0, -np.inf)]:
            case(kind, (), [z])
        case(kind, (), [1.23456 - 2j], precision=3)
    for kind in INTS:
        case(kind, (), [np.iinfo(kind).min])
        case(kind, (), [np.iinfo(kind).max])
    case("b1", (), [True])
    case("b1", (), [False])


def integers():
    for kind in INTS:
        limits = np.iinfo(kind)
        row(kind, [limits.min, 0, limits.max])
        row(kind, list(range(10)) + [100])
        case(kind, (3, 4), range(12), separator=",")
        case(kind, (40, 30), random.integers(0, 100, 40))
        case(kind, (60,), random.integers(limits.min, limits.max, 20, dtype=kind))
    row("i8", [-5, 100])
    row("i4", [-1, -100])
    for shape in [(7,), (2, 3), (2, 2, 3)]:
        case("b1", shape, [True, False, False])
    row("b1", [True])
    case("b1", (50,), [True, False])


def shapes():
    for shape in [(0,), (2, 0), (0, 3, 4)]:
        for kind in ["f4", "i4", "b1"]:
            case(kind, shape, [1])
    for shape in [(1,), (1, 1), (1, 1, 1, 1), (5,), (2, 3), (3, 2), (2, 2, 2), (2, 1, 3, 2), (2, 2, 2, 2),
                  (2, 1, 2, 1, 2)]:
        case("i4", shape, range(16))
        case("f4", shape, np.arange(16) / 4 - 1)
        case("f4", shape, np.arange(16) / 4 - 1, separator=",")
    for shape in [(1001,), (7, 200), (200, 7), (11, 11, 11), (2, 600), (600, 2)]:
        case("i2", shape, range(-50, 950, 7))
        case("f4", shape, np.arange(37) / 8)
    for shape in [(7, 7, 7, 7), (3, 3, 3, 3, 20)]:
        case("i2", shape, range(-50, 950, 7), edge_items=1)
        case("f4", shape, np.arange(37) / 8, edge_items=1)
    case("i1", (1000,), range(10))  # the most that is not summarised
    for edge in [1, 2, 4, 10]:
        case("f4", (30, 30), np.arange(23) / 4, threshold=20, edge_items=edge)
        case("i4", (9,), range(9), threshold=5, edge_items=edge, separator=",")
    case("f4", (100,), [0.5] * 5 + [123456] + [1.25] * 5, threshold=10)  # widths only of what is shown
    case("f8", (9, 100), [1, 2, 3, 4, 1e9, 6, 7], threshold=10, edge_items=2)


def wrapping():
    for kind in ["f8", "f4", "f2"]:
        case(kind, (25,), random.normal(size=25))
        case(kind, (3, 25), random.normal(size=25))
    for width in [1, 2, 10, 11, 12, 13, 20, 40, 74, 76, 200]:
        case("f4", (2, 12), np.arange(12) / 8 - 0.5, line_width=width)
        case("i4", (2, 2, 9), range(-4, 5), line_width=width, separator=",")
    for width in range(30, 40):
        row("f4", np.arange(12) / 8, line_width=width)  # spaces of the padding vanish at a line's end
        row("i4", range(12), line_width=width)


def floats():
    exact = [1, 1.5, -2.25, 1000, 0.5]
    interesting = [
        [1], [1, 2, 3], [0], [0, -0.0], exact, [1, 1000], [1, 1000.2], [1, 1001], [1e8], [99999999.], [99999992.],
        [1e7, 1], [1e-4, 1e-3], [9e-5], [1e-4], [1e-5, 1], [0.1, 0.2, 0.3], [1 / 3], [1 / 3, 1e5], [np.nan], [np.inf], [-np.inf],
        [np.nan, np.inf, -np.inf], [1, np.nan], [1.5, -np.inf], [-1.25, np.inf, np.nan], [1e-10, np.nan, np.inf],
        [1e-10, -np.inf], [1e300, 1e-300], [5e-324], [3e-45, 1], [1e38, -1e-38], [6e-8], [65504, 1], [65504],
        [2 ** 24, 3], [16777217], [123456789, 1], [1e100, 1], [0, 1e-7], [0.000123, 12.5], [1, 10, 100, 999.5], [8388609.5, 1e4],
        [2.0 ** i for i in range(-5, 5)], [10.0 ** i for i in range(-4, 4)], [1e-8, 1], [0.0001220703125, 0.015625],
    ]
    for kind in FLOATS:
        for values in interesting:
            row(kind, values)
        one, thousand = np.nextafter(np.array([1, 1000], kind), np.array(2000, kind))
        row(kind, [one, np.nextafter(thousand, np.array(2000, kind))])  # more than 1000 apart, but not when rounded
        row(kind, [1, thousand])
        raw = np.frombuffer(random.bytes(12 * np.dtype(kind).itemsize), kind)
        row(kind, raw)
        row(kind, np.abs(raw[np.isfinite(raw)]))


def options():
    values = [1 / 3, -2.5, 0.001, 123.456]
    small = [1e-10, 5e-9, 6e-9, 4e-9, 1, 1e7]
    for kind in FLOATS:
        for precision in [-1, 1, 2, 4, 8, 12, 17, 40]:
            row(kind, values, precision=precision)
            row(kind, [1e-5, 1.23456789], precision=precision)
        row(kind, [0.5, 1.5, 2.5, -0.5, 9.5], precision=-1)
        row(kind, small, suppress=True)
        row(kind, [1e-10, 1, 2], suppress=True, precision=3)
        row(kind, [0.046, 0.056, 0.05], suppress=True, precision=1)
        row(kind, [np.nan, 1e-6, -np.inf], suppress=True, separator=",")


def complexes():
    for kind in COMPLEX:
        row(kind, [1 + 2j, 0.5 - 1.25j, -3j])
        row(kind, [complex(np.nan, 1), complex(1, np.nan), complex(-np.inf, np.inf), complex(0, -np.inf)])
        row(kind, [1e-10 + 1j, 1 + 1e10j])
        row(kind, [1 / 3 + 1j / 7], precision=3)
        row(kind, [0j])
        case(kind, (2, 9), (random.normal(size=9) + 1j * random.normal(size=9)), separator=",")
        case(kind, (30, 50), np.arange(40) * (1 - 0.5j))


def literal(text):
    """One C string a line of text."""
    lines = text.split("\n")
    parts = ['"%s%s"' % (line, "\\n" if i + 1 < len(lines) else "") for i, line in enumerate(lines)]
    return "\n     ".join(parts)


def field_text(options):
    fields = []
    for name in ["precision", "line_width", "threshold", "edge_items"]:
        if options.get(name):
            fields.append(".%s = %d" % (name, options[name]))
    if options.get("separator"):
        fields.append(".separator = '%s'" % options["separator"])
    if options.get("suppress"):
        fields.append(".suppress = true")
    return ", ".join(fields) or "0"


def write():
    print("/* Written by scripts/golden_print.py with NumPy %s: do not edit. */" % np.__version__)
    print("static const uint64_t golden_bits[] = {")
    line = ""
    for word in bits:
        item = "%#xu, " % word if word > 9 else "%d, " % word
        if len(line) + len(item) > 116:
            print("  " + line.rstrip())
            line = ""
        line += item
    print("  " + line.rstrip())
    print("};\n")
    print("static const golden_case golden_cases[] = {")
    for name, shape, first, count, opts, text in cases:
        dims = ", ".join(str(n) for n in shape) or "0"
        print("    {TSR_%s, %d, {%s}, %d, %d, {%s}," % (name, len(shape), dims, first, count, field_text(opts)))
        print("     %s}," % literal(text))
    print("};")


scalars()
integers()
shapes()
wrapping()
floats()
options()
complexes()
write()
print("%d cases, %d words" % (len(cases), len(bits)), file=sys.stderr)
