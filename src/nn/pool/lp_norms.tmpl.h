/* One float dtype: p of 1, of 2, of anything. */
#define LP(name) FN(name##_1)
#define TERM(size) (size)
#define ROOT(sum) (sum)
#include "nn/pool/lp.tmpl.h"
#undef LP
#undef TERM
#undef ROOT
#define LP(name) FN(name##_2)
#define TERM(size) ((size) * (size))
#define ROOT(sum) MATH(tsr__root)(sum)
#include "nn/pool/lp.tmpl.h"
#undef LP
#undef TERM
#undef ROOT
#define LP(name) FN(name##_p)
#define TERM(size) MATH(tsr__power)(size, p)
#define ROOT(sum) MATH(tsr__power)(sum, 1 / p)
#include "nn/pool/lp.tmpl.h"
#undef LP
#undef TERM
#undef ROOT
