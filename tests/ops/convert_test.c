/* Conversion of rows and scalars against a reference in integer arithmetic; every dtype pair, every instruction set. */
#include "convert_reference.h"
#include "ops/cast/convert.h"
#include "support/machine.h"
#include "support/test.h"

enum { BATCH = 256, LONG = 4096 / 4 + 300 /* more than a block of any wide type */ };

#define ITEM 16
static _Alignas(16) char source[LONG * 2 * ITEM], target[LONG * 2 * ITEM], expected[LONG * 2 * ITEM];

static unsigned long compared;

static int bytes_of(int dtype) { return (int)tsr_dtype_size(dtype); }
static int is_complex(int dtype) { return ref_class(dtype) == TSR_CLASS_COMPLEX; }
static int part_of(int dtype) { return dtype == TSR_C64 ? TSR_F32 : dtype == TSR_C128 ? TSR_F64 : dtype; }

static int converts(int from, int to) {
  if (from == to || !tsr_dtype_supported(from) || !tsr_dtype_supported(to)) return 0;
  return !is_complex(from) || is_complex(to) || to == TSR_BOOL;
}

static void convert_dense(int isa, int from, int to, tsr_index n) {
  tsr__convert_row(isa, from, to, n, source, bytes_of(from), target, bytes_of(to));
}

static uint64_t next_random(void) {
  static uint64_t state = 0x9e3779b97f4a7c15u;
  state ^= state << 13;
  state ^= state >> 7;
  state ^= state << 17;
  return state * 0x2545f4914f6cdd1du;
}

/* ---- codes are collected into batches; a full batch is converted by every instruction set and compared ---- */

static struct {
  int from, to, count, wrong;
  uint64_t codes[BATCH];
} batch;

static void report(uint64_t code, uint64_t got, const char *why) {
  if (batch.wrong++ > 0) return;
  printf("  %s %016llx to %s: %016llx: %s\n", tsr_dtype_name(batch.from), (unsigned long long)code,
         tsr_dtype_name(batch.to), (unsigned long long)got, why);
}

static void flush(void) {
  const int from_bytes = bytes_of(batch.from), to_bytes = bytes_of(batch.to);
  for (int i = 0; i < batch.count; i++) ref_put(from_bytes, batch.codes[i], source + i * from_bytes);
  convert_dense(0, batch.from, batch.to, batch.count);
  memcpy(expected, target, (size_t)(batch.count * to_bytes));
  for (int i = 0; i < batch.count; i++) {
    const uint64_t code = ref_get(from_bytes, source + i * from_bytes), got = ref_get(to_bytes, target + i * to_bytes);
    if (!ref_matches(batch.from, batch.to, code, got)) report(code, got, "not what the reference gives");
  }
  for (int isa = 1; tsr_isa_name(isa) != NULL; isa++) {
    memset(target, 0xa5, sizeof target);
    convert_dense(isa, batch.from, batch.to, batch.count);
    if (memcmp(expected, target, (size_t)(batch.count * to_bytes)) != 0) report(0, 0, tsr_isa_name(isa));
  }
  compared += (unsigned long)batch.count;
  batch.count = 0;
}

static void emit(uint64_t code) {
  batch.codes[batch.count++] = code;
  if (batch.count == BATCH) flush();
}

static void begin(int from, int to) {
  batch.from = from;
  batch.to = to;
  batch.count = batch.wrong = 0;
}

static void end(void) {
  flush();
  const bool rounded_twice =
      (batch.from == TSR_I64 || batch.from == TSR_U64) && batch.to == TSR_F32 && !test_rounds_once();
  CHECK(batch.wrong == 0 || rounded_twice);
}

/* The source's code nearest to x, its neighbours, and their negatives. */
static void emit_around(ref x) {
  const int class = ref_class(batch.from);
  const uint64_t sign = (uint64_t)1 << (ref_bits(batch.from) - 1);
  const uint64_t code = class == TSR_CLASS_FLOAT ? ref_to_float(batch.from, x) : ref_saturate(batch.from, x);
  for (uint64_t d = 0; d < 3; d++) {
    emit(code + d - 1);
    emit(class == TSR_CLASS_FLOAT ? (code + d - 1) ^ sign : 0 - (code + d - 1));
  }
}

