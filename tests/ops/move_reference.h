/* Every op that moves elements, against a map of indices: which element of the input each element of the output is. */
#ifndef TSR_TEST_MOVE_REFERENCE_H
#define TSR_TEST_MOVE_REFERENCE_H

#include "support/helpers.h"
#include "support/test.h"

/* One dtype of every item size; movement needs no more of a dtype. */
static const int move_dtypes[] = {TSR_U8, TSR_BF16, TSR_F32, TSR_I64, TSR_C128};

/* A call to be tested: its numbers, and the input's shape for the map. */
typedef struct move_case {
  const tsr_tensor *in;
  tsr_index number[2 * TSR_MAX_DIMS];
  int axis;
  const tsr_tensor *index; /* of take and gather: i64 */
} move_case;

typedef tsr_status move_op(tsr_ctx *ctx, const move_case *c, tsr_tensor *out);

/* Where an element of the output comes from; false: it is all zero bytes. */
typedef bool move_map(const move_case *c, const tsr_index *out, tsr_index *in);

static inline bool move_is_right(const move_case *c, move_map *map, const tsr_tensor *out) {
  static const unsigned char zero[16];
  const size_t item = tsr_dtype_size(c->in->dtype);
  tsr_index at[TSR_MAX_DIMS] = {0}, from[TSR_MAX_DIMS] = {0};
  if (out->dtype != c->in->dtype) return false;
  if (test_product(out->ndim, out->shape) == 0) return true;
  do {
    const void *const want = map(c, at, from) ? test_at(c->in, from) : zero;
    if (memcmp(test_at(out, at), want, item) != 0) return false;
  } while (test_next_index(out->ndim, out->shape, at));
  return true;
}

/* Over the input's own buffer, row-major from element first on, where there is room; the result is the same. */
static inline void move_overlapping(tsr_ctx *ctx, move_op *op, const move_case *c, test_buffer *buffer,
                                    const tsr_tensor *result, tsr_index first) {
  const test_buffer before = *buffer;
  tsr_tensor out = {0};
  if (tsr_size(result) + first > TEST_ELEMENTS || (c->index != NULL && c->index->data == buffer->bytes)) return;
  OK(ctx, tsr_from_memory(ctx, buffer->bytes + (size_t)first * tsr_dtype_size(result->dtype), result->dtype,
                          result->ndim, result->shape, &out));
  OK(ctx, op(ctx, c, &out));
  CHECK(test_same_elements(&out, result));
  *buffer = before;
}

/* Whether two results of a shape are too large for the memory of a small machine's tests. */
static inline bool move_is_too_large(const tsr_tensor *out) { return !TSR_HAVE_MALLOC && tsr_nbytes(out) > 12000; }

/* Into outputs of every state. buffer is the input's memory. */
static inline void move_check(tsr_ctx *ctx, move_op *op, const move_case *c, move_map *map, test_buffer *buffer) {
  tsr_tensor out = {0}, described = {0}, given = {0};
  (void)ctx;
  ctx = test_context(); /* an arena is empty again */
  const tsr_status st = op(ctx, c, &out);
  if (!TSR_HAVE_MALLOC && st == TSR_ENOMEM) return;
  OK(ctx, st);
  if (st != TSR_OK || move_is_too_large(&out)) return;
  CHECK(move_is_right(c, map, &out) && test_is_tidy(&out) && tsr_is_contiguous(&out, TSR_MEMORY));
  OK(ctx, tsr_desc_init_ordered(ctx, out.dtype, out.ndim, out.shape, TSR_FORTRAN, &described));
  OK(ctx, op(ctx, c, &described));
  CHECK(test_same_elements(&out, &described) && tsr_is_contiguous(&described, TSR_FORTRAN));
  for (int axis = 0; axis < out.ndim; axis++) OK(ctx, tsr_flip(ctx, &described, axis, &described));
  OK(ctx, op(ctx, c, &described));
  CHECK(test_same_elements(&out, &described));
  OK(ctx, tsr_view(ctx, &out, &given));
  OK(ctx, op(ctx, c, &given));
  CHECK(move_is_right(c, map, &given));
  for (tsr_index first = 0; first <= 8; first += 4) move_overlapping(ctx, op, c, buffer, &out, first);
  tsr_release(&out);
  tsr_release(&described);
  CHECK(test_live() == 0);
}

/* Every layout and item size, with the input over random bytes. */
typedef void move_each_fn(tsr_ctx *ctx, move_case *c, test_buffer *buffer);

static inline void move_each(move_each_fn *each) {
  static test_buffer buffer;
  test_rng rng = {77};
  for (int d = 0; d < COUNT_OF(move_dtypes); d++)
    for (int i = 0; i < test_layout_count(); i++) {
      test_buffer_random(&buffer, &rng);
      const tsr_tensor in = test_over(&buffer, move_dtypes[d], test_layout_at(i));
      move_case c = {.in = &in};
      each(test_context(), &c, &buffer);
    }
}

/* A bad call: what it must return, and what its message must say. */
#define BAD(ctx, status, call, text) \
  do {                               \
    FAILS(ctx, status, call);        \
    MESSAGE_HAS(ctx, text);          \
  } while (0)

#endif
