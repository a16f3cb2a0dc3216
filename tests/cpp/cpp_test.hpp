/* Checks of the C++ header: those of tests/support/test.h, and what a failure says. Compiled with exceptions and without. */
#ifndef CPP_TEST_HPP
#define CPP_TEST_HPP

#include <tessera/tessera.hpp>

#include "support/test.h"

#include <cmath>
#include <cstdlib>

#ifndef TSR_CPP_NO_EXCEPTIONS
/* The call fails with the status, and its sentence contains the text. */
#define THROWS(want, text, call)                                                                \
  do {                                                                                          \
    tsr_status test_got = TSR_OK;                                                               \
    char test_said[256] = "";                                                                   \
    try {                                                                                       \
      (void)(call);                                                                             \
    } catch (const tsr::error &test_e) {                                                        \
      test_got = test_e.status();                                                               \
      std::strncpy(test_said, test_e.what(), sizeof test_said - 1);                             \
    }                                                                                           \
    (void)test_status(test_got, (want), test_said, tsr_status_name, __FILE__, __LINE__, #call); \
    (void)test_message(test_said, (text), __FILE__, __LINE__);                                  \
  } while (0)
#endif

/* An allocator that counts, below every tensor of a test: what is not given back is a failure of the test. */
class counted {
 public:
  counted() {
    TSR_IGNORE(tsr_counting_init(nullptr, 0, 0, &counting_));
    TSR_IGNORE(tsr_context_init(&ctx_, &counting_.allocator));
  }
  ~counted() { CHECK(counting_.stats.in_use == 0); }
  counted(const counted &) = delete;
  counted &operator=(const counted &) = delete;
  tsr_ctx *c() { return &ctx_; }
  std::size_t calls() const { return counting_.stats.calls; }

 private:
  tsr_counting counting_ = {};
  tsr_ctx ctx_;
};

#endif
