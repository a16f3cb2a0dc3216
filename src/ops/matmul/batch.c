/* One of the products of a batch. */
#include "ops/matmul/product.h"

tsr__product tsr__product_at(const tsr__product *p, tsr_index batch) {
  tsr__product one = *p;
  for (int i = p->axes - 1; i >= 0; i--) {
    const ptrdiff_t at = (ptrdiff_t)(batch % p->length[i]);
    batch /= p->length[i];
    one.a.data += at * p->a.batch[i];
    if (one.b.data != NULL) one.b.data += at * p->b.batch[i]; /* packed ones are elsewhere */
    one.out.data += at * p->out.batch[i];
    if (one.c.data != NULL) one.c.data += at * p->c.batch[i];
    if (one.bias.data != NULL) one.bias.data += at * p->bias.batch[i];
#if TSR__PRODUCT_SCALES
    if (one.scale.data != NULL) one.scale.data += at * p->scale.batch[i];
#endif
  }
  return one;
}
