/* What is said of two runs that differ: the call in words, and a C program that makes it again. */
#include "support/op_case.h"

#if TSR_HAVE_OPS

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* ---- the program ---- */

static void print_bytes(const op_buffer *b, const char *run, int number) {
  printf("static _Alignas(16) uint64_t %s%d[] = {", run, number);
  for (size_t i = 0; i < b->size || i == 0; i += 8) {
    uint64_t word = 0;
    memcpy(&word, b->before + i, b->size - i < 8 ? b->size - i : 8);
    printf("%s0x%" PRIx64 ",", i % 48 == 0 ? "\n  " : " ", word);
  }
  printf("};\n");
}

static void print_numbers(const char *name, int n, const tsr_index *numbers) {
  printf(", .%s = {", name);
  for (int i = 0; i < n || i == 0; i++) {
    printf("%s", i > 0 ? ", " : "");
    if (n > 0 && numbers[i] == TSR_INDEX_MIN)
      printf("TSR_INDEX_MIN");
    else
      printf("%lld", n == 0 ? 0LL : (long long)numbers[i]);
  }
  printf("}");
}

static void print_tensor(const op_run *r, const char *run, const char *role, int i, const tsr_tensor *t, int buffer) {
  if (t->dtype == TSR_NONE || (buffer < 0 && strcmp(role, "out") == 0)) {
    printf("  tsr_tensor %s_%s%d = TSR_EMPTY;\n", run, role, i);
    return;
  }
  printf("  tsr_tensor %s_%s%d = {.dtype = %d /* %s */, .layout = %d, .ndim = %d", run, role, i, t->dtype,
         tsr_dtype_name(t->dtype), t->layout, t->ndim);
  print_numbers("shape", t->ndim, t->shape);
  print_numbers("stride", t->ndim, t->stride);
  if (t->data == NULL)
    printf("};\n");
  else
    printf(", .data = (char *)%s%d + %td};\n", run, buffer, (unsigned char *)t->data - r->buffer[buffer].bytes);
}

static void print_real(double value) {
  if (isnan(value) || isinf(value))
    printf("%s", isnan(value) ? "NAN" : value > 0 ? "INFINITY" : "-INFINITY");
  else
    printf("%.17g", value);
}

static void print_list(const tsr_attr *a) {
  const bool ints = a->type == TSR_OP_INTS;
  printf("tsr_attr_%s(\"%s\", %d, (const %s[]){", ints ? "ints" : "reals", a->name, a->count,
         ints ? "tsr_index" : "tsr_real");
  for (int i = 0; i < a->count; i++) {
    if (ints)
      printf("%lld", (long long)a->value.ints[i]);
    else
      print_real(a->value.reals[i]);
    printf(", ");
  }
  printf("0})");
}

static void print_attr(const tsr_attr *a) {
  switch (a->type) {
    case TSR_OP_BOOL: printf("tsr_attr_bool(\"%s\", %s)", a->name, a->value.boolean ? "true" : "false"); break;
    case TSR_OP_INT: printf("tsr_attr_int(\"%s\", %" PRId64 ")", a->name, a->value.integer); break;
    case TSR_OP_REAL:
      printf("tsr_attr_real(\"%s\", ", a->name);
      print_real(a->value.real);
      printf(")");
      break;
    case TSR_OP_TEXT: printf("tsr_attr_text(\"%s\", \"%s\")", a->name, a->value.text); break;
    case TSR_OP_RNG: printf("tsr_attr_rng(\"%s\", &rng)", a->name); break;
    case TSR_OP_OBJECT: printf("OBJECT_ATTR(\"%s\")", a->name); break;
    default: print_list(a); break;
  }
}

static void print_call(const op_run *r, const char *run) {
  const op_case *const c = r->c;
  for (int i = 0; i < c->inputs; i++)
    if (c->in[i].dtype != TSR_NONE && r->same != i) print_tensor(r, run, "in", i, &r->in[i], r->in_at[i]);
  for (int i = 0; i < c->outputs; i++) print_tensor(r, run, "out", i, &r->start[i], r->out_at[i]);
  printf("  rng = tsr_rng_seed(%" PRIu64 "u);\n", c->seed);
  printf("  const int %s = call(\"%s\", %d, (const tsr_tensor *[]){", run, r->isa, r->threads);
  for (int i = 0; i < c->inputs; i++) {
    if (c->in[i].dtype == TSR_NONE)
      printf("NULL, ");
    else if (r->same == i)
      printf("&%s_out0, ", run);
    else
      printf("&%s_in%d, ", run, i);
  }
  printf("NULL}, (tsr_tensor *[]){");
  for (int i = 0; i < c->outputs; i++) printf("&%s_out%d, ", run, i);
  printf("NULL});\n");
}

/* The weights of an attribute, and how they are packed. */
static void print_weights(const char *name, const tsr_tensor *t) {
  const size_t bytes = (size_t)test_product(t->ndim, t->shape) * tsr_dtype_size(t->dtype);
  print_bytes(&(op_buffer){.before = t->data, .size = bytes}, name, 0);
  printf("static tsr_tensor %s = {.dtype = %d, .ndim = %d", name, t->dtype, t->ndim);
  print_numbers("shape", t->ndim, t->shape);
  print_numbers("stride", t->ndim, t->stride);
  printf(", .data = %s0};\n", name);
}
static void print_object(const op_case *c) {
  print_weights("weights", &c->weights);
  if (c->bias.dtype != TSR_NONE) print_weights("bias", &c->bias);
  fputs(op_object_body(c), stdout);
}

