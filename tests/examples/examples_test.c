/* The examples run and end with 0, and the README shows exactly examples/readme.c and what it prints. */
#include <tessera/tessera.h>

#include "support/test.h"

#ifndef TSR_SOURCE_DIR
#define TSR_SOURCE_DIR "."
#endif

#if TSR_HAVE_STDIO

#define main example_readme
#include "../../examples/readme.c"
#undef main
#define main example_views
#define show views_show
#include "../../examples/views.c"
#undef main
#define main example_ownership
#include "../../examples/ownership.c"
#undef main
#define main example_memory_plan
#include "../../examples/memory_plan.c"
#undef main
#define main example_errors
#define report errors_report
#include "../../examples/errors.c"
#undef main
#define main example_arena
#include "../../examples/arena.c"
#undef main
#define main example_rolling
#include "../../examples/rolling.c"
#undef main
#define main example_npy
#include "../../examples/npy.c"
#undef main

static char readme[64 * 1024], code[4 * 1024];

/* The whole of a text file; "" when it is not there. */
static const char *read_text(const char *path, char *text, size_t capacity) {
  FILE *const file = fopen(path, "rb");
  const size_t n = file != NULL ? fread(text, 1, capacity - 1, file) : 0;
  text[n] = '\0';
  if (file != NULL) (void)fclose(file);
  return text;
}

TEST(readme_runs) { CHECK(example_readme() == 0); }
TEST(views_run) { CHECK(example_views() == 0); }
TEST(ownership_runs) { CHECK(example_ownership() == 0); }
TEST(memory_plan_runs) { CHECK(example_memory_plan() == 0); }
TEST(errors_run) { CHECK(example_errors() == 0); }
TEST(arena_runs) { CHECK(example_arena() == 0); }
TEST(rolling_runs) { CHECK(example_rolling() == 0); }
TEST(npy_runs) { CHECK(example_npy() == 0); }

TEST(readme_shows_the_example) {
  const char *const text = read_text(TSR_SOURCE_DIR "/README.md", readme, sizeof readme);
  const char *const source = read_text(TSR_SOURCE_DIR "/examples/readme.c", code, sizeof code);
  REQUIRE(source[0] != '\0');
  CHECK(strstr(text, source) != NULL);
}

/* The output in the README is what the calls of the example make. */
TEST(readme_shows_its_output) {
  static char expected[1024];
  tsr_tensor x = {0}, part = {0}, copy = {0};
  size_t n = 0;
  OK(NULL, tsr_arange(NULL, TSR_F32, 0, 12, 1, &x));
  OK(NULL, tsr_reshape(NULL, &x, TSR_SHAPE(3, -1), &x));
  OK(NULL, tsr_slice(NULL, &x, 1, 1, 3, 1, &part));
  OK(NULL, tsr_transpose(NULL, &part, 0, 1, &part));
  OK(NULL, tsr_set(NULL, &part, TSR_INDEX(0, 2), 100));
  OK(NULL, tsr_cast(NULL, &part, TSR_I32, &copy));
  OK(NULL, tsr_print_text(NULL, &copy, NULL, expected, sizeof expected, &n));
  FAILS(NULL, TSR_ESHAPE, tsr_reshape(NULL, &x, TSR_SHAPE(5, 5), &x));
  (void)snprintf(expected + n, sizeof expected - n, "\n%s\n", tsr_error(NULL));
  CHECK(strstr(read_text(TSR_SOURCE_DIR "/README.md", readme, sizeof readme), expected) != NULL);
  tsr_release(&copy);
  tsr_release(&x);
}

TEST_MAIN(RUN(readme_runs), RUN(views_run), RUN(ownership_runs), RUN(memory_plan_runs), RUN(errors_run),
          RUN(arena_runs), RUN(rolling_runs), RUN(npy_runs), RUN(readme_shows_the_example),
          RUN(readme_shows_its_output))

#else

TEST(examples) { SKIP("this build has no files"); }
TEST_MAIN(RUN(examples))

#endif
