/* Tensors as C source: what is written, what a compiler makes of it, and that the example's header is what is written.
 */
#include "files_support.h"

#include <tessera/carray.h>
#include <tessera/formats.h>

#if TSR_HAVE_STDIO && TSR_HAVE_MMAP && TSR_HAVE_F64

#include <math.h>
#include <time.h>

static tsr_bundle bundle;

static void add(const char *name, int dtype, int ndim, const tsr_index *shape, const void *data) {
  tsr_tensor t = {0};
  OK(NULL, tsr_from_const_memory(NULL, data, dtype, ndim, shape, &t));
  OK(NULL, tsr_bundle_add(NULL, &bundle, name, &t));
}

static size_t read_text(const char *path, char *to, size_t capacity) {
  FILE *file = fopen(path, "rb");
  const size_t n = file != NULL ? fread(to, 1, capacity - 1, file) : 0;
  to[n] = '\0';
  if (file != NULL) (void)fclose(file);
  return n;
}

/* examples/data/flash_weights.h is this, byte for byte. TSR_WRITE_EXAMPLE in the environment writes it. */
TEST(the_header_of_the_example) {
  static const float offset[3] = {0.485f, 0.456f, 0.406f}, gain[3] = {4.366812f, 4.464286f, 4.444444f};
  static const int8_t edges[9] = {-1, -2, -1, 0, 0, 0, 1, 2, 1};
  static const uint16_t halves[2] = {0x3c00, 0x3800};
  static char want[4096], got[4096];
  const tsr_carray_options options = {.prefix = "flash_", .align = 16};
  add("offset", TSR_F32, TSR_SHAPE(3), offset);
  add("gain", TSR_F32, TSR_SHAPE(3), gain);
  add("edges", TSR_I8, TSR_SHAPE(3, 3), edges);
  add("halves", TSR_F16, TSR_SHAPE(2), halves);
  REQUIRE(folder_make());
  OK(NULL, tsr_carray_save(NULL, in_folder("h"), &bundle, &options));
  if (getenv("TSR_WRITE_EXAMPLE") != NULL)
    OK(NULL, tsr_carray_save(NULL, TSR_SOURCE_DIR "/examples/data/flash_weights.h", &bundle, &options));
  REQUIRE(read_text(in_folder("h"), got, sizeof got) > 0);
  CHECK(read_text(TSR_SOURCE_DIR "/examples/data/flash_weights.h", want, sizeof want) > 0 && strcmp(got, want) == 0);
  tsr_bundle_release(&bundle);
  folder_end();
}

/* ---- what compilers make of it ---- */

enum { MOST = 640 };

/* The names of tensor number i in C, as the test expects them. */
typedef struct c_name {
  char tensor[96], array[96];
} c_name;
static c_name expected[MOST];

static void expect(const char *tensor, const char *array) {
  c_name *e = &expected[bundle.count - 1];
  (void)snprintf(e->tensor, sizeof e->tensor, "%s", tensor);
  (void)snprintf(e->array, sizeof e->array, "%s%s", array != NULL ? array : tensor, array != NULL ? "" : "_data");
}

/* A program that checks what its constants say, and writes out their bytes. */
static bool write_program(const char *includes) {
  FILE *program = fopen(in_folder("p.c"), "w");
  if (program == NULL) return false;
  (void)fprintf(program, "%s#include \"all.h\"\n#include <stdio.h>\n", includes);
  (void)fprintf(program,
                "static int wrong(const tsr_tensor *t, const void *data, int dtype, int ndim) {\n"
                "  return t->dtype != dtype || t->ndim != ndim || t->flags != 2 || t->data != data ||\n"
                "    (size_t)t->data %% 64 != 0 || t->storage != NULL || t->name != NULL;\n}\n"
                "int main(void) {\n");
  for (tsr_index i = 0; i < bundle.count; i++) {
    const tsr_tensor *t = &bundle.tensors[i];
    const c_name *e = &expected[i];
    (void)fprintf(program, "if (wrong(&%s, %s, %d, %d)) return 1;\n", e->tensor, e->array, t->dtype, t->ndim);
    for (int axis = 0; axis < t->ndim; axis++)
      (void)fprintf(program, "if (%s.shape[%d] != %lld) return 1;\n", e->tensor, axis, (long long)t->shape[axis]);
    (void)fprintf(program, "fwrite(%s.data, 1, %d, stdout);\n", e->tensor, (int)tsr_nbytes(t));
  }
  (void)fprintf(program, "return 0;\n}\n");
  return fclose(program) == 0;
}