/* What is called, with its attributes. */
static void print_function(const op_case *c) {
  if (c->object != OP_NO_OBJECT) print_object(c);
  printf("static tsr_status function(tsr_ctx *ctx, const tsr_tensor *const *in, tsr_tensor *const *out) {\n");
  if (c->object != OP_NO_OBJECT)
    printf("  tsr_status packed = pack(ctx, in[0], &weights, %s, &object);\n  if (packed != TSR_OK) return packed;\n",
           c->bias.dtype != TSR_NONE ? "&bias" : "NULL");
  printf("  const tsr_attr attrs[] = {");
  for (int i = 0; i < c->attrs; i++) {
    print_attr(&c->attr[i]);
    printf(",\n                            ");
  }
  printf(
      "tsr_attr_int(NULL, 0)};\n"
      "  const tsr_status st = tsr_op_call(ctx, tsr_op_find(\"%s\"), %d, in, %d, attrs, %d, out);\n%s  return st;\n}\n",
      c->op->name, c->inputs, c->attrs, c->outputs, c->object != OP_NO_OBJECT ? "  OBJECT_RELEASE();\n" : "");
}

void op_print_program(const op_run *a, const op_run *b) {
  const op_case *const c = a->c;
  printf(
      "/* ---- a program that makes both calls: cc FILE -ltessera -lm -pthread ---- */\n"
      "#include <math.h>\n#include <stdio.h>\n#include <tessera/tessera.h>\n");
  for (int i = 0; i < a->buffers; i++) print_bytes(&a->buffer[i], "want", i);
  for (int i = 0; i < b->buffers; i++) print_bytes(&b->buffer[i], "got", i);
  printf("static tsr_rng rng;\n");
  print_function(c);
  printf(
      "static int call(const char *isa, int threads, const tsr_tensor **in, tsr_tensor **out) {\n"
      "  tsr_ctx ctx;\n  tsr_threads *pool = NULL;\n"
      "  if (tsr_context_init(&ctx, NULL) || tsr_context_set_isa(&ctx, isa) || tsr_threads_new(threads, &pool))\n"
      "    return -1;\n"
      "  ctx.parallel = tsr_threads_parallel(pool);\n"
      "  const int status = function(&ctx, in, out);\n"
      "  printf(\"%%s %%s\\n\", tsr_status_name(status), tsr_error(&ctx));\n"
      "  for (int i = 0; i < %d && status == TSR_OK; i++)\n"
      "    if (tsr_print(NULL, out[i], NULL, stdout) != TSR_OK) return -1;\n"
      "  tsr_threads_release(pool);\n  return status;\n}\n"
      "int main(void) {\n",
      c->outputs);
  print_call(a, "want");
  print_call(b, "got");
  printf("  bool same = want == got;\n");
  for (int i = 0; i < c->outputs; i++)
    printf(
        "  if (same && want == TSR_OK && tsr_allclose(NULL, &got_out%d, &want_out%d, 0, 0, true, &same)) same = "
        "false;\n",
        i, i);
  for (int i = 0; i < c->outputs; i++) printf("  tsr_release(&want_out%d);\n  tsr_release(&got_out%d);\n", i, i);
  printf(
      "  puts(same ? \"the same\" : \"different\");\n  return same ? 0 : 1;\n}\n/* ---- end of the program ---- */\n");
}

/* ---- in words ---- */

static void print_shape(const char *name, const tsr_tensor *t) {
  printf(" %s %s[", name, tsr_dtype_name(t->dtype));
  for (int i = 0; i < t->ndim; i++) printf("%s%lld", i > 0 ? "," : "", (long long)t->shape[i]);
  printf("]");
  for (int i = 0; i < t->ndim; i++) printf("%s%lld", i > 0 ? "," : "/", (long long)t->stride[i]);
}

void op_report(op_counts *n, const op_run *want, const op_run *got, const char *what, const char *difference) {
  const op_case *const c = got->c;
  static const tsr_op *last;
  n->failures++;
  if (c->op == last && op_seconds() == 0) return; /* one of each op will do */
  last = c->op;
  printf("%s: %s: %s, class %c, seed %" PRIu64 ", %s, %d threads (%s, %d)\n ", c->op->name, what, difference, c->class_,
         c->seed, got->isa, got->threads, want->isa, want->threads);
  for (int i = 0; i < c->inputs; i++)
    if (c->in[i].dtype != TSR_NONE) print_shape("in", &got->in[i]);
  for (int i = 0; i < c->outputs; i++) print_shape("out", &got->start[i]);
  printf("\n  %s %s | %s %s\n", tsr_status_name(want->status), want->error, tsr_status_name(got->status), got->error);
  if (n->failures == 1) op_print_program(want, got);
  fflush(stdout);
  if (op_seconds() > 0 && getenv("TSR_TORTURE_ALL") == NULL) exit(1);
}

/* ---- seeds and time ---- */

static uint64_t number_of(const char *name, uint64_t otherwise) {
  const char *const text = getenv(name);
  return text != NULL && *text != 0 ? strtoull(text, NULL, 10) : otherwise;
}

double op_seconds(void) { return (double)number_of("TSR_TORTURE_SECONDS", 0); }
uint64_t op_seed(void) { return number_of("TSR_TORTURE_SEED", 1); }

double op_now(void) {
  struct timespec t = {0};
  (void)timespec_get(&t, TIME_UTC);
  return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

void op_progress(op_counts *n, const char *test) {
  const double now = op_now();
  if (n->said == 0) n->said = now;
  if (now - n->said < 10) return;
  n->said = now;
  printf("%s: %ld ops, %ld pairs, %ld calls, %ld comparisons, %ld refused, %ld failures\n", test, n->ops, n->pairs,
         n->calls, n->comparisons, n->refused, n->failures);
  fflush(stdout);
}

#endif
