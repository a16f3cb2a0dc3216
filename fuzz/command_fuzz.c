/* The command's arguments: each line of the input is one. Files are samples in a folder of this process, and what is
 * written there is removed again; no argument can name another folder. It must end with one of its three codes. */
#define _DEFAULT_SOURCE 1
#define _XOPEN_SOURCE 700
#include <ctype.h>
#include <dirent.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <tessera/tessera.h>
#include <unistd.h>

#include "command.h"
#include "promise.h"

enum { ARGUMENTS = 12, LENGTH = 120, SAMPLES = 9, SAMPLE_BYTES = 4096 };

/* Saves would wait for the disk, thousands of times. */
int fsync(int descriptor) {
  (void)descriptor;
  return 0;
}

/* ---- the samples ---- */

static struct sample {
  const char *name;
  uint8_t bytes[SAMPLE_BYTES];
  size_t n;
  struct stat info;
} samples[SAMPLES] = {{.name = "a.npy"}, {.name = "b.npz"},   {.name = "c.safetensors"},
                      {.name = "d.csv"}, {.name = "e.pgm"},   {.name = "f.png"},
                      {.name = "g.raw"}, {.name = "cut.npy"}, {.name = "t.npy"}};

/* Two tensors: "w" f32 [3,4] with a NaN in it, "x.y" u8 [4,3]; the first alone where a format takes one. */
static void make_sample(const char *name, bool image) {
  static float w[12] = {1, -2, 3.5f, 0, 1e30f, -1e-30f, 7, 8, 9, 10, 11, 12};
  static uint8_t x[12] = {0, 255, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12};
  tsr_bundle bundle = {0};
  tsr_tensor t = {0}, u = {0};
  const bool two = strstr(name, "npz") != NULL || strstr(name, "safetensors") != NULL;
  w[5] = w[4] * w[4] - w[4] * w[4];
  must(tsr_from_memory(NULL, w, TSR_F32, TSR_SHAPE(3, 4), &t) == TSR_OK);
  must(tsr_from_memory(NULL, x, TSR_U8, TSR_SHAPE(4, 3), &u) == TSR_OK);
  if (!image) must(tsr_bundle_add(NULL, &bundle, "w", &t) == TSR_OK);
  if (image || two) must(tsr_bundle_add(NULL, &bundle, "x.y", &u) == TSR_OK);
  const int format = TSR_HAVE_PNG || strstr(name, "png") == NULL ? TSR_FORMAT_AUTO : TSR_FORMAT_PGM;
  must(tsr_bundle_save(NULL, name, format, &bundle, NULL) == TSR_OK);
  tsr_bundle_release(&bundle);
}

static void keep_sample(struct sample *s) {
  FILE *f = fopen(s->name, "rb");
  must(f != NULL);
  s->n = fread(s->bytes, 1, sizeof s->bytes, f);
  must(s->n > 0 && s->n < sizeof s->bytes && fclose(f) == 0);
  if (strcmp(s->name, "cut.npy") == 0) s->n -= 9;
}

static void put_sample(struct sample *s) {
  FILE *f = fopen(s->name, "wb");
  must(f != NULL && fwrite(s->bytes, 1, s->n, f) == s->n && fclose(f) == 0 && stat(s->name, &s->info) == 0);
}

/* A file is as it was when it is the same one. */
static void restore(void) {
  for (int i = 0; i < SAMPLES; i++) {
    struct stat now;
    if (stat(samples[i].name, &now) != 0 || now.st_ino != samples[i].info.st_ino ||
        now.st_size != samples[i].info.st_size)
      put_sample(&samples[i]);
  }
}

static bool is_sample(const char *name) {
  for (int i = 0; i < SAMPLES; i++)
    if (strcmp(samples[i].name, name) == 0) return true;
  return false;
}

/* NAME.tmp~ and 16 hexadecimal digits: what the library calls its own, and no name that the input gave. */
static bool is_temporary(const char *name) {
  const char *const tail = strstr(name, ".tmp~");
  return strncmp(name, "tessera-", 8) == 0 ||
         (tail != NULL && strlen(tail) == 21 && strspn(tail + 5, "0123456789abcdef") == 16);
}

/* Removes what was written; a temporary file or folder would be left over. */
static void tidy(void) {
  DIR *folder = opendir(".");
  must(folder != NULL);
  for (const struct dirent *entry = readdir(folder); entry != NULL; entry = readdir(folder)) {
    if (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0 || is_sample(entry->d_name)) continue;
    must(!is_temporary(entry->d_name));
    must(unlink(entry->d_name) == 0);
  }
  (void)closedir(folder);
  restore();
}

static char folder_name[256];
static int came_from; /* where the fuzzer's own paths begin */

static void remove_folder(void) {
  if (chdir(folder_name) != 0) return;
  for (int i = 0; i < SAMPLES; i++) (void)unlink(samples[i].name);
  (void)rmdir(folder_name);
}

/* The streams that the command writes to; the fuzzer and the sanitizers have their own. */
static void begin(void) {
  const char *parent = getenv("TMPDIR");
  (void)snprintf(folder_name, sizeof folder_name, "%s/tessera_fuzz_XXXXXX", parent != NULL ? parent : "/tmp");
  came_from = open(".", O_RDONLY | O_DIRECTORY);
  must(came_from >= 0 && mkdtemp(folder_name) != NULL && chdir(folder_name) == 0 &&
       setenv("TMPDIR", folder_name, 1) == 0);
  for (int i = 0; i < SAMPLES; i++) {
    make_sample(samples[i].name, i == 4 || i == 5);
    keep_sample(&samples[i]);
    put_sample(&samples[i]);
  }
  must(atexit(remove_folder) == 0);
  stdout = fopen("/dev/null", "w");
  if (getenv("TESSERA_FUZZ_SHOW") == NULL) stderr = fopen("/dev/null", "w");
  must(stdout != NULL && stderr != NULL && freopen("/dev/null", "r", stdin) != NULL);
}

/* ---- the arguments ---- */

/* Pictures of many pixels take long, which is no finding. */
static bool is_size(const char *text) {
  return strstr(text, "-width") != NULL || strstr(text, "-height") != NULL || strncmp(text, "-w", 2) == 0;
}

static void cut_numbers(char *text) {
  char *to = text;
  int digits = 0;
  for (; *text != '\0'; text++) {
    digits = isdigit((unsigned char)*text) ? digits + 1 : 0;
    if (digits <= 3) *to++ = *text;
  }
  *to = '\0';
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  static bool begun;
  char text[ARGUMENTS][LENGTH + 1] = {{0}}, *argv[ARGUMENTS + 2] = {"tessera"};
  int argc = 1;
  size_t length = 0;
  if (!begun) begin();
  begun = true;
  must(chdir(folder_name) == 0);
  for (size_t i = 0; i < size && argc <= ARGUMENTS; i++) {
    if (data[i] == '\n') {
      argc++;
      length = 0;
    } else if (length < LENGTH && data[i] != '\0') {
      text[argc - 1][length++] = data[i] == '/' ? '_' : (char)data[i];
    }
  }
  if (argc > ARGUMENTS) argc = ARGUMENTS;
  for (int i = 1; i <= argc; i++) argv[i] = text[i - 1];
  for (int i = 1; i <= argc; i++)
    if (is_size(argv[i]) || is_size(argv[i - 1])) cut_numbers(argv[i]);
  const int code = run_tessera(argc + 1, argv);
  must(code == DONE || code == NO || code == FAILED);
  tidy();
  must(fchdir(came_from) == 0);
  return 0;
}
