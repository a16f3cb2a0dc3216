"""SciPy as a contestant: its transforms keep single precision."""
import os
import sys

import scipy
import scipy.fft

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), os.pardir, "compare"))
import contest  # noqa: E402


def open_case(spec):
    return contest.transform(spec, scipy.fft) if spec.startswith(("fft", "rfft")) else None


contest.serve(scipy.__version__, open_case)
