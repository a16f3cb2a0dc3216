/* Tessera as a contestant: Fourier transforms. The numbers of contest.h, two and two, are complex ones. */
#include "tessera_contest.h"

static int axis;

static void open_shape(int dtype, int ndim, const tsr_index *shape) {
  tsr_index n = 1, numbers[3] = {0, 0, 2};
  for (int i = 0; i < ndim; i++) n *= shape[i], numbers[i] = shape[i];
  numbers[ndim] = 2;
  void *const data = dtype == TSR_C128 ? (void *)contest_doubles(2 * n, 0) : (void *)contest_floats(2 * n, 0);
  must(tsr_from_memory(&context, data, dtype, ndim, shape, &a));
  contest_output(dtype == TSR_C128 ? TSR_F64 : TSR_F32, dtype == TSR_C128 ? CONTEST_F64 : CONTEST_F32, ndim + 1,
                 numbers);
  must(tsr_from_memory(&context, out.data, dtype, ndim, shape, &out));
  axis = ndim - 1;
}

static void open_line(const contest_workload *w) { open_shape(TSR_C64, 1, &(const tsr_index){w->elements}); }
static void open_line_f64(const contest_workload *w) { open_shape(TSR_C128, 1, &(const tsr_index){w->elements}); }
static void open_rows(const contest_workload *w) {
  open_shape(TSR_C64, 2, (const tsr_index[]){w->elements / 256, 256});
}
static void open_columns(const contest_workload *w) {
  open_shape(TSR_C64, 2, (const tsr_index[]){256, w->elements / 256});
  axis = 0;
}
static void open_image(const contest_workload *w) {
  (void)w;
  open_shape(TSR_C64, 2, (const tsr_index[]){512, 512});
}
static void open_real(const contest_workload *w) {
  const tsr_index half = w->elements / 2 + 1;
  contest_input(&a, 0, 1, &(const tsr_index){w->elements});
  contest_output(TSR_F32, CONTEST_F32, 1, &(const tsr_index){2 * half});
  must(tsr_from_memory(&context, out.data, TSR_C64, 1, &half, &out));
  axis = 0;
}

RUN(run_line, tsr_fft(&context, &a, 0, axis, TSR_FFT_BACKWARD, &out))
RUN(run_real, tsr_rfft(&context, &a, 0, axis, TSR_FFT_BACKWARD, &out))
RUN(run_axes, tsr_fftn(&context, &a, 0, NULL, NULL, TSR_FFT_BACKWARD, &out))

const contest_row contest_fft_rows[] = {
    {"fft_256", open_line, run_line},
    {"fft_1024", open_line, run_line},
    {"fft_4096", open_line, run_line},
    {"fft_16384", open_line, run_line},
    {"fft_65536", open_line, run_line},
    {"fft_1048576", open_line, run_line},
    {"fft_1000", open_line, run_line},
    {"fft_9973", open_line, run_line},
    {"fft_44100", open_line, run_line},
    {"fft_1024_f64", open_line_f64, run_line},
    {"fft_65536_f64", open_line_f64, run_line},
    {"rfft_1024", open_real, run_real},
    {"rfft_65536", open_real, run_real},
    {"fft_rows_256", open_rows, run_line},
    {"fft_columns_256", open_columns, run_line},
    {"fft2_512", open_image, run_axes},
    {NULL, NULL, NULL},
};
