"""sweep_short: every length from 1 to 64, and some to 130, of the axis that an op goes along, of 32 MB; rows and columns
of products, sides of small images. What counts is the bandwidth, of bytes read and written, beside that of a long axis,
and the time of an element beside the lengths next to it. No peer takes part."""
import math

LENGTHS = tuple(range(1, 65)) + (65, 66, 68, 72, 80, 95, 96, 97, 112, 127, 128, 129, 130)
BYTES, LONG = 32 << 20, 4096
ROWS, COLUMNS = 0, 1
F32_OPS = ("sum", "prod", "mean", "var", "min", "max", "any", "count_nonzero", "norm2", "logsumexp", "argmax", "argmin",
           "cumsum", "cumprod", "cummax", "softmax", "log_softmax", "layer_norm", "rms_norm", "concat")
FAMILIES = tuple((op, "f32") for op in F32_OPS) + tuple(
    (op, dtype) for dtype in ("f64", "i8", "i32", "f16") for op in ("sum", "max", "argmax", "cumsum", "concat")) + tuple(
    (op, "f16") for op in ("softmax", "layer_norm"))
PRODUCTS = ("matmul_m", "matmul_n", "matmul_k", "conv3", "conv1", "maxpool")
SIDE = 256  # of the other axes of products
BAR = 0.7


ITEM = {"f64": 8, "f32": 4, "i32": 4, "f16": 2, "i8": 1}
SAME = ("cumsum", "cumprod", "cummax", "softmax", "log_softmax", "layer_norm", "rms_norm", "concat")  # an output as large


def output_item(op, dtype):
    """Bytes of an element of the output."""
    if op in ("argmax", "argmin", "count_nonzero") or (op in ("sum", "cumsum") and dtype.startswith("i")):
        return 8
    return 1 if op == "any" else ITEM[dtype]


def axis_case(op, dtype, length, order):
    """(length, spec, elements, bytes)"""
    rows = max(1, BYTES // ITEM[dtype] // length)
    inputs, outputs = (2 if op == "concat" else 1), (length if op in SAME else 1) * (2 if op == "concat" else 1)
    moved = rows * (inputs * length * ITEM[dtype] + outputs * output_item(op, dtype))
    return length, f"sweep short op={op} dtype={dtype} shape={rows},{length} columns={order}", rows * length, moved


def product_spec(op, length):
    """The case, and its elements: multiplications, or pixels. Of small images there are more, as channels."""
    if op == "maxpool":
        channels = max(1, 65536 // (length * length))
        return f"sweep maxpool shape={channels},{length},{length},2,1,1 a=0", channels * (length + 1) ** 2
    if op.startswith("conv"):
        kernel = int(op[4:])
        return f"sweep conv shape=32,{length},{length},32,{kernel},1,{kernel // 2},1 a=0", 32 * 32 * (length * kernel) ** 2
    m, n, k = (length if op.endswith(axis) else SIDE for axis in "mnk")
    return f"sweep matmul shape=1,{m},{k},{n} a=0 b=0", m * n * k


def lines():
    """Name, and (length, spec, elements, bytes) of each case; the last one is the long axis."""
    for op, dtype in FAMILIES:
        for order in (ROWS, COLUMNS):
            cases = [axis_case(op, dtype, n, order) for n in LENGTHS + (LONG,)]
            yield f"{op} {dtype}{' columns' if order == COLUMNS else ''}", cases
    for op in PRODUCTS:
        yield op, [(n,) + product_spec(op, n) + (0,) for n in LENGTHS]


def time_of(tessera, spec, rounds, ms):
    if not tessera.ask(f"open {spec}").startswith("ok"):
        return math.nan
    times = [float(tessera.ask(f"round {ms}") or "nan") for _ in range(rounds)]
    tessera.ask("close")
    return min(times)


def sweep(tessera, rounds, ms, tell, only=None, passes=2):
    """{name: {length: (ns an element, GB/s)}}: the least time of all passes, so that what disturbs one length does not
    last."""
    found = {}
    for name, cases in lines():
        if only is not None and not only(name):
            continue
        tell(f"bench: sweep_short {name}")
        best = dict.fromkeys((case[0] for case in cases), math.inf)
        for _ in range(passes):
            for length, spec, _, _ in cases:
                best[length] = min(best[length], time_of(tessera, spec, rounds, ms))
        found[name] = {length: (best[length] / elements, moved / best[length]) for length, _, elements, moved in cases}
    return found


def cliff(times):
    """The greatest ratio of a length's time an element to its neighbour's, and the length."""
    lengths = sorted(times)
    pairs = [(times[a] / times[b], a) for a, b in zip(lengths, lengths[1:])]
    return max(pairs + [(times[b] / times[a], b) for a, b in zip(lengths, lengths[1:])])


def summary(name, found):
    """One row: the long axis, the worst length up to 64 beside it, the worst step between neighbours."""
    ratio, at = cliff({n: ns for n, (ns, _) in found.items() if 1 < n < LONG})
    cells = [name, "-", "-", "-", f"{ratio:.2f} at {at}"]
    if LONG in found:
        share = {n: rate / found[LONG][1] for n, (_, rate) in found.items() if n <= 64}
        low = min(share, key=share.get)
        cells[1:4] = f"{found[LONG][1]:.1f}", f"{share[low]:.2f} at {low}", str(sum(s < BAR for s in share.values()))
    return cells


def table(found):
    rows = [["sweep_short", "long, GB/s", "worst of 1-64", f"under {BAR}", "worst neighbour"]]
    rows += [summary(name, times) for name, times in found.items()]
    widths = [max(len(row[i]) for row in rows) for i in range(len(rows[0]))]
    text = ["  ".join([row[0].ljust(widths[0])] + [c.rjust(w) for c, w in zip(row[1:], widths[1:])]) for row in rows]
    return "\n".join(line.rstrip() for line in text)
