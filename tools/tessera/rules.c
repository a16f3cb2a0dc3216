#include "rules.h"

#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>

#include "args.h"
#include "nearest.h"
#include "report.h"

static bool is_named(const arguments *args, int i, const char *name) {
  return strcmp(args->options[i]->name, name) == 0;
}

/* ---- names ---- */

static bool is_like(const char *pattern, const char *name) {
  return strcmp(pattern, name) == 0 || fnmatch(pattern, name, 0) == 0;
}

bool rules_select(const arguments *args, const char *name) {
  bool any = false;
  for (int i = 0; i < args->option_count; i++) {
    if (!is_named(args, i, "select")) continue;
    any = true;
    if (is_like(args->values[i], name)) return true;
  }
  return !any;
}

/* OLD=NEW, each with at most one *: what it stands for in OLD takes its place in NEW. */
typedef struct renaming {
  const char *old, *new;
  size_t old_length, new_length;
  const char *old_star, *new_star; /* NULL: none */
} renaming;

static bool split_renaming(const char *text, renaming *r) {
  const char *equals = strchr(text, '=');
  if (equals == NULL) return false;
  *r = (renaming){
      .old = text, .new = equals + 1, .old_length = (size_t)(equals - text), .new_length = strlen(equals + 1)};
  r->old_star = memchr(r->old, '*', r->old_length);
  r->new_star = memchr(r->new, '*', r->new_length);
  const char *const more = r->new_star != NULL ? strchr(r->new_star + 1, '*') : NULL;
  return r->old_length > 0 && r->new_length > 0 && (r->old_star != NULL || r->new_star == NULL) && more == NULL;
}

/* What the star of OLD stands for in name; NULL when name is not meant. */
static const char *star_of(const renaming *r, const char *name, size_t *length) {
  const size_t all = strlen(name);
  *length = 0;
  if (r->old_star == NULL) return all == r->old_length && memcmp(name, r->old, all) == 0 ? name + all : NULL;
  const size_t before = (size_t)(r->old_star - r->old), behind = r->old_length - before - 1;
  if (all < before + behind || memcmp(name, r->old, before) != 0) return NULL;
  if (memcmp(name + all - behind, r->old_star + 1, behind) != 0) return NULL;
  *length = all - before - behind;
  return name + before;
}

static char *renamed(const renaming *r, const char *star, size_t length) {
  const size_t before = r->new_star != NULL ? (size_t)(r->new_star - r->new) : r->new_length;
  const size_t behind = r->new_star != NULL ? r->new_length - before - 1 : 0;
  if (r->new_star == NULL) length = 0;
  char *name = malloc(before + length + behind + 1);
  if (name == NULL) return NULL;
  memcpy(name, r->new, before);
  memcpy(name + before, star, length);
  memcpy(name + before + length, r->new + r->new_length - behind, behind);
  name[before + length + behind] = '\0';
  return name;
}

char *rules_rename(const arguments *args, const char *name) {
  for (int i = 0; i < args->option_count; i++) {
    renaming r;
    size_t length;
    if (!is_named(args, i, "rename") || !split_renaming(args->values[i], &r)) continue;
    const char *star = star_of(&r, name, &length);
    if (star != NULL) return renamed(&r, star, length);
  }
  return strdup(name);
}

/* ---- rules that no tensor meets ---- */

static bool is_meant_by(const arguments *args, int i, const char *name) {
  renaming r;
  size_t length;
  if (is_named(args, i, "select")) return is_like(args->values[i], name);
  return rules_select(args, name) && split_renaming(args->values[i], &r) && star_of(&r, name, &length) != NULL;
}

static bool meets_none(const arguments *args, int i, const targets *found) {
  const bool renames = is_named(args, i, "rename");
  const int length = (int)(renames ? strcspn(args->values[i], "=") : strlen(args->values[i]));
  char near[1024];
  nearest best;
  nearest_init(&best, args->values[i], (size_t)length);
  for (tsr_index k = 0; k < found->count; k++) {
    const char *name = found->list[k].name;
    if (is_meant_by(args, i, name)) return false;
    if (!renames || rules_select(args, name)) nearest_offer(&best, name);
  }
  report("--%s: '%.*s' is none of the %lld tensors%s", renames ? "rename" : "select", length, args->values[i],
         (long long)found->count, nearest_text(&best, "", near, sizeof near));
  return true;
}

bool rules_meet(const arguments *args, const targets *found) {
  for (int i = 0; i < args->option_count && found->count > 0; i++) {
    const bool names = is_named(args, i, "select") || is_named(args, i, "rename");
    if (names && meets_none(args, i, found)) return false;
  }
  return true;
}

/* ---- dtypes and layouts ---- */

/* TO, or FROM=TO; *from is TSR_NONE for the first. */
static bool split_dtypes(const char *text, int *from, int *to) {
  char name[16];
  const char *equals = strchr(text, '=');
  const size_t length = equals != NULL ? (size_t)(equals - text) : 0;
  if (length >= sizeof name) return false;
  memcpy(name, text, length);
  name[length] = '\0';
  *from = equals != NULL ? tsr_dtype_find(name) : TSR_NONE;
  *to = tsr_dtype_find(equals != NULL ? equals + 1 : text);
  return *to != TSR_NONE && (equals == NULL || *from != TSR_NONE);
}

/* A plain TO leaves integers as they are where it is a float: they are indices more often than not. */
static bool is_meant(int from, int to, int dtype) {
  if (from != TSR_NONE) return from == dtype;
  const int class = tsr_dtype_describe(dtype)->class_, wanted = tsr_dtype_describe(to)->class_;
  return class == wanted || class == TSR_CLASS_FLOAT || wanted < TSR_CLASS_FLOAT;
}

int rules_dtype(const arguments *args, const tsr_tensor *t) {
  for (int i = 0; i < args->option_count; i++) {
    int from, to;
    if (is_named(args, i, "dtype") && split_dtypes(args->values[i], &from, &to) && is_meant(from, to, t->dtype))
      return to;
  }
  return t->dtype;
}

int rules_layout(const arguments *args, const tsr_tensor *t) {
  const char *name = args_value(args, "layout", NULL);
  if (name == NULL) return t->layout;
  const int layout = tsr_layout_find(name), rank = tsr_layout_rank(layout);
  return rank == t->ndim || (rank == 5 && t->ndim == 4) ? layout : t->layout; /* blocked ones have an axis more */
}

bool rules_check(const arguments *args) {
  for (int i = 0; i < args->option_count; i++) {
    const char *value = args->values[i];
    renaming r;
    int from, to;
    if (is_named(args, i, "rename") && !split_renaming(value, &r))
      return report("--rename: '%s' is not OLD=NEW, with a * in OLD when there is one in NEW", value), false;
    if (is_named(args, i, "dtype") && !split_dtypes(value, &from, &to))
      return report("--dtype: '%s' is not DTYPE or FROM=TO (tessera info lists dtypes)", value), false;
    if (is_named(args, i, "layout") && tsr_layout_find(value) < 0)
      return report("--layout: '%s' is none of plain, NCHW, NHWC, OIHW, OHWI, HWIO and others", value), false;
  }
  return true;
}
