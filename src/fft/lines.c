/* Lines that do not lie as kernels want them: copied in, transformed, copied out. */
#include <stdlib.h>
#include <string.h>

#include "fft/transform.h"

#if TSR_HAVE_MALLOC && TSR_HAVE_F64

#define T float
#define FT(name) name##_f32
#include "fft/copy.tmpl.h"
#undef T
#undef FT
#define T double
#define FT(name) name##_f64
#include "fft/copy.tmpl.h"

void tsr__fft_apply_window(int dtype, const tsr__fft_copy *copy, const void *window) {
  if (dtype == TSR_F32)
    apply_window_f32(copy, window);
  else
    apply_window_f64(copy, window);
}

void tsr__fft_copy_in(int dtype, const tsr__fft_copy *copy) {
  if (dtype == TSR_F32)
    copy_in_f32(copy);
  else
    copy_in_f64(copy);
}

void tsr__fft_copy_out(int dtype, const tsr__fft_copy *copy) {
  if (dtype == TSR_F32)
    copy_out_f32(copy);
  else
    copy_out_f64(copy);
}

#endif
