/* A list as SVG. Letters are drawn once each and then used, so that a text looks the same everywhere and needs no font; what it says is in its
 * label. Names within the picture say what they stand for, so that several pictures can be in one page. */
#include "plot/list.h"

#if TSR_HAVE_PLOT

#include <math.h>

#include "core/text.h"
#include "plot/embed.h"
#include "plot/font.h"

typedef struct svg {
  tsr__plot_writer w;
  const tsr__plot_list *list;
  tsr__plot_memory memory; /* of what is below */
  tsr__plot_path strokes, dots;
  tsr__plot_array letters; /* uint32_t: those that were drawn, twice the code, and one more for bold */
  bool clipped;
} svg;

static void put(svg *s, const char *text) { tsr__writer_text(&s->w, text); }

/* ---- numbers ---- */

static void put_integer(svg *s, int64_t value) {
  char digits[TSR__DIGITS];
  if (value < 0) tsr__writer_char(&s->w, '-');
  for (int n = tsr__decimal_digits(value < 0 ? 0 - (uint64_t)value : (uint64_t)value, digits); n-- > 0;)
    tsr__writer_char(&s->w, digits[n]);
}

/* value/10^decimals; at most 4 decimals. */
static void put_scaled(svg *s, int64_t value, int decimals) {
  char digits[4];
  uint64_t rest = value < 0 ? 0 - (uint64_t)value : (uint64_t)value;
  int last = -1;
  for (int i = decimals - 1; i >= 0; i--, rest /= 10) {
    digits[i] = (char)('0' + rest % 10);
    if (digits[i] != '0' && last < 0) last = i;
  }
  if (value < 0) tsr__writer_char(&s->w, '-');
  if (rest != 0 || last < 0) put_integer(s, (int64_t)rest);
  if (last >= 0) tsr__writer_char(&s->w, '.');
  for (int i = 0; i <= last; i++) tsr__writer_char(&s->w, digits[i]);
}

static int64_t scaled(double value, double by) {
  const double v = floor(value * by + 0.5), most = 1e12;
  return !(v > -most) ? -(int64_t)most : v > most ? (int64_t)most : (int64_t)v;
}

static void put_number(svg *s, double value) { put_scaled(s, scaled(value, 100), 2); }

static void put_attribute(svg *s, const char *name, double value) {
  tsr__writer_char(&s->w, ' ');
  put(s, name);
  put(s, "=\"");
  put_number(s, value);
  put(s, "\"");
}

static void put_color(svg *s, const char *name, uint32_t color) {
  tsr__writer_char(&s->w, ' ');
  put(s, name);
  put(s, "=\"#");
  for (int shift = 20; shift >= 0; shift -= 4) tsr__writer_char(&s->w, "0123456789abcdef"[color >> shift & 15]);
  put(s, "\"");
}

static void put_opacity(svg *s, const char *name, uint32_t color) {
  if (color >> 24 != 255) put_attribute(s, name, (double)(color >> 24) / 255);
}

/* ---- text ---- */

static void put_code(svg *s, uint32_t c) {
  if (c < 0x80) {
    tsr__writer_char(&s->w, (char)c);
    return;
  }
  const int more = c < 0x800 ? 1 : c < 0x10000 ? 2 : 3;
  tsr__writer_char(&s->w, (char)((0xff00u >> (more + 1) & 0xffu) | c >> (6 * more)));
  for (int i = more - 1; i >= 0; i--) tsr__writer_char(&s->w, (char)(0x80 | (c >> (6 * i) & 63)));
}

/* What XML does not take becomes what it does. */
static void put_escaped(svg *s, const char *text) {
  for (uint32_t c; (c = tsr__font_next(&text)) != 0;) {
    if (c == '&')
      put(s, "&amp;");
    else if (c == '<')
      put(s, "&lt;");
    else if (c == '>')
      put(s, "&gt;");
    else if (c == '"')
      put(s, "&quot;");
    else
      put_code(s, c == 0xfffe || c == 0xffff ? 0xfffd : c);
  }
}

/* ---- paths ---- */

