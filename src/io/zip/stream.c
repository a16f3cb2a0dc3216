/* The bytes of a member on their way: as they are, or inflated; counted, and their CRC taken. */
#include "io/bytes/text.h"
#include "io/zip/zip.h"

enum { INPUT_BYTES = 1 << 16 };

tsr_status tsr__zip_stream_open(const tsr__zip *zip, const tsr__zip_member *member, tsr__zip_stream *stream) {
  *stream = (tsr__zip_stream){.zip = zip, .member = member};
  if (!member->deflated) return TSR_OK;
  if (zip->in.bytes != NULL) {
    stream->step.in = zip->in.bytes + (size_t)member->data;
    stream->step.in_left = (size_t)member->packed;
    stream->taken = member->packed;
  } else {
    const tsr_status st = tsr__scratch_get(zip->in.ctx, zip->in.op, INPUT_BYTES, &stream->input);
    if (st != TSR_OK) return st;
  }
  stream->inflater = tsr__inflate_new(tsr__allocator(zip->in.ctx));
  if (stream->inflater != NULL) return TSR_OK;
  tsr__zip_stream_close(stream);
  return TSR__FAIL(zip->in.ctx, TSR_ENOMEM, zip->in.op, NULL, "%sno memory to inflate with", zip->in.where);
}

void tsr__zip_stream_close(tsr__zip_stream *stream) {
  tsr__packer_release(stream->inflater);
  stream->inflater = NULL;
  tsr__scratch_put(&stream->input);
}

/* ---- reading ---- */

static tsr_status stop(tsr__zip_stream *stream, tsr_status status, const char *broken) {
  stream->status = status;
  stream->broken = broken;
  return status;
}

static tsr_status read_stored(tsr__zip_stream *stream, void *bytes, size_t n) {
  const tsr_status st = tsr__input_get(&stream->zip->in, stream->member->data + stream->given, bytes, n);
  return st == TSR_OK ? TSR_OK : stop(stream, st, NULL);
}

/* More packed bytes, where they come in pieces. */
static tsr_status refill(tsr__zip_stream *stream) {
  const uint64_t left = stream->member->packed - stream->taken;
  const size_t n = (size_t)(left < INPUT_BYTES ? left : INPUT_BYTES);
  if (stream->step.in_left > 0 || n == 0) return TSR_OK;
  const tsr_status st = tsr__input_get(&stream->zip->in, stream->member->data + stream->taken, stream->input.data, n);
  if (st != TSR_OK) return stop(stream, st, NULL);
  stream->taken += n;
  stream->step.in = stream->input.data;
  stream->step.in_left = n;
  return TSR_OK;
}

/* Up to n bytes; fewer only at the end. */
static tsr_status inflate_some(tsr__zip_stream *stream, void *bytes, size_t n, size_t *got) {
  stream->step.out = bytes;
  stream->step.out_left = n;
  while (stream->step.out_left > 0 && !stream->ended) {
    const tsr_status st = refill(stream);
    if (st != TSR_OK) return st;
    const size_t in = stream->step.in_left, out = stream->step.out_left;
    const tsr__pack_result result = tsr__inflate_run(stream->inflater, &stream->step);
    if (result == TSR__PACK_NO_MEMORY) return stop(stream, TSR_ENOMEM, "no memory to inflate it with");
    if (result == TSR__PACK_BROKEN) return stop(stream, TSR_EFORMAT, "its deflated data is broken");
    stream->ended = result == TSR__PACK_END;
    if (!stream->ended && in == stream->step.in_left && out == stream->step.out_left)
      return stop(stream, TSR_EFORMAT, "its deflated data is cut short");
  }
  *got = n - stream->step.out_left;
  return TSR_OK;
}

tsr_status tsr__zip_stream_read(void *self, void *bytes, size_t n, size_t *got) {
  tsr__zip_stream *stream = self;
  const uint64_t left = stream->member->bytes - stream->given;
  *got = 0;
  if (n > left) n = (size_t)left;
  if (n == 0) return TSR_OK;
  tsr_status st;
  if (stream->member->deflated) {
    st = inflate_some(stream, bytes, n, got);
  } else {
    st = read_stored(stream, bytes, n);
    *got = n;
  }
  if (st != TSR_OK) return st;
  if (*got < n) return stop(stream, TSR_EFORMAT, "it inflates to fewer bytes than declared");
  stream->given += *got;
  stream->crc = tsr__crc32(stream->crc, bytes, *got);
  return TSR_OK;
}

/* ---- the end ---- */

tsr_status tsr__zip_stream_failed(const tsr__zip_stream *stream) {
  char shown[TSR__SHOWN];
  if (stream->broken == NULL) return stream->status; /* its message is there already */
  tsr__show_text(stream->member->name, shown);
  return TSR__ZIP_REFUSE(stream->zip, stream->member->data, stream->status, "member '%s': %s", shown, stream->broken);
}

/* The deflated data must end with the last byte, in the output as in the input. */
static tsr_status check_inflated(tsr__zip_stream *stream) {
  uint8_t more[1];
  size_t got = 0;
  const tsr_status st = stream->ended ? TSR_OK : inflate_some(stream, more, sizeof more, &got);
  if (st != TSR_OK) return st;
  if (got > 0) return stop(stream, TSR_EFORMAT, "it inflates to more bytes than declared");
  if (stream->step.in_left > 0 || stream->taken < stream->member->packed)
    return stop(stream, TSR_EFORMAT, "bytes follow its deflated data");
  return TSR_OK;
}

tsr_status tsr__zip_stream_finish(tsr__zip_stream *stream) {
  uint8_t block[256];
  tsr_status st = TSR_OK;
  while (st == TSR_OK && stream->given < stream->member->bytes) {
    size_t got;
    st = tsr__zip_stream_read(stream, block, sizeof block, &got);
  }
  if (st == TSR_OK && stream->member->deflated) st = check_inflated(stream);
  if (st != TSR_OK) return tsr__zip_stream_failed(stream);
  return tsr__zip_check_crc(stream->zip, stream->member, stream->crc);
}

tsr_status tsr__zip_check_crc(const tsr__zip *zip, const tsr__zip_member *member, uint32_t crc) {
  char shown[TSR__SHOWN];
  if (crc == member->crc) return TSR_OK;
  tsr__show_text(member->name, shown);
  return TSR__ZIP_REFUSE(zip, member->data, TSR_EFORMAT, "member '%s': its CRC is not the declared one", shown);
}
