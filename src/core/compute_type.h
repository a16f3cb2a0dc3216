/* Includes TEMPLATE for one compute type, then forgets what each_compute.h has said of it. */
#include TEMPLATE
#undef C
#undef C_NAME
#undef C_ID
#undef C_BITS
