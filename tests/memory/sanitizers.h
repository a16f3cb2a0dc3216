/* Which sanitizer watches: some end the program, or fail a child, for what is asked of them here. */
#ifndef TSR_TEST_SANITIZERS_H
#define TSR_TEST_SANITIZERS_H

#if defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define TEST_TSAN 1
#endif
#if __has_feature(address_sanitizer)
#define TEST_ASAN 1
#endif
#if __has_feature(memory_sanitizer)
#define TEST_MSAN 1
#endif
#endif
#if defined(__SANITIZE_THREAD__)
#define TEST_TSAN 1
#endif
#if defined(__SANITIZE_ADDRESS__)
#define TEST_ASAN 1
#endif

#ifndef TEST_TSAN
#define TEST_TSAN 0
#endif
#ifndef TEST_ASAN
#define TEST_ASAN 0
#endif
#ifndef TEST_MSAN
#define TEST_MSAN 0
#endif

#endif
