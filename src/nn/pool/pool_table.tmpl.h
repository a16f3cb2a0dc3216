/* The kernels of one op on one compute type, from pool.tmpl.h or pool_plain.tmpl.h. */
static const tsr__pool_kernel OP(kernel) = {OP(fold), OP(line), OP(slide), DIVIDE};

#undef DIVIDE
