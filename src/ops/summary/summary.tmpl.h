/* Adding elements of one compute type to a block. A piece is looked through for what is not finite first; where there
 * is some, a copy without it is added up, so that the loops over sums and extremes have no conditions. */
#if C_BITS == 32
#define BITS int32_t
#define BITS_OF(x) ((BITS)tsr__bits_of_f32(x))
#define OF_BITS(bits) tsr__f32_of_bits((uint32_t)(bits))
#define MAGNITUDE INT32_MAX
#define INFINITY_BITS 0x7f800000
#else
#define BITS int64_t
#define BITS_OF(x) ((BITS)tsr__bits_of_f64(x))
#define OF_BITS(bits) tsr__f64_of_bits((uint64_t)(bits))
#define MAGNITUDE INT64_MAX
#define INFINITY_BITS 0x7ff0000000000000
#endif

enum { FN(PIECE) = PIECE_BYTES / (C_BITS / 8) };

/* A number that grows with the float, by its bits: maxima of integers need no order, and become vectors. */
static inline BITS FN(rank)(C x) {
  const BITS bits = BITS_OF(x);
  return bits ^ (bits < 0 ? MAGNITUDE : 0);
}

static inline C FN(of_rank)(BITS rank) {
  const BITS bits = rank ^ (rank < 0 ? MAGNITUDE : 0);
  return OF_BITS(bits);
}

/* The least and the greatest rank of a piece; *zeros grows by how many are 0. */
static void FN(look)(tsr_index n, const C *restrict x, BITS *low, BITS *high, int32_t *zeros) {
  BITS least = MAGNITUDE, most = -MAGNITUDE - 1, none = 0;
  for (tsr_index i = 0; i < n; i++) {
    const BITS rank = FN(rank)(x[i]);
    least = rank < least ? rank : least;
    most = rank > most ? rank : most;
    none += (BITS_OF(x[i]) & MAGNITUDE) == 0;
  }
  *low = least;
  *high = most;
  *zeros += (int32_t)none;
}

/* Adds up whole groups of finite elements, each lane in order. */
static void FN(add_groups)(tsr__summary_block *restrict b, tsr_index n, const C *restrict x) {
  reals sum[REGISTERS], square[REGISTERS];
  const tsr_real shift = b->shift;
  TSR__UNROLL(8)
  for (int r = 0; r < REGISTERS; r++) memcpy(&sum[r], b->sum + EACH * r, sizeof sum[r]);
  TSR__UNROLL(8)
  for (int r = 0; r < REGISTERS; r++) memcpy(&square[r], b->square + EACH * r, sizeof square[r]);
  for (tsr_index i = 0; i < n; i += LANES) {
    TSR__UNROLL(8)
    for (int r = 0; r < REGISTERS; r++) {
      const reals d = FN(widen)(x + i + EACH * r) - shift, product = d * d;
      sum[r] += d;
      square[r] += product;
    }
  }
  TSR__UNROLL(8)
  for (int r = 0; r < REGISTERS; r++) memcpy(b->sum + EACH * r, &sum[r], sizeof sum[r]);
  TSR__UNROLL(8)
  for (int r = 0; r < REGISTERS; r++) memcpy(b->square + EACH * r, &square[r], sizeof square[r]);
}

/* Where the first finite element is; n when there is none. */
static tsr_index FN(first_finite)(tsr_index n, const C *restrict x) {
  tsr_index i = 0;
  while (i < n && x[i] - x[i] != 0) i++;
  return i;
}

/* Copies n elements, filled up to whole groups: what is not finite becomes the shift, which changes neither sums nor
 * extremes. */
static void FN(clean)(tsr__summary_block *restrict b, tsr_index n, const C *restrict x, C *restrict to) {
  const C shift = (C)b->shift;
  int32_t finite = 0, nans = 0;
  for (tsr_index i = 0; i < n; i++) {
    const bool is_finite = x[i] - x[i] == 0;
    to[i] = is_finite ? x[i] : shift;
    finite += is_finite;
    nans += x[i] != x[i];
  }
  for (tsr_index i = n; i % LANES != 0; i++) to[i] = shift;
  b->finite += finite;
  b->nans += nans;
}

static void FN(extend)(tsr__summary_block *block, BITS low, BITS high) {
  const tsr_real least = (tsr_real)FN(of_rank)(low), most = (tsr_real)FN(of_rank)(high);
  block->min = least < block->min ? least : block->min;
  block->max = most > block->max ? most : block->max;
}

/* At most PIECE_BYTES. */
static void FN(add_piece)(tsr__summary_block *block, tsr_index n, const C *x) {
  C copy[FN(PIECE)];
  BITS low, high;
  FN(look)(n, x, &low, &high, &block->zeros);
  block->count += n;
  if (!block->shifted) {
    const tsr_index first = FN(first_finite)(n, x);
    if (first == n) { /* nothing to add: only the NaNs count */
      for (tsr_index i = 0; i < n; i++) block->nans += x[i] != x[i];
      return;
    }
    block->shift = (tsr_real)x[first];
    block->shifted = true;
  }
  const bool finite = high < INFINITY_BITS && low > ~INFINITY_BITS;
  if (finite && n % LANES == 0) {
    block->finite += (int32_t)n;
    FN(extend)(block, low, high);
    FN(add_groups)(block, n, x);
    return;
  }
  int32_t none = 0; /* zeros are counted already, and the shift may be one */
  FN(clean)(block, n, x, copy);
  const tsr_index whole = (n + LANES - 1) / LANES * LANES;
  FN(look)(whole, copy, &low, &high, &none);
  FN(extend)(block, low, high);
  FN(add_groups)(block, whole, copy);
}

static void FN(add)(tsr__summary_block *block, tsr_index n, const void *x) {
  const C *const row = x;
  for (tsr_index i = 0; i < n; i += FN(PIECE)) FN(add_piece)(block, n - i < FN(PIECE) ? n - i : FN(PIECE), row + i);
}

#undef BITS
#undef BITS_OF
#undef OF_BITS
#undef MAGNITUDE
#undef INFINITY_BITS
