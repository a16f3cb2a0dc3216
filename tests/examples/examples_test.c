/* The examples run and end with 0, and the README shows exactly examples/readme.c and what it prints. */
#if (defined(__unix__) || defined(__APPLE__)) && !defined(_XOPEN_SOURCE)
#define _XOPEN_SOURCE 700 /* dup2, mkdtemp */
#endif

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
#undef show
#define main example_einsum
#define show einsum_show
#include "../../examples/einsum.c"
#undef main

#define main example_tables
#include "../../examples/tables.c"
#undef main
#define main example_first
#include "../../examples/first.c"
#undef main
#if TSR_HAVE_OPS
#define main example_program
#define record program_record
#define files program_files
#include "../../examples/program.c"
#undef main
#define main example_expressions
#define compare expressions_compare
#include "../../examples/expressions.c"
#undef compare
#undef main
#endif

#if TSR_HAVE_PLOT && TSR_HAVE_PNG
#define main example_plot
#define release plot_release_all
#define save plot_save_one
#include "../../examples/plot.c"
#undef save
#undef release
#undef main
#endif

static char readme[64 * 1024], code[12 * 1024];

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
TEST(einsum_runs) { CHECK(example_einsum() == 0); }
#if TSR_HAVE_OPS
TEST(program_runs) { CHECK(example_program() == 0); }
TEST(expressions_run) { CHECK(example_expressions() == 0); }
#else
TEST(program_runs) { SKIP("not configured"); }
TEST(expressions_run) { SKIP("not configured"); }
#endif

/* docs/plots.md shows lines of examples/plot.c, each in its own code block. */
TEST(the_page_of_plots_shows_the_example) {
  const char *at = read_text(TSR_SOURCE_DIR "/docs/plots.md", readme, sizeof readme);
  const char *const source = read_text(TSR_SOURCE_DIR "/examples/plot.c", code, sizeof code);
  int lines = 0;
  REQUIRE(source[0] != '\0');
  while ((at = strstr(at, "```c\n")) != NULL) {
    for (at += 5; strncmp(at, "```", 3) != 0; at += strcspn(at, "\n") + 1, lines++) {
      char line[256];
      (void)snprintf(line, sizeof line, "%.*s", (int)strcspn(at, "\n"), at);
      CHECK(strstr(source, line) != NULL);
    }
    at += 3;
  }
  CHECK(lines > 12);
}

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

#if TSR_HAVE_MMAP /* a system with files and descriptors */
#include <stdlib.h>
#include <unistd.h>

/* What a call of an example prints, to a file of that name. */
static int said_into(const char *path, int count, char **arguments, int (*example)(int, char **)) {
  (void)fflush(stdout);
  const int before = dup(STDOUT_FILENO);
  FILE *const to = fopen(path, "wb");
  if (before < 0 || to == NULL || dup2(fileno(to), STDOUT_FILENO) < 0) return -1;
  const int status = example(count, arguments);
  (void)fflush(stdout);
  (void)dup2(before, STDOUT_FILENO);
  (void)close(before);
  (void)fclose(to);
  return status;
}

#if TSR_HAVE_PLOT && TSR_HAVE_PNG
TEST(plots_run) {
  static const char *const made[] = {"lines.png", "lines.svg", "lines-dark.png", "lines-dark.svg", "panels.png"};
  char folder[] = "/tmp/tessera-plots-XXXXXX", path[64];
  REQUIRE(mkdtemp(folder) != NULL);
  char *arguments[] = {(char *)(uintptr_t) "plot", folder, NULL};
  CHECK(example_plot(2, arguments) == 0);
  for (int i = 0; i < 5; i++) {
    (void)snprintf(path, sizeof path, "%s/%s", folder, made[i]);
    CHECK(remove(path) == 0);
  }
  CHECK(rmdir(folder) == 0);
}
#else
TEST(plots_run) { SKIP("not configured"); }
#endif

static int first_into(const char *path, const char *in, const char *out) {
  char *arguments[] = {(char *)(uintptr_t) "first", (char *)(uintptr_t)in, (char *)(uintptr_t)out, NULL};
  return said_into(path, out != NULL ? 3 : 1, arguments, example_first);
}