static void same_bytes(const char *path) {
  static char got[16384];
  const size_t n = read_text(path, got, sizeof got);
  size_t at = 0;
  for (tsr_index i = 0; i < bundle.count; i++) {
    const size_t bytes = tsr_nbytes(&bundle.tensors[i]);
    const bool same = at + bytes <= n && memcmp(got + at, bundle.tensors[i].data, bytes) == 0;
    CHECK(same);
    if (!same) {
      printf("   up to %s\n", bundle.tensors[i].name);
      return;
    }
    at += bytes;
  }
  CHECK(at == n);
}

static bool has_compiler(const char *name) {
  char command[64];
  (void)snprintf(command, sizeof command, "%s --version >/dev/null 2>&1", name);
  return system(command) == 0;
}

/* Compiles the bundle's header in each language, and compares. includes come before it. */
static void compile_and_compare(const tsr_carray_options *options, const char *includes) {
  static const char *const compilers[][2] = {
      {"cc", "-std=c11 -Wpedantic"}, {"cc", "-std=gnu11"}, {"c++", "-x c++ -std=c++17 -Wpedantic"}};
  char command[1024];
  REQUIRE(folder_make());
  OK(NULL, tsr_carray_save(NULL, in_folder("all.h"), &bundle, options));
  REQUIRE(write_program(includes));
  for (int i = 0; i < 3; i++) {
    if (!has_compiler(compilers[i][0])) continue;
    (void)snprintf(command, sizeof command,
                   "%s %s -Wall -Wextra -Werror -I%s -I%s/include -I%s %s/p.c -o %s/p && %s/p >%s/out", compilers[i][0],
                   compilers[i][1], folder, TSR_SOURCE_DIR, TSR_BINARY_INCLUDE, folder, folder, folder, folder);
    CHECK(system(command) == 0);
    same_bytes(in_folder("out"));
  }
  tsr_bundle_release(&bundle);
  folder_end();
}

#if defined(TSR_EMULATED)
#define NEEDS_COMPILER SKIP("the compiler is that of another machine")
#else
#define NEEDS_COMPILER \
  if (!has_compiler("cc")) SKIP("no C compiler at run time")
#endif

/* Every dtype, with its extremes. */
TEST(a_compiler_reads_the_same_bytes) {
  static const uint64_t patterns[8] = {0,
                                       1,
                                       0x8000000000000000u,
                                       0x7fffffffffffffffu,
                                       0x3ff8000000000000u,
                                       0x8000000080008080u,
                                       0xfffffffffffffffeu,
                                       0x4009219040092190u};
  static const double odd[4] = {(double)NAN, HUGE_VAL, -0.0, 5e-324};
  static const uint8_t flags[4] = {1, 0, 0, 1};
  NEEDS_COMPILER;
  for (int dtype = 2; dtype < TSR_DTYPE_COUNT; dtype++) {
    char name[32];
    (void)snprintf(name, sizeof name, "1 %s", tsr_dtype_name(dtype));
    add(name, dtype, TSR_SHAPE(2, (tsr_index)(32 / tsr_dtype_size(dtype))), patterns);
    (void)snprintf(name, sizeof name, "_1_%s", tsr_dtype_name(dtype));
    expect(name, NULL);
  }
  add("flags", TSR_BOOL, TSR_SHAPE(4), flags), expect("flags", NULL);
  add("odd", TSR_F64, TSR_SHAPE(2, 2), odd), expect("odd", NULL);
  add("scalar", TSR_F64, 0, NULL, &odd[2]), expect("scalar", NULL);
  add("none", TSR_F32, TSR_SHAPE(2, 0), odd), expect("none", NULL);
  compile_and_compare(NULL, "");
}

static float number_of(tsr_index i) { return (float)i + 0.5f; }
static float numbers[MOST];

/* A tensor of one number of its own. */
static void add_named(const char *name, const char *tensor, const char *array) {
  numbers[bundle.count] = number_of(bundle.count);
  add(name, TSR_F32, TSR_SHAPE(1), &numbers[bundle.count]);
  expect(tensor, array);
}

