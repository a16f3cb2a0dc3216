/* Text. */
#include "plot/font.h"

#if TSR_HAVE_PLOT

#include <math.h>

#include "plot/glyphs.h"

/* ---- which letter ---- */

uint32_t tsr__font_next(const char **text) {
  static const uint32_t least[4] = {0, 0x80, 0x800, 0x10000};
  enum { NONE = 0xfffd };
  const unsigned char *p = (const unsigned char *)*text;
  uint32_t code = *p;
  if (code == 0) return 0;
  const int more = code < 0x80                   ? 0
                   : code >= 0xc2 && code < 0xe0 ? 1
                   : code >= 0xe0 && code < 0xf0 ? 2
                   : code >= 0xf0 && code < 0xf5 ? 3
                                                 : -1;
  *text += 1;
  if (more < 0) return NONE;
  if (more > 0) code &= 0x3fu >> more;
  for (int i = 1; i <= more; i++) {
    if ((p[i] & 0xc0) != 0x80) return NONE; /* the zero at the end too */
    code = code << 6 | (p[i] & 0x3fu);
  }
  if (code < least[more] || code > 0x10ffff || (code >= 0xd800 && code < 0xe000)) return NONE;
  *text += more;
  return code < 0x20 || code == 0x7f ? NONE : code;
}

static const tsr__plot_glyph *find_drawn(uint32_t code) {
  int low = 0, high = tsr__plot_glyph_count;
  while (low < high) {
    const int middle = (low + high) / 2;
    if (tsr__plot_glyphs[middle].code == code) return &tsr__plot_glyphs[middle];
    if (tsr__plot_glyphs[middle].code < code)
      low = middle + 1;
    else
      high = middle;
  }
  return NULL;
}

/* What a character is drawn as: always something. */
static const tsr__plot_glyph *find(uint32_t code, int *mark) {
  const tsr__plot_glyph *g = find_drawn(code);
  *mark = TSR__MARK_NONE;
  for (int i = 0; i < tsr__plot_composed_count && g == NULL; i++) {
    if (tsr__plot_composeds[i].code != code) continue;
    g = find_drawn(tsr__plot_composeds[i].base);
    *mark = tsr__plot_composeds[i].mark;
  }
  return g != NULL ? g : &tsr__plot_glyphs[tsr__plot_glyph_count - 1];
}

/* ---- how large ---- */

/* Units across are longer than units up. */
#define WIDER 1.12

/* Room that all letters have at each side beyond their own, in units. */
#define BESIDE 1.25

/* Raised and lowered digits, as parts of the size. */
#define RAISED_SIZE 0.66
#define RAISED_BY 0.34
#define LOWERED_BY (-0.16)

double tsr__font_weight(bool bold) { return bold ? 0.112 : 0.084; }

tsr__font_fit tsr__font_fit_of(double size, bool bold, bool pixels) {
  const double weight = tsr__font_weight(bold), pen = size * weight;
  double capital = size * TSR__FONT_CAPITAL, small = size * TSR__FONT_SMALL;
  tsr__font_fit fit = {.unit = WIDER * (capital - pen) / 100, .pen = pen, .pixels = pixels};
  if (pixels) {
    capital = fmax(floor(capital + 0.5), 1);
    small = fmax(floor(small + 0.5), 1);
    fit.pen = fmax(pen, 1);
  }
  fit.foot = fit.pen / 2;
  fit.small = small - fit.pen / 2;
  fit.capital = capital - fit.pen / 2;
  return fit;
}

/* How high unit y of a letter is. */
static double height(const tsr__font_fit *fit, double y) {
  enum { SMALL = 70, CAPITAL = 100 };
  const double unit = fit->unit / WIDER;
  if (y <= 0) return fit->foot + y * unit;
  if (y <= SMALL) return fit->foot + (fit->small - fit->foot) * y / SMALL;
  if (y <= CAPITAL) return fit->small + (fit->capital - fit->small) * (y - SMALL) / (CAPITAL - SMALL);
  return fit->capital + (y - CAPITAL) * unit;
}

double tsr__font_advance(uint32_t code, double size, bool bold) {
  const double pen = size * tsr__font_weight(bold), unit = WIDER * (size * TSR__FONT_CAPITAL - pen) / 100;
  int mark;
  const tsr__plot_glyph *const g = find(code, &mark);
  const double part = mark >= TSR__MARK_SUPER ? RAISED_SIZE : 1;
  if (g->strokes[0] == '\0') return g->width * unit + pen;
  return part * ((g->left + g->width + g->right + 2 * BESIDE) * unit + pen);
}

double tsr__font_width(const char *text, double size, bool bold) {
  double width = 0;
  for (uint32_t code; (code = tsr__font_next(&text)) != 0;) width += tsr__font_advance(code, size, bold);
  return width;
}

/* ---- strokes ---- */

typedef struct glyph_pen {
  tsr__plot_memory *memory;
  tsr__font_fit fit;
  double x, y; /* where unit 0, 0 is */
  double up;   /* of a mark above a capital, in units */
  tsr__plot_path *strokes, *dots;
  tsr__plot_point at; /* in units */
} glyph_pen;

