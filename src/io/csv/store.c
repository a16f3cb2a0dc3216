/* One field as an element of its column, whatever it looks like. */
#include "io/csv/csv.h"

#if TSR_HAVE_STDIO

#include <string.h>

/* ---- texts of a part ---- */

enum { FIRST_SLOTS = 64 };

static void rehash(tsr__csv_texts *t) {
  if (t->slots == 0) t->count = 0;
  t->slots = t->slots == 0 ? FIRST_SLOTS : 2 * t->slots;
  memset(t->slot, 0, t->slots * sizeof *t->slot);
  for (uint32_t i = 0; i < t->count; i++) {
    uint32_t at = (uint32_t)t->hash[i] & (t->slots - 1);
    while (t->slot[at] != 0) at = (at + 1) & (t->slots - 1);
    t->slot[at] = i + 1;
  }
}

/* The number of a text among those of the part. */
static tsr__csv_wrong add_text(tsr__csv_texts *t, const tsr__csv_field *field, uint64_t seed, int32_t *number) {
  const uint64_t hash = tsr__hash(field->at, field->length, seed) + field->doubled;
  if (t->count >= t->slots / 2) rehash(t);
  uint32_t at = (uint32_t)hash & (t->slots - 1);
  for (; t->slot[at] != 0; at = (at + 1) & (t->slots - 1)) {
    const uint32_t i = t->slot[at] - 1;
    const tsr__csv_field *there = &t->field[i];
    if (t->hash[i] == hash && there->length == field->length && there->doubled == field->doubled &&
        memcmp(there->at, field->at, field->length) == 0)
      return *number = (int32_t)i, TSR__CSV_FINE;
  }
  if (memchr(field->at, 0, field->length) != NULL) return TSR__CSV_ZERO_BYTE;
  t->field[t->count] = *field;
  t->hash[t->count] = hash;
  t->slot[at] = ++t->count;
  *number = (int32_t)t->count - 1;
  return TSR__CSV_FINE;
}

/* ---- no value ---- */

static tsr__csv_wrong store_missing(const tsr__csv_part *part, const tsr__csv_plan *plan, tsr__csv_cells *cells,
                                    void *element) {
  static const int32_t none = -1;
  static const int64_t no_time = TSR_NO_TIME;
  if (part->rules->whole) return TSR__CSV_NO_VALUE;
  if (plan->way == TSR__CSV_TEXT) {
    memcpy(element, &none, sizeof none);
  } else if (plan->way == TSR__CSV_DATE) {
    memcpy(element, &no_time, sizeof no_time);
  } else {
    tsr__csv_store_missing(plan->dtype, element);
  }
  if (cells->present == NULL) /* a matrix has NaN, or nothing */
    return tsr_dtype_describe(plan->dtype)->class_ == TSR_CLASS_FLOAT ? TSR__CSV_FINE : TSR__CSV_NO_VALUE;
  if (cells->missing++ == 0) memset(cells->present, 1, (size_t)part->most);
  cells->present[part->rows] = 0;
  return TSR__CSV_FINE;
}

/* ---- values ---- */

static tsr__csv_wrong store_number(const tsr__csv_part *part, const tsr__csv_plan *plan, const tsr__csv_field *f,
                                   void *element) {
  tsr__csv_number n;
  if (!tsr__csv_number_parse(f->at, f->length, part->rules->decimal, part->rules->thousands, &n))
    return TSR__CSV_NO_NUMBER;
  if (plan->found && n.zeros && n.whole && plan->dtype == TSR_I64) return TSR__CSV_OTHER_KIND;
  return tsr__csv_number_store(&n, plan->dtype, element);
}

static tsr__csv_wrong store_bool(const tsr__csv_plan *plan, const tsr__csv_field *f, uint8_t *element) {
  static const char *const yes[] = {"true", "yes", "t", "y", "1", "on"};
  static const char *const no[] = {"false", "no", "f", "n", "0", "off"};
  for (int i = 0; i < (plan->found ? 2 : 6); i++) {
    const char first = (char)(*f->at | 0x20);
    const bool is = (first == yes[i][0] || yes[i][0] == '1') && tsr__csv_is_word(f->at, f->length, yes[i]);
    if (!is && !((first == no[i][0] || no[i][0] == '0') && tsr__csv_is_word(f->at, f->length, no[i]))) continue;
    *element = is;
    return TSR__CSV_FINE;
  }
  return TSR__CSV_NO_BOOL;
}

