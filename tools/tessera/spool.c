#include "spool.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "interrupt.h"
#include "report.h"

enum { BLOCK = 1 << 16 };

static bool taken; /* standard input */

void spool_start(void) { taken = false; }

bool spool_new(const char *name, char *path) {
  const char *folder = getenv("TMPDIR");
  if (folder == NULL || folder[0] == '\0') folder = "/tmp";
  const int n = snprintf(path, SPOOL_PATH, "%s/tessera-XXXXXX", folder);
  if (n < 0 || (size_t)n + strlen(name) + 2 > SPOOL_PATH) return report("TMPDIR is too long"), false;
  const interrupt_mask mask = interrupt_hold(); /* until the folder is one that a signal removes */
  const int error = mkdtemp(path) == NULL ? errno : 0;
  if (error == 0) (void)snprintf(path + n, SPOOL_PATH - (size_t)n, "/%s", name);
  if (error == 0) interrupt_watch(path);
  interrupt_release(&mask);
  if (error != 0) report("%s: no folder can be made there: %s", folder, strerror(error));
  return error == 0;
}

void spool_remove(char *path) {
  interrupt_forget(path);
  (void)unlink(path);
  *strrchr(path, '/') = '\0';
  (void)rmdir(path);
}

/* Both streams stay open. from_name and to_name are for messages. */
static bool copy_stream(FILE *from, const char *from_name, FILE *to, const char *to_name) {
  char *block = malloc(BLOCK);
  bool ok = block != NULL;
  size_t n;
  if (!ok) report("out of memory");
  while (ok && (n = fread(block, 1, BLOCK, from)) > 0) {
    ok = fwrite(block, 1, n, to) == n;
    if (!ok) report_unwritten(to, to_name);
  }
  if (ok && ferror(from)) ok = false, report("%s: reading failed: %s", from_name, strerror(errno));
  if (ok && fflush(to) != 0) ok = false, report_unwritten(to, to_name);
  free(block);
  return ok;
}

static bool spool(FILE *from, const char *from_name, const char *name, char *path) {
  if (!spool_new(name, path)) return false;
  FILE *to = fopen(path, "wbx");
  bool ok = to != NULL && copy_stream(from, from_name, to, path);
  if (to == NULL) report("%s: cannot be made: %s", path, strerror(errno));
  if (to != NULL) ok &= fclose(to) == 0;
  if (!ok) spool_remove(path);
  return ok;
}

static bool spool_stdin(char *path) {
  if (taken) return report("standard input can be read once: - stands for it twice"), false;
  taken = true;
  return spool(stdin, "standard input", "stdin", path);
}

bool spool_pipe(const char *file, char *path) {
  if (strcmp(file, "-") == 0) return spool_stdin(path);
  FILE *from = fopen(file, "rb");
  if (from == NULL) return report("%s: cannot be opened: %s", file, strerror(errno)), false;
  const bool ok = spool(from, file, "pipe", path);
  (void)fclose(from);
  return ok;
}

bool spool_to_stdout(const char *path) {
  FILE *from = fopen(path, "rb");
  if (from == NULL) return report("%s: cannot be opened: %s", path, strerror(errno)), false;
  const bool ok = copy_stream(from, path, stdout, "standard output");
  (void)fclose(from);
  return ok;
}
