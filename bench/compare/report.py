"""The table and the summary."""
import math
import statistics

LARGE = 100000  # elements from which a row has a bar
BAR = 0.97
COMPUTING = ("product", "conv", "nn")  # groups in which every row has a bar
COMPUTING_BAR = 0.95

UNITS = ((1e6, "ms"), (1e3, "us"), (1.0, "ns"))


def short(value):
    """Three digits that matter."""
    if value is None:
        return "-"
    if value >= 100:
        return f"{value:.0f}"
    return f"{value:.1f}" if value >= 10 else f"{value:.2f}"


def unit_of(ns):
    return next((scale, name) for scale, name in UNITS if ns >= scale or scale == 1.0)


def pair(values, scale=1.0):
    """A number for each count of threads: "12.3/6.4"."""
    return "/".join(short(v / scale if v is not None else None) for v in values)


def best_peer(entry):
    return min(entry["peers"], key=entry["peers"].get, default="-")


def columns(entries):
    """Peers in the order in which they first appear in the results."""
    names = []
    for entry in entries:
        names += [name for name in entry["peers"] if name not in names]
    return names


def row_cells(name, entries, threads, peers):
    """entries: {threads: entry} of one workload."""
    got = [entries.get(t) for t in threads]

    def pick(key, peer=None):
        return [None if e is None else e[key].get(peer) if peer else e[key] for e in got]

    some = next(e for e in got if e is not None)
    scale, unit = unit_of(some["tessera_ns"] or min(some["peers"].values(), default=0) or 1)
    cells = [name, unit, pair(pick("limit_ns"), scale), pair(pick("tessera_ns"), scale),
             pair(pick("tessera_median_ns"), scale)]
    cells += [pair(pick("peers", peer), scale) for peer in peers]
    cells += ["/".join("-" if e is None else best_peer(e) for e in got)]
    return cells + [pair(pick("ratio_best_peer")), pair(pick("ratio_best_peer_median"))]


def table(results, threads):
    """The text of the table: a row a workload, cells have a number for each count of threads."""
    peers = columns(results)
    head = ["workload", "", "limit", "tessera", "(median)"] + peers + ["best peer", "ratio", "(median)"]
    rows, by_name = [head], {}
    for entry in results:
        by_name.setdefault(entry["workload"], {})[entry["threads"]] = entry
    rows += [row_cells(name, entries, threads, peers) for name, entries in by_name.items()]
    widths = [max(len(row[i]) for row in rows) for i in range(len(head))]
    lines = ["  ".join([row[0].ljust(widths[0])] + [c.rjust(w) for c, w in zip(row[1:], widths[1:])]) for row in rows]
    return "\n".join(line.rstrip() for line in lines)


def page_row(name, entries, threads):
    """A row of the page: what was measured of each peer is in the JSON; here the best one stands."""
    got = [entries.get(t) for t in threads]
    some = next(e for e in got if e is not None)
    scale, unit = unit_of(some["tessera_ns"] or min(some["peers"].values(), default=0) or 1)

    def cell(key, by=1.0):
        return " / ".join(short(e[key] / by if e and e[key] is not None else None) for e in got)

    best = " / ".join(f"{best_peer(e)} {short(min(e['peers'].values()) / scale)}" if e and e["peers"] else "-" for e in got)
    return [name, unit.replace("us", "µs"), cell("limit_ns", scale), cell("tessera_ns", scale), best, cell("ratio_best_peer"),
            cell("ratio_best_peer_median")]


def page(results, threads, notes):
    """The table as a page of documentation has it, the machine and the versions above it."""
    head = ["row", "", "limit", "Tessera", "best peer", "ratio", "of medians"]
    by_name = {}
    for entry in results:
        by_name.setdefault(entry["workload"], {})[entry["threads"]] = entry
    rows = [head, ["---"] * len(head)] + [page_row(name, entries, threads) for name, entries in by_name.items()]
    lines = ["| " + " | ".join(row) + " |" for row in rows]
    cells = " / ".join(str(t) for t in threads)
    return "\n".join(notes + [f"Cells are {cells} threads.", ""] + lines + ["", summary(results), ""])


def geometric_mean(values):
    return math.exp(statistics.fmean(math.log(v) for v in values))


def bar(entry):
    """What the ratio should at least be; None for rows so small that calling is what they measure, and for those that
    only open a file."""
    if entry["group"] == "open":
        return None
    if entry["group"] in COMPUTING:
        return COMPUTING_BAR
    return BAR if entry["elements"] >= LARGE else None


def summary(results):
    """What the table says of the bars, in words."""
    lines = []
    for threads in sorted({e["threads"] for e in results}):
        rows = [e for e in results if e["threads"] == threads and e["ratio_best_peer"] and e["group"] != "sweep" and bar(e)]
        word = "thread" if threads == 1 else "threads"
        if rows:
            mean = geometric_mean([e["ratio_best_peer"] for e in rows])
            lines.append(f"{threads} {word}: {len(rows)} rows with a bar, geometric mean {mean:.2f} times the best "
                         "peer's speed")
            behind = sorted((e for e in rows if e["ratio_best_peer"] < bar(e)), key=lambda e: e["ratio_best_peer"])
            names = ", ".join(f"{e['workload']} {e['ratio_best_peer']:.2f} ({best_peer(e)})" for e in behind)
            lines.append(f"  under {BAR} (products and networks {COMPUTING_BAR}): {names or 'none'}")
        for e in (e for e in results if e["threads"] == threads and e["group"] == "sweep" and e["ratios"]):
            ratios = ", ".join(f"{name} {ratio:.2f}" for name, ratio in e["ratios"].items())
            lines.append(f"  {e['workload']}: median of {len(e['cases'])} cases {short(e['ratio_best_peer'])} "
                         f"against the better one ({ratios})")
    return "\n".join(lines)
