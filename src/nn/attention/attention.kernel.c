/* Scores to weights, compiled once per instruction set. */
#include "nn/attention/attention.h"

#if TSR_HAVE_MALLOC /* microcontrollers take plain loops */

#include "cpu/vec/vec.h"
#include "ops/random/elementary.h"

/* 2^d for d ≤ 0 or just above: 2^n·2^f with |f| ≤ 1/2. The polynomial is the best of its degree with 2^0 = 1, off by
 * 9e-8. A product, and not an addition to the exponent, so that NaN stays NaN. */
TSR__INLINE tsr__vf32 power_f32(tsr__vf32 d) {
  const tsr__vf32 shift = tsr__vf32_all(0x1.8p23f), shifted = d + shift, f = d - (shifted - shift);
  const tsr__vf32 two = (tsr__vf32)(((tsr__vu32)shifted << 23) + 0x3f800000u);
  tsr__vf32 q = tsr__vf32_all(0x1.5bba14p-10f);
  q = tsr__vf32_madd(q, f, tsr__vf32_all(0x1.3cea88p-7f));
  q = tsr__vf32_madd(q, f, tsr__vf32_all(0x1.c6b752p-5f));
  q = tsr__vf32_madd(q, f, tsr__vf32_all(0x1.ebf9bcp-3f));
  q = tsr__vf32_madd(q, f, tsr__vf32_all(0x1.62e42ap-1f));
  q = tsr__vf32_madd(q, f, tsr__vf32_all(1.0f));
  return tsr__vf32_not_below(d, -126.0f, q * two);
}

#define C float
#define FN(name) name##_f32
#define V tsr__vf32
#define IV tsr__vi32
#define VF(name) tsr__vf32##name
#define LANES (TSR__VEC_BYTES / 4)
#define UNIT 1.44269504088896340736 /* log2 e */
#define POWER power_f32
#include "nn/attention/decode.tmpl.h"
#include "nn/attention/softmax.tmpl.h"
#undef C
#undef FN
#undef V
#undef IV
#undef VF
#undef LANES
#undef UNIT
#undef POWER

#if TSR_HAVE_F64
/* e^d, a number at a time. */
TSR__INLINE tsr__vf64 power_f64(tsr__vf64 d) {
  double v[TSR__VEC_BYTES / 8];
  tsr__vf64_store(v, d);
  for (int i = 0; i < TSR__VEC_BYTES / 8; i++) v[i] = v[i] == v[i] ? tsr__exp_f64(v[i]) : v[i];
  return tsr__vf64_load(v);
}

#define C double
#define FN(name) name##_f64
#define V tsr__vf64
#define IV tsr__vi64
#define VF(name) tsr__vf64##name
#define LANES (TSR__VEC_BYTES / 8)
#define UNIT 1.0
#define POWER power_f64
#include "nn/attention/decode.tmpl.h"
#include "nn/attention/softmax.tmpl.h"
#endif

tsr__attention_table TSR__ISA_NAME(tsr__attention) = {
    {softmax_block_f32, multiply_f32, invert_f32, score_f32, add_f32, softmax_row_part_f32, join_f32},
#if TSR_HAVE_F64
    {softmax_block_f64, multiply_f64, invert_f64, score_f64, add_f64, softmax_row_part_f64, join_f64},
#endif
};

#else

#include "cpu/math/exp_f32.h"
#include "ops/cast/convert.h"

static void load_row(const tsr__attention_query *w, const tsr__attention_part *p, tsr_index head, tsr_index row,
                     tsr_index n, float *to) {
  tsr__convert_row(w->a->isa, p->dtype, TSR_F32, n, tsr__attention_at(p, w->b, head, row, 0), p->step[3], (char *)to,
                   (ptrdiff_t)sizeof *to);
}

static float score(const tsr__attention_query *w, tsr_index key) {
  const tsr__attention *const a = w->a;
  float s = 0, mask;
  load_row(w, &a->k, w->h / a->group, key, a->d, w->row);
  for (tsr_index i = 0; i < a->d; i++) s += w->q[i] * w->row[i];
  s *= a->scale;
  if (a->mask.data == NULL) return s;
  tsr__convert_row(a->isa, a->mask.dtype, TSR_F32, 1, tsr__attention_at(&a->mask, w->b, w->h, w->t, key), 0,
                   (char *)&mask, (ptrdiff_t)sizeof mask);
  if (a->mask.dtype != TSR_BOOL) return s + mask;
  return mask != 0 ? s : -__builtin_inff();
}

/* e^d for d ≤ 0; NaN stays. */
static float weight(float d) { return d < -87.0f ? 0.0f : d == d ? tsr__exp_in_range_f32(d) : d; }

static void run_query(const tsr__attention_query *w) {
  const tsr__attention *const a = w->a;
  const tsr_index keys = tsr__attention_keys(a, w->t);
  float top = -__builtin_inff(), sum = 0;
  load_row(w, &a->q, w->h, w->t, a->d, w->q);
  for (tsr_index i = 0; i < a->dv; i++) w->out[i] = 0;
  for (tsr_index j = 0; j < keys; j++) {
    const float s = score(w, j);
    if (s == -__builtin_inff()) continue;
    const float next = s > top ? s : top, from = weight(top - next), by = weight(s - next);
    load_row(w, &a->v, w->h / a->group, j, a->dv, w->row);
    for (tsr_index i = 0; i < a->dv; i++) w->out[i] = w->out[i] * from + by * w->row[i];
    sum = sum * from + by;
    top = next;
  }
  for (tsr_index i = 0; i < a->dv; i++) w->out[i] = sum == 0 ? 0 : w->out[i] / sum;
  tsr__convert_row(a->isa, TSR_F32, a->dtype, a->dv, (const char *)w->out, (ptrdiff_t)sizeof *w->out,
                   tsr__attention_at(&a->out, w->b, w->h, w->t, 0), a->out.step[3]);
}

tsr__attention_query_fn *const TSR__ISA_NAME(tsr__attention) = run_query;

#endif
