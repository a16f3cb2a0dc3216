/* A compute type's place in the table of a mode. */
#if USED
[C_ID] = OP(combine),
#endif
