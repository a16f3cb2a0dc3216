/* Elements that a line makes of operands, in place of elements in memory: of a group of calls that ends with a reduction or a softmax.
 *
 * Set before: MADE_OPERANDS and MADE_NUMBERS, how many there are of both. The host has the same layout in engines/made.c. */
struct alignas(16) made_number {
  uint8_t bytes[16];
};

/* Strides in elements over the axes that number the outputs, and over those of the elements of one. */
struct made_args {
  int64_t kept[MADE_OPERANDS][8], inner[MADE_OPERANDS][8];
  const uint8_t *x[MADE_OPERANDS];
  made_number numbers[MADE_NUMBERS];
};

/* Where an element is, in every operand. */
struct made_at {
  int64_t at[MADE_OPERANDS];
};

static __device__ inline void made_move(made_at &a, int64_t i, int rank, const int64_t *length, const int64_t (*step)[8]) {
  for (int d = 0; d < rank; d++) {
    const int64_t q = d + 1 < rank ? (((uint64_t)i | (uint64_t)length[d]) >> 32 ? i / length[d] : (int64_t)((uint32_t)i / (uint32_t)length[d])) : 0;
    const int64_t index = i - q * length[d];
    TSR__UNROLL(16) for (int k = 0; k < MADE_OPERANDS; k++) a.at[k] += index * step[k][d];
    i = q;
  }
}

static __device__ inline made_at made_from(const made_args &m, int64_t o, int rank, const int64_t *length) {
  made_at a;
  TSR__UNROLL(16) for (int k = 0; k < MADE_OPERANDS; k++) a.at[k] = 0;
  made_move(a, o, rank, length, m.kept);
  return a;
}

/* From element 0 of an output to another one; by so many outputs. */
static __device__ inline made_at made_next(const made_args &m, made_at a, int64_t r, int rank, const int64_t *length) {
  made_move(a, r, rank, length, m.inner);
  return a;
}
static __device__ inline made_at made_beside(const made_args &m, made_at a, int64_t outputs) {
  TSR__UNROLL(16) for (int k = 0; k < MADE_OPERANDS; k++) a.at[k] += outputs * m.kept[k][0];
  return a;
}