/* What each name becomes. */
static const struct {
  const char *name, *tensor, *array;
} cases[] = {{"w", "w", NULL},
             {"w.1", "w_1", NULL},
             {"x", "x", "x_data_4"}, /* 2 and 3 are tensors below */
             {"x_data", "x_data", "x_data_data"},
             {"x.data", "x_data_3", NULL}, /* 2 is what the next one is called */
             {"x_data_2", "x_data_2", "x_data_2_data"},
             {"_", "t__", "t___data"},
             {"1", "_1", NULL},
             {"_1", "_1", NULL},
             {"0.weight", "_0_weight", NULL},
             {"a b", "a_b_2", NULL},
             {"a.b", "a_b_3", NULL},
             {"a_b", "a_b", NULL},
             {"a-b", "a_b_5", NULL},
             {"a_b_4", "a_b_4", NULL},
             {"\xe9\x87\x8d", "t____", NULL},
             {"\xe3\x81\xbf", "t_____2", NULL},
             {"\xff", "t___2", "t___2_data"},
             {"\n", "t___3", NULL},
             {"*/ int boom; /*", "t____int_boom____", NULL},
             {"?\?/", "t_____3", NULL},
             {"back\\", "back_", NULL},
             {"int", "t_int", NULL},
             {"t_int", "t_int", NULL},
             {"_Bool", "t__Bool", NULL},
             {"__LINE__", "t___LINE__", NULL},
             {"tsr_copy", "t_tsr_copy", NULL},
             {"TSR_READONLY", "t_TSR_READONLY", NULL},
             {"tsr.tensor", "t_tsr_tensor", NULL},
             {"uint8_t", "t_uint8_t", NULL},
             {"int_fast16_t", "t_int_fast16_t", NULL},
             {"INT32_MIN", "t_INT32_MIN", NULL},
             {"UINT64_C", "t_UINT64_C", NULL},
             {"integer", "integer", NULL},
             {"INTEGRAL", "INTEGRAL", NULL},
             {"expf", "t_expf", NULL},
             {"golf", "golf", NULL}};

TEST(names_that_are_hard_to_write) {
  NEEDS_COMPILER;
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    const char *tensor = cases[i].tensor;
    if (strcmp(cases[i].name, "1") == 0) tensor = "_1_2";      /* _1 has its own */
    if (strcmp(cases[i].name, "int") == 0) tensor = "t_int_2"; /* as t_int has */
    add_named(cases[i].name, tensor, cases[i].array);
  }
  compile_and_compare(NULL, "");
}

/* Every keyword and every name of the library that programs include most. */
TEST(names_that_c_has_for_itself) {
  static const char words[] =
      "auto break case char const continue default do double else enum extern float for goto if inline int long "
      "register restrict return short signed sizeof static struct switch typedef union unsigned void volatile while "
      "_Alignas _Alignof _Atomic _Bool _Complex _Generic _Imaginary _Noreturn _Static_assert _Thread_local alignas "
      "alignof and and_eq asm bitand bitor bool catch char16_t char32_t class compl const_cast constexpr decltype "
      "delete dynamic_cast explicit export false friend mutable namespace new noexcept not not_eq nullptr operator or "
      "or_eq private protected public reinterpret_cast static_assert static_cast template this thread_local throw true "
      "try typeid typename using virtual wchar_t xor xor_eq concept requires co_await consteval constinit char8_t "
      "typeof typeof_unqual NULL offsetof size_t ptrdiff_t max_align_t SIZE_MAX PTRDIFF_MAX WCHAR_MAX SIG_ATOMIC_MIN "
      "intptr_t uintmax_t linux unix main errno assert stdin stdout stderr FILE EOF NAN INFINITY HUGE_VAL RAND_MAX "
      "BUFSIZ exp expf expl log log2 sin cosl pow fabs sqrt round nan lgamma printf puts remove rename time clock "
      "signal div abs free exit malloc strlen memcpy isnan isfinite signbit toupper cabs conj creal system rand qsort "
      "std EDOM ERANGE EILSEQ E2BIG SIGABRT SIGINT SIG_DFL LC_ALL FLT_MAX DBL_DIG EXIT_SUCCESS FOPEN_MAX L_tmpnam "
      "SEEK_SET "
      "TMP_MAX FP_NAN CLOCKS_PER_SEC TIME_UTC ATOMIC_INT_LOCK_FREE ONCE_FLAG_INIT PRId64 SCNx8 PRIX32 FE_ALL_EXCEPT "
      "WEOF "
      "fenv_t mtx_t thrd_create cnd_t tss_t once_flag memory_order memory_order_relaxed atomic_int div_t I complex "
      "setjmp jmp_buf va_list setlocale imaxdiv fesetround islessgreater UCHAR_MAX MB_CUR_MAX";
  char copy[sizeof words], tensor[64];
  NEEDS_COMPILER;
  memcpy(copy, words, sizeof words);
  for (char *word = strtok(copy, " "); word != NULL; word = strtok(NULL, " ")) {
    (void)snprintf(tensor, sizeof tensor, "t_%s", word);
    add_named(word, tensor, NULL);
  }
  compile_and_compare(NULL,
                      "#include <assert.h>\n#include <errno.h>\n#include <math.h>\n#include <signal.h>\n"
                      "#include <stdlib.h>\n#include <string.h>\n#include <time.h>\n#include <ctype.h>\n"
                      "#include <fenv.h>\n#include <float.h>\n#include <inttypes.h>\n#include <limits.h>\n"
                      "#include <locale.h>\n#include <setjmp.h>\n#include <stdarg.h>\n#include <wchar.h>\n");
}

