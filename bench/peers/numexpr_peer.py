"""numexpr as a contestant: an expression is compiled once, and evaluated into a given output."""
import os
import sys
from functools import partial

import numexpr

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), os.pardir, "compare"))
import contest  # noqa: E402
import expressions  # noqa: E402

numexpr.set_num_threads(contest.THREADS)

# Numbers are written so that f32 stays f32: numexpr makes f64 of a Python float.
EXPRESSIONS = {
    "lin": "2*a + 3*b",
    "muladd": "a*b + c",
    "trig": "sin(a)**2 + cos(a)**2",
    "ssd": "sum((a - b)**2)",
    "ssd_ax0": "sum((a - b)**2, axis=0)",
    "ssd_ax1": "sum((a - b)**2, axis=1)",
    "where": "where(a > 0, a, tenth*a)",
    "clip": "where((a - m)/s < -3, low, where((a - m)/s > 3, high, (a - m)/s))",
    "chain": "a - where(b/sqrt(abs((a*b + c - a)*half) + 1) > c, b/sqrt(abs((a*b + c - a)*half) + 1), c)**2",
}


def open_case(spec):
    case = expressions.parse(spec)
    if case is None or case[0] not in EXPRESSIONS or case[2] == "f16":
        return None
    name, shape, variant = case
    given = expressions.inputs(shape, variant)
    out = expressions.output(name, shape, variant)
    one = out.dtype.type
    given.update(tenth=one(0.1), half=one(0.5), low=one(-3), high=one(3))
    numexpr.evaluate(EXPRESSIONS[name], given, {}, out=out, casting="same_kind")
    return partial(numexpr.evaluate, EXPRESSIONS[name], given, {}, out=out, casting="same_kind"), out


contest.serve(numexpr.__version__, open_case)
