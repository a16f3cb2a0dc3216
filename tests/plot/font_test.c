/* Letters: all that are promised are there, text of any bytes is read, widths are those of what is drawn. */
#include <math.h>
#include <tessera/tessera.h>
#include "support/test.h"

#if TSR_HAVE_PLOT

#include "plot/font.h"
#include "plot/glyphs.h"

static const char *text_of(uint32_t c, char text[5]) {
  int n = 0;
  if (c < 0x80) {
    text[n++] = (char)c;
  } else if (c < 0x800) {
    text[n++] = (char)(0xc0 | c >> 6);
    text[n++] = (char)(0x80 | (c & 63));
  } else {
    text[n++] = (char)(0xe0 | c >> 12);
    text[n++] = (char)(0x80 | (c >> 6 & 63));
    text[n++] = (char)(0x80 | (c & 63));
  }
  text[n] = '\0';
  return text;
}

/* The bounds of a letter that is drawn at 0, 0. */
static bool draw(uint32_t c, double size, bool bold, double box[4], size_t *points) {
  tsr__plot_memory memory = {.allocator = tsr_allocator_system()};
  tsr__plot_path strokes = {0}, dots = {0};
  const tsr__font_fit fit = tsr__font_fit_of(size, bold, false);
  tsr__font_draw(&memory, &fit, c, 0, 0, &strokes, &dots);
  box[0] = box[1] = (double)INFINITY;
  box[2] = box[3] = -(double)INFINITY;
  *points = strokes.points.count + dots.points.count;
  for (size_t i = 0; i < *points; i++) {
    const bool dot = i >= strokes.points.count;
    const tsr__plot_point p = dot ? ((tsr__plot_point *)dots.points.data)[i - strokes.points.count]
                                  : ((tsr__plot_point *)strokes.points.data)[i];
    box[0] = fmin(box[0], p.x), box[1] = fmin(box[1], p.y), box[2] = fmax(box[2], p.x), box[3] = fmax(box[3], p.y);
  }
  tsr__path_release(&memory, &strokes);
  tsr__path_release(&memory, &dots);
  return !memory.failed;
}

TEST(the_table_is_in_order_and_its_letters_are_of_a_size) {
  for (int i = 0; i < tsr__plot_glyph_count; i++) {
    double box[4];
    size_t points;
    const uint32_t c = tsr__plot_glyphs[i].code;
    if (i > 0) CHECK(tsr__plot_glyphs[i - 1].code < c);
    CHECK(draw(c, 100, false, box, &points));
    if (points == 0) {
      CHECK(c == ' ' || c == 0xa0);
      continue;
    }
    const double width = tsr__font_advance(c, 100, false);
    const bool fits = box[0] > -12 && box[2] < width + 12 && box[1] > -100 && box[3] < 32 && width > 8 && width < 130;
    CHECK(fits);
    if (!fits) printf("  U+%04X: %g %g %g %g of %g\n", (unsigned)c, box[0], box[1], box[2], box[3], width);
  }
  for (int i = 1; i < tsr__plot_composed_count; i++) CHECK(tsr__plot_composeds[i].base > 31);
}

static bool is_box(uint32_t c) {
  double box[4], none[4];
  size_t points, of_none;
  return draw(c, 50, false, box, &points) && draw(0xfffd, 50, false, none, &of_none) && points == of_none &&
         memcmp(box, none, sizeof box) == 0;
}