/* A prefix takes part in it. */
TEST(names_with_a_prefix) {
  const tsr_carray_options options = {.prefix = "in"};
  NEEDS_COMPILER;
  add_named("t", "t_int", NULL);
  add_named("1", "in1", NULL);
  add_named("_x", "in_x", NULL);
  add_named(".x", "in_x_2", NULL);
  compile_and_compare(&options, "");
}

/* A bundle that was put together by hand may have one. */
TEST(an_empty_name) {
  static float x[1] = {1};
  static char text[2048];
  tsr_tensor t = {0};
  REQUIRE(folder_make());
  OK(NULL, tsr_from_memory(NULL, x, TSR_F32, TSR_SHAPE(1), &t));
  t.name = "";
  const tsr_bundle by_hand = {.count = 1, .tensors = &t};
  OK(NULL, tsr_carray_save(NULL, in_folder("x.h"), &by_hand, NULL));
  CHECK(read_text(in_folder("x.h"), text, sizeof text) > 0);
  CHECK(strstr(text, "tsr_tensor t_ = {") != NULL && strstr(text, " t__data[1] = {") != NULL);
  folder_end();
}

/* Hundreds of small bundles of names that meet, each under a prefix of its own, in one program: compiled once. */
TEST(seeded_names_compile) {
  static const char *const pieces[] = {"a",   "b",    ".",   "_",  "_data", "-",    "1",  "_2", "_3", "int", "\xc3\xa9",
                                       "tsr", "data", "exp", " ",  "x",     "*/",   "\n", "\"", "'",  "t_",  "__",
                                       "L",   "?\?/", "\\",  "//", "#",     "uint", "_t", "0x", "%",  "e"};
  enum { HEADERS = 300, PIECES = sizeof pieces / sizeof pieces[0] };
  uint32_t state = 20240711;
  tsr_index all = 0;
  NEEDS_COMPILER;
  REQUIRE(folder_make());
  FILE *together = fopen(in_folder("all.h"), "w");
  REQUIRE(together != NULL);
  const tsr_sink sink = tsr_sink_stdio(together);
  for (int h = 0; h < HEADERS; h++) {
    char prefix[16];
    (void)snprintf(prefix, sizeof prefix, "h%dq", h);
    const tsr_carray_options options = {.prefix = prefix};
    for (int i = 0; i < 12; i++) {
      char name[64] = "";
      for (uint32_t n = state >> 30; n < 4; n++) {
        state = state * 1664525u + 1013904223u;
        (void)strncat(name, pieces[(state >> 8) % PIECES], sizeof name - strlen(name) - 1);
      }
      if (tsr_bundle_find(&bundle, name) != NULL) continue;
      numbers[i] = number_of(i);
      add(name, TSR_F32, TSR_SHAPE(1), &numbers[i]);
      all++;
    }
    OK(NULL, tsr_carray_write(NULL, &bundle, &options, &sink));
    tsr_bundle_release(&bundle);
  }
  REQUIRE(fclose(together) == 0 && all > 10 * HEADERS / 2);
  FILE *program = fopen(in_folder("p.c"), "w");
  REQUIRE(program != NULL && fputs("#include \"all.h\"\nint main(void) { return 0; }\n", program) >= 0);
  REQUIRE(fclose(program) == 0);
  for (int cxx = 0; cxx < 2; cxx++) {
    char command[1024];
    if (cxx && !has_compiler("c++")) continue;
    (void)snprintf(command, sizeof command, "%s -Wall -Wextra -Wpedantic -Werror -I%s -I%s/include -I%s %s/p.c -o %s/p",
                   cxx ? "c++ -x c++ -std=c++17 -Wno-unused-variable" : "cc -std=c11", folder, TSR_SOURCE_DIR,
                   TSR_BINARY_INCLUDE, folder, folder);
    CHECK(system(command) == 0);
  }
  folder_end();
}

