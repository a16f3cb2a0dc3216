/* Frames times their weights, added where they overlap; T is a part. A frame's elements are read once, the sums stay in the cache. */

/* Elements begin … end of a signal, all of which frames cover. */
static void FT(add_frames)(const overlap *o, tsr_index signal, tsr_index begin, tsr_index end) {
  const tsr__frames *const f = o->frames;
  const tsr_index low = begin + f->edge, high = end + f->edge, parts = f->is_real ? 1 : 2;
  const T *const weights = f->weights;
  T *const y = (T *)o->sums + (signal * o->length + begin) * parts;
  memset(y, 0, (size_t)((end - begin) * parts) * sizeof(T));
  for (tsr_index k = low < f->n ? 0 : (low - f->n) / f->hop + 1; k < f->count && k * f->hop < high; k++) {
    const tsr_index at = k * f->hop, first = at > low ? at : low, last = at + f->n < high ? at + f->n : high;
    const T *restrict const x = (const T *)o->elements + ((signal * f->count + k) * f->n + first - at) * parts;
    const T *restrict const w = weights != NULL ? weights + first - at : NULL;
    T *restrict const to = y + (first - low) * parts;
    for (tsr_index i = 0; i < (last - first) * parts && w == NULL; i++) to[i] += x[i];
    for (tsr_index i = 0; i < last - first && w != NULL && parts == 1; i++) to[i] += x[i] * w[i];
    for (tsr_index i = 0; i < (last - first) * 2 && w != NULL && parts == 2; i++) to[i] += x[i] * w[i / 2];
  }
  for (tsr_index i = 0; i < (end - begin) * parts; i++) y[i] = (T)((double)y[i] / o->squares[begin + i / parts]);
}