/* ---- which codes to try ---- */

static void emit_every_code(int bits, uint64_t step) {
  for (uint64_t code = 0; code <= ref_mask(bits); code += step) emit(code);
}

/* Powers of two and their surroundings: limits of integers, least and largest floats. */
static void emit_powers(void) {
  for (int k = -1080; k < 1030; k += (k < -160 || k > 140) ? 31 : 1) {
    emit_around((ref){.mag = 1, .exp = k});
    emit_around((ref){.mag = 3, .exp = k});
    if (k > 0 && k < 64) {
      emit_around((ref){.mag = ref_mask(k)});                /* 2^k - 1 */
      emit_around((ref){.mag = ref_mask(k) * 2, .exp = -1}); /* and in between */
      emit_around((ref){.mag = ref_mask(k > 52 ? 52 : k), .exp = -1});
    }
  }
}

/* Halfway between neighbours of the target, and just beside: where rounding twice goes wrong. */
static void emit_middles(void) {
  const ref_format f = ref_format_of(batch.to);
  const uint64_t step = f.bits == 8 ? 1 : f.bits == 16 ? 3 : f.max / 3000;
  for (uint64_t code = 0; code <= f.max - step; code += step) emit_around(ref_middle(f, code));
  for (uint64_t code = f.max - 20; code <= f.max; code++) emit_around(ref_middle(f, code));
  for (uint64_t code = 0; code < 20; code++) emit_around(ref_middle(f, code));
}

/* Integers of every length. */
static void emit_random(void) {
  for (int i = 0; i < 2000; i++) {
    emit(next_random());
    emit(next_random() >> (next_random() % 64));
    emit(0 - (next_random() >> (next_random() % 64)));
  }
}

static void check_pair(int from, int to) {
  begin(from, to);
  if (bytes_of(from) == 1) {
    emit_every_code(8, 1);
  } else if (bytes_of(from) == 2) {
    emit_every_code(16, ref_class(from) == TSR_CLASS_FLOAT ? 1 : 3);
    emit_powers();
  } else {
    emit_powers();
    emit_random();
    if (ref_class(to) == TSR_CLASS_FLOAT) emit_middles();
  }
  end();
}

TEST(every_pair_of_real_dtypes_agrees_with_the_reference) {
  for (int from = 1; from < TSR_DTYPE_COUNT; from++)
    for (int to = 1; to < TSR_DTYPE_COUNT; to++)
      if (converts(from, to) && !is_complex(from) && !is_complex(to)) check_pair(from, to);
  printf("%lu conversions compared with the reference\n", compared);
}

/* ---- complex ---- */

static void check_complex_pair(int from, int to) {
  const int from_bytes = bytes_of(from), to_bytes = bytes_of(to), from_part = part_of(from), to_part = part_of(to);
  const int from_part_bytes = bytes_of(from_part), to_part_bytes = bytes_of(to_part);
  int wrong = 0;
  for (int i = 0; i < LONG * from_bytes / from_part_bytes; i++)
    ref_put(from_part_bytes, next_random() >> (i % 3 == 0 ? 63 : 0), source + i * from_part_bytes);
  convert_dense(0, from, to, LONG);
  for (int i = 0; i < LONG; i++) {
    const char *x = source + i * from_bytes, *y = target + i * to_bytes;
    const uint64_t re = ref_get(from_part_bytes, x);
    const uint64_t im = is_complex(from) ? ref_get(from_part_bytes, x + from_part_bytes) : 0;
    const uint64_t got = ref_get(to_part_bytes, y);
    if (to == TSR_BOOL) {
      wrong += !(got == 1 ? ref_matches(from_part, to, re, 1) || ref_matches(from_part, to, im, 1)
                          : ref_matches(from_part, to, re, got) && ref_matches(from_part, to, im, got));
      continue;
    }
    const uint64_t got_im = ref_get(to_part_bytes, y + to_part_bytes);
    const int copied = from_part == to_part && (got == re || ref_of(from_part, re).nan); /* f32 to c64: no rounding */
    wrong += !(copied || ref_matches(from_part, to_part, re, got));
    wrong += !(is_complex(from) ? ref_matches(from_part, to_part, im, got_im) : got_im == 0);
  }
  memcpy(expected, target, (size_t)(LONG * to_bytes));
  for (int isa = 1; tsr_isa_name(isa) != NULL; isa++) {
    convert_dense(isa, from, to, LONG);
    CHECK(memcmp(expected, target, (size_t)(LONG * to_bytes)) == 0);
  }
  CHECK(wrong == 0);
}