/* docs/first-program.md shows the program, its input, what it prints, and what it says when it fails. */
TEST(the_first_program_is_that_of_its_page) {
  static char page[16 * 1024], said[4 * 1024];
  char folder[] = "/tmp/tessera-first-XXXXXX", in[64], out[64], words[64];
  tsr_tensor centred = {0};
  REQUIRE(mkdtemp(folder) != NULL && chdir(folder) == 0);
  (void)snprintf(in, sizeof in, "%s/said", folder);
  (void)snprintf(out, sizeof out, "%s/centred.npy", folder);
  (void)snprintf(words, sizeof words, "%s/words.csv", folder);
  (void)read_text(TSR_SOURCE_DIR "/docs/first-program.md", page, sizeof page);
  CHECK(strstr(page, read_text(TSR_SOURCE_DIR "/examples/first.c", code, sizeof code)) != NULL && code[0] != '\0');
  CHECK(strstr(page, read_text(TSR_SOURCE_DIR "/examples/data/sensors.csv", code, sizeof code)) != NULL);
  CHECK(first_into(in, TSR_SOURCE_DIR "/examples/data/sensors.csv", out) == 0);
  CHECK(strstr(page, read_text(in, said, sizeof said)) != NULL && said[0] != '\0');
  OK(NULL, tsr_npy_load(NULL, out, &centred));
  CHECK(centred.shape[0] == 8 && TSR_AT(double, &centred, 7, 0) == 10.5);
  tsr_release(&centred);
  CHECK(first_into(in, "nothing.csv", out) == TSR_EIO && strstr(page, read_text(in, said, sizeof said)) != NULL);
  FILE *const file = fopen(words, "wb");
  REQUIRE(file != NULL && fputs("sensor,value\nnorth,1\n", file) >= 0 && fclose(file) == 0);
  CHECK(first_into(in, "words.csv", out) == TSR_EFORMAT && strstr(page, read_text(in, said, sizeof said)) != NULL);
  CHECK(first_into(in, NULL, NULL) == 2);
  CHECK(remove(in) == 0 && remove(out) == 0 && remove(words) == 0 && chdir("/") == 0 && rmdir(folder) == 0);
}

/* And the second one. */
TEST(the_tables_are_those_of_the_page) {
  static char page[16 * 1024], said[4 * 1024];
  char path[] = "/tmp/tessera-tables-XXXXXX", name[] = "tables";
  char *arguments[] = {name, NULL};
  const int file = mkstemp(path);
  REQUIRE(file >= 0 && close(file) == 0);
  (void)read_text(TSR_SOURCE_DIR "/docs/first-program.md", page, sizeof page);
  CHECK(strstr(page, read_text(TSR_SOURCE_DIR "/examples/tables.c", code, sizeof code)) != NULL && code[0] != '\0');
  CHECK(strstr(page, read_text(TSR_SOURCE_DIR "/examples/data/trips.csv", code, sizeof code)) != NULL);
  CHECK(said_into(path, 1, arguments, example_tables) == 0);
  CHECK(strstr(page, read_text(path, said, sizeof said)) != NULL && said[0] != '\0');
  CHECK(remove(path) == 0);
}
#else
TEST(plots_run) { SKIP("this build has no folders"); }
TEST(the_tables_are_those_of_the_page) { SKIP("this build has no descriptors"); }
TEST(the_first_program_is_that_of_its_page) { SKIP("this build has no descriptors"); }
#endif

TEST_MAIN(RUN(the_first_program_is_that_of_its_page), RUN(the_tables_are_those_of_the_page), RUN(readme_runs),
          RUN(views_run), RUN(ownership_runs), RUN(memory_plan_runs), RUN(errors_run), RUN(arena_runs),
          RUN(rolling_runs), RUN(npy_runs), RUN(einsum_runs), RUN(program_runs), RUN(expressions_run), RUN(plots_run),
          RUN(the_page_of_plots_shows_the_example), RUN(readme_shows_the_example), RUN(readme_shows_its_output))

#else

TEST(examples) { SKIP("this build has no files"); }
TEST_MAIN(RUN(examples))

#endif
