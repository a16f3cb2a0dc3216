/* The smallest test header that does the job, on a server and on bare metal: one test binary a source file.
 *
 *   TEST(adds_rows) { CHECK(1 + 1 == 2); }
 *   TEST_MAIN(RUN(adds_rows))
 *
 * A failed CHECK prints where and goes on; REQUIRE ends the test. SKIP(why) counts a test as skipped. A test that checks
 * nothing fails. The last line is "N passed, N failed, N skipped". The exit code is 0, or 1 when a test failed, or 77 when all
 * were skipped. */
#ifndef TSR_TEST_H
#define TSR_TEST_H

#include <stdio.h>
#include <string.h>
/* Whether there is text: MESSAGE_HAS looks at it wherever this is included. The single file has it in itself. */
#if defined(__has_include)
#if __has_include(<tessera/config.h>)
#include <tessera/config.h>
#endif
#endif

typedef struct test_state {
  const char *name;
  const char *skipped;
  int failures; /* of the present test */
  int passed, failed, skips;
  int checks; /* likewise */
} test_state;

static test_state test_now;

static inline int test_check(int ok, const char *file, int line, const char *what) {
  test_now.checks++;
  if (ok) return 1;
  test_now.failures++;
  if (test_now.failures <= 20) printf("%s:%d: %s: CHECK failed: %s\n", file, line, test_now.name, what);
  return 0;
}

#define CHECK(condition) (void)test_check((condition) != 0, __FILE__, __LINE__, #condition)
#define REQUIRE(condition)                                                     \
  do {                                                                         \
    if (!test_check((condition) != 0, __FILE__, __LINE__, #condition)) return; \
  } while (0)
#define SKIP(why)             \
  do {                        \
    test_now.skipped = (why); \
    return;                   \
  } while (0)

/* A call that must succeed, and one that must fail with a status; both print the context's message when it is otherwise. */
#define OK(ctx, call) FAILS(ctx, TSR_OK, call)
#define FAILS(ctx, status, call)                                                                       \
  do {                                                                                                 \
    const int test_got = (call); /* before its message is asked for */                                 \
    (void)test_status(test_got, (status), tsr_error(ctx), tsr_status_name, __FILE__, __LINE__, #call); \
  } while (0)

static inline int test_status(int got, int want, const char *message, const char *(*name)(int), const char *file,
                              int line, const char *what) {
  if (test_check(got == want, file, line, what)) return 1;
  if (test_now.failures <= 20) printf("  got %s, expected %s; last message: %s\n", name(got), name(want), message);
  return 0;
}

/* The last message of ctx contains text. Always true where messages are configured off. */
#define MESSAGE_HAS(ctx, text) (void)test_message(tsr_error(ctx), (text), __FILE__, __LINE__)
static inline int test_message(const char *message, const char *text, const char *file, int line) {
#if TSR_HAVE_TEXT
  if (test_check(strstr(message, text) != NULL, file, line, text)) return 1;
  if (test_now.failures <= 20) printf("  the message is: %s\n", message);
  return 0;
#else
  (void)message;
  (void)text;
  (void)file;
  (void)line;
  test_now.checks++;
  return 1;
#endif
}

#define TEST(name) static void test_##name(void)

typedef struct test_entry {
  const char *name;
  void (*run)(void);
} test_entry;

static inline void test_run(const test_entry *entry) {
  test_now.name = entry->name;
  test_now.skipped = NULL;
  test_now.failures = 0;
  test_now.checks = 0;
  entry->run();
  const int empty = test_now.checks == 0 && test_now.skipped == NULL;
  if (empty) printf("%s checks nothing\n", entry->name);
  if (test_now.failures > 0 || empty) {
    test_now.failed++;
    printf("FAILED  %s\n", entry->name);
  } else if (test_now.skipped != NULL) {
    test_now.skips++;
    printf("skipped %s: %s\n", entry->name, test_now.skipped);
  } else {
    test_now.passed++;
  }
}

static inline int test_run_all(const test_entry *entries, int count) {
  for (int i = 0; i < count; i++) test_run(&entries[i]);
  printf("%d passed, %d failed, %d skipped\n", test_now.passed, test_now.failed, test_now.skips);
  if (test_now.failed > 0) return 1;
  return test_now.passed == 0 && test_now.skips > 0 ? 77 : 0;
}

#define RUN(name) \
  { #name, test_##name }
#define TEST_MAIN(...)                                                       \
  int main(void) {                                                           \
    static const test_entry entries[] = {__VA_ARGS__};                       \
    return test_run_all(entries, (int)(sizeof entries / sizeof entries[0])); \
  }

#endif
