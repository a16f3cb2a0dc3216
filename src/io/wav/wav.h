/* The parts of the reader and writer of WAV. */
#ifndef TSR_IO_WAV_WAV_H
#define TSR_IO_WAV_WAV_H

#include <tessera/wav.h>
#include "core/check.h"

#if TSR_HAVE_STDIO

enum { TSR__WAV_PCM = 1, TSR__WAV_FLOAT = 3, TSR__WAV_EXTENSIBLE = 0xfffe };

/* A file that was looked through: nothing of it is past its end. */
typedef struct tsr__wav {
  tsr_wav_info info;
  uint16_t channels;
  const uint8_t *data;
  size_t frames;
} tsr__wav;

/* where begins messages: "" or "x.wav: ". */
tsr_status tsr__wav_parse(tsr_ctx *ctx, const char *op, const char *where, const uint8_t *bytes, size_t n,
                          tsr__wav *out);

#endif

#endif
