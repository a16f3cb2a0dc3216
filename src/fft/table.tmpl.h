/* The row of a type. */
#define INNER(r) FT(inner_##r),
#define TIMES(r) FT(inner_##r##_times),
#define FIRST(r) FT(first_##r),
#define FIRST_TIMES(r) FT(first_##r##_times),
#define FIRST_BACK(r) FT(first_##r##_back),
#define FIRST_TIMES_BACK(r) FT(first_##r##_times_back),
#define LAST(r) FT(last_##r),
#define LAST_BACK(r) FT(last_##r##_back),
{
    .lanes = LANES,
    .inner = {{TSR__FFT_RADIX_LIST(INNER)}, {TSR__FFT_RADIX_LIST(TIMES)}},
    .first = {{{TSR__FFT_ENDS_LIST(FIRST)}, {TSR__FFT_ENDS_LIST(FIRST_TIMES)}},
              {{TSR__FFT_ENDS_LIST(FIRST_BACK)}, {TSR__FFT_ENDS_LIST(FIRST_TIMES_BACK)}}},
    .last = {{TSR__FFT_ENDS_LIST(LAST)}, {TSR__FFT_ENDS_LIST(LAST_BACK)}},
    .odd = FT(odd),
    .load = FT(load),
    .store = FT(store),
    .gather = FT(gather),
    .scatter = FT(scatter),
    .cross = FT(cross),
    .cross_last = LANES >= 4 ? FT(cross_last) : NULL,
    .unfold = FT(unfold),
    .fold = FT(fold),
    .multiply = FT(multiply),
},
#undef INNER
#undef TIMES
#undef FIRST
#undef FIRST_TIMES
#undef FIRST_BACK
#undef FIRST_TIMES_BACK
#undef LAST
#undef LAST_BACK