/* The points of a path, in units of 1/by, each as a step from the one before. */
static void put_path(svg *s, const tsr__plot_outline *o, double by, int decimals) {
  const tsr__plot_point *p = o->points;
  int64_t x = 0, y = 0, first_x = 0, first_y = 0;
  for (size_t i = 0; i < o->count; i++) {
    const int verb = o->verbs[i], n = tsr__path_points(verb);
    int64_t to_x = x, to_y = y;
    tsr__writer_char(&s->w, "mlcz"[verb]);
    for (int k = 0; k < n; k++, p++) {
      to_x = scaled(p->x, by);
      to_y = scaled(p->y, by);
      if (k > 0) tsr__writer_char(&s->w, ' ');
      put_scaled(s, to_x - x, decimals);
      if (to_y - y >= 0) tsr__writer_char(&s->w, ' ');
      put_scaled(s, to_y - y, decimals);
    }
    if (verb == TSR__PLOT_MOVE) first_x = to_x, first_y = to_y;
    x = verb == TSR__PLOT_CLOSE ? first_x : to_x;
    y = verb == TSR__PLOT_CLOSE ? first_y : to_y;
  }
}

static void put_outline(svg *s, const tsr__plot_outline *o) {
  put(s, "<path d=\"");
  put_path(s, o, 100, 2);
  put(s, "\"");
}

static void put_fill(svg *s, const tsr__plot_item *item) {
  const tsr__plot_outline o = tsr__list_outline(s->list, item);
  put_outline(s, &o);
  put_color(s, "fill", item->color);
  put_opacity(s, "fill-opacity", item->color);
  if ((item->flags & TSR__PLOT_SNAP) != 0) put(s, " shape-rendering=\"crispEdges\"");
  put(s, "/>\n");
}

static void put_stroke(svg *s, const tsr__plot_item *item) {
  const tsr__plot_outline o = tsr__list_outline(s->list, item);
  int count;
  const double *const dashes = tsr__list_dashes(item->dash, &count);
  put_outline(s, &o);
  put(s, " fill=\"none\"");
  put_color(s, "stroke", item->color);
  put_opacity(s, "stroke-opacity", item->color);
  put_attribute(s, "stroke-width", item->width);
  if ((item->flags & TSR__PLOT_SNAP) != 0) put(s, " shape-rendering=\"crispEdges\"");
  if ((item->flags & TSR__PLOT_ROUND) != 0) put(s, " stroke-linecap=\"round\" stroke-linejoin=\"round\"");
  if (count > 0) {
    put(s, " stroke-dasharray=\"");
    for (int i = 0; i < count; i++) {
      if (i > 0) put(s, " ");
      put_number(s, dashes[i] * fmax(item->width, 1));
    }
    put(s, "\"");
  }
  put(s, "/>\n");
}

/* ---- letters ---- */

static void put_letter_name(svg *s, uint32_t letter) {
  put(s, letter % 2 != 0 ? "tsr-b" : "tsr-r");
  put_integer(s, letter / 2);
}

static bool is_drawn(const svg *s, uint32_t letter) {
  const uint32_t *const all = s->letters.data;
  for (size_t i = 0; i < s->letters.count; i++)
    if (all[i] == letter) return true;
  return false;
}

static void put_letter_path(svg *s, const tsr__plot_path *path, const char *how) {
  const tsr__plot_outline o = {path->verbs.data, path->points.data, path->verbs.count};
  if (o.count == 0) return;
  put(s, "<path d=\"");
  put_path(s, &o, 10000, 4);
  put(s, "\" ");
  put(s, how);
  put(s, "/>");
}

static void define_letter(svg *s, uint32_t letter) {
  const bool bold = letter % 2 != 0;
  const tsr__font_fit fit = tsr__font_fit_of(1, bold, false);
  uint32_t *const new = tsr__plot_push(&s->memory, &s->letters, sizeof *new, 1);
  if (new == NULL) return;
  *new = letter;
  tsr__path_clear(&s->strokes);
  tsr__path_clear(&s->dots);
  tsr__font_draw(&s->memory, &fit, letter / 2, 0, 0, &s->strokes, &s->dots);
  if (s->memory.failed) return;
  put(s, "<g id=\"");
  put_letter_name(s, letter);
  put(s, "\">");
  put_letter_path(s, &s->strokes,
                  bold ? "fill=\"none\" stroke=\"currentColor\" stroke-width=\".112\" stroke-linecap=\"round\" "
                         "stroke-linejoin=\"round\""
                       : "fill=\"none\" stroke=\"currentColor\" stroke-width=\".084\" stroke-linecap=\"round\" "
                         "stroke-linejoin=\"round\"");
  put_letter_path(s, &s->dots, "fill=\"currentColor\"");
  put(s, "</g>\n");
}