TEST(complex_dtypes_convert_by_part) {
  if (!tsr_dtype_supported(TSR_C64)) SKIP("no complex dtypes in this configuration");
  for (int from = 1; from < TSR_DTYPE_COUNT; from++)
    for (int to = 1; to < TSR_DTYPE_COUNT; to++)
      if (converts(from, to) && (is_complex(from) || is_complex(to))) check_complex_pair(from, to);
}

/* ---- round trips ---- */

static void check_round_trip(int small, int large) {
  const int bytes = bytes_of(small), large_bytes = bytes_of(large);
  const uint64_t codes = ref_mask(8 * bytes) + 1;
  int wrong = 0;
  for (uint64_t first = 0; first < codes; first += BATCH) {
    for (int i = 0; i < BATCH; i++) ref_put(bytes, first + (uint64_t)i, source + i * bytes);
    tsr__convert_row(0, small, large, BATCH, source, bytes, target, large_bytes);
    tsr__convert_row(0, large, small, BATCH, target, large_bytes, expected, bytes);
    for (int i = 0; i < BATCH; i++) {
      const uint64_t code = first + (uint64_t)i, back = ref_get(bytes, expected + i * bytes);
      const ref x = ref_of(small, code), wide = ref_of(large, ref_get(large_bytes, target + i * large_bytes));
      if (x.nan)
        wrong += !(wide.nan && ref_of(small, back).nan && ref_of(small, back).negative == x.negative);
      else
        wrong += !(back == code && wide.inf == x.inf && (x.inf || ref_compare(wide, x) == 0));
    }
  }
  CHECK(wrong == 0);
}

TEST(every_code_of_the_small_floats_survives_a_wider_one) {
  static const int smalls[] = {TSR_F16, TSR_BF16, TSR_F8_E4M3, TSR_F8_E5M2};
  if (!tsr_dtype_supported(TSR_F16)) SKIP("no small floats in this configuration");
  for (int i = 0; i < 4; i++) {
    check_round_trip(smalls[i], TSR_F32);
    if (tsr_dtype_supported(TSR_F64)) check_round_trip(smalls[i], TSR_F64);
  }
}

/* ---- single codes, written out ---- */

static uint64_t convert_code(int from, int to, uint64_t code) {
  ref_put(bytes_of(from), code, source);
  convert_dense(0, from, to, 1);
  return ref_get(bytes_of(to), target);
}