typedef struct text_sink {
  size_t n, fail_at;
} text_sink;

static tsr_status count(void *self, const void *bytes, size_t n) {
  text_sink *s = self;
  (void)bytes;
  if (s->n + n > s->fail_at) return TSR_EIO;
  s->n += n;
  return TSR_OK;
}

TEST(bad_calls) {
  static const float x[2] = {1, 2};
  text_sink state = {.fail_at = SIZE_MAX};
  const tsr_sink sink = {.size = sizeof(tsr_sink), .write = count, .self = &state};
  tsr_carray_options options = {.align = 3};
  add("a.b", TSR_F32, TSR_SHAPE(2), x);
  FAILS(NULL, TSR_EARG, tsr_carray_write(NULL, &bundle, &options, &sink));
  options = (tsr_carray_options){.prefix = "9x"};
  FAILS(NULL, TSR_ENAME, tsr_carray_write(NULL, &bundle, &options, &sink));
  options.prefix = "a-b";
  FAILS(NULL, TSR_ENAME, tsr_carray_write(NULL, &bundle, &options, &sink));
  FAILS(NULL, TSR_EARG, tsr_carray_write(NULL, NULL, NULL, &sink));
  FAILS(NULL, TSR_EARG, tsr_carray_write(NULL, &bundle, NULL, NULL));
  FAILS(NULL, TSR_EARG, tsr_carray_save(NULL, NULL, &bundle, NULL));
  OK(NULL, tsr_carray_write(NULL, &bundle, NULL, &sink));
  state = (text_sink){.fail_at = 100};
  FAILS(NULL, TSR_EIO, tsr_carray_write(NULL, &bundle, NULL, &sink));
  npy_memory m;
  tsr_ctx *ctx = memory_start(&m, 0, false);
  state = (text_sink){.fail_at = SIZE_MAX};
  FAILS(ctx, TSR_ENOMEM, tsr_carray_write(ctx, &bundle, NULL, &sink));
  CHECK(state.n == 0 && m.failing.live == 0);
  tsr_bundle_release(&bundle);
}

/* Comparing each with all took seconds for these: all become one name, or stand where a number would go. */
TEST(many_names_that_meet) {
  enum { MANY = 40000 };
  static const float x[1] = {1};
  text_sink state = {.fail_at = SIZE_MAX};
  const tsr_sink sink = {.size = sizeof(tsr_sink), .write = count, .self = &state};
  tsr_index taken = 0;
  for (int i = 0; i < MANY; i++) {
    char name[48];
    if (i % 2 == 0) {
      (void)snprintf(name, sizeof name, "name_%d", i);
    } else {
      (void)snprintf(name, sizeof name, "name");
      for (int bit = 0; bit < 16; bit++) name[4 + bit] = (i >> bit & 1) != 0 ? '.' : '-';
      name[20] = '\0';
      taken++;
    }
    add(name, TSR_F32, TSR_SHAPE(1), x);
  }
  const clock_t start = clock();
  OK(NULL, tsr_carray_write(NULL, &bundle, NULL, &sink));
  const double seconds = (double)(clock() - start) / CLOCKS_PER_SEC;
  CHECK(taken == MANY / 2 && state.n > (size_t)MANY * 100);
  CHECK(seconds < 20); /* a tenth of one here; with sanitizers and on a busy machine more, but no product of counts */
  tsr_bundle_release(&bundle);
}

TEST_MAIN(RUN(the_header_of_the_example), RUN(a_compiler_reads_the_same_bytes), RUN(names_that_are_hard_to_write),
          RUN(names_that_c_has_for_itself), RUN(names_with_a_prefix), RUN(an_empty_name), RUN(seeded_names_compile),
          RUN(bad_calls), RUN(many_names_that_meet))

#else

TEST(files) { SKIP("no files in this profile"); }
TEST_MAIN(RUN(files))

#endif
