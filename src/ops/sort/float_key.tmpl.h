/* The key of a float, for one size. */
#define SIGN ((U)((U)1 << (U_BITS - 1)))
#define ONES ((U) ~(U)0)

/* Of an element; branch-free, so that rows are vectorised. */
static inline U FN(float_key)(U raw, U flip, U limit) {
  const U magnitude = (U)(raw & (U)~SIGN);
  const U negative = (U)(0u - (U)(raw >> (U_BITS - 1)));
  U key = (U)(raw ^ (U)(negative | SIGN));
  key = magnitude == 0 ? SIGN : key;
  key = (U)(key ^ flip);
  return magnitude > limit ? ONES : key;
}
