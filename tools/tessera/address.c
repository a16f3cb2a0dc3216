#include "address.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "report.h"

static bool is_file(const char *path) { return strcmp(path, "-") == 0 || access(path, F_OK) == 0; }

/* Cuts the copy at each colon or bracket from the end on, until what is left is a file; the length of that, or 0. */
static size_t longest_file(char *copy) {
  for (size_t n = strlen(copy); n > 0; n--) {
    const char end = copy[n];
    if (end != '\0' && end != ':' && end != '[') continue;
    copy[n] = '\0';
    if (is_file(copy)) return n;
    copy[n] = end;
  }
  return 0;
}

bool address_split(const char *text, address *out) {
  *out = (address){0};
  if (!raw_form_read(&text, &out->raw)) return false;
  char *copy = strdup(text);
  if (copy == NULL) return report("out of memory"), false;
  size_t n = longest_file(copy);
  if (n == 0) {
    n = strcspn(text, ":");
    if (text[n] == '\0' && n > 0 && text[n - 1] == ']') n = strcspn(text, "[");
    copy[n] = '\0';
  }
  out->file = copy;
  out->named = text[n] == ':';
  out->rest = text + n + out->named;
  return true;
}

void address_release(address *a) {
  free(a->file);
  *a = (address){0};
}
