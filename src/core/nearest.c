/* How far apart two names are: only what is near matters. */
#include "core/nearest.h"

enum { FARTHEST = 3, BAND = 2 * FARTHEST + 1, TOO_FAR = FARTHEST + 1 };

static int least(int a, int b) { return a < b ? a : b; }

/* One row of the table of distances, of which only the FARTHEST entries on either side of the diagonal can matter:
 * band[k] belongs to column row + k - FARTHEST. Returns the least of the new row. */
static int next_row(const char *a, int64_t row, const char *b, int64_t b_length, int *band) {
  int before = TOO_FAR, row_least = TOO_FAR;
  for (int k = 0; k < BAND; k++) {
    const int64_t column = row + k - FARTHEST;
    int distance = TOO_FAR;
    if (column == 0) {
      distance = least((int)row, TOO_FAR);
    } else if (column > 0 && column <= b_length) {
      distance = band[k] + (a[row - 1] != b[column - 1]);
      distance = least(distance, before + 1);
      if (k + 1 < BAND) distance = least(distance, band[k + 1] + 1);
    }
    band[k] = before = distance;
    row_least = least(row_least, distance);
  }
  return row_least;
}

/* How many bytes to change, add or leave out to make b of a; TOO_FAR when more than FARTHEST. */
static int distance_between(const char *a, int64_t a_length, const char *b, int64_t b_length) {
  int band[BAND];
  if (a_length - b_length > FARTHEST || b_length - a_length > FARTHEST) return TOO_FAR;
  for (int k = 0; k < BAND; k++) band[k] = k < FARTHEST ? TOO_FAR : least(k - FARTHEST, TOO_FAR);
  for (int64_t row = 1; row <= a_length; row++) {
    if (next_row(a, row, b, b_length, band) > FARTHEST) return TOO_FAR;
  }
  return least(band[b_length - a_length + FARTHEST], TOO_FAR);
}

static int64_t length_of(const char *name) {
  int64_t length = 0;
  while (name[length] != '\0') length++;
  return length;
}

void tsr__nearest_init(tsr__nearest *nearest, const char *wanted) {
  const int64_t length = length_of(wanted);
  *nearest = (tsr__nearest){wanted, NULL, (int)(length <= FARTHEST ? length : TOO_FAR)};
}

void tsr__nearest_offer(tsr__nearest *nearest, const char *name) {
  if (nearest->distance <= 1) return;
  const int distance = distance_between(nearest->wanted, length_of(nearest->wanted), name, length_of(name));
  if (distance >= nearest->distance) return;
  nearest->distance = distance;
  nearest->found = name;
}
