/* Lines between a tensor and temporary memory; T is a part of a complex number. The inner loop is over what lies closer together. */

static void FT(copy_element_in)(const tsr__fft_copy *c, tsr_index line, tsr_index i, T sign) {
  const T *const from = (const T *)(const void *)(c->side.at + line * c->side.line_step + i * c->side.step);
  T *const to = (T *)(void *)c->lines + line * c->pitch + (c->is_complex ? 2 * i : i);
  to[0] = from[0];
  if (c->is_complex) to[1] = c->side.is_complex ? from[1] * sign : 0;
}

static void FT(copy_element_out)(const tsr__fft_copy *c, tsr_index line, tsr_index i, T sign) {
  T *const to = (T *)(void *)(c->side.at + line * c->side.line_step + i * c->side.step);
  const T *const from = (const T *)(const void *)c->lines + line * c->pitch + (c->is_complex ? 2 * i : i);
  to[0] = from[0];
  if (c->side.is_complex) to[1] = from[1] * sign;
}

static void FT(fill_rest)(const tsr__fft_copy *c) {
  const tsr_index item = c->is_complex ? 2 : 1;
  for (tsr_index line = 0; line < c->count && c->length < c->n; line++)
    memset((T *)(void *)c->lines + line * c->pitch + item * c->length, 0,
           (size_t)(item * (c->n - c->length)) * sizeof(T));
}

#define LOOPS(element)                                                         \
  const T sign = c->conjugate ? -1 : 1;                                        \
  if (llabs((long long)c->side.step) <= llabs((long long)c->side.line_step)) { \
    for (tsr_index line = 0; line < c->count; line++)                          \
      for (tsr_index i = 0; i < c->length; i++) FT(element)(c, line, i, sign); \
    return;                                                                    \
  }                                                                            \
  for (tsr_index i = 0; i < c->length; i++)                                    \
    for (tsr_index line = 0; line < c->count; line++) FT(element)(c, line, i, sign);

/* Complex numbers as they are, and lines that lie side by side: rows of them. */
typedef struct FT(pair_of_parts) {
  T part[2];
} FT(pair_of_parts);

static bool FT(is_plain)(const tsr__fft_copy *c) {
  return c->is_complex && c->side.is_complex && !c->conjugate && c->side.line_step == 2 * (ptrdiff_t)sizeof(T) &&
         c->side.step != c->side.line_step;
}

static void FT(copy_rows)(const tsr__fft_copy *c, bool in) {
  const tsr_index pitch = c->pitch / 2;
  for (tsr_index i = 0; i < c->length; i++) {
    FT(pair_of_parts) *const row = (FT(pair_of_parts) *)(void *)(c->side.at + i * c->side.step);
    FT(pair_of_parts) *const lines = (FT(pair_of_parts) *)(void *)c->lines + i;
    for (tsr_index k = 0; k < c->count && in; k++) lines[k * pitch] = row[k];
    for (tsr_index k = 0; k < c->count && !in; k++) row[k] = lines[k * pitch];
  }
}

static void FT(copy_in)(const tsr__fft_copy *c) {
  FT(fill_rest)(c);
  if (FT(is_plain)(c)) {
    FT(copy_rows)(c, true);
    return;
  }
  LOOPS(copy_element_in)
}

static void FT(copy_out)(const tsr__fft_copy *c) {
  if (FT(is_plain)(c)) {
    FT(copy_rows)(c, false);
    return;
  }
  LOOPS(copy_element_out)
}
#undef LOOPS

static void FT(apply_window)(const tsr__fft_copy *c, const T *restrict window) {
  for (tsr_index line = 0; line < c->count; line++) {
    T *const restrict x = (T *)(void *)c->lines + line * c->pitch;
    for (tsr_index i = 0; i < c->n && !c->is_complex; i++) x[i] *= window[i];
    for (tsr_index i = 0; i < c->n && c->is_complex; i++) x[2 * i] *= window[i], x[2 * i + 1] *= window[i];
  }
}
