/* Tessera as a contestant: expressions, recorded once as calls and fused. */
#include <stdio.h>
#include <string.h>

#include "tessera_contest.h"

enum { A, B, C, MEANS, SCALES, ROW, INPUTS };

static tsr_program *program;
static tsr_tensor inputs[INPUTS];

/* ---- the expressions ---- */

typedef void expression(const tsr_tensor *in, tsr_tensor *y);

static tsr_tensor made[12]; /* between the calls of one */

static void release_made(void) {
  for (int i = 0; i < 12; i++) tsr_release(&made[i]);
}

static void lin(const tsr_tensor *in, tsr_tensor *y) {
  must(tsr_mul_scalar(&context, &in[A], 2, &made[0]));
  must(tsr_mul_scalar(&context, &in[B], 3, &made[1]));
  must(tsr_add(&context, &made[0], &made[1], y));
}

static void muladd(const tsr_tensor *in, tsr_tensor *y) {
  must(tsr_mul(&context, &in[A], &in[B], &made[0]));
  must(tsr_add(&context, &made[0], &in[C], y));
}

static void gelu(const tsr_tensor *in, tsr_tensor *y) {
  muladd(in, &made[1]);
  must(tsr_gelu(&context, &made[1], y));
}

static void trig(const tsr_tensor *in, tsr_tensor *y) {
  must(tsr_sin(&context, &in[A], &made[0]));
  must(tsr_square(&context, &made[0], &made[1]));
  must(tsr_cos(&context, &in[A], &made[2]));
  must(tsr_square(&context, &made[2], &made[3]));
  must(tsr_add(&context, &made[1], &made[3], y));
}

static void squares(const tsr_tensor *in) {
  must(tsr_sub(&context, &in[A], &in[B], &made[0]));
  must(tsr_square(&context, &made[0], &made[1]));
}

static void ssd(const tsr_tensor *in, tsr_tensor *y) {
  squares(in);
  must(tsr_sum(&context, &made[1], 0, NULL, false, y));
}
static void ssd_ax0(const tsr_tensor *in, tsr_tensor *y) {
  squares(in);
  must(tsr_sum(&context, &made[1], 1, (const int[]){0}, false, y));
}
static void ssd_ax1(const tsr_tensor *in, tsr_tensor *y) {
  squares(in);
  must(tsr_sum(&context, &made[1], 1, (const int[]){1}, false, y));
}

static void where(const tsr_tensor *in, tsr_tensor *y) {
  must(tsr_gt_scalar(&context, &in[A], 0, &made[0]));
  must(tsr_mul_scalar(&context, &in[A], (tsr_real)0.1, &made[1]));
  must(tsr_where(&context, &made[0], &in[A], &made[1], y));
}

static void clip(const tsr_tensor *in, tsr_tensor *y) {
  must(tsr_sub(&context, &in[A], &in[MEANS], &made[0]));
  must(tsr_div(&context, &made[0], &in[SCALES], &made[1]));
  must(tsr_clamp(&context, &made[1], -3, 3, y));
}

static void softmax(const tsr_tensor *in, tsr_tensor *y) {
  must(tsr_mul_scalar(&context, &in[A], (tsr_real)0.125, &made[0]));
  must(tsr_add(&context, &made[0], &in[ROW], &made[1]));
  must(tsr_softmax(&context, &made[1], 1, y));
}

static void chain(const tsr_tensor *in, tsr_tensor *y) {
  must(tsr_mul(&context, &in[A], &in[B], &made[0]));
  must(tsr_add(&context, &made[0], &in[C], &made[1]));
  must(tsr_sub(&context, &made[1], &in[A], &made[2]));
  must(tsr_mul_scalar(&context, &made[2], (tsr_real)0.5, &made[3]));
  must(tsr_abs(&context, &made[3], &made[4]));
  must(tsr_add_scalar(&context, &made[4], 1, &made[5]));
  must(tsr_sqrt(&context, &made[5], &made[6]));
  must(tsr_div(&context, &in[B], &made[6], &made[7]));
  must(tsr_maximum(&context, &made[7], &in[C], &made[8]));
  must(tsr_square(&context, &made[8], &made[9]));
  must(tsr_neg(&context, &made[9], &made[10]));
  must(tsr_add(&context, &made[10], &in[A], y));
}

