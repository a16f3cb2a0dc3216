/* Elements as the host's sorts compare them (ops/sort/keys.h): an unsigned number of their size, in the order of the values. BITS, of an
 * element; FLOATS: set before. */
#if BITS == 8
typedef uint8_t U;
#elif BITS == 16
typedef uint16_t U;
#elif BITS == 32
typedef uint32_t U;
#else
typedef uint64_t U;
#endif
#define U_BITS BITS
#define FN(name) name
#include "ops/sort/float_key.tmpl.h"

struct key_args {
  uint64_t flip, limit;
};

static inline U key_of(U raw, const key_args &k) {
#if FLOATS
  return float_key(raw, (U)k.flip, (U)k.limit);
#else
  return (U)(raw ^ (U)k.flip);
#endif
}

/* The element of a key: of zeros and NaN one of those that have it. */
static inline U element_of(U key, const key_args &k) {
  const U turned = (U)(key ^ (U)k.flip);
#if FLOATS
  return (U)(turned ^ (U)(SIGN | (U)((U)(turned >> (BITS - 1)) - 1u)));
#else
  return turned;
#endif
}

/* Whether a key has elements of several bits. */
static inline bool is_special(U key, const key_args &k) {
#if FLOATS
  return key == (U)(SIGN ^ (U)k.flip) || key == ONES;
#else
  (void)key, (void)k;
  return false;
#endif
}
