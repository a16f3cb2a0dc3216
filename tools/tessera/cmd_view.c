/* tessera view: the tensors of a file on a full screen. */
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "args.h"
#include "keys.h"
#include "pane.h"
#include "report.h"
#include "screen.h"
#include "text.h"
#include "tree.h"
#include "tty.h"

enum { LEAST_WIDTH = 40, LEAST_HEIGHT = 10, WORD = 64 };

typedef struct view {
  tsr_ctx *ctx;
  source from;
  targets found;
  tree tree;
  pane pane;
  screen screen;
  size_t row, first; /* of the tree: the one that is chosen, the first that is seen */
  bool in_pane, help, typing, ended;
  char word[WORD]; /* that is searched for */
  char said[128];  /* on the last line, until the next key */
} view;

/* ---- drawing ---- */

static const char *const help_lines[] = {
    "arrows, hjkl      move            Tab      between names and numbers",
    "Enter, right      open            left     close, and back to the names",
    "PgUp PgDn Home End                /  n     search a name, the next one",
    "s                 names as a tree, by size, as in the file",
    "",
    "v                 numbers, a map, a histogram",
    "[  ]              back and forth along the marked axis",
    "a                 marks the next axis",
    "t                 the marked axis becomes the rows; rows and columns change",
    "+  -              more and fewer digits",
    "c                 counts the numbers of a large tensor",
    "",
    "q, Ctrl-C         ends             ?        this page",
};

static void draw_help(view *v) {
  (void)screen_text(&v->screen, 2, 2, v->screen.width, "Keys", look_bold);
  for (size_t i = 0; i < sizeof help_lines / sizeof help_lines[0]; i++)
    (void)screen_text(&v->screen, 2, 4 + (int)i, v->screen.width, help_lines[i], look_plain);
}

static int tree_width(const view *v) {
  int widest = 16;
  for (size_t i = 0; i < v->tree.count; i++) {
    const tree_row *r = &v->tree.rows[i];
    const char *name = target_label(&v->found.list[r->tensor]);
    const int width = 2 * r->depth + 4 + (int)(text_width(name, TEXT_LINE) > r->from ? r->length - r->from : 0) + 9;
    widest = width > widest ? width : widest;
  }
  const int most = v->screen.width * 2 / 5;
  return widest < most ? widest : most;
}

/* The name of a row, without what its branch says already. */
static void row_text(const view *v, const tree_row *r, char *out, size_t capacity) {
  const char *name = target_label(&v->found.list[r->tensor]);
  (void)snprintf(out, capacity, "%s%.*s",
                 r->count == 0 ? ""
                 : r->open     ? "- "
                               : "+ ",
                 (int)(r->length - r->from), name + r->from);
  if (name[0] == '\0') (void)snprintf(out, capacity, "\"\"");
}

static void draw_row(view *v, const tree_row *r, int y, int width, bool chosen) {
  char name[512], bytes[32];
  const screen_look look = chosen ? (v->in_pane ? look_bold : look_marked) : r->count > 0 ? look_bold : look_plain;
  for (int x = 0; x < width && chosen && !v->in_pane; x++) screen_put(&v->screen, x, y, ' ', look);
  row_text(v, r, name, sizeof name);
  (void)text_bytes(tree_bytes(&v->tree, r), bytes);
  const int end = width - 1 - (int)strlen(bytes);
  (void)screen_text(&v->screen, 2 * r->depth, y, end, name, look);
  screen_right(&v->screen, end, y, width, bytes, chosen ? look : look_dim);
}

static void draw_tree(view *v, int width, int top, int bottom) {
  const size_t lines = (size_t)(bottom - top);
  if (v->row < v->first) v->first = v->row;
  if (v->row >= v->first + lines) v->first = v->row - lines + 1;
  for (size_t i = 0; i < lines && v->first + i < v->tree.count; i++)
    draw_row(v, &v->tree.rows[v->first + i], top + (int)i, width, v->first + i == v->row);
}

static void draw_title(view *v) {
  static const char *const orders[] = {"", ", by size", ", as in the file"};
  char line[256], count[32], bytes[32];
  uint64_t sum = 0;
  for (tsr_index i = 0; i < v->found.count; i++) sum += tsr_nbytes(&v->found.list[i].tensor);
  for (int x = 0; x < v->screen.width; x++) screen_put(&v->screen, x, 0, ' ', look_marked);
  const int x = screen_text(&v->screen, 1, 0, v->screen.width, source_shown(v->from.file), look_marked);
  (void)snprintf(line, sizeof line, "%s, %s tensor%s, %s%s", tsr_format_name((tsr_format)v->from.format),
                 text_count(v->found.count, count), v->found.count == 1 ? "" : "s", text_bytes(sum, bytes),
                 orders[v->tree.order]);
  screen_right(&v->screen, x + 2, 0, v->screen.width - 1, line, look_marked);
}

