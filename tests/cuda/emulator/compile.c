#define _GNU_SOURCE
#include "compile.h"

#include <fcntl.h>
#include <spawn.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "image.h"
#include "scan.h"

enum { ARGUMENTS = 96, PATH = 512 };
extern char **environ;

/* ---- files ---- */

static char *read_file(const char *path, size_t *bytes) {
  FILE *const f = fopen(path, "rb");
  struct stat about;
  if (f == NULL) return NULL;
  if (fstat(fileno(f), &about) != 0) {
    (void)fclose(f);
    return NULL;
  }
  char *const text = malloc((size_t)about.st_size + 1);
  const size_t n = text != NULL ? fread(text, 1, (size_t)about.st_size, f) : 0;
  (void)fclose(f);
  if (text != NULL) text[n] = 0;
  if (bytes != NULL) *bytes = n;
  return text;
}

static bool write_file(const char *path, const void *data, size_t bytes) {
  FILE *const f = fopen(path, "wb");
  if (f == NULL) return false;
  const bool good = fwrite(data, 1, bytes, f) == bytes;
  return fclose(f) == 0 && good;
}

/* Runs a program, with what it says in a file. */
static int run_program(char *const *arguments, const char *says) {
  posix_spawn_file_actions_t actions;
  pid_t child;
  int status = -1;
  (void)posix_spawn_file_actions_init(&actions);
  (void)posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
  (void)posix_spawn_file_actions_addopen(&actions, 2, says, O_WRONLY | O_CREAT | O_TRUNC, 0600);
  (void)posix_spawn_file_actions_adddup2(&actions, 2, 1);
  const int failed = posix_spawnp(&child, arguments[0], &actions, NULL, arguments, environ);
  (void)posix_spawn_file_actions_destroy(&actions);
  if (failed != 0) return -1;
  while (waitpid(child, &status, 0) < 0) continue;
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

/* ---- the command ---- */

typedef struct command {
  char *arguments[ARGUMENTS];
  int count;
} command;

static void add(command *c, const char *argument) {
  if (c->count + 1 < ARGUMENTS) c->arguments[c->count++] = (char *)(uintptr_t)argument;
}

static const char *compiler(void) {
  const char *const own = getenv("TSR_EMULATOR_CXX");
  return own != NULL && own[0] != 0 ? own : "g++";
}

static bool is_checked(void) {
  const char *const check = getenv("TSR_EMULATOR_CHECK");
  return check == NULL || check[0] != '0';
}

static void add_compiler_flags(command *c) {
  static const char *const flags[] = {"-std=gnu++17",
                                      "-O1",
                                      "-g1",
                                      "-ffp-contract=off",
                                      "-fno-strict-aliasing",
                                      "-fno-math-errno",
                                      "-fno-exceptions",
                                      "-fno-rtti",
                                      "-fno-asynchronous-unwind-tables",
                                      "-fno-extern-tls-init",
                                      "-fno-threadsafe-statics",
                                      "-fno-gnu-unique",
                                      "-fno-ipa-reference",
                                      "-fvisibility=hidden",
                                      "-fPIC",
                                      "-shared",
                                      "-w",
                                      "-fmax-errors=20",
                                      "-nostdlib"};
  for (size_t i = 0; i < sizeof flags / sizeof flags[0]; i++) add(c, flags[i]);
#if defined(__x86_64__)
  if (__builtin_cpu_supports("fma")) add(c, "-mfma");
#endif
  if (is_checked()) {
    add(c, "-fsanitize=thread");
    add(c, "-DEMU_CHECKED=1");
  }
}

/* ---- the folder of what was compiled before ---- */

static uint64_t hash_folder(uint64_t hash) {
  static const char *const files[] = {
      "machine.h",          "prelude/prelude.hpp", "prelude/types.hpp",    "prelude/math.hpp",
      "prelude/memory.hpp", "prelude/warp.hpp",    "prelude/accesses.hpp", "prelude/epilogue.hpp"};
  for (size_t i = 0; i < sizeof files / sizeof files[0]; i++) {
    char path[PATH];
    size_t bytes = 0;
    (void)snprintf(path, sizeof path, "%s/%s", EMULATOR_FOLDER, files[i]);
    char *const text = read_file(path, &bytes);
    if (text != NULL) hash = image_hash_on(hash, text, bytes);
    free(text);
  }
  return hash;
}

static bool cache_path(const compile_input *in, const command *c, char *path, size_t size) {
  const char *const folder = getenv("TSR_EMULATOR_CACHE");
  if (folder == NULL || folder[0] == 0) return false;
  uint64_t hash = hash_folder(image_hash(in->text, strlen(in->text)));
  hash = image_hash_on(hash, __VERSION__, sizeof __VERSION__);
  hash = image_hash_on(hash, &in->arch, sizeof in->arch);
  for (int i = 0; i < c->count; i++) hash = image_hash_on(hash, c->arguments[i], strlen(c->arguments[i]));
  for (int i = 0; i < in->option_count; i++) hash = image_hash_on(hash, in->options[i], strlen(in->options[i]));
  for (int i = 0; i < in->header_count; i++) hash = image_hash_on(hash, in->headers[i], strlen(in->headers[i]));
  (void)mkdir(folder, 0700);
  (void)snprintf(path, size, "%s/%016llx.emulated", folder, (unsigned long long)hash);
  return true;
}

static bool is_image(const char *image, size_t bytes) {
  image_head head;
  if (bytes < sizeof head) return false;
  memcpy(&head, image, sizeof head);
  return memcmp(head.magic, IMAGE_MAGIC, sizeof head.magic) == 0 && head.bytes == bytes - sizeof head &&
         image_hash(image + sizeof head, head.bytes) == head.hash;
}

static void cache_write(const char *path, const char *image, size_t bytes) {
  char part[PATH + 96];
  (void)snprintf(part, sizeof part, "%s.%ld", path, (long)getpid());
  if (!write_file(part, image, bytes) || rename(part, path) != 0) (void)unlink(part);
}

/* ---- two steps: the text's own macros, then all of it with what goes before and behind ---- */

typedef struct workplace {
  char folder[PATH], text[PATH + 16], expanded[PATH + 16], whole[PATH + 16], object[PATH + 16], says[PATH + 16];
} workplace;

static bool make_workplace(workplace *w, const compile_input *in) {
  const char *const base = getenv("TMPDIR");
  (void)snprintf(w->folder, sizeof w->folder, "%s/emulatorXXXXXX", base != NULL && strlen(base) < 400 ? base : "/tmp");
  if (mkdtemp(w->folder) == NULL) return false;
  (void)snprintf(w->text, sizeof w->text, "%s/text.cu", w->folder);
  (void)snprintf(w->expanded, sizeof w->expanded, "%s/text.ii", w->folder);
  (void)snprintf(w->whole, sizeof w->whole, "%s/whole.cpp", w->folder);
  (void)snprintf(w->object, sizeof w->object, "%s/kernel.so", w->folder);
  (void)snprintf(w->says, sizeof w->says, "%s/says", w->folder);
  for (int i = 0; i < in->header_count; i++) {
    char path[PATH + 160];
    (void)snprintf(path, sizeof path, "%s/%.128s", w->folder, in->header_names[i]);
    if (!write_file(path, in->headers[i], strlen(in->headers[i]))) return false;
  }
  return true;
}

static void clear_workplace(const workplace *w, const compile_input *in) {
  const char *const files[] = {w->text, w->expanded, w->whole, w->object, w->says};
  for (size_t i = 0; i < sizeof files / sizeof files[0]; i++) (void)unlink(files[i]);
  for (int i = 0; i < in->header_count; i++) {
    char path[PATH + 160];
    (void)snprintf(path, sizeof path, "%s/%.128s", w->folder, in->header_names[i]);
    (void)unlink(path);
  }
  (void)rmdir(w->folder);
}

static bool write_text(const workplace *w, const compile_input *in) {
  FILE *const f = fopen(w->text, "wb");
  if (f == NULL) return false;
  (void)fprintf(f, "#line 1 \"%s\"\n", in->name);
  (void)fputs(in->text, f);
  return fclose(f) == 0;
}

static int expand(const workplace *w, const compile_input *in) {
  char arch[32];
  command c = {.count = 0};
  (void)snprintf(arch, sizeof arch, "-D__CUDA_ARCH__=%d", in->arch * 10);
  const char *const first[] = {
      compiler(),          "-E", "-x", "c++", "-std=gnu++17", "-w", "-DTSR_CUDA_EMULATED=1", "-D__CUDACC__=1",
      "-D__CUDACC_RTC__=1"};
  for (size_t i = 0; i < sizeof first / sizeof first[0]; i++) add(&c, first[i]);
  add(&c, arch);
  add(&c, "-I");
  add(&c, w->folder);
  for (int i = 0; i < in->option_count; i++) add(&c, in->options[i]);
  add(&c, w->text);
  add(&c, "-o");
  add(&c, w->expanded);
  return run_program(c.arguments, w->says);
}

static bool write_whole(const workplace *w) {
  char *const text = read_file(w->expanded, NULL);
  FILE *const f = text != NULL ? fopen(w->whole, "wb") : NULL;
  if (f != NULL) {
    (void)fprintf(f, "#include \"prelude.hpp\"\n%s\n#line 1 \"behind the text\"\n", text);
    scan_text(text, f);
  }
  free(text);
  return f != NULL && fclose(f) == 0;
}

static int build(const workplace *w, command *c) {
  add(c, "-I");
  add(c, EMULATOR_FOLDER "/prelude");
  add(c, w->whole);
  add(c, "-o");
  add(c, w->object);
  add(c, "-lm");
  add(c, "-lc");
  return run_program(c->arguments, w->says);
}

static char *make_image(const char *object, size_t *bytes) {
  size_t n = 0;
  char *const code = read_file(object, &n);
  char *const image = code != NULL ? malloc(sizeof(image_head) + n) : NULL;
  if (image != NULL) {
    const image_head head = {IMAGE_MAGIC, n, image_hash(code, n)};
    memcpy(image, &head, sizeof head);
    memcpy(image + sizeof head, code, n);
    *bytes = sizeof head + n;
  }
  free(code);
  return image;
}

int compile_text(const compile_input *in, char **image, size_t *bytes, char **log) {
  char cached[PATH + 64];
  command c = {.count = 0};
  workplace w;
  add(&c, compiler());
  add_compiler_flags(&c);
  *image = *log = NULL;
  const bool caches = cache_path(in, &c, cached, sizeof cached);
  if (caches) {
    *image = read_file(cached, bytes);
    if (*image != NULL && is_image(*image, *bytes)) return *log = strdup(""), 0;
    free(*image);
    *image = NULL;
  }
  if (!make_workplace(&w, in)) return *log = strdup("no folder for temporary files"), -1;
  int failed = write_text(&w, in) ? expand(&w, in) : -1;
  if (failed == 0) failed = write_whole(&w) ? build(&w, &c) : -1;
  *log = read_file(w.says, NULL);
  if (*log == NULL) *log = strdup("the compiler could not be run");
  if (failed == 0) *image = make_image(w.object, bytes);
  if (getenv("TSR_EMULATOR_KEEP") == NULL) clear_workplace(&w, in);
  if (*image != NULL && caches) cache_write(cached, *image, *bytes);
  return *image != NULL ? 0 : failed != 0 ? failed : -1;
}
