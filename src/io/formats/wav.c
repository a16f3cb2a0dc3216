/* WAV as a format of bundles: one sound, named as its file; how fast it is, is metadata. */
#include "io/formats/formats.h"

#if TSR_HAVE_STDIO

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <tessera/wav.h>

static bool probe(const tsr__file_format *format, const uint8_t *start, size_t n) {
  (void)format;
  return n >= 12 && (memcmp(start, "RIFF", 4) == 0 || memcmp(start, "RF64", 4) == 0) &&
         memcmp(start + 8, "WAVE", 4) == 0;
}

static tsr_status load(tsr_ctx *ctx, const char *path, const tsr__file_format *format, tsr_tensor *out,
                       tsr_metadata *metadata) {
  tsr_wav_info info;
  char rate[16];
  (void)format;
  tsr_status st = tsr_wav_load(ctx, path, NULL, out, &info);
  if (st != TSR_OK || metadata == NULL) return st;
  (void)snprintf(rate, sizeof rate, "%lu", (unsigned long)info.rate);
  st = tsr_metadata_set(ctx, metadata, "rate", rate);
  if (st != TSR_OK) tsr_release(out);
  return st;
}

static tsr_status save(tsr_ctx *ctx, const char *path, const tsr__file_format *format, const tsr_tensor *t,
                       const tsr_metadata *metadata, const tsr_producer *producer) {
  const char *text = metadata != NULL ? tsr_metadata_find(metadata, "rate") : NULL;
  const unsigned long rate = text != NULL ? strtoul(text, NULL, 10) : 44100;
  (void)format, (void)producer;
  for (tsr_index i = 0; metadata != NULL && i < metadata->count; i++)
    if (strcmp(metadata->pairs[i].key, "rate") != 0)
      return TSR__FAIL(ctx, TSR_EUNSUPPORTED, "bundle_save", "metadata", "WAV files have room for the rate, not for %s",
                       metadata->pairs[i].key);
  return tsr_wav_save(ctx, path, t, rate <= UINT32_MAX ? (uint32_t)rate : 0);
}

const tsr__file_format tsr__format_wav = {
    .id = TSR_FORMAT_WAV, .extension = ".wav", .metadata = true, .probe = probe, .load_one = load, .save_one = save};

#endif
