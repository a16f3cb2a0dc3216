/* Several processes that an MPI launcher started: mpirun -n 4 tessera stats FILE. The library of MPI is loaded then and never else. */
#ifndef TESSERA_RANKS_H
#define TESSERA_RANKS_H

#include <stdbool.h>
#include <tessera/formats.h>

/* Which process this is, by what the launcher says; 0 where there is none. */
int ranks_place(void);

/* Makes the processes know each other; where libtessera_mpi.so is not there, or there is one process, each is alone: ranks_count is 1. */
void ranks_start(tsr_ctx *ctx);
void ranks_end(void);

int ranks_count(void);
int ranks_rank(void);

/* Whether ok is true on all of them. */
bool ranks_all(tsr_ctx *ctx, bool ok);

/* Numbers of which each process has some and 0 else, together. */
bool ranks_add(tsr_ctx *ctx, int64_t *numbers, tsr_index count);

/* One file by all. TSR_EUNSUPPORTED: the first process has to write such a one. */
tsr_status ranks_save(tsr_ctx *ctx, const char *path, tsr_format format, const tsr_bundle *bundle,
                      const tsr_metadata *metadata, const tsr_producer *producer);

#endif
