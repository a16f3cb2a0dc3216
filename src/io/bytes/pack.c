#include "io/bytes/pack.h"

#if TSR_HAVE_ZLIB

#include "memory/foreign.h"

#define ZLIB_CONST
#include <zlib.h>

struct tsr__packer {
  z_stream z;
  const tsr_allocator *allocator;
  bool inflates;
};

uint32_t tsr__crc32(uint32_t crc, const void *bytes, size_t n) { return (uint32_t)crc32_z(crc, bytes, n); }

/* ---- memory ---- */

static void *on_alloc(void *allocator, uInt count, uInt bytes) {
  return tsr__foreign_alloc(allocator, (size_t)count * bytes);
}

static void on_free(void *allocator, void *block) { tsr__foreign_free(allocator, block); }

static tsr__packer *start(const tsr_allocator *allocator, bool inflates, int level) {
  tsr__packer *packer = tsr__foreign_alloc(allocator, sizeof *packer);
  if (packer == NULL) return NULL;
  *packer = (tsr__packer){.allocator = allocator, .inflates = inflates};
  packer->z.zalloc = on_alloc;
  packer->z.zfree = on_free;
  packer->z.opaque = (void *)(uintptr_t)allocator;
  const int made = inflates ? inflateInit2(&packer->z, -MAX_WBITS)
                            : deflateInit2(&packer->z, level, Z_DEFLATED, -MAX_WBITS, 8, Z_DEFAULT_STRATEGY);
  if (made == Z_OK) return packer;
  tsr__foreign_free(allocator, packer);
  return NULL;
}

tsr__packer *tsr__deflate_new(const tsr_allocator *allocator, int level) { return start(allocator, false, level); }
tsr__packer *tsr__inflate_new(const tsr_allocator *allocator) { return start(allocator, true, 0); }

void tsr__packer_release(tsr__packer *packer) {
  if (packer == NULL) return;
  (void)(packer->inflates ? inflateEnd(&packer->z) : deflateEnd(&packer->z));
  tsr__foreign_free(packer->allocator, packer);
}

/* ---- steps ---- */

/* zlib counts in 32 bits. */
static uInt part(size_t n) {
  const size_t most = (size_t)1 << 30;
  return (uInt)(n < most ? n : most);
}

static tsr__pack_result run_packer(tsr__packer *packer, tsr__pack_step *step, bool last) {
  z_stream *z = &packer->z;
  const uInt in = part(step->in_left), out = part(step->out_left);
  z->next_in = step->in;
  z->avail_in = in;
  z->next_out = step->out;
  z->avail_out = out;
  const int flush = last && in == step->in_left ? Z_FINISH : Z_NO_FLUSH;
  const int st = packer->inflates ? inflate(z, Z_NO_FLUSH) : deflate(z, flush);
  step->in = z->next_in;
  step->in_left -= in - z->avail_in;
  step->out = z->next_out;
  step->out_left -= out - z->avail_out;
  if (st == Z_STREAM_END) return TSR__PACK_END;
  if (st == Z_MEM_ERROR) return TSR__PACK_NO_MEMORY;
  return st == Z_OK || st == Z_BUF_ERROR ? TSR__PACK_MORE : TSR__PACK_BROKEN;
}

tsr__pack_result tsr__deflate_run(tsr__packer *packer, tsr__pack_step *step, bool last) {
  return run_packer(packer, step, last);
}

tsr__pack_result tsr__inflate_run(tsr__packer *packer, tsr__pack_step *step) { return run_packer(packer, step, false); }

#else

/* Four bits at a time: short rather than fast. */
uint32_t tsr__crc32(uint32_t crc, const void *bytes, size_t n) {
  static const uint32_t table[16] = {0x00000000, 0x1db71064, 0x3b6e20c8, 0x26d930ac, 0x76dc4190, 0x6b6b51f4,
                                     0x4db26158, 0x5005713c, 0xedb88320, 0xf00f9344, 0xd6d6a3e8, 0xcb61b38c,
                                     0x9b64c2b0, 0x86d3d2d4, 0xa00ae278, 0xbdbdf21c};
  const uint8_t *at = bytes;
  crc = ~crc;
  for (size_t i = 0; i < n; i++) {
    crc ^= at[i];
    crc = crc >> 4 ^ table[crc & 15];
    crc = crc >> 4 ^ table[crc & 15];
  }
  return ~crc;
}

tsr__packer *tsr__deflate_new(const tsr_allocator *allocator, int level) {
  (void)allocator, (void)level;
  return NULL;
}

tsr__packer *tsr__inflate_new(const tsr_allocator *allocator) {
  (void)allocator;
  return NULL;
}

tsr__pack_result tsr__deflate_run(tsr__packer *packer, tsr__pack_step *step, bool last) {
  (void)packer, (void)step, (void)last;
  return TSR__PACK_BROKEN;
}

tsr__pack_result tsr__inflate_run(tsr__packer *packer, tsr__pack_step *step) {
  (void)packer, (void)step;
  return TSR__PACK_BROKEN;
}

void tsr__packer_release(tsr__packer *packer) { (void)packer; }

#endif