static tsr__plot_point place(const glyph_pen *p, double x, double y) {
  return (tsr__plot_point){p->x + x * p->fit.unit, p->y - height(&p->fit, y + p->up)};
}

static void curve(glyph_pen *p, double ax, double ay, double bx, double by, double x, double y) {
  const tsr__plot_point three[3] = {place(p, ax, ay), place(p, bx, by), place(p, x, y)};
  tsr__path_curve(p->memory, p->strokes, three);
}

/* One quarter of an oval, a little fuller than an ellipse. */
static void quarter(glyph_pen *p, bool horizontal, double x, double y) {
  const double full = 0.6, dx = x - p->at.x, dy = y - p->at.y;
  if (horizontal)
    curve(p, p->at.x + full * dx, p->at.y, x, y - full * dy, x, y);
  else
    curve(p, p->at.x, p->at.y + full * dy, x - full * dx, y, x, y);
}

static double number(const char **text) {
  const char *s = *text;
  while (*s == ' ') s++;
  const bool negative = *s == '-';
  int value = 0;
  for (s += negative; *s >= '0' && *s <= '9'; s++) value = 10 * value + (*s - '0');
  *text = s;
  return negative ? -value : value;
}

static void draw_strokes(glyph_pen *p, const char *s) {
  while (*s != '\0') {
    const char verb = *s++;
    double v[6] = {0};
    const int n = verb == 'C' ? 6 : verb == 'Z' || verb == ' ' ? 0 : 2;
    for (int i = 0; i < n; i++) v[i] = number(&s);
    const tsr__plot_point to = place(p, v[0], v[1]);
    switch (verb) {
      case 'M': tsr__path_move(p->memory, p->strokes, to.x, to.y); break;
      case 'L': tsr__path_line(p->memory, p->strokes, to.x, to.y); break;
      case 'H':
      case 'V': quarter(p, verb == 'H', v[0], v[1]); break;
      case 'C': curve(p, v[0], v[1], v[2], v[3], v[4], v[5]); break;
      case 'Z': tsr__path_close(p->memory, p->strokes); break;
      case 'D': tsr__path_circle(p->memory, p->dots, to.x, to.y, 0.66 * p->fit.pen); break;
      default: break;
    }
    if (n == 2) p->at = (tsr__plot_point){v[0], v[1]};
    if (n == 6) p->at = (tsr__plot_point){v[4], v[5]};
  }
}

static bool is_high(uint32_t code) {
  return (code >= 'A' && code <= 'Z') || (code >= 0x391 && code <= 0x3a9) || code == 'l' || code == 'd' || code == 0xd0;
}

static void draw_mark(glyph_pen *p, const tsr__plot_glyph *g, int mark) {
  enum { ABOVE_CAPITALS = 29 };
  const bool below = mark == TSR__MARK_CEDILLA || mark == TSR__MARK_OGONEK;
  const double x = mark == TSR__MARK_COMMA ? g->width + 12 : mark == TSR__MARK_STROKE ? g->width - 6 : g->width * 0.5;
  p->x += x * p->fit.unit;
  p->up = is_high(g->code) && !below && mark != TSR__MARK_COMMA && mark != TSR__MARK_STROKE ? ABOVE_CAPITALS : 0;
  draw_strokes(p, tsr__plot_marks[mark]);
}

/* Raised or lowered by whole pixels where there are such: a fit of size 1 is for outlines that are scaled later. */
static void make_small(glyph_pen *p, int mark) {
  const tsr__font_fit fit = p->fit;
  const double size = (fit.capital + fit.pen / 2) / TSR__FONT_CAPITAL;
  const double up = size * (mark == TSR__MARK_SUPER ? RAISED_BY : LOWERED_BY);
  p->fit.unit = fit.unit * RAISED_SIZE;
  p->fit.capital = fit.foot + (fit.capital - fit.foot) * RAISED_SIZE;
  p->fit.small = fit.foot + (fit.small - fit.foot) * RAISED_SIZE;
  p->y -= size > 2 ? floor(up + 0.5) : up;
}

void tsr__font_draw(tsr__plot_memory *memory, const tsr__font_fit *fit, uint32_t code, double x, double y,
                    tsr__plot_path *strokes, tsr__plot_path *dots) {
  int mark;
  const tsr__plot_glyph *const g = find(code, &mark);
  glyph_pen p = {.memory = memory, .fit = *fit, .strokes = strokes, .dots = dots, .y = y};
  if (mark >= TSR__MARK_SUPER) make_small(&p, mark);
  p.x = x + (g->left + BESIDE) * p.fit.unit;
  if (fit->pixels) { /* the stems at both sides of most letters */
    p.x = floor(p.x + 0.5);
    if (g->width > 0) p.fit.unit = fmax(floor(g->width * p.fit.unit + 0.5), 1) / g->width;
  }
  p.x += fit->pen / 2;
  draw_strokes(&p, g->strokes);
  if (mark > TSR__MARK_NONE && mark < TSR__MARKS) draw_mark(&p, g, mark);
}

#endif
