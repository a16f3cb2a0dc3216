#include "cuda/source.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

/* ---- growing ---- */

static bool make_room(tsr__cuda_text *text, size_t more) {
  if (text->failed) return false;
  if (text->length + more < text->room) return true;
  const size_t room = 2 * text->room + more + 4096;
  char *const data = realloc(text->data, room);
  if (data == NULL) {
    text->failed = true;
    return false;
  }
  text->data = data;
  text->room = room;
  return true;
}

static void add_bytes(tsr__cuda_text *text, const char *bytes, size_t count) {
  if (!make_room(text, count + 1)) return;
  memcpy(text->data + text->length, bytes, count);
  text->length += count;
  text->data[text->length] = 0;
}

void tsr__cuda_text_add(tsr__cuda_text *text, const char *piece) { add_bytes(text, piece, strlen(piece)); }

static void add_number(tsr__cuda_text *text, int number) {
  char digits[16];
  size_t at = sizeof digits;
  unsigned rest = number < 0 ? 0u - (unsigned)number : (unsigned)number;
  do digits[--at] = (char)('0' + rest % 10);
  while ((rest /= 10) != 0);
  if (number < 0) digits[--at] = '-';
  add_bytes(text, digits + at, sizeof digits - at);
}

void tsr__cuda_text_format(tsr__cuda_text *text, const char *format, ...) {
  va_list list;
  va_start(list, format);
  for (const char *next; *format != 0; format = next) {
    next = strchr(format, '%');
    if (next == NULL) next = format + strlen(format);
    add_bytes(text, format, (size_t)(next - format));
    if (*next == 0) break;
    if (next[1] == 's')
      tsr__cuda_text_add(text, va_arg(list, const char *));
    else
      add_number(text, va_arg(list, int));
    next += 2;
  }
  va_end(list);
}

void tsr__cuda_text_free(tsr__cuda_text *text) {
  free(text->data);
  *text = (tsr__cuda_text){0};
}

/* ---- includes ---- */

/* Headers of the host that a device has something else for; "": nothing. */
static const char *const instead[][2] = {
    {"cpu/vec/vec.h", "cuda/kernels/lane.cuh"},
    {"core/dtype/instantiate.h", "cuda/kernels/instantiate.cuh"},
    {"core/float_bits.h", ""},
};

static int find_file(const char *name, size_t length) {
  for (size_t i = 0; i < sizeof instead / sizeof instead[0]; i++)
    if (strncmp(instead[i][0], name, length) == 0 && instead[i][0][length] == 0) {
      name = instead[i][1];
      length = strlen(name);
      break;
    }
  for (int i = 0; tsr__cuda_pieces[i].name != NULL; i++)
    if (strncmp(tsr__cuda_pieces[i].name, name, length) == 0 && tsr__cuda_pieces[i].name[length] == 0) return i;
  return -1;
}

/* A template is included as often as it is asked for. */
static bool is_template(const char *name) {
  return strstr(name, ".tmpl.") != NULL || strstr(name, "instantiate") != NULL;
}

/* Files of the host include each other in chains of a few. */
enum { MOST_DEEP = 12 };

static void expand(tsr__cuda_text *text, const char *piece, const char *name, int depth);

static void include(tsr__cuda_text *text, const char *name, size_t length, int depth) {
  const int file = find_file(name, length);
  if (file < 0 || depth == MOST_DEEP) return;
  uint64_t *const word = &text->included[file / 64 % 2];
  const uint64_t bit = (uint64_t)1 << file % 64;
  if ((*word & bit) != 0 && !is_template(tsr__cuda_pieces[file].name)) return;
  *word |= bit;
  tsr__cuda_text_format(text, "#line 1 \"%s\"\n", tsr__cuda_pieces[file].name);
  expand(text, tsr__cuda_pieces[file].text, tsr__cuda_pieces[file].name, depth + 1);
}

/* Lines that include the C library's headers have <, and go. */
static void expand(tsr__cuda_text *text, const char *piece, const char *name, int depth) {
  static const char word[] = "#include ";
  for (int line = 1; *piece != 0; line++) {
    const char *const end = strchr(piece, '\n'), *const next = end != NULL ? end + 1 : piece + strlen(piece);
    if (strncmp(piece, word, sizeof word - 1) != 0) {
      add_bytes(text, piece, (size_t)(next - piece));
    } else {
      const char *const first = piece + sizeof word;
      const char *const last = memchr(first, '"', (size_t)(next - first));
      if (first[-1] == '"' && last != NULL) include(text, first, (size_t)(last - first), depth);
      tsr__cuda_text_format(text, "#line %d \"%s\"\n", line + 1, name);
    }
    piece = next;
  }
}

void tsr__cuda_text_expand(tsr__cuda_text *text, const char *piece) { expand(text, piece, "generated", 0); }
