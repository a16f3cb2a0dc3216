/* One type that is summed in, C. Integers wrap, and their alpha and beta are 1. */
static void FN(add)(C *restrict v, C scale, const C *restrict x, int step, tsr_index n) {
  if (step == 0) {
    const C one = (C)(scale * x[0]);
    for (tsr_index i = 0; i < n; i++) v[i] += one;
  } else if (scale == 1) {
    for (tsr_index i = 0; i < n; i++) v[i] += x[i];
  } else {
    for (tsr_index i = 0; i < n; i++) v[i] += scale * x[i];
  }
}

#if C_FLOAT && TSR_HAVE_MALLOC
static void FN(scale)(C *restrict v, const C *restrict x, int step, tsr_index n) {
  if (step == 0) {
    const C one = x[0];
    for (tsr_index i = 0; i < n; i++) v[i] *= one;
  } else {
    for (tsr_index i = 0; i < n; i++) v[i] *= x[i];
  }
}
#endif

static void FN(epilogue)(const tsr__epilogue *e, tsr_index n) {
  C *const v = e->v;
#if C_FLOAT
  const C alpha = (C)e->alpha, beta = (C)e->beta;
  if (alpha != 1)
    for (tsr_index i = 0; i < n; i++) v[i] *= alpha;
#if TSR_HAVE_MALLOC
  if (e->scale != NULL) FN(scale)(v, e->scale, e->scale_step, n);
#endif
#else
  const C beta = 1;
#endif
  if (e->c != NULL) FN(add)(v, beta, e->c, e->c_step, n);
  if (e->bias != NULL) FN(add)(v, 1, e->bias, e->bias_step, n);
}
