/* Tensors as C source: what is written, what a compiler makes of it, and that the example's header is what is written.
 */
#include "files_support.h"

#include <tessera/carray.h>
#include <tessera/formats.h>

#if TSR_HAVE_STDIO && TSR_HAVE_MMAP && TSR_HAVE_F64

#include <math.h>

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

/* Every dtype, with its extremes, through a compiler and back: a program that writes out the bytes of its constants. */
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
  char command[1024];
#if defined(TSR_EMULATED)
  SKIP("the compiler is that of another machine");
#endif
  if (system("cc --version >/dev/null 2>&1") != 0) SKIP("no C compiler at run time");
  for (int dtype = 2; dtype < TSR_DTYPE_COUNT; dtype++) {
    char name[32];
    (void)snprintf(name, sizeof name, "1 %s", tsr_dtype_name(dtype));
    add(name, dtype, TSR_SHAPE(2, (tsr_index)(32 / tsr_dtype_size(dtype))), patterns);
  }
  add("flags", TSR_BOOL, TSR_SHAPE(4), flags);
  add("odd", TSR_F64, TSR_SHAPE(2, 2), odd);
  add("scalar", TSR_F64, 0, NULL, &odd[2]);
  add("none", TSR_F32, TSR_SHAPE(2, 0), odd);
  REQUIRE(folder_make());
  OK(NULL, tsr_bundle_save(NULL, in_folder("all.h"), TSR_FORMAT_AUTO, &bundle, NULL));
  FILE *program = fopen(in_folder("p.c"), "w");
  REQUIRE(program != NULL);
  (void)fprintf(program, "#include \"all.h\"\n#include <stdio.h>\nint main(void) {\n");
  for (tsr_index i = 0; i < bundle.count; i++) {
    char c_name[32];
    (void)snprintf(c_name, sizeof c_name, "%s%s", i < 16 ? "_" : "", bundle.tensors[i].name);
    for (char *p = c_name; *p != '\0'; p++)
      if (*p == ' ') *p = '_';
    const size_t n = tsr_nbytes(&bundle.tensors[i]);
    (void)fprintf(program,
                  "if (%s.dtype != %d || %s.ndim != %d || %s.flags != 2 || (size_t)%s.data %% 64 != 0) return 1;\n",
                  c_name, bundle.tensors[i].dtype, c_name, bundle.tensors[i].ndim, c_name, c_name);
    (void)fprintf(program, "fwrite(%s.data, 1, %d, stdout);\n", c_name, (int)n);
  }
  (void)fprintf(program, "return 0;\n}\n");
  REQUIRE(fclose(program) == 0);
  (void)snprintf(command, sizeof command,
                 "cc -std=c11 -Wall -Wextra -Wpedantic -Werror -I%s -I%s/include -I%s %s/p.c -o %s/p && %s/p >%s/out",
                 folder, TSR_SOURCE_DIR, TSR_BINARY_INCLUDE, folder, folder, folder, folder);
  CHECK(system(command) == 0);
  static char got[4096];
  const size_t n = read_text(in_folder("out"), got, sizeof got);
  size_t at = 0;
  for (tsr_index i = 0; i < bundle.count; i++) {
    const size_t bytes = tsr_nbytes(&bundle.tensors[i]);
    CHECK(at + bytes <= n && memcmp(got + at, bundle.tensors[i].data, bytes) == 0);
    if (test_now.failures > 0) printf("   up to %s\n", bundle.tensors[i].name);
    at += bytes;
  }
  CHECK(at == n);
  tsr_bundle_release(&bundle);
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
  const tsr_sink sink = {.write = count, .self = &state};
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
  add("a_b", TSR_F32, TSR_SHAPE(2), x);
  FAILS(NULL, TSR_ENAME, tsr_carray_write(NULL, &bundle, NULL, &sink));
  MESSAGE_HAS(NULL, "a.b and a_b would have the same name in C");
  tsr_bundle_release(&bundle);
}

TEST_MAIN(RUN(the_header_of_the_example), RUN(a_compiler_reads_the_same_bytes), RUN(bad_calls))

#else

TEST(files) { SKIP("no files in this profile"); }
TEST_MAIN(RUN(files))

#endif
