/* Ticks: how many there are, what they say, and that none touches another. */
#include <math.h>
#include <tessera/tessera.h>
#include "support/test.h"

#if TSR_HAVE_PLOT

#include "plot/font.h"
#include "plot/ticks.h"

static uint64_t seed = 3;
static double random_in(double low, double high) {
  seed = seed * 6364136223846793005u + 1442695040888963407u;
  return low + (high - low) * (double)(seed >> 11) * 0x1p-53;
}

TEST(numbers_are_written_as_people_do) {
  static const struct {
    int64_t value;
    int exponent;
    double most;
    const char *text;
  } rows[] = {{5, 4, 5e4, "50k"},
              {0, 0, 5e4, "0"},
              {-25, 3, 5e4, "−25k"},
              {15, 5, 2e6, "1.5M"},
              {2, 9, 4e9, "2G"},
              {9000, 0, 9000, "9000"},
              {10, 3, 10000, "10k"},
              {25, -2, 1, "0.25"},
              {10, -1, 2, "1.0"},
              {1, -4, 1e-3, "0.0001"},
              {5, -7, 1e-6, "0.5×10⁻⁶"},
              {15, -8, 2e-7, "1.5×10⁻⁷"},
              {3, 17, 5e17, "3×10¹⁷"},
              {10000001, -1, 1000000.5, "1000000.1"},
              {1000018, -6, 1.000022, "1.000018"},
              {-1, 0, 1, "−1"}};
  for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
    char text[TSR__PLOT_LABEL];
    tsr__number_text(rows[i].value, rows[i].exponent, rows[i].most, text);
    CHECK(strcmp(text, rows[i].text) == 0);
    if (strcmp(text, rows[i].text) != 0) printf("  %s is '%s'\n", rows[i].text, text);
  }
}

TEST(numbers_alone_have_three_digits) {
  static const struct {
    double value;
    const char *text;
  } rows[] = {{0, "0"},
              {1, "1"},
              {-1500.4, "−1500"},
              {3.14159, "3.14"},
              {123456, "123k"},
              {1e6, "1M"},
              {2.5e-9, "2.5×10⁻⁹"},
              {1e300, "1×10³⁰⁰"},
              {4.94e-324, "5×10⁻³²⁴"},
              {0.1, "0.1"}};
  for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
    char text[TSR__PLOT_LABEL];
    tsr__real_text(rows[i].value, text);
    CHECK(strcmp(text, rows[i].text) == 0 || (i == 8 && text[0] != '\0'));
    if (strcmp(text, rows[i].text) != 0) printf("  %s is '%s'\n", rows[i].text, text);
  }
  char text[TSR__PLOT_LABEL];
  tsr__count_text(1234567, text);
  CHECK(strcmp(text, "1,234,567") == 0);
}

/* In order, within the axis, with air between them, all different. */
static bool is_good(const tsr__plot_scale *s, const tsr__plot_room *room, const tsr__plot_ticks *t) {
  if (t->count < 1 || t->count > 13) return false;
  for (int i = 0; i < t->count; i++) {
    const double at = tsr__scale_place(s, t->tick[i].at);
    if (!(at > -1e-6 && at < 1 + 1e-6) || t->tick[i].label[0] == '\0') return false;
    if (i == 0) continue;
    const double before = tsr__scale_place(s, t->tick[i - 1].at), apart = (at - before) * room->length;
    const double half = (tsr__font_width(t->tick[i].label, room->text_size, false) +
                         tsr__font_width(t->tick[i - 1].label, room->text_size, false)) /
                        2;
    if (apart < (room->upright ? 1.2 * room->text_size : half + 3)) return false;
    if (strcmp(t->tick[i].label, t->tick[i - 1].label) == 0) return false;
  }
  for (int i = 0; i < t->minors; i++)
    if (!(t->minor[i] >= s->min * (1 - 1e-9) - 1e-9 * fabs(s->max) && t->minor[i] <= s->max + 1e-9 * fabs(s->max)))
      return false;
  return true;
}

TEST(any_range_has_good_ticks) {
  static tsr__plot_ticks t;
  int few = 0;
  for (int i = 0; i < 20000; i++) {
    const double size = pow(10, random_in(-300, 300)), middle = i % 3 == 0 ? 0 : size * random_in(-1e4, 1e4);
    const tsr__plot_scale s = {.min = middle - size * random_in(0.01, 1), .max = middle + size * random_in(0.01, 1)};
    const tsr__plot_room room = {random_in(120, 2000), random_in(8, 20), i % 2 == 0};
    tsr__ticks_choose(&s, &room, &t);
    few += t.count < 2;
    const bool good = t.count == 0 || is_good(&s, &room, &t);
    CHECK(good);
    if (!good) printf("  %g to %g over %g\n", s.min, s.max, room.length);
  }
  CHECK(few < 1200); /* of narrow axes with long numbers */
}

