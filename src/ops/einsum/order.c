/* Which two terms are multiplied next. */
#include "ops/einsum/einsum.h"

static int count_of(tsr__labels labels) {
  int n = 0;
  for (; labels != 0; labels &= labels - 1) n++;
  return n;
}

/* The labels of the product of two: those that a third one or the result wants. */
static tsr__labels product_of(int count, const tsr__labels *have, tsr__labels wanted, int first, int second) {
  for (int i = 0; i < count; i++)
    if (i != first && i != second) wanted |= have[i];
  return (have[first] | have[second]) & wanted;
}

/* What a pair costs, the less the better; of two equals, the one with the less work. */
typedef struct cost {
  tsr_real first, second;
} cost;

/* Of three, the multiplications of both products; of more, how much there is to hold after the first. */
static cost cost_of(const tsr__einsum *e, int count, const tsr__labels *have, tsr__labels made, int first, int second) {
  const tsr_real work = tsr__labels_size(e, have[first] | have[second]), size = tsr__labels_size(e, made);
  if (count > 3) {
    const tsr_real gone = tsr__labels_size(e, have[first]) + tsr__labels_size(e, have[second]);
    return (cost){size - gone, work};
  }
  const int third = 3 - first - second;
  return (cost){work + tsr__labels_size(e, made | have[third]), size};
}

bool tsr__einsum_order(const tsr__einsum *e, int count, const tsr__labels *have, tsr__labels wanted, int *first,
                       int *second) {
  bool found = false;
  cost best = {0, 0};
  for (int i = 0; i < count; i++)
    for (int j = i + 1; j < count; j++) {
      const tsr__labels made = product_of(count, have, wanted, i, j);
      if (count_of(made) > TSR_MAX_DIMS) continue;
      const cost c = cost_of(e, count, have, made, i, j);
      if (found && (c.first > best.first || (c.first == best.first && c.second >= best.second))) continue;
      found = true;
      best = c;
      *first = i;
      *second = j;
    }
  return found;
}