TEST(limits_of_the_small_floats) {
  if (!tsr_dtype_supported(TSR_F16)) SKIP("no small floats in this configuration");
  CHECK(convert_code(TSR_I32, TSR_F8_E4M3, 448) == 0x7e);
  CHECK(convert_code(TSR_I32, TSR_F8_E4M3, 464) == 0x7e); /* halfway to 480, which there is not */
  CHECK(convert_code(TSR_I32, TSR_F8_E4M3, 465) == 0x7f);
  CHECK(convert_code(TSR_F32, TSR_F8_E4M3, 0xff800000) == 0xff); /* -inf: NaN with its sign */
  CHECK(convert_code(TSR_I32, TSR_F8_E5M2, 57344) == 0x7b);
  CHECK(convert_code(TSR_I32, TSR_F8_E5M2, 61439) == 0x7b);
  CHECK(convert_code(TSR_I32, TSR_F8_E5M2, 61440) == 0x7c);
  CHECK(convert_code(TSR_I32, TSR_F16, 65519) == 0x7bff);
  CHECK(convert_code(TSR_I32, TSR_F16, 65520) == 0x7c00);
  CHECK(convert_code(TSR_F32, TSR_F16, 0x80000000) == 0x8000);
  CHECK(convert_code(TSR_F32, TSR_F16, 0x7f800001) == 0x7e00);          /* a signalling NaN becomes quiet */
  CHECK(convert_code(TSR_I64, TSR_BF16, 0x0080800000000001) == 0x5b01); /* f32 would round it onto halfway */
  CHECK(convert_code(TSR_I64, TSR_BF16, 0x0080800000000000) == 0x5b00);
#if TSR_HAVE_F64
  CHECK(convert_code(TSR_F64, TSR_F16, 0x3ff0020000000001) == 0x3c01); /* the same for f64 */
  CHECK(convert_code(TSR_F64, TSR_F16, 0x3ff0020000000000) == 0x3c00);
  CHECK(convert_code(TSR_F64, TSR_BF16, 0x7fe0000000000000) == 0x7f80);
  CHECK(convert_code(TSR_F64, TSR_BF16, 0x8000000000000001) == 0x8000);
#endif
}

TEST(limits_of_the_integers) {
  CHECK(convert_code(TSR_F32, TSR_I8, 0x43000000) == 127);         /* 128 */
  CHECK(convert_code(TSR_F32, TSR_U8, 0xbf800000) == 0);           /* -1 */
  CHECK(convert_code(TSR_F32, TSR_I32, 0x4f000000) == 0x7fffffff); /* 2^31 */
  CHECK(convert_code(TSR_F32, TSR_U64, 0x7f800000) == UINT64_MAX); /* inf */
  CHECK(convert_code(TSR_F32, TSR_I64, 0xff800000) == (uint64_t)1 << 63);
  CHECK(convert_code(TSR_F32, TSR_I16, 0x7fc00000) == 0); /* NaN */
  CHECK(convert_code(TSR_F32, TSR_BOOL, 0x7fc00000) == 1);
  CHECK(convert_code(TSR_I32, TSR_U8, 0x1ff) == 0xff);
  CHECK(convert_code(TSR_I8, TSR_U64, 0xff) == UINT64_MAX);
}

/* ---- steps and lengths ---- */

/* Converts with steps and compares with what dense rows gave; the bytes between stay as they were. */
static int steps_agree(int isa, int from, int to, tsr_index n, int src_factor, int dst_factor) {
  const int from_bytes = bytes_of(from), to_bytes = bytes_of(to);
  const ptrdiff_t src_step = src_factor * from_bytes, dst_step = dst_factor * to_bytes;
  const char *src = source + (src_factor < 0 && n > 0 ? (n - 1) * -src_step : 0);
  char *dst = target + (dst_factor < 0 && n > 0 ? (n - 1) * -dst_step : 0);
  for (tsr_index i = 0; i < n; i++) {
    _Alignas(16) char one[ITEM];
    tsr__convert_row(0, from, to, 1, src + i * src_step, from_bytes, one, to_bytes);
    memcpy(expected + (dst - target) + i * dst_step, one, (size_t)to_bytes);
  }
  tsr__convert_row(isa, from, to, n, src, src_step, dst, dst_step);
  return memcmp(target, expected, sizeof target) == 0;
}

static void check_steps(int isa, int from, int to, tsr_index n) {
  static const int factors[][2] = {{1, 1}, {2, 1}, {1, 2}, {-1, 1}, {1, -1}, {-2, -2}, {0, 1}, {0, 2}};
  for (int i = 0; i < 8; i++)
    if (!steps_agree(isa, from, to, n, factors[i][0], factors[i][1])) {
      printf("  %s to %s, n %d, steps %d %d, isa %d\n", tsr_dtype_name(from), tsr_dtype_name(to), (int)n, factors[i][0],
             factors[i][1], isa);
      CHECK(0);
    }
}

