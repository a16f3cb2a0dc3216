/* Includes TEMPLATE once for every size of key, then forgets it. A template uses
 *   U       the unsigned type     U_BITS  its bits     FN(x)  x_u32 … */
#define TSR__U_CAT_(a, b) a##b
#define TSR__U_CAT(a, b) TSR__U_CAT_(a, b)
#define FN(name) TSR__U_CAT(name##_u, U_BITS)

#define U tsr__key8
#define U_BITS 8
#include TEMPLATE
#undef U
#undef U_BITS
#define U tsr__key16
#define U_BITS 16
#include TEMPLATE
#undef U
#undef U_BITS
#define U tsr__key32
#define U_BITS 32
#include TEMPLATE
#undef U
#undef U_BITS
#define U tsr__key64
#define U_BITS 64
#include TEMPLATE
#undef U
#undef U_BITS
#undef FN
#undef TEMPLATE
