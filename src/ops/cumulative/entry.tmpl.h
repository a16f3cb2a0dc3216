/* A compute type's place in the table of an op. */
#if USED
[C_ID] = &OP(kernel),
#endif