TEST(steps_and_lengths) {
  for (size_t i = 0; i + 8 <= sizeof source; i += 8) ref_put(8, next_random(), source + i);
  memset(target, 0x5a, sizeof target);
  memset(expected, 0x5a, sizeof expected);
  int pair = 0;
  for (int from = 1; from < TSR_DTYPE_COUNT; from++)
    for (int to = 1; to < TSR_DTYPE_COUNT; to++) {
      if (!converts(from, to)) continue;
      for (int isa = 0; tsr_isa_name(isa) != NULL; isa++)
        for (tsr_index n = pair % 4; n <= 67; n += 4) check_steps(isa, from, to, n); /* every length, by turns */
      pair++;
    }
  CHECK(pair > 0);
}

TEST(rows_longer_than_a_block) {
  for (size_t i = 0; i + 8 <= sizeof source; i += 8) ref_put(8, next_random(), source + i);
  for (int from = 1; from < TSR_DTYPE_COUNT; from++)
    for (int to = 1; to < TSR_DTYPE_COUNT; to++)
      if (converts(from, to)) CHECK(steps_agree(0, from, to, LONG, 2, -1));
}

/* A row onto itself, as the contract allows it: the target's items are not larger. */
TEST(in_place) {
  static _Alignas(16) char original[LONG * ITEM];
  for (size_t i = 0; i + 8 <= sizeof original; i += 8) ref_put(8, next_random(), original + i);
  for (int from = 1; from < TSR_DTYPE_COUNT; from++)
    for (int to = 1; to < TSR_DTYPE_COUNT; to++) {
      if (!converts(from, to) || bytes_of(to) > bytes_of(from)) continue;
      memcpy(source, original, sizeof original);
      convert_dense(0, from, to, LONG);
      tsr__convert_row(0, from, to, LONG, source, bytes_of(from), source, bytes_of(to));
      CHECK(memcmp(source, target, (size_t)(LONG * bytes_of(to))) == 0);
    }
}

TEST(refused_casts) {
  OK(NULL, tsr__check_cast(NULL, "cast", TSR_F32, TSR_I8));
  OK(NULL, tsr__check_cast(NULL, "cast", TSR_C128, TSR_C128)); /* moving is no conversion, configured in or not */
  OK(NULL, tsr__check_cast(NULL, "cast", TSR_F64, TSR_F64));
  FAILS(NULL, TSR_EDTYPE, tsr__check_cast(NULL, "cast", TSR_C64, TSR_F32));
  if (tsr_dtype_supported(TSR_C64)) MESSAGE_HAS(NULL, "tsr_complex_part");
  FAILS(NULL, TSR_EDTYPE, tsr__check_cast(NULL, "cast", TSR_NONE, TSR_F32));
  FAILS(NULL, TSR_EDTYPE, tsr__check_cast(NULL, "cast", TSR_F32, TSR_DTYPE_COUNT));
  FAILS(NULL, TSR_EDTYPE, tsr__check_cast(NULL, "cast", TSR_NONE, TSR_NONE));
  if (tsr_dtype_supported(TSR_C64)) OK(NULL, tsr__check_cast(NULL, "cast", TSR_C64, TSR_BOOL));
  if (!tsr_dtype_supported(TSR_F64)) FAILS(NULL, TSR_EDTYPE, tsr__check_cast(NULL, "cast", TSR_F64, TSR_F32));
}

TEST_MAIN(RUN(every_pair_of_real_dtypes_agrees_with_the_reference), RUN(complex_dtypes_convert_by_part),
          RUN(every_code_of_the_small_floats_survives_a_wider_one), RUN(limits_of_the_small_floats),
          RUN(limits_of_the_integers), RUN(steps_and_lengths), RUN(rows_longer_than_a_block), RUN(in_place),
          RUN(refused_casts))
