/* Status codes, version and build information. */
#include "support/helpers.h"
#include "support/test.h"

TEST(every_status_has_its_name_and_its_meaning) {
  int listed = 0;
#define X(name, number, text)                                \
  CHECK(TSR_##name == (number));                             \
  CHECK(strcmp(tsr_status_name(number), "TSR_" #name) == 0); \
  CHECK(strcmp(tsr_status_text(number), (text)) == 0);       \
  listed++;
  TSR_STATUS_LIST(X)
#undef X
  CHECK(listed == 26);
}

TEST(numbers_that_are_no_status_still_have_texts) {
  static const tsr_status wrong[] = {-1, 23, 255, 32767, -32768};
  for (int i = 0; i < COUNT_OF(wrong); i++) {
    CHECK(tsr_status_name(wrong[i]) != NULL && tsr_status_name(wrong[i])[0] != '\0');
    CHECK(tsr_status_text(wrong[i]) != NULL && tsr_status_text(wrong[i])[0] != '\0');
  }
}

static int calls;
static tsr_status fails_third(void) { return ++calls == 3 ? TSR_EAXIS : TSR_OK; }

TEST(try_stops_at_the_first_failure) {
  tsr_status st;
  calls = 0;
  TSR_TRY(st, fails_third(), done);
  TSR_TRY(st, fails_third(), done);
  TSR_TRY(st, fails_third(), done);
  TSR_TRY(st, fails_third(), done);
done:
  CHECK(st == TSR_EAXIS);
  CHECK(calls == 3);
}

TEST(a_status_can_be_ignored_on_purpose) {
  calls = 0;
  TSR_IGNORE(tsr_context_set_isa(NULL, "base")); /* warn_unused_result, and warnings are errors here */
  TSR_IGNORE(fails_third());
  CHECK(calls == 1);
}

TEST(version_is_the_headers) {
  char text[32];
  snprintf(text, sizeof text, "%d.%d.%d", TSR_VERSION_MAJOR, TSR_VERSION_MINOR, TSR_VERSION_PATCH);
  CHECK(strcmp(tsr_version(), text) == 0);
  CHECK(strcmp(TSR_VERSION_STRING, text) == 0);
}

TEST(build_info_is_one_line_with_version_profile_and_compiler) {
  const char *const info = tsr_build_info();
  REQUIRE(info != NULL);
  CHECK(strstr(info, tsr_version()) != NULL);
  CHECK(strstr(info, TSR_PROFILE) != NULL);
  CHECK(strstr(info, "gcc") != NULL || strstr(info, "clang") != NULL);
  CHECK(strchr(info, '\n') == NULL);
  printf("  %s\n", info);
}

TEST(build_info_names_the_instruction_sets) { /* its header promises them */
  CHECK(strstr(tsr_build_info(), "base") != NULL);
}

TEST_MAIN(RUN(every_status_has_its_name_and_its_meaning), RUN(numbers_that_are_no_status_still_have_texts),
          RUN(try_stops_at_the_first_failure), RUN(a_status_can_be_ignored_on_purpose), RUN(version_is_the_headers),
          RUN(build_info_is_one_line_with_version_profile_and_compiler), RUN(build_info_names_the_instruction_sets))
