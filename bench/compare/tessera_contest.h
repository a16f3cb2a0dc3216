/* What the parts of Tessera's contestant share. */
#ifndef BENCH_TESSERA_CONTEST_H
#define BENCH_TESSERA_CONTEST_H

#include <tessera/tessera.h>

#include "contest.h"

typedef void contest_run(long calls);

/* A workload: what gets it ready, and what does it so many times. */
typedef struct contest_row {
  const char *name;
  void (*open)(const contest_workload *w);
  contest_run *run;
} contest_row;

extern const contest_row contest_network_rows[]; /* the last one has no name */
extern const contest_row contest_file_rows[];
extern const contest_row contest_sort_rows[];
extern const contest_row contest_fft_rows[];
extern const contest_row contest_einsum_rows[];
extern const contest_row contest_index_rows[];

/* Opens an expression, "fuse_gelu_16M"; NULL when it is none. */
contest_run *contest_open_fused(const contest_workload *w);

/* Lets go of what a workload of files has loaded. */
void contest_close_files(void);

extern tsr_ctx context;
extern tsr_tensor a, b, out; /* of the workload that is open; none of them owns */

/* The inputs and the output of a workload, in the memory of contest.h. */
void contest_input(tsr_tensor *t, int64_t start, int ndim, const tsr_index *shape);
void contest_output(int dtype, contest_kind kind, int ndim, const tsr_index *shape);

/* Ends the program with the library's message. */
void contest_failed(void);

static inline void must(tsr_status status) {
  if (status != TSR_OK) contest_failed();
}

/* A function that makes the call so many times. */
#define RUN(name, call)                          \
  static void name(long calls) {                 \
    for (long i = 0; i < calls; i++) must(call); \
  }

/* Opens an operation of networks with the numbers that sweep.py explains; NULL when it is none. */
contest_run *contest_open_network_sweep(const char *op, const tsr_index *numbers, bool a_transposed, bool b_transposed);

/* Opens "sweep short op=... dtype=... shape=... columns=..."; NULL when it cannot do that. */
contest_run *contest_open_short(const char *spec);

/* Opens "sweep OP shape=... a=... b=... axes=..."; NULL when it cannot do that. */
contest_run *contest_open_sweep(const char *spec);

#endif
