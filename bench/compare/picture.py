"""picture.py RESULTS.json PICTURE.png: a bar chart of the ratios to the best peer. Exit code 77 without matplotlib."""
import json
import sys

try:
    import matplotlib
    matplotlib.use("Agg")
    import matplotlib.pyplot as plt
except ImportError:
    sys.exit(77)

COLOURS = ("#1f6f8b", "#f2a154", "#7a9e3f", "#a05c9a", "#888888")  # for the counts of threads, in their order


def draw(results, path):
    rows = [e for e in results if e["ratio_best_peer"]]
    names = list(dict.fromkeys(e["workload"] for e in rows))
    if not names:
        return
    threads = sorted({e["threads"] for e in rows})
    height = 0.8 / len(threads)
    figure, axes = plt.subplots(figsize=(10, 1.2 + 0.32 * len(names)))
    for i, t in enumerate(threads):
        mine = [e for e in rows if e["threads"] == t]
        places = [names.index(e["workload"]) + (i - (len(threads) - 1) / 2) * height for e in mine]
        ratios = [e["ratio_best_peer"] for e in mine]
        label = "1 thread" if t == 1 else f"{t} threads"
        axes.barh(places, [r - 1 for r in ratios], height, left=1, color=COLOURS[min(i, len(COLOURS) - 1)], label=label)
        for place, ratio in zip(places, ratios):
            axes.annotate(f"{ratio:.2f}", (ratio, place), xytext=(3 if ratio >= 1 else -3, 0), fontsize=6,
                          textcoords="offset points", va="center", ha="left" if ratio >= 1 else "right")
    axes.axvline(1, color="black", linewidth=0.8)
    axes.set_xscale("log")
    axes.margins(x=0.12)
    ticks = [v for v in (0.1, 0.25, 0.5, 1, 2, 4, 8, 16, 32) if axes.get_xlim()[0] <= v <= axes.get_xlim()[1]]
    axes.set_xticks(ticks, [f"{v:g}" for v in ticks])
    axes.minorticks_off()
    axes.set_yticks(range(len(names)), names, fontsize=8)
    axes.set_ylim(len(names) - 0.4, -0.6)
    axes.grid(axis="x", linewidth=0.3)
    axes.set_axisbelow(True)
    axes.set_xlabel("time of the best peer / time of Tessera (right of 1: Tessera is faster)")
    axes.legend(loc="upper left", bbox_to_anchor=(1, 1))
    figure.tight_layout()
    figure.savefig(path, dpi=120)


with open(sys.argv[1], encoding="utf-8") as file:
    draw(json.load(file), sys.argv[2])
