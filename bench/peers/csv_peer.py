"""pandas' C parser as bench_csv: FILE THREADS ROUNDS; it has one thread. Numbers rounded correctly where "exact" follows."""
import gc
import sys
import time

import pandas

path, _, rounds = sys.argv[1], sys.argv[2], int(sys.argv[3])
exact = {"float_precision": "round_trip"} if "exact" in sys.argv else {}
wall = cpu = 1e30
for _ in range(rounds):
    gc.collect()
    start, used = time.perf_counter(), time.process_time()
    table = pandas.read_csv(path, engine="c", **exact)
    wall, cpu = min(wall, time.perf_counter() - start), min(cpu, time.process_time() - used)
    del table
print(f"{wall:.6f} {cpu:.6f}")