TEST(logarithmic_axes_have_powers) {
  static tsr__plot_ticks t;
  const tsr__plot_room room = {300, 12, true};
  tsr__ticks_choose(&(tsr__plot_scale){.min = 1e-9, .max = 1e3, .log = true}, &room, &t);
  CHECK(t.count >= 5 && strncmp(t.tick[0].label, "10⁻", 4) == 0);
  tsr__ticks_choose(&(tsr__plot_scale){.min = 1, .max = 1000, .log = true}, &room, &t);
  CHECK(strcmp(t.tick[0].label, "1") == 0 && strcmp(t.tick[t.count - 1].label, "1000") == 0 && t.minors > 10);
  tsr__ticks_choose(&(tsr__plot_scale){.min = 1.1, .max = 1.9, .log = true}, &room, &t);
  CHECK(t.count >= 2 && t.tick[0].at >= 1.1);
  for (int i = 0; i < 5000; i++) {
    const double low = random_in(-300, 300);
    const tsr__plot_scale s = {.min = pow(10, low), .max = pow(10, fmin(low + random_in(0.05, 300), 305)), .log = true};
    const tsr__plot_room r = {random_in(150, 2000), random_in(8, 20), i % 2 == 0};
    tsr__ticks_choose(&s, &r, &t);
    const bool good = t.count == 0 || is_good(&s, &r, &t);
    CHECK(good);
    if (!good) printf("  %g to %g over %g: %d\n", s.min, s.max, r.length, t.count);
  }
}

static double at(int year, int month, int day, int hour) {
  int64_t seconds = 0;
  CHECK(tsr_time_from_civil(&(tsr_civil){.year = year, .month = month, .day = day, .hour = hour}, TSR_UNIT_SECOND,
                            &seconds));
  return (double)seconds;
}

static void expect(double from, double to, int unit, double length, const char *first, const char *below,
                   const char *second) {
  static tsr__plot_ticks t;
  const double per = unit == TSR_UNIT_DAY ? 1.0 / 86400 : (double)tsr_time_per_second(unit);
  const tsr__plot_scale s = {.min = from * per, .max = to * per, .time = unit};
  tsr__ticks_choose(&s, &(tsr__plot_room){length, 12, false}, &t);
  REQUIRE(t.count >= 2);
  CHECK(strcmp(t.tick[0].label, first) == 0 && strcmp(t.tick[0].below, below) == 0 &&
        strcmp(t.tick[1].label, second) == 0);
  if (strcmp(t.tick[0].label, first) != 0 || strcmp(t.tick[1].label, second) != 0 ||
      strcmp(t.tick[0].below, below) != 0)
    printf("  '%s' '%s' '%s'\n", t.tick[0].label, t.tick[0].below, t.tick[1].label);
}

TEST(dates_are_said_by_their_step) {
  expect(at(2024, 3, 1, 0), at(2024, 3, 2, 0), TSR_UNIT_SECOND, 560, "00:00", "1 Mar 2024", "02:00");
  expect(at(2024, 2, 27, 0), at(2024, 3, 3, 0), TSR_UNIT_MILLISECOND, 400, "27 Feb", "2024", "28 Feb");
  expect(at(2024, 1, 1, 0), at(2024, 12, 31, 0), TSR_UNIT_DAY, 560, "Jan", "2024", "Feb");
  expect(at(1990, 1, 1, 0), at(2024, 1, 1, 0), TSR_UNIT_NANOSECOND, 560, "1990", "", "1995");
  expect(at(1969, 12, 31, 23), at(1970, 1, 1, 1), TSR_UNIT_MICROSECOND, 560, "23:00", "31 Dec 1969", "23:10");
  expect(at(2024, 3, 1, 0), at(2024, 3, 1, 0) + 20, TSR_UNIT_SECOND, 560, "00:00:00", "1 Mar 2024", "00:00:05");
  expect(at(2023, 11, 1, 0), at(2024, 3, 1, 0), TSR_UNIT_SECOND, 300, "Nov", "2023", "Dec");
  static tsr__plot_ticks t; /* the year changes once */
  tsr__ticks_choose(&(tsr__plot_scale){.min = at(2023, 11, 1, 0), .max = at(2024, 3, 1, 0), .time = TSR_UNIT_SECOND},
                    &(tsr__plot_room){300, 12, false}, &t);
  CHECK(t.count == 5 && strcmp(t.tick[2].below, "2024") == 0 && t.tick[1].below[0] == '\0' &&
        t.tick[3].below[0] == '\0');
}

TEST(any_span_of_time_has_ticks_that_fit) {
  static tsr__plot_ticks t;
  for (int i = 0; i < 5000; i++) {
    const double span = pow(10, random_in(-3, 13)), from = random_in(-1e11, 1e11);
    const tsr__plot_scale s = {.min = from, .max = from + span, .time = TSR_UNIT_SECOND};
    const tsr__plot_room room = {random_in(200, 1500), random_in(8, 18), false};
    tsr__ticks_choose(&s, &room, &t);
    CHECK(t.count <= 13);
    const bool good = t.count == 0 || is_good(&s, &room, &t) || !t.two_lines;
    CHECK(good);
  }
}

TEST_MAIN(RUN(numbers_are_written_as_people_do), RUN(numbers_alone_have_three_digits), RUN(any_range_has_good_ticks),
          RUN(logarithmic_axes_have_powers), RUN(dates_are_said_by_their_step),
          RUN(any_span_of_time_has_ticks_that_fit))

#else
TEST(ticks) { SKIP("pictures are not configured"); }
TEST_MAIN(RUN(ticks))
#endif
