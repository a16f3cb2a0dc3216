/* Files that are written. */
#ifndef TESSERA_OUTPUT_H
#define TESSERA_OUTPUT_H

#include <stdbool.h>
#include <tessera/tessera.h>

/* What is saved. */
typedef struct output {
  const tsr_bundle *bundle;
  const tsr_metadata *metadata; /* may be NULL; left out, with a note, where the format has no room for it */
  const tsr_producer *producer; /* of tensors without data; may be NULL */
  const bool *reported;         /* whether the producer has said why it failed; may be NULL */
} output;

/* Saves to path, "-" is standard output; format TSR_FORMAT_AUTO goes by the name. False: reported. */
bool output_save(tsr_ctx *ctx, const char *path, int format, const output *what);

/* Whether it will be a picture. */
bool output_is_image(const char *path, int format);

/* Whether tensors can be added to a file: it is an .npz or safetensors, or will be, and which; false: reported. */
bool output_can_grow(tsr_ctx *ctx, const char *path, int *format);

/* Adds to an .npz. */
bool output_append(tsr_ctx *ctx, const char *path, const tsr_bundle *bundle);

#endif