static void define_letters(svg *s) {
  const tsr__plot_item *const items = s->list->items.data;
  put(s, "<defs>\n");
  for (size_t i = 0; i < s->list->items.count; i++) {
    if (items[i].kind != TSR__PLOT_TEXT) continue;
    const char *text = (const char *)s->list->texts.data + items[i].text;
    for (uint32_t c; (c = tsr__font_next(&text)) != 0;) {
      const uint32_t letter = 2 * c + ((items[i].flags & TSR__PLOT_BOLD) != 0);
      if (c != ' ' && !is_drawn(s, letter)) define_letter(s, letter);
    }
  }
  put(s, "</defs>\n");
}

static void put_text(svg *s, const tsr__plot_item *item) {
  const char *const all = (const char *)s->list->texts.data + item->text, *text = all;
  const bool bold = (item->flags & TSR__PLOT_BOLD) != 0;
  put(s, "<g role=\"img\" aria-label=\"");
  put_escaped(s, all);
  put(s, "\" transform=\"translate(");
  put_number(s, item->x);
  put(s, " ");
  put_number(s, item->y);
  if (item->angle != 0) put(s, ") rotate("), put_number(s, -item->angle);
  put(s, ") scale(");
  put_number(s, item->width);
  put(s, ")\"");
  put_color(s, "color", item->color);
  put(s, ">");
  double x = -item->anchor * tsr__font_width(text, 1, bold);
  for (uint32_t c; (c = tsr__font_next(&text)) != 0; x += tsr__font_advance(c, 1, bold)) {
    if (c == ' ') continue;
    put(s, "<use xlink:href=\"#");
    put_letter_name(s, 2 * c + bold);
    put(s, "\" x=\"");
    put_scaled(s, scaled(x, 1000), 3);
    put(s, "\"/>");
  }
  put(s, "</g>\n");
}

/* ---- the others ---- */

static void put_markers(svg *s, const tsr__plot_item *item) {
  const tsr__plot_point *const at = (const tsr__plot_point *)s->list->path.points.data + item->points;
  const uint32_t *const colors =
      item->colors != SIZE_MAX ? (const uint32_t *)s->list->colors.data + item->colors : NULL;
  const bool cross = item->marker == TSR_PLOT_CROSS;
  put(s, "<g");
  if (cross) put(s, " fill=\"none\""), put_attribute(s, "stroke-width", item->width * 0.24);
  put_color(s, cross ? "stroke" : "fill", item->color);
  put_opacity(s, "opacity", item->color);
  put(s, ">\n");
  for (size_t i = 0; i < item->count; i++) {
    if (item->marker == TSR_PLOT_CIRCLE) {
      put(s, "<circle");
      put_attribute(s, "cx", at[i].x);
      put_attribute(s, "cy", at[i].y);
      put_attribute(s, "r", item->width / 2);
    } else {
      tsr__path_clear(&s->strokes);
      tsr__list_shape(&s->memory, &s->strokes, item->marker, at[i].x, at[i].y, item->width);
      if (s->memory.failed) return;
      const tsr__plot_outline o = {s->strokes.verbs.data, s->strokes.points.data, s->strokes.verbs.count};
      put_outline(s, &o);
    }
    if (colors != NULL) put_color(s, cross ? "stroke" : "fill", colors[i]);
    put(s, "/>\n");
  }
  put(s, "</g>\n");
}

static void put_area(svg *s, const tsr__plot_item *item) {
  put_attribute(s, "x", item->x);
  put_attribute(s, "y", item->y);
  put_attribute(s, "width", item->wide);
  put_attribute(s, "height", item->high);
}

static void put_image(svg *s, const tsr__plot_item *item) {
  put(s, "<image");
  put_area(s, item);
  put(s,
      " preserveAspectRatio=\"none\" style=\"image-rendering:optimizeSpeed;image-rendering:pixelated\" "
      "xlink:href=\"data:image/png;base64,");
  tsr__embed_png(&s->w, (const uint32_t *)s->list->colors.data + item->colors, item->columns, item->rows);
  put(s, "\"/>\n");
}

/* Few cells are rectangles, those beside each other of one colour one: some programs draw enlarged images smooth. */
enum { RECTANGLES = 4096 };