/* A number of units since 1970, as an epoch has them. */
static bool epoch_value(const tsr__csv_plan *plan, const tsr__csv_number *n, int64_t *value) {
  static const int64_t powers[] = {1, 10, 100, 1000, 10000, 100000, 1000000, 10000000, 100000000, 1000000000};
  const bool days = plan->epoch == TSR_UNIT_DAY;
  const int64_t to = plan->unit == TSR_UNIT_DAY ? 1 : tsr_time_per_second(plan->unit) * (days ? 86400 : 1);
  const int64_t per = days || plan->unit == TSR_UNIT_DAY ? 1 : tsr_time_per_second(plan->epoch);
  const int64_t e = n->decimal.exponent;
  if (n->kind != TSR__CSV_FINITE || n->decimal.cut || e > 0 || e < -9 || n->decimal.mantissa > INT64_MAX) return false;
  if (plan->unit == TSR_UNIT_DAY && !days) return false;
  int64_t up;
  const int64_t down = per * powers[-e]; /* at most 10^18 */
  const int64_t mantissa = n->negative ? -(int64_t)n->decimal.mantissa : (int64_t)n->decimal.mantissa;
  if (__builtin_mul_overflow(mantissa, to, &up)) {
    if (to % per != 0 || e != 0 || __builtin_mul_overflow(mantissa, to / per, &up)) return false;
    return *value = up, true;
  }
  *value = up / down - (up % down < 0);
  return *value != TSR_NO_TIME;
}

static tsr__csv_wrong store_time(const tsr__csv_part *part, const tsr__csv_plan *plan, const tsr__csv_field *f,
                                 int64_t *element) {
  tsr__time t;
  tsr__csv_number n;
  if (!tsr__time_read(f->at, f->length, part->rules->dates, &t)) {
    if (plan->found || !tsr__csv_number_parse(f->at, f->length, part->rules->decimal, 0, &n)) return TSR__CSV_NO_TIME;
    return epoch_value(plan, &n, element) ? TSR__CSV_FINE : TSR__CSV_RANGE;
  }
  if (t.date != (plan->kind != TSR_COLUMN_TIME)) return TSR__CSV_NO_TIME;
  if (t.time && plan->kind == TSR_COLUMN_DATE) return TSR__CSV_NO_TIME;
  if (plan->found && plan->kind == TSR_COLUMN_DATETIME && t.zoned != plan->utc) return TSR__CSV_NO_TIME;
  if (!plan->fixed_unit && plan->unit == TSR_UNIT_MICROSECOND && tsr__time_is_fine(&t)) return TSR__CSV_OTHER_KIND;
  return tsr__time_value(&t, plan->unit, element) ? TSR__CSV_FINE : TSR__CSV_RANGE;
}

/* nan is a number among floats, and no value elsewhere, unless words for that are given. */
static bool is_nan(const tsr__csv_part *part, const tsr__csv_plan *plan, const tsr__csv_field *f) {
  if ((*f->at | 0x20) != 'n' || part->rules->missing != NULL || !part->rules->table ||
      !tsr__csv_is_word(f->at, f->length, "nan"))
    return false;
  return plan->way == TSR__CSV_TEXT || tsr_dtype_describe(plan->dtype)->class_ != TSR_CLASS_FLOAT;
}

static tsr__csv_wrong store_value(const tsr__csv_part *part, const tsr__csv_plan *plan, const tsr__csv_field *f,
                                  void *element) {
  int64_t time = 0;
  tsr__csv_wrong wrong;
  switch (plan->way) {
    case TSR__CSV_BOOL: return store_bool(plan, f, element);
    case TSR__CSV_DATE:
      wrong = store_time(part, plan, f, &time);
      memcpy(element, &time, sizeof time);
      return wrong;
    default: return store_number(part, plan, f, element);
  }
}

/* Texts are what they are, blanks and all. */
static tsr__csv_wrong store_text(const tsr__csv_part *part, const tsr__csv_plan *plan, const tsr__csv_field *field,
                                 tsr__csv_cells *cells, char *element) {
  int32_t number = -1;
  if (!field->quoted && (field->length <= 4 || part->rules->missing != NULL)) {
    const tsr__csv_field f = tsr__csv_trim(field);
    if (field->length == 0 || (f.length > 0 && (tsr__csv_is_missing(part->rules, &f) || is_nan(part, plan, &f))))
      return store_missing(part, plan, cells, element);
  }
  const tsr__csv_wrong wrong = add_text(cells->texts, field, part->seed, &number);
  memcpy(element, &number, sizeof number);
  return wrong;
}

tsr__csv_wrong tsr__csv_store(const tsr__csv_part *part, const tsr__csv_plan *plan, const tsr__csv_field *field,
                              tsr__csv_cells *cells) {
  char *const element = cells->out + (size_t)part->rows * cells->step;
  if (plan->way == TSR__CSV_TEXT) return store_text(part, plan, field, cells, element);
  const tsr__csv_field f = tsr__csv_trim(field);
  if (f.length == 0 || tsr__csv_is_missing(part->rules, &f) || is_nan(part, plan, &f))
    return store_missing(part, plan, cells, element);
  const tsr__csv_wrong wrong = store_value(part, plan, &f, element);
  if (wrong == TSR__CSV_FINE) return wrong;
  if (memchr(field->at, 0, field->length) != NULL) return TSR__CSV_ZERO_BYTE;
  if (!plan->found && !(plan->way == TSR__CSV_DATE && wrong == TSR__CSV_OTHER_KIND)) return wrong;
  if (part->rules->strict || (wrong == TSR__CSV_RANGE && plan->way != TSR__CSV_I64)) return wrong;
  cells->seen |= tsr__csv_classify(part->rules, field); /* the column is read again, as another kind */
  memset(element, 0, plan->item);
  return TSR__CSV_FINE;
}

#endif
