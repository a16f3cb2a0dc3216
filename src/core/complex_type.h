/* Includes TEMPLATE for one complex type, then forgets what each_complex.h has said of it. */
#include TEMPLATE
#undef C
#undef C_NAME
#undef C_ID
#undef P
#undef P_NAME
#undef P_BITS
