#include "linalg/order.h"

#if TSR_HAVE_MALLOC

static tsr_real number_at(const tsr__work *w, const void *numbers, tsr_index i) {
  return tsr__submatrix_get(w, tsr__submatrix_of(w, (void *)(uintptr_t)numbers, 1), i, 0);
}

/* By merging: neighbours of order, then pairs of them, … */
static void merge(const tsr__work *w, const void *numbers, bool largest, tsr_index n, tsr_index half,
                  const tsr_index *from, tsr_index *to) {
  for (tsr_index begin = 0; begin < n; begin += 2 * half) {
    const tsr_index middle = begin + half < n ? begin + half : n, end = middle + half < n ? middle + half : n;
    tsr_index a = begin, b = middle;
    for (tsr_index i = begin; i < end; i++) {
      const bool take_b =
          a == middle || (b < end && (largest ? number_at(w, numbers, from[b]) > number_at(w, numbers, from[a])
                                              : number_at(w, numbers, from[b]) < number_at(w, numbers, from[a])));
      to[i] = from[take_b ? b++ : a++];
    }
  }
}

void tsr__order_numbers(const tsr__work *w, tsr_index n, const void *numbers, bool largest, tsr_index *order) {
  tsr_index *from = order, *to = order + n;
  for (tsr_index i = 0; i < n; i++) order[i] = i;
  for (tsr_index half = 1; half < n; half *= 2) {
    merge(w, numbers, largest, n, half, from, to);
    tsr_index *const t = from;
    from = to;
    to = t;
  }
  for (tsr_index i = 0; i < n && from != order; i++) order[i] = from[i];
}

void tsr__pick_rows(const tsr__work *w, tsr_index n, tsr_index len, const void *from, const tsr_index *order,
                    tsr__submatrix to) {
  const tsr__submatrix rows = tsr__submatrix_of(w, (void *)(uintptr_t)from, len);
  for (tsr_index i = 0; i < n; i++)
    tsr__submatrix_copy(w, 1, len, tsr__submatrix_at(rows, order[i], 0), tsr__submatrix_at(to, i, 0));
}

void tsr__fill_numbers(const tsr__work *w, tsr_index n, void *numbers, double value) {
  const tsr__submatrix all = tsr__submatrix_of(w, numbers, n);
  for (tsr_index i = 0; i < n; i++) tsr__submatrix_put_complex(w, all, 0, i, (tsr_real)value, (tsr_real)value);
}

#endif
