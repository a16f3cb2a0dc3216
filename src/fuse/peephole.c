/* Two steps that one kernel does with the same bits.
 *
 * A product that goes into one sum alone: addcmul with 1, which rounds the product and then the sum, as the two calls do. Of a
 * block less is written and read again, which is most of what such steps take. */
#include "fuse/fuse.h"

#include "ops/binary/binary.h"
#include "ops/ternary/ops.h"
#include "ops/ternary/ternary.h"

#include <string.h>

#if TSR_HAVE_OPS

static tsr__row_fn *const *const product_tables[TSR__ISA_COUNT] = TSR__KERNELS_OF(mul);
static tsr__row_fn *const *const sum_tables[TSR__ISA_COUNT] = TSR__KERNELS_OF(add);
static tsr__row_fn *const *const joined_tables[TSR__ISA_COUNT] = TSR__KERNELS_OF(addcmul);

/* Whether a step is an op of floats: by its kernels, which forms with a number share. */
static bool is_step_of(const tsr__group_step *s, tsr__row_fn *const *const *tables) {
  return s->tables != NULL && s->tables[0] == tables[0] && (s->compute == TSR_F32 || s->compute == TSR_F64);
}

static void put_one(int dtype, tsr__group_number *param) {
  const float one_f32 = 1;
  const double one_f64 = 1;
  memset(param->bytes, 0, sizeof param->bytes);
  if (dtype == TSR_F32) memcpy(param->bytes, &one_f32, sizeof one_f32);
  if (dtype == TSR_F64) memcpy(param->bytes, &one_f64, sizeof one_f64);
}

/* The step that makes a value which is read once and by nobody outside; NULL: it is another. */
static const tsr__group_step *only_product(const tsr__group *g, const int *reads, int v) {
  const tsr__group_value *const value = &g->value[v];
  if (value->source != TSR__GROUP_STEP || value->output >= 0 || reads[v] != 1) return NULL;
  const tsr__group_step *const maker = &g->step[value->number];
  return is_step_of(maker, product_tables) ? maker : NULL;
}

void tsr__group_join_products(tsr__group *g) {
  int reads[TSR__GROUP_VALUES] = {0};
  for (int i = 0; i < g->steps; i++)
    for (int k = 0; k < g->step[i].inputs; k++) reads[g->step[i].in[k]]++;
  for (int i = 0; i < g->steps; i++) {
    tsr__group_step *const sum = &g->step[i];
    if (!is_step_of(sum, sum_tables)) continue;
    for (int k = 1; k >= 0 && sum->inputs == 2; k--) {
      const tsr__group_step *const product = only_product(g, reads, sum->in[k]);
      if (product == NULL || product->compute != sum->compute) continue;
      const int16_t other = sum->in[1 - k];
      sum->op = &tsr__op_addcmul;
      sum->tables = joined_tables;
      sum->inputs = 3;
      sum->in[0] = other;
      sum->in[1] = product->in[0];
      sum->in[2] = product->in[1];
      sum->has_param = true;
      put_one(sum->compute, &sum->param);
    }
  }
}

#endif