static void draw_foot(view *v) {
  const int y = v->screen.height - 1, end = v->screen.width;
  char line[256];
  if (v->typing) {
    (void)snprintf(line, sizeof line, "/%s_", v->word);
    (void)screen_text(&v->screen, 1, y, end, line, look_bold);
  } else if (v->said[0] != '\0') {
    (void)screen_text(&v->screen, 1, y, end, v->said, look_bold);
  } else if (v->in_pane) {
    pane_status(&v->pane, line, sizeof line);
    const int x = screen_text(&v->screen, 1, y, end, line, look_bold);
    screen_right(&v->screen, x + 2, y, end - 1, "v view  [ ] axis  t turn  Tab names  ? help", look_dim);
  } else {
    (void)screen_text(&v->screen, 1, y, end, "arrows move  Tab numbers  v view  s order  / search  ? help  q ends",
                      look_dim);
  }
}

/* A branch: what hangs on it. */
static void draw_branch(view *v, const tree_row *r, pane_box box) {
  char line[256], count[32], bytes[32];
  const char *name = target_label(&v->found.list[r->tensor]);
  (void)snprintf(line, sizeof line, "%.*s", (int)r->length, name);
  (void)screen_text(&v->screen, box.left, box.top, box.right, line, look_bold);
  (void)snprintf(line, sizeof line, "%s tensors, %s", text_count(r->count, count),
                 text_bytes(tree_bytes(&v->tree, r), bytes));
  (void)screen_text(&v->screen, box.left, box.top + 1, box.right, line, look_plain);
  (void)screen_text(&v->screen, box.left, box.top + 3, box.right, r->open ? "left closes it" : "Enter opens it",
                    look_dim);
}

static void draw_all(view *v) {
  const int width = tree_width(v), bottom = v->screen.height - 1;
  const tree_row *r = v->row < v->tree.count ? &v->tree.rows[v->row] : NULL;
  const pane_box box = {width + 3, 2, v->screen.width, bottom};
  draw_tree(v, width, 2, bottom);
  for (int y = 1; y < bottom; y++) screen_put(&v->screen, width + 1, y, v->screen.utf8 ? 0x2502 : '|', look_dim);
  pane_set(&v->pane, &v->from, r != NULL && r->count == 0 ? &v->found.list[r->tensor] : NULL);
  if (r == NULL) {
    (void)screen_text(&v->screen, box.left, box.top, box.right, "(no tensors)", look_dim);
  } else if (r->count > 0) {
    draw_branch(v, r, box);
  } else {
    pane_draw(&v->pane, &v->screen, box, v->in_pane);
  }
}

static void draw(view *v) {
  screen_clear(&v->screen);
  if (v->screen.width < LEAST_WIDTH || v->screen.height < LEAST_HEIGHT) {
    (void)screen_text(&v->screen, 0, 0, v->screen.width, "40x10 at least", look_plain);
  } else {
    draw_title(v);
    if (v->help) draw_help(v);
    if (!v->help) draw_all(v);
    draw_foot(v);
  }
  screen_show(&v->screen);
}

/* ---- searching ---- */

static bool contains(const char *text, const char *word) {
  const size_t n = strlen(word);
  for (; *text != '\0'; text++)
    if (strncasecmp(text, word, n) == 0) return true;
  return n == 0;
}

/* The next tensor behind the chosen one, or that one itself, in the tree's order. */
static bool search(view *v, bool next) {
  const tsr_index n = v->found.count;
  tsr_index at = 0;
  if (n == 0 || v->word[0] == '\0') return true;
  while (at < n && v->row < v->tree.count && v->tree.sorted[at] != v->tree.rows[v->row].tensor) at++;
  for (tsr_index i = next ? 1 : 0; i < n + (next ? 1 : 0); i++) {
    const tsr_index tensor = v->tree.sorted[(at + i) % n];
    if (contains(target_label(&v->found.list[tensor]), v->word)) return tree_show(&v->tree, tensor, &v->row);
  }
  (void)snprintf(v->said, sizeof v->said, "no name has '%s'", v->word);
  return true;
}

static bool type_key(view *v, int key) {
  const size_t n = strlen(v->word);
  if (key == KEY_ESCAPE) {
    v->typing = false;
  } else if (key == KEY_ENTER) {
    v->typing = false;
    return search(v, false);
  } else if (key == KEY_BACKSPACE) {
    if (n > 0) v->word[n - 1] = '\0';
  } else if (key >= ' ' && key < KEY_BACKSPACE && n + 1 < WORD) {
    v->word[n] = (char)key;
    v->word[n + 1] = '\0';
  }
  return true;
}

/* ---- keys ---- */

static void move(view *v, long by) {
  const long last = v->tree.count > 0 ? (long)v->tree.count - 1 : 0, to = (long)v->row + by;
  v->row = (size_t)(to < 0 ? 0 : to > last ? last : to);
}

/* Opens a branch, or goes to the numbers of a tensor. */
static bool enter(view *v) {
  if (v->row >= v->tree.count) return true;
  const tree_row *r = &v->tree.rows[v->row];
  if (r->count > 0) return r->open || tree_toggle(&v->tree, v->row);
  v->in_pane = true;
  return true;
}

