/* Tessera on shapes and strides that a line describes:
 *   sweep OP shape=3,4 a=4,1 b=0,1 axes=0
 * a and b are the strides of the inputs in elements, axes what is reduced or joined along. The output is contiguous.
 * Operations of networks are in tessera_network.c, short axes in tessera_short.c. */
#include <stdlib.h>
#include <string.h>

#include "tessera_contest.h"

typedef struct numbers {
  int count;
  tsr_index at[TSR_MAX_DIMS];
} numbers;

static numbers shape, strides_a, strides_b, axes;
static int reduced[TSR_MAX_DIMS];

/* The numbers behind " key="; none when it is not there. */
static numbers find(const char *spec, const char *key) {
  numbers found = {0};
  const char *p = strstr(spec, key);
  if (p == NULL) return found;
  p += strlen(key);
  while (found.count < TSR_MAX_DIMS) {
    char *end;
    const long long value = strtoll(p, &end, 10);
    if (end == p) break;
    found.at[found.count++] = (tsr_index)value;
    if (*end != ',') break;
    p = end + 1;
  }
  return found;
}

static void strided_input(const numbers *strides, int64_t start, tsr_tensor *t) {
  tsr_index last = 0;
  for (int i = 0; i < shape.count; i++) last += (shape.at[i] - 1) * strides->at[i];
  must(tsr_from_memory(&context, contest_floats(last + 1, start), TSR_F32, TSR_SHAPE(last + 1), t));
  must(tsr_as_strided(&context, t, shape.count, shape.at, strides->at, 0, t));
}

static void make_result(const numbers *s, int dtype, contest_kind kind) {
  must(tsr_desc_init(&context, dtype, s->count, s->at, &out));
  void *data = contest_bytes((int64_t)tsr_nbytes(&out));
  must(tsr_from_memory(&context, data, dtype, s->count, s->at, &out));
  contest_result(data, tsr_size(&out), kind);
}

/* The shape without the axes that are reduced. */
static numbers shape_kept(void) {
  numbers kept = {0};
  for (int i = 0; i < shape.count; i++) {
    bool gone = false;
    for (int k = 0; k < axes.count; k++) gone = gone || axes.at[k] == i;
    if (!gone) kept.at[kept.count++] = shape.at[i];
  }
  return kept;
}

static void result_same(void) { make_result(&shape, TSR_F32, CONTEST_F32); }

static void result_reduced(void) {
  const numbers kept = shape_kept();
  for (int i = 0; i < axes.count; i++) reduced[i] = (int)axes.at[i];
  make_result(&kept, TSR_F32, CONTEST_F32);
}

static void result_index(void) {
  const numbers kept = shape_kept();
  reduced[0] = (int)axes.at[0];
  make_result(&kept, TSR_I64, CONTEST_I64);
}

static void result_joined(void) {
  numbers joined = shape;
  reduced[0] = (int)axes.at[0];
  joined.at[axes.at[0]] *= 2;
  make_result(&joined, TSR_F32, CONTEST_F32);
}

static void result_padded(void) {
  numbers padded = shape;
  for (int i = 0; i < padded.count; i++) padded.at[i] += 2;
  make_result(&padded, TSR_F32, CONTEST_F32);
}

RUN(run_copy, tsr_copy(&context, &a, &out))
RUN(run_add, tsr_add(&context, &a, &b, &out))
RUN(run_sub, tsr_sub(&context, &a, &b, &out))
RUN(run_mul, tsr_mul(&context, &a, &b, &out))
RUN(run_maximum, tsr_maximum(&context, &a, &b, &out))
RUN(run_exp, tsr_exp(&context, &a, &out))
RUN(run_tanh, tsr_tanh(&context, &a, &out))
RUN(run_abs, tsr_abs(&context, &a, &out))
RUN(run_square, tsr_square(&context, &a, &out))
RUN(run_sum, tsr_sum(&context, &a, axes.count, reduced, false, &out))
RUN(run_max, tsr_max(&context, &a, axes.count, reduced, false, &out))
RUN(run_argmax, tsr_argmax(&context, &a, reduced[0], false, &out))
static const tsr_tensor *const pair[] = {&a, &b};
static const tsr_index ones[TSR_MAX_DIMS] = {1, 1, 1, 1, 1, 1};
RUN(run_concat, tsr_concat(&context, 2, pair, reduced[0], &out))
RUN(run_pad, tsr_pad(&context, &a, ones, ones, TSR_PAD_CONSTANT, 0, &out))

static const struct {
  const char *name;
  void (*result)(void);
  contest_run *run;
} ops[] = {
    {"copy", result_same, run_copy},       {"add", result_same, run_add},         {"sub", result_same, run_sub},
    {"mul", result_same, run_mul},         {"maximum", result_same, run_maximum}, {"exp", result_same, run_exp},
    {"tanh", result_same, run_tanh},       {"abs", result_same, run_abs},         {"square", result_same, run_square},
    {"sum", result_reduced, run_sum},      {"max", result_reduced, run_max},      {"argmax", result_index, run_argmax},
    {"concat", result_joined, run_concat}, {"pad", result_padded, run_pad},
};

contest_run *contest_open_sweep(const char *spec) {
  char op[32] = {0};
  const char *name = spec + strlen("sweep ");
  const size_t length = strcspn(name, " ");
  if (length >= sizeof op) return NULL;
  memcpy(op, name, length);
  if (strcmp(op, "short") == 0) return contest_open_short(spec);
  shape = find(spec, " shape=");
  strides_a = find(spec, " a=");
  strides_b = find(spec, " b=");
  axes = find(spec, " axes=");
  contest_run *const network = contest_open_network_sweep(op, shape.at, strides_a.at[0] != 0, strides_b.at[0] != 0);
  if (network != NULL) return network;
  for (size_t i = 0; i < sizeof ops / sizeof ops[0]; i++) {
    if (strcmp(ops[i].name, op) != 0) continue;
    strided_input(&strides_a, 0, &a);
    if (strides_b.count > 0) strided_input(&strides_b, 7, &b);
    ops[i].result();
    return ops[i].run;
  }
  return NULL;
}
