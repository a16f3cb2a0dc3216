/* Any bytes as an expression over small tensors: it is refused with a column, or gives the same twice: through a program, and again through
 * the one that was kept; memory is capped, and all of it comes back. */
#include <stdio.h>
#include <string.h>

#include "promise.h"

#include <tessera/tessera.h>

enum { MEMORY = 32 << 20, LARGEST = 1 << 16 };

/* Tensors of the names a to f: floats, integers, bools, a number. */
typedef struct operands {
  float x[12];
  double v[4];
  int32_t n[12];
  bool t[3];
  tsr_tensor tensor[5];
} operands;

static void fill(operands *o) {
  for (int i = 0; i < 12; i++) {
    o->x[i] = (float)i * 0.5f - 2;
    o->n[i] = i * 5 % 7 - 2;
  }
  for (int i = 0; i < 4; i++) o->v[i] = i - 1.5;
  for (int i = 0; i < 3; i++) o->t[i] = i == 1;
  must(tsr_from_memory(NULL, o->x, TSR_F32, TSR_SHAPE(3, 4), &o->tensor[0]) == TSR_OK);
  must(tsr_from_memory(NULL, o->v, TSR_F64, TSR_SHAPE(4), &o->tensor[1]) == TSR_OK);
  must(tsr_from_memory(NULL, o->n, TSR_I32, TSR_SHAPE(3, 4), &o->tensor[2]) == TSR_OK);
  must(tsr_from_memory(NULL, o->t, TSR_BOOL, TSR_SHAPE(3, 1), &o->tensor[3]) == TSR_OK);
  must(tsr_transpose(NULL, &o->tensor[0], 0, 1, &o->tensor[4]) == TSR_OK);
}

#define NAMED(o)                                                                                            \
  TSR_NAMED({"a", &(o)->tensor[0]}, {"b", &(o)->tensor[1]}, {"c", &(o)->tensor[2]}, {"d", &(o)->tensor[3]}, \
            {"e", &(o)->tensor[4]}, {"k", TSR_NUMBER(2)}, {"r", TSR_NUMBER(0.5)})

/* What a text asks for may be far more than memory has: zeros((1000000, 1000000)). */
static void *bounded_alloc(void *self, size_t bytes, size_t align, int hint) {
  capped_memory *const memory = self;
  if (bytes > memory->cap - memory->in_use) return NULL;
  return capped_alloc(self, bytes, align, hint);
}

static bool same(const tsr_tensor *a, const tsr_tensor *b) {
  bool equal = false;
  tsr_tensor x = {0}, y = {0};
  if (a->dtype != b->dtype || !tsr_same_shape(a, b)) return false;
  must(tsr_contiguous(NULL, a, &x) == TSR_OK && tsr_contiguous(NULL, b, &y) == TSR_OK);
  equal = tsr_nbytes(&x) == 0 || memcmp(x.data, y.data, tsr_nbytes(&x)) == 0;
  tsr_release(&x);
  tsr_release(&y);
  return equal;
}

/* Memory that nobody wrote is no promise. */
static bool has_unset(const char *text) { return strstr(text, "empty") != NULL; }

static void evaluate(tsr_ctx *ctx, const char *text) {
  static operands o;
  tsr_tensor first = {0}, again = {0};
  tsr_expr *expr = NULL;
  fill(&o);
  if (tsr_expr_new(ctx, text, &expr) != TSR_OK) {
    must(strstr(tsr_error(ctx), "column ") != NULL || strstr(tsr_error(ctx), "memory") != NULL ||
         strstr(tsr_error(ctx), "bytes") != NULL);
    return;
  }
  const tsr_status st = tsr_expr_run(ctx, expr, NAMED(&o), &first);
  must(st == TSR_OK || tsr_is_none(&first));
  if (st == TSR_OK && tsr_size(&first) <= LARGEST) {
    must(tsr_expr_run(ctx, expr, NAMED(&o), &again) == TSR_OK);
    must(has_unset(text) || same(&first, &again));
  }
  tsr_release(&first);
  tsr_release(&again);
  tsr_expr_release(expr);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  capped_memory memory = {0, MEMORY};
  const tsr_allocator allocator = {
      .size = sizeof allocator, .alloc = bounded_alloc, .free = capped_free, .self = &memory};
  tsr_ctx ctx;
  char *const text = malloc(size + 1);
  if (text == NULL) return 0;
  if (size > 0) memcpy(text, data, size);
  text[size] = '\0';
  must(tsr_context_init(&ctx, &allocator) == TSR_OK);
  ctx.parallel = tsr_parallel_serial();
  evaluate(&ctx, text);
  must(memory.in_use == 0);
  free(text);
  return 0;
}