/* Closes the branch, or goes to the one that the row hangs on. */
static bool leave(view *v) {
  if (v->row >= v->tree.count) return true;
  const tree_row *r = &v->tree.rows[v->row];
  if (r->count > 0 && r->open) return tree_toggle(&v->tree, v->row);
  for (size_t i = v->row; i-- > 0 && r->depth > 0;) {
    if (v->tree.rows[i].depth >= r->depth) continue;
    v->row = i;
    break;
  }
  return true;
}

/* The chosen tensor stays chosen. */
static bool reorder(view *v) {
  const tsr_index tensor = v->row < v->tree.count ? v->tree.rows[v->row].tensor : 0;
  const tree_order next = (tree_order)((v->tree.order + 1) % TREE_ORDERS);
  v->row = 0;
  if (!tree_sort(&v->tree, next)) return false;
  return next == TREE_SIZE || v->found.count == 0 || tree_show(&v->tree, tensor, &v->row);
}

static bool tree_key(view *v, int key) {
  const long page = v->screen.height > 6 ? v->screen.height - 4 : 1;
  switch (key) {
    case KEY_UP:
    case 'k': move(v, -1); return true;
    case KEY_DOWN:
    case 'j': move(v, 1); return true;
    case KEY_PAGE_UP: move(v, -page); return true;
    case KEY_PAGE_DOWN: move(v, page); return true;
    case KEY_HOME: v->row = 0; return true;
    case KEY_END: move(v, (long)v->tree.count); return true;
    case KEY_ENTER:
    case KEY_RIGHT:
    case 'l': return enter(v);
    case KEY_LEFT:
    case 'h': return leave(v);
    default: (void)pane_key(&v->pane, key); return true;
  }
}

static bool any_key(view *v, int key) {
  switch (key) {
    case 'q':
    case 3:
    case TTY_CLOSED: v->ended = true; return true;
    case '?': v->help = true; return true;
    case '/':
      v->typing = true;
      v->word[0] = '\0';
      return true;
    case 'n': return search(v, true);
    case 's': return reorder(v);
    case KEY_TAB:
    case KEY_BACK_TAB: v->in_pane = !v->in_pane && v->pane.of != NULL; return true;
    case KEY_ESCAPE: v->in_pane = false; return true;
    default: break;
  }
  if (!v->in_pane) return tree_key(v, key);
  const bool at_left = v->pane.column == 0 && (key == KEY_LEFT || key == 'h');
  if (at_left) v->in_pane = false;
  if (!at_left) (void)pane_key(&v->pane, key);
  return true;
}

static bool resize(view *v) {
  int width, height;
  tty_size(&width, &height);
  return screen_resize(&v->screen, width, height);
}

/* False: no memory. */
static bool loop(view *v) {
  bool ok = resize(v);
  while (ok && !v->ended) {
    draw(v);
    const int key = tty_key();
    v->said[0] = '\0';
    if (key == TTY_RESIZED) {
      ok = resize(v);
    } else if (v->help) {
      v->help = false;
      v->ended = key == 3 || key == TTY_CLOSED;
    } else {
      ok = v->typing && key != 3 && key != TTY_CLOSED ? type_key(v, key) : any_key(v, key);
    }
    if (v->row >= v->tree.count && v->row > 0) v->row = v->tree.count > 0 ? v->tree.count - 1 : 0;
  }
  return ok;
}

static int run_view(view *v, const terminal *to) {
  int width, height;
  tty_size(&width, &height);
  v->pane = (pane){.ctx = v->ctx, .digits = 6};
  v->screen = (screen){.color = to->color, .utf8 = to->utf8};
  bool ok = tree_init(&v->found, (size_t)(height > 4 ? height - 3 : 1), &v->tree);
  if (ok && !tty_start()) return FAILED;
  if (ok) {
    ok = loop(v);
    tty_end();
  }
  if (!ok) report("out of memory");
  pane_set(&v->pane, NULL, NULL);
  return ok ? DONE : FAILED;
}

static int run(tsr_ctx *ctx, const arguments *args) {
  view v = {.ctx = ctx};
  terminal to;
  if (!terminal_init(&to, args_value(args, "color", "auto"))) return FAILED;
  if (!source_open(ctx, args->operands[0], &v.from, &v.found)) return FAILED;
  const int code = run_view(&v, &to);
  tree_release(&v.tree);
  screen_release(&v.screen);
  targets_release(&v.found);
  source_release(&v.from);
  return code;
}

const command view_command = {
    .name = "view",
    .summary = "shows the tensors of a file on a full screen, with keys",
    .usage = "[OPTION]... FILE[:NAME][SLICE]",
    .about =
        "On the left the names, as a tree of their parts; on the right the tensor that is chosen: what numbers are in\n"
        "it, and a matrix of it as numbers, a map or a histogram. The arrows move, Tab changes the side, v the "
        "picture;\n"
        "[ and ] go along an axis, s sorts by size, / searches, ? lists the keys, q ends. 80x24 characters are "
        "enough,\n"
        "over ssh too: only what changes is sent.",
    .examples =
        "  tessera view model.safetensors\n"
        "  tessera view sensors.csv\n",
    .least = 1,
    .most = 1,
    .run = run,
};
