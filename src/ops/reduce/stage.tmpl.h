/* The stage of an op: adds a block in registers to the lanes of its state. They are as many as a vector has, or a few times as
 * many, or half. */
typedef C OP(vector) __attribute__((vector_size(TSR__VEC_BYTES)));
typedef C OP(vector_any) __attribute__((vector_size(TSR__VEC_BYTES), aligned(1), may_alias));
enum { OP(WIDTH) = TSR__VEC_BYTES / (int)sizeof(C) };

static inline void OP(step_vector)(C *lanes, OP(vector) v) {
  C x[OP(WIDTH)];
  memcpy(x, &v, sizeof x);
  for (int l = 0; l < OP(WIDTH); l++) lanes[l] = STEP(lanes[l], x[l], 0);
}

static void OP(stage)(TSR__STAGE_ARGUMENTS(OP(vector))) {
  const size_t first = (size_t)i;
  C *const lanes = (C *)(void *)s->at[0] + first / TSR__REDUCE_BLOCK % TSR__REDUCE_GROUP * LANES;
  (void)b0, (void)b1, (void)b2, (void)b3;
  OP(step_vector)(lanes + first % LANES, a0);
  OP(step_vector)(lanes + (first + OP(WIDTH)) % LANES, a1);
  OP(step_vector)(lanes + (first + 2 * OP(WIDTH)) % LANES, a2);
  OP(step_vector)(lanes + (first + 3 * OP(WIDTH)) % LANES, a3);
}
