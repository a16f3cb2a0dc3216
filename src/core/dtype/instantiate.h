/* Includes TEMPLATE for one dtype. The dtype's file has set DT, DT_ID, DT_WIDE and, where it
 * can be made from a complex number, DT_TAKES_COMPLEX. A template uses
 *   T        the type in memory          WIDE       the type that it loads to
 *   LOAD(x)  T to WIDE                   FROM(w)    the function that makes a T from wide type w: FROM(f32)(x)
 *   FN(name) name_<dtype>                DT_WIDE_ID TSR__WIDE_<its wide> */
#define TSR__DT_CAT_(a, b) a##b
#define TSR__DT_CAT(a, b) TSR__DT_CAT_(a, b)
#define T TSR__DT_CAT(DT, _mem)
#define WIDE TSR__DT_CAT(tsr__wide_, DT_WIDE)
#define DT_WIDE_ID TSR__DT_CAT(TSR__WIDE_, DT_WIDE)
#define LOAD TSR__DT_CAT(DT, _load)
#define FROM(w) TSR__DT_CAT(DT, TSR__DT_CAT(_from_, w))
#define FN(name) TSR__DT_CAT(name##_, DT)
#ifndef DT_TAKES_COMPLEX
#define DT_TAKES_COMPLEX 0
#endif
#include TEMPLATE
#undef TSR__DT_CAT_
#undef TSR__DT_CAT
#undef T
#undef WIDE
#undef DT_WIDE_ID
#undef LOAD
#undef FROM
#undef FN
#undef DT
#undef DT_ID
#undef DT_WIDE
#undef DT_TAKES_COMPLEX