TEST(what_is_promised_is_there) {
  static const char others[] = "−°µ²³¹⁰⁴⁵⁶⁷⁸⁹⁺⁻₀₁₂₃₄₅₆₇₈₉×÷±·…–—‘’“”•←→↑↓≤≥≠≈∞√∑∫∂‰€£¥§";
  for (uint32_t c = 0x21; c < 0x7f; c++) CHECK(!is_box(c));
  for (uint32_t c = 0xc0; c < 0x180; c++) {
    static const uint32_t without[] = {0x122, 0x123, 0x124, 0x125, 0x126, 0x127, 0x12c, 0x12d, 0x132, 0x133,
                                       0x136, 0x137, 0x138, 0x13b, 0x13c, 0x13f, 0x140, 0x145, 0x146, 0x149,
                                       0x14a, 0x14b, 0x14e, 0x14f, 0x156, 0x157, 0x166, 0x167, 0x17f};
    bool left_out = false;
    for (size_t i = 0; i < sizeof without / sizeof without[0]; i++) left_out = left_out || without[i] == c;
    CHECK(is_box(c) == left_out);
  }
  for (uint32_t c = 0x391; c < 0x3ca; c++) CHECK(is_box(c) == (c == 0x3a2));
  for (const char *p = others; *p != '\0';) CHECK(!is_box(tsr__font_next(&p)));
  CHECK(is_box(0x4e2d));
}

TEST(any_bytes_are_text) {
  const char *p = "a\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80";
  CHECK(tsr__font_next(&p) == 'a' && tsr__font_next(&p) == 0xe9 && tsr__font_next(&p) == 0x20ac &&
        tsr__font_next(&p) == 0x1f600 && tsr__font_next(&p) == 0 && *p == '\0');
  static const char *const broken[] = {
      "\x80", "\xc3",     "\xc0\xaf", "\xe0\x80\xaf", "\xed\xa0\x80", "\xf5\x80\x80\x80", "\xf4\x90\x80\x80",
      "\xff", "\xe2\x82", "\x01",     "\x7f"};
  for (size_t i = 0; i < sizeof broken / sizeof broken[0]; i++) {
    p = broken[i];
    CHECK(tsr__font_next(&p) == 0xfffd && p > broken[i]);
  }
  /* Every text of two and three bytes ends, and no step goes behind its end. */
  for (uint32_t v = 0; v < 1u << 24; v += 97) {
    const char text[4] = {(char)v, (char)(v >> 8), (char)(v >> 16), '\0'};
    const char *const stop = text + strlen(text);
    int steps = 0;
    for (p = text; p < stop && steps < 5; steps++) (void)tsr__font_next(&p);
    if (p != stop) CHECK(p == stop);
  }
  CHECK(p != NULL);
}

TEST(widths_add_up_and_scale) {
  char text[5];
  double sum = 0;
  for (uint32_t c = 0x20; c < 0x7f; c++) sum += tsr__font_width(text_of(c, text), 12, false);
  CHECK(sum > 95 * 12 * 0.2 && sum < 95 * 12 * 1.2);
  CHECK(fabs(tsr__font_width("Tensor", 24, true) - 2 * tsr__font_width("Tensor", 12, true)) < 1e-9);
  CHECK(tsr__font_width("", 12, false) == 0);
  for (char c = '0'; c <= '9'; c++) /* digits stand in columns */
    CHECK(tsr__font_advance((uint32_t)c, 12, false) == tsr__font_advance('0', 12, false));
  CHECK(tsr__font_advance(0xb2, 12, false) < tsr__font_advance('2', 12, false));
  CHECK(tsr__font_advance(0x2212, 12, false) == tsr__font_advance('+', 12, false));
}

TEST(heights_are_whole_pixels) {
  for (int size = 6; size < 60; size++) {
    const tsr__font_fit fit = tsr__font_fit_of(size, size % 2 == 0, true);
    const double capital = fit.capital + fit.pen / 2, small = fit.small + fit.pen / 2;
    CHECK(fabs(capital - floor(capital + 0.5)) < 1e-9 && fabs(small - floor(small + 0.5)) < 1e-9);
    CHECK(fabs(fit.foot - fit.pen / 2) < 1e-12 && fit.pen >= 1 && small < capital);
  }
}

TEST_MAIN(RUN(the_table_is_in_order_and_its_letters_are_of_a_size), RUN(what_is_promised_is_there),
          RUN(any_bytes_are_text), RUN(widths_add_up_and_scale), RUN(heights_are_whole_pixels))

#else
TEST(letters) { SKIP("pictures are not configured"); }
TEST_MAIN(RUN(letters))
#endif
