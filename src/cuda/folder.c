/* Compiled kernels in a folder: $XDG_CACHE_HOME/tessera, else ~/.cache/tessera, or what TSR_CUDA_CACHE names; "0": none.
 *
 * A file is written under another name and renamed, so that a reader sees all of it or none. It says what it is, and is checked:
 * what is broken or of somebody else counts as absent, is compiled again, and written again. */
#define _GNU_SOURCE /* secure_getenv */
#include "core/text.h"
#include "cuda/gpu.h"

#include <dlfcn.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { PATH_BYTES = 1024 };

/* The head of a file. */
typedef struct file_head {
  char magic[8];
  tsr__cuda_hash key, bytes_hash;
  uint64_t count;
} file_head;

static const char magic[8] = {'t', 's', 'r', 'c', 'u', 'b', 'n', '1'};
enum { MOST_BYTES = 64 << 20 };

/* ---- where ---- */

static const char *environment(const char *name) {
#if defined(__GLIBC__)
  const char *const value = secure_getenv(name);
#else
  const char *const value = getenv(name);
#endif
  return value != NULL && value[0] != 0 ? value : NULL;
}

/* False: there is none. */
static bool find_folder(char *path) {
  const char *const chosen = environment("TSR_CUDA_CACHE"), *const xdg = environment("XDG_CACHE_HOME");
  const char *const home = environment("HOME");
  tsr__text text;
  tsr__text_init(&text, path, PATH_BYTES);
  if (chosen != NULL && strcmp(chosen, "0") == 0) return false;
  if (chosen != NULL)
    tsr__text_string(&text, chosen);
  else if (xdg != NULL)
    tsr__text_format(&text, "%s/tessera", xdg);
  else if (home != NULL)
    tsr__text_format(&text, "%s/.cache/tessera", home);
  return text.length > 0 && text.length + 64 < PATH_BYTES;
}

static void file_name(tsr__cuda_hash hash, char *name) {
  static const char digits[] = "0123456789abcdef";
  for (int i = 0; i < 32; i++) name[i] = digits[((i < 16 ? hash.a : hash.b) >> (60 - 4 * (i % 16))) & 15];
  memcpy(name + 32, ".cubin", 7);
}

/* Nobody else may have written there: what is in it runs. */
static bool is_ours(const char *path) {
  struct stat info;
  return stat(path, &info) == 0 && S_ISDIR(info.st_mode) && info.st_uid == geteuid() && (info.st_mode & 022) == 0;
}

static bool make_folder(const char *path) {
  char parent[PATH_BYTES];
  tsr__text text;
  if (is_ours(path)) return true;
  if (mkdir(path, 0700) == 0) return true;
  tsr__text_init(&text, parent, sizeof parent);
  tsr__text_string(&text, path);
  char *const slash = strrchr(parent, '/');
  if (slash == NULL || slash == parent) return false;
  *slash = 0;
  (void)mkdir(parent, 0700); /* ~/.cache */
  return mkdir(path, 0700) == 0 || is_ours(path);
}

/* ---- reading ---- */

static bool read_all(int file, void *to, size_t count) {
  char *at = to;
  while (count > 0) {
    const ssize_t got = read(file, at, count);
    if (got <= 0) return false;
    at += got;
    count -= (size_t)got;
  }
  return true;
}

static bool read_image(int file, tsr__cuda_hash key, tsr__cuda_image *image) {
  file_head head;
  if (!read_all(file, &head, sizeof head) || memcmp(head.magic, magic, sizeof magic) != 0) return false;
  if (memcmp(&head.key, &key, sizeof key) != 0 || head.count == 0 || head.count > MOST_BYTES) return false;
  image->count = (size_t)head.count;
  image->bytes = tsr__cuda_host_new(image->count);
  if (image->bytes == NULL) return false;
  if (read_all(file, image->bytes, image->count)) {
    const tsr__cuda_hash hash = tsr__cuda_hash_add((tsr__cuda_hash){0}, image->bytes, image->count);
    if (memcmp(&hash, &head.bytes_hash, sizeof hash) == 0) return true;
  }
  tsr__cuda_host_free(image->bytes, image->count);
  *image = (tsr__cuda_image){0};
  return false;
}

static bool read_from(const char *folder, tsr__cuda_hash hash, tsr__cuda_image *image) {
  char path[PATH_BYTES], name[40];
  tsr__text text;
  file_name(hash, name);
  tsr__text_init(&text, path, sizeof path);
  tsr__text_format(&text, "%s/%s", folder, name);
  const int file = open(path, O_RDONLY | O_CLOEXEC);
  if (file < 0) return false;
  const bool good = read_image(file, hash, image);
  (void)close(file);
  return good;
}

bool tsr__cuda_folder_read(tsr__cuda_hash hash, tsr__cuda_image *image) {
  char folder[PATH_BYTES];
  return find_folder(folder) && is_ours(folder) && read_from(folder, hash, image);
}

/* Beside the plug-in: written by whoever installed that. */
bool tsr__cuda_shipped_read(tsr__cuda_hash hash, tsr__cuda_image *image) {
  char folder[PATH_BYTES];
  Dl_info info;
  tsr__text text;
  if (dladdr((const void *)magic, &info) == 0 || info.dli_fname == NULL) return false;
  const char *const slash = strrchr(info.dli_fname, '/');
  if (slash == NULL || (size_t)(slash - info.dli_fname) + 64 > sizeof folder) return false;
  memcpy(folder, info.dli_fname, (size_t)(slash - info.dli_fname));
  tsr__text_init(&text, folder + (slash - info.dli_fname), 64);
  tsr__text_string(&text, "/tessera_cuda_kernels");
  return read_from(folder, hash, image);
}

/* ---- writing ---- */

static bool write_all(int file, const void *from, size_t count) {
  const char *at = from;
  while (count > 0) {
    const ssize_t put = write(file, at, count);
    if (put <= 0) return false;
    at += put;
    count -= (size_t)put;
  }
  return true;
}

bool tsr__cuda_folder_write(tsr__cuda_hash hash, const tsr__cuda_image *image) {
  static uint32_t number;
  char folder[PATH_BYTES], path[PATH_BYTES], part[PATH_BYTES], name[40];
  tsr__text text;
  if (!find_folder(folder) || !make_folder(folder)) return false;
  file_name(hash, name);
  tsr__text_init(&text, path, sizeof path);
  tsr__text_format(&text, "%s/%s", folder, name);
  tsr__text_init(&text, part, sizeof part);
  tsr__text_format(&text, "%s/.%d.%d", folder, (int)getpid(), (int)__atomic_add_fetch(&number, 1, __ATOMIC_RELAXED));
  const int file = open(part, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
  if (file < 0) return false;
  file_head head = {.key = hash, .count = image->count};
  memcpy(head.magic, magic, sizeof magic);
  head.bytes_hash = tsr__cuda_hash_add((tsr__cuda_hash){0}, image->bytes, image->count);
  bool good = write_all(file, &head, sizeof head) && write_all(file, image->bytes, image->count);
  good = close(file) == 0 && good;
  good = good && rename(part, path) == 0;
  if (!good) (void)unlink(part);
  return good;
}
