/* Any bytes as an equation, over small tensors of whole numbers: what the rules allow gives the sums that the
 * definition says, and what they do not allow is refused without a trace. The rules are written a second time here. */
#include <string.h>

#include "promise.h"

#include <tessera/tessera.h>

enum { MOST = 3, RANK = 4, LABELS = 128 + RANK, LENGTHS = 3 };

typedef struct operand {
  tsr_tensor t;
  int32_t numbers[81];
  int label[RANK];
} operand;

static operand in[MOST];
static int n, result_rank, result[64];
static tsr_index size[LABELS];

/* ---- the rules ---- */

/* Labels of one operand or of the result; an ellipsis is -1. Their number, or -1 when that is no list of labels. */
static int read_labels(const char *text, size_t length, int *label) {
  int count = 0;
  bool dots = false;
  for (size_t i = 0; i < length; i++) {
    const char c = text[i];
    if (count == 64) return -1;
    if ((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z')) {
      label[count++] = c;
    } else if (c == '.' && i + 2 < length && text[i + 1] == '.' && text[i + 2] == '.' && !dots) {
      dots = true;
      label[count++] = -1;
      i += 2;
    } else {
      return -1;
    }
  }
  return count;
}

/* Every label of operand k; the axes of an ellipsis are 128 + RANK - (how many from the last). */
static bool spread_operand(const char *text, size_t length, int k, int *dots) {
  int label[64], count = read_labels(text, length, label), at = 0;
  bool any = false;
  for (int i = 0; i < count; i++) any = any || label[i] == -1;
  const int more = in[k].t.ndim - (count - any);
  if (count < 0 || more < 0 || (more > 0 && !any)) return false;
  for (int i = 0; i < count; i++) {
    if (label[i] != -1) in[k].label[at++] = label[i];
    for (int d = more; label[i] == -1 && d > 0; d--) in[k].label[at++] = 128 + RANK - d;
  }
  if (more > *dots) *dots = more;
  return true;
}

static bool note_sizes(void) {
  for (int l = 0; l < LABELS; l++) size[l] = 1;
  for (int k = 0; k < n; k++)
    for (int i = 0; i < in[k].t.ndim; i++) {
      const int l = in[k].label[i];
      const tsr_index length = in[k].t.shape[i];
      for (int j = 0; j < i; j++)
        if (in[k].label[j] == l && in[k].t.shape[j] != length) return false;
      if (length != 1 && size[l] != 1 && size[l] != length) return false;
      if (length != 1) size[l] = length;
    }
  return true;
}

static int times_of(int l) {
  int times = 0;
  for (int k = 0; k < n; k++)
    for (int i = 0; i < in[k].t.ndim; i++) times += in[k].label[i] == l;
  return times;
}

static bool read_result(const char *text, int dots) {
  int label[64];
  bool any = text == NULL;
  result_rank = 0;
  const int count = text != NULL ? read_labels(text, strlen(text), label) : 0;
  if (count < 0) return false;
  for (int d = dots; text == NULL && d > 0; d--) result[result_rank++] = 128 + RANK - d;
  for (int l = 0; l < 128 && text == NULL; l++)
    if (times_of(l) == 1) result[result_rank++] = l;
  for (int i = 0; i < count; i++) {
    any = any || label[i] == -1;
    for (int d = dots; label[i] == -1 && d > 0; d--) result[result_rank++] = 128 + RANK - d;
    if (label[i] == -1) continue;
    for (int j = 0; j < i; j++)
      if (label[j] == label[i]) return false;
    if (times_of(label[i]) == 0) return false;
    result[result_rank++] = label[i];
  }
  return (any || dots == 0) && result_rank <= TSR_MAX_DIMS;
}

/* Spaces mean nothing, but not inside of an arrow or an ellipsis. */
static bool allowed(const char *text) {
  static char plain[512];
  size_t length = 0;
  for (size_t i = 0; text[i] != 0; i++) {
    const bool space = text[i] == ' ' || text[i] == '\t';
    if (space && i > 0 && length > 0 && (plain[length - 1] == '-' || (plain[length - 1] == '.'))) {
      size_t run = 0;
      while (run < length && plain[length - 1 - run] == '.') run++;
      if (plain[length - 1] == '-' || run % 3 != 0) return false;
    }
    if (!space) plain[length++] = text[i];
  }
  plain[length] = 0;
  char *const arrow = strstr(plain, "->");
  const char *at = plain, *const end = arrow != NULL ? arrow : plain + length;
  int dots = 0;
  for (int k = 0; k < n; k++) {
    const char *comma = memchr(at, ',', (size_t)(end - at));
    if ((k < n - 1) != (comma != NULL)) return false;
    if (comma == NULL) comma = end;
    if (!spread_operand(at, (size_t)(comma - at), k, &dots)) return false;
    at = comma + 1;
  }
  return note_sizes() && read_result(arrow != NULL ? arrow + 2 : NULL, dots);
}

/* ---- the definition ---- */

static bool next(tsr_index *at) {
  for (int l = LABELS - 1; l >= 0; l--) {
    if (++at[l] < size[l]) return true;
    at[l] = 0;
  }
  return false;
}

static void check_sums(const tsr_tensor *out) {
  static int32_t sums[65536];
  tsr_index at[LABELS] = {0};
  tsr_index all = 1, elements = 1;
  must(out->ndim == result_rank && out->dtype == TSR_I32);
  for (int i = 0; i < result_rank; i++) must(out->shape[i] == size[result[i]]), elements *= size[result[i]];
  for (int l = 0; l < LABELS; l++) all *= size[l];
  if (elements > 65536 || all > 100000) return;
  memset(sums, 0, (size_t)elements * sizeof *sums);
  do {
    int32_t product = 1;
    tsr_index flat = 0;
    for (int k = 0; k < n && all > 0; k++) {
      tsr_index from = 0;
      for (int i = 0; i < in[k].t.ndim; i++)
        from = from * in[k].t.shape[i] + (in[k].t.shape[i] == 1 ? 0 : at[in[k].label[i]]);
      product *= in[k].numbers[from];
    }
    for (int i = 0; i < result_rank; i++) flat = flat * size[result[i]] + at[result[i]];
    if (all > 0) sums[flat] += product;
  } while (all > 0 && next(at));
  must(elements == 0 || memcmp(sums, out->data, (size_t)elements * sizeof *sums) == 0);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes) {
  char text[256];
  const tsr_tensor *list[MOST];
  tsr_tensor out = {0};
  if (bytes < 1 + MOST || bytes > 200) return 0;
  n = 1 + data[0] % MOST;
  for (int k = 0; k < n; k++) { /* a byte an operand: its rank, and lengths of 1 to 3, or 0 */
    const int code = data[1 + k], rank = code % (RANK + 1);
    tsr_index shape[RANK];
    for (int i = 0, rest = code / (RANK + 1); i < rank; i++, rest /= LENGTHS) shape[i] = 1 + (rest + i) % LENGTHS;
    if (code == 254) shape[0] = 0;
    for (int i = 0; i < 81; i++) in[k].numbers[i] = (i * 7 + k) % 5 - 2;
    must(tsr_from_memory(NULL, in[k].numbers, TSR_I32, rank, shape, &in[k].t) == TSR_OK);
    list[k] = &in[k].t;
  }
  memcpy(text, data + 1 + MOST, bytes - 1 - MOST);
  text[bytes - 1 - MOST] = 0;
  const tsr_status st = tsr_einsum(NULL, n, list, text, &out);
  if (st == TSR_EUNSUPPORTED) return 0;
  must((st == TSR_OK) == allowed(text));
  if (st == TSR_OK) check_sums(&out);
  if (st != TSR_OK) must(tsr_is_none(&out) && tsr_error(NULL)[0] != 0);
  tsr_release(&out);
  return 0;
}
