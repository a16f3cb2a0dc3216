"""Thousands of small matrices with NumPy, one thread: microseconds a matrix, beside what bench_linalg prints.

    OPENBLAS_NUM_THREADS=1 /usr/bin/python3 bench/peers/numpy_linalg.py"""
import time

import numpy as np

MANY = 4096
CALLS = {"solve": np.linalg.solve, "inv": lambda a, b: np.linalg.inv(a), "det": lambda a, b: np.linalg.det(a),
         "cholesky": lambda a, b: np.linalg.cholesky(a), "qr": lambda a, b: np.linalg.qr(a),
         "eigh": lambda a, b: np.linalg.eigh(a), "eig": lambda a, b: np.linalg.eig(a), "svd": lambda a, b: np.linalg.svd(a)}
rng = np.random.default_rng(1)
for name, call in CALLS.items():
    for n in (3, 4, 8, 16):
        a = rng.random((MANY, n, n))
        a = a + a.swapaxes(-1, -2) + 2 * n * np.eye(n)
        b = rng.random((MANY, n, 1))
        best = 1e9
        for _ in range(7):
            start = time.perf_counter()
            call(a, b)
            best = min(best, time.perf_counter() - start)
        print("linalg_small_%s_%-3d %9.3f us a matrix" % (name, n, best / MANY * 1e6), flush=True)