static const struct {
  const char *name;
  expression *make;
} expressions[] = {{"lin", lin},   {"muladd", muladd},   {"gelu", gelu},       {"trig", trig},
                   {"ssd", ssd},   {"ssd_ax0", ssd_ax0}, {"ssd_ax1", ssd_ax1}, {"where", where},
                   {"clip", clip}, {"softmax", softmax}, {"chain", chain}};

/* ---- opening ---- */

static void read_input(int i, int64_t start, const char *variant, tsr_index rows, tsr_index columns) {
  tsr_tensor *const t = &inputs[i];
  const bool strided = strcmp(variant, "strided") == 0 && i <= B;
  if (strcmp(variant, "f64") == 0)
    must(tsr_from_memory(&context, contest_doubles(rows * columns, start), TSR_F64, TSR_SHAPE(rows, columns), t));
  else if (strcmp(variant, "f16") == 0 && i <= B)
    must(tsr_from_memory(&context, contest_halves(rows * columns, CONTEST_F16), TSR_F16, TSR_SHAPE(rows, columns), t));
  else
    contest_input(t, start, TSR_SHAPE(rows, strided ? 2 * columns : columns));
  if (strided) must(tsr_slice(&context, t, 1, 0, 2 * columns, 2, t));
}

static void read_inputs(const char *variant, tsr_index rows, tsr_index columns) {
  const bool bcast = strcmp(variant, "bcast") == 0;
  read_input(A, 0, variant, rows, columns);
  read_input(B, 7, variant, bcast ? 1 : rows, columns);
  read_input(C, 3, variant, rows, columns);
  read_input(MEANS, 5, variant, rows, 1);
  read_input(SCALES, 11, variant, rows, 1);
  must(tsr_add_scalar(&context, &inputs[SCALES], 4, &inputs[SCALES]));
  read_input(ROW, 13, variant, 1, columns);
}

static void record(expression *make) {
  tsr_tensor v[INPUTS] = {{0}}, y = {0}, like = {0};
  tsr_program_free(program);
  must(tsr_program_new(&context, &program));
  must(tsr_program_begin(&context, program));
  for (int i = 0; i < INPUTS; i++) {
    must(tsr_desc_init(&context, inputs[i].dtype, inputs[i].ndim, inputs[i].shape, &like));
    must(tsr_program_input(&context, program, "x", &like, &v[i]));
  }
  make(v, &y);
  must(tsr_program_output(&context, program, "y", &y));
  must(tsr_program_end_fused(&context, program, NULL));
  for (int i = 0; i < INPUTS; i++) tsr_release(&v[i]);
  tsr_release(&y);
  release_made();
}

static void run_fused(long calls) {
  const tsr_tensor *in[INPUTS];
  tsr_tensor *const to[] = {&out};
  for (int i = 0; i < INPUTS; i++) in[i] = &inputs[i];
  for (long i = 0; i < calls; i++) must(tsr_program_run(&context, program, INPUTS, in, 1, to));
}

/* The expression, the size and the variant of a name. */
static bool parse(const char *name, char *which, char *size, char *variant) {
  static const char *const sizes[] = {"_1k", "_100k", "_16M"};
  variant[0] = '\0';
  if (strncmp(name, "fuse_", 5) != 0) return false;
  for (int i = 0; i < 3; i++) {
    const char *const at = strstr(name, sizes[i]);
    if (at == NULL) continue;
    (void)snprintf(which, 16, "%.*s", (int)(at - name - 5), name + 5);
    (void)snprintf(size, 16, "%s", sizes[i] + 1);
    if (at[strlen(sizes[i])] == '_') (void)snprintf(variant, 16, "%s", at + strlen(sizes[i]) + 1);
    return true;
  }
  return false;
}

contest_run *contest_open_fused(const contest_workload *w) {
  char which[16], size[16], variant[16];
  if (!parse(w->name, which, size, variant)) return NULL;
  const bool large = strcmp(size, "16M") == 0, small = strcmp(size, "1k") == 0;
  const tsr_index rows = large ? 4096 : small ? 20 : 200, columns = large ? 4096 : small ? 50 : 500;
  for (size_t i = 0; i < sizeof expressions / sizeof expressions[0]; i++) {
    if (strcmp(expressions[i].name, which) != 0) continue;
    read_inputs(variant, rows, columns);
    record(expressions[i].make);
    tsr_tensor result;
    (void)tsr_program_output_at(program, 0, &result);
    contest_output(result.dtype, result.dtype == TSR_F64 ? CONTEST_F64 : CONTEST_F32, result.ndim, result.shape);
    return run_fused;
  }
  return NULL;
}
