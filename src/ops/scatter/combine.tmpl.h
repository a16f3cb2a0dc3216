/* One mode on one compute type. MERGE(a, b) is element a with the later b; OP(name) is name_<mode>_<type>. */
#if USED
static void OP(combine)(const tsr__updates *u) {
  const char *src = u->src, *at = u->at;
  char *dst = u->dst;
  if (u->at_step == 0 && u->dst_step == (ptrdiff_t)sizeof(C) && u->src_step == (ptrdiff_t)sizeof(C)) {
    C *const to = (C *)(void *)(dst + (ptrdiff_t) * (const int64_t *)(const void *)at * u->axis_step);
    const C *const from = (const C *)(const void *)src;
    for (tsr_index i = 0; i < u->n; i++) to[i] = MERGE(to[i], from[i]);
    return;
  }
  for (tsr_index i = 0; i < u->n; i++, dst += u->dst_step, src += u->src_step, at += u->at_step) {
    C *const to = (C *)(void *)(dst + (ptrdiff_t) * (const int64_t *)(const void *)at * u->axis_step);
    *to = MERGE(*to, *(const C *)(const void *)src);
  }
}
#endif