static void put_rectangles(svg *s, const tsr__plot_item *item) {
  const uint32_t *row = (const uint32_t *)s->list->colors.data + item->colors;
  const double wide = item->wide / item->columns, high = item->high / item->rows;
  put(s, "<g shape-rendering=\"crispEdges\">\n");
  for (int y = 0; y < item->rows; y++, row += item->columns) {
    for (int x = 0, end; x < item->columns; x = end) {
      for (end = x + 1; end < item->columns && row[end] == row[x]; end++) continue;
      if (row[x] >> 24 == 0) continue;
      put(s, "<rect");
      put_attribute(s, "x", item->x + x * wide);
      put_attribute(s, "y", item->y + y * high);
      put_attribute(s, "width", (end - x) * wide);
      put_attribute(s, "height", high);
      put_color(s, "fill", row[x]);
      put_opacity(s, "fill-opacity", row[x]);
      put(s, "/>\n");
    }
  }
  put(s, "</g>\n");
}

static void put_cells(svg *s, const tsr__plot_item *item) {
  if ((int64_t)item->columns * item->rows <= RECTANGLES && item->columns > 1)
    put_rectangles(s, item);
  else
    put_image(s, item);
}

static void put_clip_name(svg *s, const tsr__plot_item *item) {
  const double v[4] = {item->x, item->y, item->wide, item->high};
  put(s, "tsr-c");
  for (int i = 0; i < 4; i++) {
    tsr__writer_char(&s->w, '-');
    put_integer(s, scaled(fmax(v[i] + 10, 0), 10));
  }
}

static void put_clip(svg *s, const tsr__plot_item *item) {
  if (s->clipped) put(s, "</g>\n");
  s->clipped = item->wide > 0;
  if (!s->clipped) return;
  put(s, "<clipPath id=\"");
  put_clip_name(s, item);
  put(s, "\"><rect");
  put_area(s, item);
  put(s, "/></clipPath>\n<g clip-path=\"url(#");
  put_clip_name(s, item);
  put(s, ")\">\n");
}

static void put_item(svg *s, const tsr__plot_item *item) {
  switch (item->kind) {
    case TSR__PLOT_FILL: put_fill(s, item); break;
    case TSR__PLOT_STROKE: put_stroke(s, item); break;
    case TSR__PLOT_TEXT: put_text(s, item); break;
    case TSR__PLOT_MARKERS: put_markers(s, item); break;
    case TSR__PLOT_CELLS: put_cells(s, item); break;
    default: put_clip(s, item); break;
  }
}

static void put_head(svg *s, const char *title) {
  put(s,
      "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<svg xmlns=\"http://www.w3.org/2000/svg\" "
      "xmlns:xlink=\"http://www.w3.org/1999/xlink\"");
  put_attribute(s, "width", s->list->width);
  put_attribute(s, "height", s->list->height);
  put(s, " viewBox=\"0 0 ");
  put_number(s, s->list->width);
  put(s, " ");
  put_number(s, s->list->height);
  put(s, "\">\n");
  if (title != NULL) put(s, "<title>"), put_escaped(s, title), put(s, "</title>\n");
  put(s, "<rect width=\"100%\" height=\"100%\"");
  put_color(s, "fill", s->list->paper);
  put(s, "/>\n");
}

tsr_status tsr__list_svg(tsr_ctx *ctx, const char *op, const tsr__plot_list *list, const char *title,
                         const tsr_sink *sink) {
  const tsr__plot_item *const items = list->items.data;
  svg s = {.w = {.sink = sink, .status = TSR_OK}, .list = list, .memory.allocator = list->memory.allocator};
  put_head(&s, title);
  define_letters(&s);
  for (size_t i = 0; i < list->items.count && !s.memory.failed && s.w.status == TSR_OK; i++) put_item(&s, &items[i]);
  if (s.clipped) put(&s, "</g>\n");
  put(&s, "</svg>\n");
  tsr__writer_flush(&s.w);
  tsr__path_release(&s.memory, &s.strokes);
  tsr__path_release(&s.memory, &s.dots);
  tsr__plot_array_release(&s.memory, &s.letters, sizeof(uint32_t));
  if (s.memory.failed) return TSR__FAIL(ctx, TSR_ENOMEM, op, NULL, "no memory to draw with");
  return s.w.status == TSR_OK ? TSR_OK : TSR__FAIL(ctx, s.w.status, op, NULL, "the sink failed");
}

#endif
