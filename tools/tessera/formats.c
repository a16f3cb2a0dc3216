#include "formats.h"

#include <stdio.h>
#include <string.h>
#include <tessera/tessera.h>

#include "report.h"

const char *format_at(int i) {
  const char *name = tsr_format_name((tsr_format)i);
  return strcmp(name, "none") != 0 ? name : NULL;
}

int format_find(const char *name) {
  char list[256] = "";
  size_t used = 0;
  for (int i = 1; format_at(i) != NULL; i++) {
    if (strcmp(format_at(i), name) == 0) return i;
    const int n = snprintf(list + used, sizeof list - used, i > 1 ? ", %s" : "%s", format_at(i));
    used += n > 0 && (size_t)n < sizeof list - used ? (size_t)n : 0;
  }
  report("there is no format '%s'; there are %s", name, list);
  return 0;
}
