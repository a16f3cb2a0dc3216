#define _GNU_SOURCE
#include "where.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "block.h"

/* The object was deleted as soon as it was loaded: it is written once more, for the one who reads its lines. */
static int write_object(const grid_module *m, char *path) {
  const int file = mkstemp(path);
  if (file < 0) return -1;
  const ssize_t n = write(file, m->object, m->object_bytes);
  (void)close(file);
  return n == (ssize_t)m->object_bytes ? 0 : -1;
}

void where_text(const void *code, char *text, size_t size) {
  char path[] = "/tmp/kernelXXXXXX", command[160], said[256] = "";
  Dl_info about;
  text[0] = 0;
  if (code == NULL || dladdr(code, &about) == 0 || write_object(running.launch->module, path) != 0) return;
  const size_t offset = (size_t)((const char *)code - (const char *)about.dli_fbase);
  (void)snprintf(command, sizeof command, "addr2line -e %s 0x%zx 2>/dev/null", path, offset - 1);
  FILE *const f = popen(command, "r");
  if (f != NULL) {
    if (fgets(said, sizeof said, f) == NULL) said[0] = 0;
    (void)pclose(f);
  }
  (void)unlink(path);
  said[strcspn(said, " \n")] = 0;
  const char *const name = strrchr(said, '/') != NULL ? strrchr(said, '/') + 1 : said;
  if (name[0] != 0 && name[0] != '?') (void)snprintf(text, size, "%s: ", name);
}
