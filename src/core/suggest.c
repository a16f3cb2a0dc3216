/* How far apart two names are: only what is near matters. */
#include "core/suggest.h"

enum { MAX_DISTANCE = 3, BAND = 2 * MAX_DISTANCE + 1, TOO_FAR = MAX_DISTANCE + 1 };

static int min_int(int a, int b) { return a < b ? a : b; }

/* One row of the table of distances, of which only the MAX_DISTANCE entries on either side of the diagonal can matter:
 * band[k] belongs to column row + k - MAX_DISTANCE. Returns the minimum of the new row. */
static int next_row(const char *a, int64_t row, const char *b, int64_t b_length, int *band) {
  int before = TOO_FAR, row_min = TOO_FAR;
  for (int k = 0; k < BAND; k++) {
    const int64_t column = row + k - MAX_DISTANCE;
    int distance = TOO_FAR;
    if (column == 0) {
      distance = min_int((int)row, TOO_FAR);
    } else if (column > 0 && column <= b_length) {
      distance = band[k] + (a[row - 1] != b[column - 1]);
      distance = min_int(distance, before + 1);
      if (k + 1 < BAND) distance = min_int(distance, band[k + 1] + 1);
    }
    band[k] = before = distance;
    row_min = min_int(row_min, distance);
  }
  return row_min;
}

/* How many bytes to change, add or leave out to make b of a; TOO_FAR when more than MAX_DISTANCE. */
static int distance_between(const char *a, int64_t a_length, const char *b, int64_t b_length) {
  int band[BAND];
  if (a_length - b_length > MAX_DISTANCE || b_length - a_length > MAX_DISTANCE) return TOO_FAR;
  for (int k = 0; k < BAND; k++) band[k] = k < MAX_DISTANCE ? TOO_FAR : min_int(k - MAX_DISTANCE, TOO_FAR);
  for (int64_t row = 1; row <= a_length; row++) {
    if (next_row(a, row, b, b_length, band) > MAX_DISTANCE) return TOO_FAR;
  }
  return min_int(band[b_length - a_length + MAX_DISTANCE], TOO_FAR);
}

static int64_t length_of(const char *name) {
  int64_t length = 0;
  while (name[length] != '\0') length++;
  return length;
}

void tsr__suggest_init(tsr__suggestion *suggestion, const char *wanted) {
  const int64_t length = length_of(wanted);
  *suggestion = (tsr__suggestion){wanted, NULL, (int)(length <= MAX_DISTANCE ? length : TOO_FAR)};
}

void tsr__suggest_offer(tsr__suggestion *suggestion, const char *name) {
  if (suggestion->distance <= 1) return;
  const int distance = distance_between(suggestion->wanted, length_of(suggestion->wanted), name, length_of(name));
  if (distance >= suggestion->distance) return;
  suggestion->distance = distance;
  suggestion->found = name;
}
