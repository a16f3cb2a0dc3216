/* WAV: every kind of sample there and back, headers of others, files cut at every byte and changed at every byte. */
#include "files_support.h"

#include <math.h>
#include <tessera/tessera.h>

#if TSR_HAVE_STDIO && TSR_HAVE_MMAP

typedef struct wav_bytes {
  uint8_t at[1 << 12];
  size_t n, fail_at;
} wav_bytes;

static tsr_status add(void *self, const void *bytes, size_t n) {
  wav_bytes *b = self;
  if (b->n + n > (b->fail_at > 0 ? b->fail_at : sizeof b->at)) return TSR_EIO;
  memcpy(b->at + b->n, bytes, n);
  b->n += n;
  return TSR_OK;
}

static tsr_status encode(const tsr_tensor *t, uint32_t rate, wav_bytes *b) {
  const tsr_sink sink = {.size = sizeof(tsr_sink), .write = add, .self = b};
  b->n = 0;
  return tsr_wav_write(NULL, t, rate, &sink);
}

static const tsr_wav_options as_stored = {.as_stored = true};

TEST(there_and_back) {
  static const int dtypes[] = {TSR_U8, TSR_I16, TSR_I32, TSR_F32, TSR_F64};
  static wav_bytes b;
  for (int i = 0; i < 5; i++) {
    for (tsr_index channels = 0; channels <= 3; channels++) {
      const tsr_index shape[2] = {7, channels};
      tsr_tensor t = {0}, back = {0}, moved = {0};
      tsr_wav_info info;
      bool same = false;
      OK(NULL, tsr_arange(NULL, dtypes[i], 0, channels > 0 ? (tsr_real)(7 * channels) : 7, 1, &t));
      if (channels > 0) OK(NULL, tsr_reshape(NULL, &t, 2, shape, &t));
      OK(NULL, tsr_flip(NULL, &t, 0, &moved));
      OK(NULL, encode(&moved, 8000, &b));
      OK(NULL, tsr_wav_decode(NULL, b.at, b.n, &as_stored, &back, &info));
      CHECK(back.ndim == 2 && back.shape[0] == 7 && back.shape[1] == (channels > 0 ? channels : 1));
      CHECK(info.rate == 8000 && info.bits == 8 * tsr_dtype_size(dtypes[i]) && info.floats == (i > 2));
      if (channels == 0) OK(NULL, tsr_squeeze(NULL, &back, 1, &back));
      OK(NULL, tsr_equal(NULL, &moved, &back, &same));
      CHECK(same);
      tsr_release(&t);
      tsr_release(&back);
    }
  }
}

/* A header of 44 bytes and samples. */
static size_t make(uint8_t *p, int kind, int channels, int bits, const void *samples, size_t n) {
  static const uint8_t head[] = "RIFF\x24\0\0\0WAVEfmt \x10\0\0\0";
  memcpy(p, head, 20);
  const int frame = channels * bits / 8;
  const uint8_t rest[24] = {(uint8_t)kind,  0, (uint8_t)channels, 0, 0x44, 0xac, 0,   0,   0,          0, 0, 0,
                            (uint8_t)frame, 0, (uint8_t)bits,     0, 'd',  'a',  't', 'a', (uint8_t)n, 0, 0, 0};
  memcpy(p + 20, rest, 24);
  memcpy(p + 44, samples, n);
  return 44 + n;
}

TEST(numbers_are_scaled_by_their_bits) {
  uint8_t file[64];
  tsr_tensor out = {0};
  const float *got;
  static const uint8_t of8[] = {0, 128, 255}, of16[] = {0, 0x80, 0xff, 0x7f}, of24[] = {0, 0, 0x80, 1, 0, 0};
  OK(NULL, tsr_wav_decode(NULL, file, make(file, 1, 1, 8, of8, 3), NULL, &out, NULL));
  got = out.data;
  CHECK(got[0] == -1 && got[1] == 0 && got[2] == 127.0f / 128);
  tsr_release(&out);
  OK(NULL, tsr_wav_decode(NULL, file, make(file, 1, 2, 16, of16, 4), NULL, &out, NULL));
  got = out.data;
  CHECK(out.shape[1] == 2 && got[0] == -1 && got[1] == 32767.0f / 32768);
  tsr_release(&out);
  OK(NULL, tsr_wav_decode(NULL, file, make(file, 1, 1, 24, of24, 6), NULL, &out, NULL));
  got = out.data;
  CHECK(got[0] == -1 && got[1] == 1.0f / 8388608);
  tsr_release(&out);
  OK(NULL, tsr_wav_decode(NULL, file, make(file, 1, 1, 24, of24, 6), &as_stored, &out, NULL));
  CHECK(out.dtype == TSR_I32 && ((int32_t *)out.data)[0] == -8388608 && ((int32_t *)out.data)[1] == 1);
  tsr_release(&out);
}

