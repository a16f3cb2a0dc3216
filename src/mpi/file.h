/* One file that all ranks write: its header, as one process would write it, and where elements go. */
#ifndef TSR_MPI_FILE_H
#define TSR_MPI_FILE_H

#include "mpi/dist.h"

#include <tessera/formats.h>

typedef struct tsr__shared_file {
  MPI_File file;
  char *temporary; /* its name while it is written */
  const char *path;
  bool open;
  int count;
  uint64_t *offsets; /* of the first byte of each tensor */
  char *header;
  size_t header_bytes;
} tsr__shared_file;

/* Plans a file of bundle, whose tensors have a dtype and shape; their data is not looked at. Not collective. */
tsr_status tsr__file_plan(tsr__comm_call *call, tsr_format format, const char *path, const tsr_bundle *bundle,
                          const tsr_metadata *metadata, tsr__shared_file *f);

/* Opens it and writes its header; collective, after the ranks have agreed. */
tsr_status tsr__file_open(tsr__comm_call *call, tsr_status st, tsr__shared_file *f);

/* Bytes at a place; not collective. */
tsr_status tsr__file_put(tsr__comm_call *call, tsr__shared_file *f, uint64_t offset, const char *bytes, size_t count);

/* Brings it to its name where all ranks are fine, else removes it; and releases f. Collective. */
tsr_status tsr__file_close(tsr__comm_call *call, tsr_status st, tsr__shared_file *f);

#endif
