/* Tensors that convert changes while they are written: block by block, so that memory does not grow with the file. */
#ifndef TESSERA_STREAM_H
#define TESSERA_STREAM_H

#include "command.h"
#include "source.h"

/* One tensor: where it comes from, and what becomes of it. */
typedef struct streamed {
  target *from; /* NULL: it is in the bundle as it is */
  int dtype, layout;
} streamed;

/* All tensors of the bundle that is written, in its order. */
typedef struct stream {
  tsr_ctx *ctx;
  const tsr_bundle *bundle;
  streamed *list;   /* room for as many as will be in the bundle: owned */
  tsr_index of;     /* the tensor that whole is made of; -1 */
  tsr_tensor whole; /* one that is changed as a whole */
  bool reported;    /* why elements could not be made */
  target *held;     /* the one member of an archive that is in memory; NULL */
} stream;

bool stream_init(tsr_ctx *ctx, const tsr_bundle *bundle, tsr_index most, stream *out);
void stream_release(stream *s);

/* Whether a tensor is changed while it is written; *out is then what it will be, without data. */
bool stream_takes(stream *s, target *from, int dtype, int layout, tsr_tensor *out);

/* Pages of a map that were read go back to the system, which can read them again. */
void stream_forget(const tsr_tensor *part);

/* What the library asks for elements. */
tsr_producer stream_producer(stream *s);

#endif