TEST(what_is_wrong_is_refused) {
  uint8_t file[64];
  tsr_tensor out = {0};
  const size_t n = make(file, 1, 2, 16, "abcdefgh", 8);
  for (size_t k = 0; k < n; k++) {
    npy_memory m;
    tsr_ctx *ctx = memory_start(&m, SIZE_MAX, false);
    FAILS(ctx, TSR_EFORMAT, tsr_wav_decode(ctx, file, k, NULL, &out, NULL));
    CHECK(tsr_is_none(&out) && m.failing.live == 0);
  }
  for (size_t k = 0; k < 8 * n; k++) { /* each bit: samples, or a status */
    npy_memory m;
    tsr_ctx *ctx = memory_start(&m, SIZE_MAX, false);
    file[k / 8] ^= (uint8_t)(1u << k % 8);
    const tsr_status st = tsr_wav_decode(ctx, file, n, NULL, &out, NULL);
    CHECK(st == TSR_OK || (tsr_is_none(&out) && (st == TSR_EFORMAT || st == TSR_EUNSUPPORTED)));
    tsr_release(&out);
    out = (tsr_tensor){0};
    CHECK(m.failing.live == 0);
    file[k / 8] ^= (uint8_t)(1u << k % 8);
  }
  (void)make(file, 7, 1, 8, "a", 1); /* mu-law */
  FAILS(NULL, TSR_EUNSUPPORTED, tsr_wav_decode(NULL, file, 45, NULL, &out, NULL));
  MESSAGE_HAS(NULL, "wav_decode: byte 20: format 7 of 8 bits");
  FAILS(NULL, TSR_EARG, tsr_wav_decode(NULL, NULL, 4, NULL, &out, NULL));
}

TEST(lengths_that_are_not_known_end_with_the_file) {
  uint8_t file[64];
  tsr_tensor out = {0};
  const size_t n = make(file, 1, 1, 16, "abcdef", 6);
  memset(file + 40, 0xff, 4);
  OK(NULL, tsr_wav_decode(NULL, file, n, NULL, &out, NULL));
  CHECK(out.shape[0] == 3);
  tsr_release(&out);
}

TEST(bad_calls) {
  static wav_bytes b;
  tsr_tensor t = {0}, wide = {0}, i64 = {0};
  OK(NULL, tsr_zeros(NULL, TSR_I16, TSR_SHAPE(3, 2), &t));
  OK(NULL, tsr_zeros(NULL, TSR_I16, TSR_SHAPE(1, 40000), &wide));
  OK(NULL, tsr_zeros(NULL, TSR_I64, TSR_SHAPE(3), &i64));
  FAILS(NULL, TSR_EARG, encode(&t, 0, &b));
  FAILS(NULL, TSR_ESHAPE, encode(&wide, 8000, &b));
  FAILS(NULL, TSR_EDTYPE, encode(&i64, 8000, &b));
  for (b.fail_at = 1; b.fail_at < 56; b.fail_at += 10) FAILS(NULL, TSR_EIO, encode(&t, 8000, &b));
  tsr_release(&t);
  tsr_release(&wide);
  tsr_release(&i64);
}

TEST(by_path_with_the_rate_as_metadata) {
  tsr_bundle bundle = {0}, read = {0};
  tsr_metadata metadata = {0}, got = {0};
  tsr_tensor t = {0};
  int format = 0;
  CHECK(folder_make());
  OK(NULL, tsr_linspace(NULL, TSR_F32, -1, 1, 100, &t));
  OK(NULL, tsr_bundle_add(NULL, &bundle, "x", &t));
  OK(NULL, tsr_metadata_set(NULL, &metadata, "rate", "22050"));
  OK(NULL, tsr_bundle_save(NULL, in_folder("a.wav"), TSR_FORMAT_AUTO, &bundle, &metadata));
  OK(NULL, tsr_format_detect(NULL, in_folder("a.wav"), &format));
  CHECK(format == TSR_FORMAT_WAV);
  OK(NULL, tsr_bundle_load(NULL, in_folder("a.wav"), &read, &got));
  CHECK(read.count == 1 && strcmp(tsr_metadata_find(&got, "rate"), "22050") == 0);
  OK(NULL, tsr_metadata_set(NULL, &metadata, "artist", "nobody"));
  FAILS(NULL, TSR_EUNSUPPORTED, tsr_bundle_save(NULL, in_folder("b.wav"), TSR_FORMAT_AUTO, &bundle, &metadata));
  tsr_bundle_release(&bundle);
  tsr_bundle_release(&read);
  tsr_metadata_release(&metadata);
  tsr_metadata_release(&got);
  folder_end();
}

TEST_MAIN(RUN(there_and_back), RUN(numbers_are_scaled_by_their_bits), RUN(what_is_wrong_is_refused),
          RUN(lengths_that_are_not_known_end_with_the_file), RUN(bad_calls), RUN(by_path_with_the_rate_as_metadata))

#else

TEST(files) { SKIP("no files in this profile"); }
TEST_MAIN(RUN(files))

#endif
