/* Saves that fail at every step, on a disk that is full at every byte, and in a process that is killed: the old file
 * stays whole, or the new one is, for each format. Files that shrink. */
#include "files_support.h"

#if TSR_HAVE_STDIO && TSR_HAVE_MMAP

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <tessera/formats.h>
#include <tessera/mmap.h>
#include <tessera/npz.h>
#include <time.h>
#include "io/file/disk.h"
#include "io/file/system.h"
#include "io/file/file.h"

/* ---- files of one tensor: u8 [1,n], all of one value ---- */

static const struct {
  int id;
  const char *file;
  tsr_npz_save_options npz;
} formats[] = {{.id = TSR_FORMAT_NPY, .file = "a.npy"}, {.id = TSR_FORMAT_SAFETENSORS, .file = "a.safetensors"},
               {.id = TSR_FORMAT_NPZ, .file = "a.npz"}, {.id = TSR_FORMAT_NPZ, .file = "a.npz", .npz.deflate = true},
               {.id = TSR_FORMAT_PNG, .file = "a.png"}, {.id = TSR_FORMAT_PGM, .file = "a.pgm"}};

enum { FORMATS = (int)(sizeof formats / sizeof formats[0]), SMALL = 40, LARGE = 1 << 18, OLD = 1, NEW = 2 };

static tsr_status save_value(tsr_ctx *ctx, int format, const char *path, tsr_index n, uint8_t value) {
  static uint8_t bytes[LARGE];
  tsr_bundle b = {0};
  tsr_tensor t = {0};
  memset(bytes, value, (size_t)n);
  tsr_status st = tsr_from_const_memory(ctx, bytes, TSR_U8, TSR_SHAPE(1, n), &t);
  if (st == TSR_OK) st = tsr_bundle_add(ctx, &b, "x", &t);
  if (st == TSR_OK && formats[format].npz.deflate) {
    st = tsr_npz_save(ctx, path, &b, &formats[format].npz);
  } else if (st == TSR_OK) {
    st = tsr_bundle_save(ctx, path, (tsr_format)formats[format].id, &b, NULL);
  }
  tsr_bundle_release(&b);
  return st;
}

/* The value of a file that is whole, or -1. */
static int value_of(const char *path, tsr_index n) {
  tsr_bundle b = {0};
  if (tsr_bundle_load(NULL, path, &b, NULL) != TSR_OK) return -1;
  const tsr_tensor *const t = &b.tensors[0];
  const uint8_t *const bytes = t->data;
  int value = b.count == 1 && t->dtype == TSR_U8 && tsr_size(t) == n ? bytes[0] : -1;
  for (tsr_index i = 0; i < n && value >= 0; i++)
    if (bytes[i] != value) value = -1;
  tsr_bundle_release(&b);
  return value;
}

/* Whether the build has it; its file is made with the old value. */
static bool begin_format(int format, tsr_index n) {
  const tsr_status st = save_value(NULL, format, in_folder(formats[format].file), n, OLD);
  const bool left_out =
      (formats[format].npz.deflate && !TSR_HAVE_ZLIB) || (formats[format].id == TSR_FORMAT_PNG && !TSR_HAVE_PNG);
  CHECK(st == (left_out ? TSR_EUNSUPPORTED : TSR_OK));
  return st == TSR_OK;
}

/* ---- a disk with one fault ---- */

typedef enum way {
  REFUSED,   /* the step does nothing and says so */
  HALF_DONE, /* it does some or all of its work, and then says that it failed */
  GONE,      /* that step and every later one fails */
  KILLED     /* the process ends there, in the middle of a write */
} way;

enum { MOST_STEPS = 256 };

static struct {
  way how;
  int at; /* the step with the fault */
  int steps;
  const char *step[MOST_STEPS]; /* what was asked for */
  size_t room;                  /* bytes that the disk still has */
} fault;
static tsr__disk real;

static bool struck(const char *step) {
  const int now = fault.steps++;
  if (now < MOST_STEPS) fault.step[now] = step;
  if (fault.how == GONE) return now >= fault.at;
  if (now != fault.at) return false;
  if (fault.how == KILLED && strcmp(step, "write") != 0) (void)raise(SIGKILL);
  return true;
}

static int make_step(const char *name, tsr__make how, FILE **stream) {
  return struck("make") ? EIO : real.make(name, how, stream);
}
static int mode_step(FILE *stream, const char *path) { return struck("mode") ? EIO : real.mode(stream, path); }

static int write_step(FILE *stream, const void *bytes, size_t n) {
  const bool fails = struck("write");
  if (!fails && n <= fault.room) {
    fault.room -= n;
    return real.write(stream, bytes, n);
  }
  const size_t some = !fails ? fault.room : fault.how == HALF_DONE || fault.how == KILLED ? n / 2 : 0;
  (void)real.write(stream, bytes, some);
  (void)real.flush(stream);
  if (fails && fault.how == KILLED) (void)raise(SIGKILL);
  fault.room = 0;
  return ENOSPC;
}

static int flush_step(FILE *stream) {
  const bool fails = struck("flush");
  const int done = fails && fault.how != HALF_DONE ? 0 : real.flush(stream);
  return fails ? EIO : done;
}
static int sync_step(FILE *stream) {
  const bool fails = struck("sync");
  const int done = fails && fault.how != HALF_DONE ? 0 : real.sync(stream);
  return fails ? EIO : done;
}
static int close_step(FILE *stream) {
  const bool fails = struck("close");
  const int done = real.close(stream);
  return fails ? EIO : done;
}
static int replace_step(const char *name, const char *path) { /* over a network, a rename that was done may say EIO */
  const bool fails = struck("replace");
  const int done = fails && fault.how != HALF_DONE ? 0 : real.replace(name, path);
  return fails ? EIO : done;
}
static int folder_step(const char *name) { return struck("folder") ? EIO : real.folder(name); }
static int forget_step(const char *name) { return struck("forget") ? EIO : real.forget(name); }

/* From here on, step number at is the one; -1: none. */
static void fault_begin(way how, int at, size_t room) {
  if (real.make == NULL) real = tsr__disk_steps;
  fault.how = how, fault.at = at, fault.room = room, fault.steps = 0;
  tsr__disk_steps = (tsr__disk){.make = make_step,
                                .mode = mode_step,
                                .write = write_step,
                                .flush = flush_step,
                                .sync = sync_step,
                                .close = close_step,
                                .replace = replace_step,
                                .folder = folder_step,
                                .forget = forget_step};
}

static void fault_end(void) { tsr__disk_steps = real; }

static tsr_status save_with(way how, int at, size_t room, tsr_ctx *ctx, int format, tsr_index n) {
  fault_begin(how, at, room);
  const tsr_status st = save_value(ctx, format, in_folder(formats[format].file), n, NEW);
  fault_end();
  return st;
}

static int place_of(const char *step) {
  for (int i = 0; i < fault.steps; i++)
    if (strcmp(fault.step[i], step) == 0) return i;
  return -1;
}

/* The descriptor that the next open file would have. */
static int free_descriptor(void) {
  const int descriptor = dup(0);
  (void)close(descriptor);
  return descriptor;
}

/* ---- faults ---- */

TEST(steps_come_in_order) {
  static const char *const order[] = {"make", "write", "flush", "mode", "sync", "close", "replace", "folder"};
  REQUIRE(folder_make());
  for (int format = 0; format < FORMATS; format++) {
    if (!begin_format(format, SMALL)) continue;
    OK(NULL, save_with(REFUSED, -1, SIZE_MAX, NULL, format, SMALL));
    int next = 0;
    for (int i = 0; i < fault.steps; i++) {
      if (i > 0 && strcmp(fault.step[i], "write") == 0 && strcmp(fault.step[i - 1], "write") == 0) continue;
      CHECK(next < 8 && strcmp(fault.step[i], order[next]) == 0);
      next++;
    }
    CHECK(next == 8 && value_of(in_folder(formats[format].file), SMALL) == NEW);
  }
  folder_end();
}

static char synchronised[32];
static int make_nothing(const char *name, tsr__make how, FILE **stream) {
  (void)name, (void)how;
  *stream = tmpfile();
  return *stream != NULL ? 0 : EIO;
}
static int replace_nothing(const char *name, const char *path) {
  (void)name, (void)path;
  return 0;
}
static int note_folder(const char *name) {
  (void)snprintf(synchronised, sizeof synchronised, "%s", name);
  return 0;
}

/* Of files that are not there yet: their path is taken as it is. */
TEST(the_folder_of_a_path) {
  static const char *const cases[][2] = {
      {"no_such.npy", "."}, {"/no_such.npy", "/"}, {"no/such.npy", "no"}, {"/no/such/one.npy", "/no/such"}};
  fault_begin(REFUSED, -1, SIZE_MAX);
  tsr__disk_steps.make = make_nothing;
  tsr__disk_steps.replace = replace_nothing;
  tsr__disk_steps.folder = note_folder;
  for (int i = 0; i < 4; i++) {
    OK(NULL, save_value(NULL, 0, cases[i][0], SMALL, NEW));
    CHECK(strcmp(synchronised, cases[i][1]) == 0);
  }
  fault_end();
}

/* After a save that failed in that way: which value the file has, and how many other files there may be. */
static void check_after(int format, way how, tsr_ctx *ctx, const npy_memory *m, bool was_there) {
  const char *const file = formats[format].file;
  const char *const step = fault.step[fault.at];
  const bool replaced = strcmp(step, "folder") == 0 || (strcmp(step, "replace") == 0 && how == HALF_DONE);
  const int left = folder_files(".tmp~", true);
  CHECK(value_of(in_folder(file), SMALL) == (replaced ? NEW : was_there ? OLD : -1));
  CHECK(how == GONE ? left == (fault.at > 0 && !replaced) : left == 0);
  CHECK(m->failing.live == 0);
  MESSAGE_HAS(ctx, file);
  MESSAGE_HAS(ctx, strerror(strcmp(step, "write") == 0 ? ENOSPC : EIO));
  if (strcmp(step, "folder") == 0) MESSAGE_HAS(ctx, "is the new file, but its folder may not be on the disk");
}

static void fail_each_step(int format, way how, bool was_there) {
  npy_memory m;
  tsr_ctx *ctx = memory_start(&m, SIZE_MAX, false);
  const char *const path = in_folder(formats[format].file);
  const int descriptor = free_descriptor();
  int at = 0;
  for (;; at++) {
    (void)remove(path);
    if (was_there) OK(NULL, save_value(NULL, format, path, SMALL, OLD));
    const tsr_status st = save_with(how, at, SIZE_MAX, ctx, format, SMALL);
    if (st == TSR_OK) break;
    REQUIRE(st == TSR_EIO && at < fault.steps && fault.steps < MOST_STEPS);
    check_after(format, how, ctx, &m, was_there);
    CHECK(free_descriptor() == descriptor);
  }
  CHECK(at == fault.steps && at >= 8); /* every step had its turn */
  CHECK(value_of(path, SMALL) == NEW && folder_files(".tmp~", true) == 0);
}

TEST(each_step_fails_in_turn) {
  REQUIRE(folder_make());
  for (int format = 0; format < FORMATS; format++) {
    if (!begin_format(format, SMALL)) continue;
    for (way how = REFUSED; how <= GONE; how++) {
      fail_each_step(format, how, true);
      fail_each_step(format, how, false);
    }
  }
  folder_end();
}

TEST(a_disk_that_is_full_at_each_byte) {
  REQUIRE(folder_make());
  for (int format = 0; format < FORMATS; format++) {
    struct stat info;
    const char *const path = in_folder(formats[format].file);
    if (!begin_format(format, SMALL)) continue;
    REQUIRE(stat(path, &info) == 0 && info.st_size > SMALL);
    for (off_t room = 0; room < info.st_size; room++) {
      FAILS(NULL, TSR_EIO, save_with(REFUSED, -1, (size_t)room, NULL, format, SMALL));
      CHECK(value_of(path, SMALL) == OLD && folder_count(false) == 1);
    }
    OK(NULL, save_with(REFUSED, -1, (size_t)info.st_size, NULL, format, SMALL));
    CHECK(value_of(path, SMALL) == NEW && folder_files("", true) == 1);
  }
  folder_end();
}

/* The same as the system can play it: no file may grow past a limit. */
TEST(a_limit_on_the_size_of_files) {
  struct rlimit before;
  REQUIRE(folder_make() && getrlimit(RLIMIT_FSIZE, &before) == 0);
  void (*handler)(int) = signal(SIGXFSZ, SIG_IGN);
  for (int format = 0; format < FORMATS; format++) {
    const char *const path = in_folder(formats[format].file);
    struct stat info;
    if (!begin_format(format, 5000)) continue;
    REQUIRE(stat(path, &info) == 0);
    for (rlim_t limit = 0; limit < (rlim_t)info.st_size; limit += (rlim_t)info.st_size / 10) {
      const struct rlimit small = {.rlim_cur = limit, .rlim_max = before.rlim_max};
      REQUIRE(setrlimit(RLIMIT_FSIZE, &small) == 0);
      const tsr_status st = save_value(NULL, format, path, 5000, NEW);
      REQUIRE(setrlimit(RLIMIT_FSIZE, &before) == 0);
      CHECK(st == TSR_EIO);
      MESSAGE_HAS(NULL, "writing failed: ");
      CHECK(value_of(path, 5000) == OLD && folder_count(false) == 1);
    }
    (void)folder_files("", true);
  }
  (void)signal(SIGXFSZ, handler);
  folder_end();
}

TEST(a_device_that_is_full) {
  struct stat info;
  if (stat("/dev/full", &info) != 0) SKIP("no /dev/full");
  REQUIRE(folder_make());
  for (int format = 0; format < FORMATS; format++) {
    if (!begin_format(format, SMALL)) continue;
    FAILS(NULL, TSR_EIO, save_value(NULL, format, "/dev/full", LARGE, NEW));
    MESSAGE_HAS(NULL, strerror(ENOSPC));
    CHECK(stat("/dev/full", &info) == 0 && S_ISCHR(info.st_mode));
  }
  folder_end();
}

/* ---- a process that is killed ---- */

/* Saves in a process of its own that ends at step number at; whether it did. */
static bool killed_at(int at, int format) {
  int status = 0;
  const pid_t child = fork();
  if (child == 0) _exit(save_with(KILLED, at, SIZE_MAX, NULL, format, SMALL) == TSR_OK ? 0 : 1);
  CHECK(child > 0 && waitpid(child, &status, 0) == child);
  CHECK(WIFSIGNALED(status) || (WIFEXITED(status) && WEXITSTATUS(status) == 0));
  return WIFSIGNALED(status);
}

TEST(killed_at_each_step) {
  REQUIRE(folder_make());
  for (int format = 0; format < FORMATS; format++) {
    const char *const path = in_folder(formats[format].file);
    if (!begin_format(format, SMALL)) continue;
    OK(NULL, save_with(REFUSED, -1, SIZE_MAX, NULL, format, SMALL));
    const int steps = fault.steps, replace = place_of("replace");
    for (int at = 0; at <= steps; at++) {
      OK(NULL, save_value(NULL, format, path, SMALL, OLD));
      CHECK(killed_at(at, format) == (at < steps));
      CHECK(value_of(path, SMALL) == (at <= replace ? OLD : NEW));
      CHECK(folder_files(".tmp~", true) == (at > 0 && at <= replace)); /* one name, and it says what it is */
      CHECK(folder_count(false) == 1);
    }
    (void)folder_files("", true);
  }
  folder_end();
}

/* Writes again and again, values in turn, until it is killed. */
static void write_for_ever(int format, const char *path) {
  for (uint8_t value = NEW;; value = value == OLD ? NEW : OLD)
    if (save_value(NULL, format, path, LARGE, value) != TSR_OK) _exit(1);
}

static long long now_ns(void) {
  struct timespec t;
  (void)clock_gettime(CLOCK_MONOTONIC, &t);
  return t.tv_sec * 1000000000ll + t.tv_nsec;
}

static void nap(long long ns) {
  const struct timespec t = {.tv_sec = (time_t)(ns / 1000000000), .tv_nsec = (long)(ns % 1000000000)};
  (void)nanosleep(&t, NULL);
}

/* A writer that is killed after a while, and the value that it leaves. */
static int value_after(int format, const char *path, long long ns, bool wait_for_new) {
  int status = 0;
  const pid_t child = fork();
  if (child == 0) write_for_ever(format, path);
  CHECK(child > 0);
  for (int i = 0; wait_for_new && i < 10000 && value_of(path, LARGE) != NEW; i++) nap(1000000);
  nap(ns);
  CHECK(kill(child, SIGKILL) == 0 && waitpid(child, &status, 0) == child && WIFSIGNALED(status));
  return value_of(path, LARGE);
}

/* Whatever the moment, all bytes are of one value. The naps are as long as up to three saves. */
TEST(killed_at_any_moment) {
  enum { ROUNDS = 20 };
  unsigned state = 12345;
  REQUIRE(folder_make());
  for (int format = 0; format < FORMATS; format++) {
    const char *const path = in_folder(formats[format].file);
    const long long start = now_ns();
    if (!begin_format(format, LARGE)) continue;
    const long long one = now_ns() - start;
    for (int round = 0; round < ROUNDS; round++) {
      state = state * 1664525u + 1013904223u;
      const int value = value_after(format, path, one * 3 * (state >> 8) / (1 << 24), round == 0);
      REQUIRE(value == OLD || value == NEW);
      CHECK(folder_files(".tmp~", true) <= 1 && folder_count(false) == 1);
    }
    (void)folder_files("", true);
  }
  folder_end();
}

/* ---- files that change under a map or a stream ---- */

TEST(a_save_over_a_mapped_file) {
  REQUIRE(folder_make());
  for (int format = 0; format < FORMATS; format++) {
    const char *const path = in_folder(formats[format].file);
    tsr_bundle mapped = {0};
    if (!begin_format(format, 10000)) continue;
    OK(NULL, tsr_bundle_load(NULL, path, &mapped, NULL));
    REQUIRE(mapped.count == 1);
    OK(NULL, save_value(NULL, format, path, 10000, NEW));
    CHECK(((const uint8_t *)mapped.tensors[0].data)[9999] == OLD && value_of(path, 10000) == NEW);
    OK(NULL, tsr_mmap_check(NULL, &mapped.tensors[0]));
    OK(NULL, tsr_bundle_save(NULL, path, (tsr_format)formats[format].id, &mapped,
                             NULL)); /* and back: what is mapped, to its name */
    CHECK(value_of(path, 10000) == OLD);
    tsr_bundle_release(&mapped);
  }
  folder_end();
}

TEST(a_save_of_a_file_that_shrank) {
  REQUIRE(folder_make());
  for (int format = 0; format < FORMATS; format++) {
    const char *const path = in_folder(formats[format].file);
    tsr_bundle mapped = {0};
    if (formats[format].npz.deflate || formats[format].id >= TSR_FORMAT_PNG) continue; /* they are not mapped */
    if (!begin_format(format, 10000)) continue;
    OK(NULL, tsr_bundle_load(NULL, path, &mapped, NULL));
    REQUIRE(mapped.count == 1 && truncate(path, 4096) == 0);
    for (int to = TSR_FORMAT_NPY; to <= TSR_FORMAT_SAFETENSORS; to++)
      FAILS(NULL, TSR_EIO, tsr_bundle_save(NULL, in_folder("copy"), (tsr_format)to, &mapped, NULL));
    MESSAGE_HAS(NULL, "_save: t u8 [1,10000]: its file had ");
    MESSAGE_HAS(NULL, "bytes when it was mapped, now 4096");
    CHECK(access(in_folder("copy"), F_OK) != 0);
    tsr_bundle_release(&mapped);
  }
  folder_end();
}

/* Small parts are read by the stream, large ones by threads. */
TEST(a_stream_that_shrinks) {
  static uint8_t to[17 << 20];
  REQUIRE(folder_make());
  const char *const path = in_folder("a");
  for (size_t n = 100; n <= sizeof to; n += sizeof to - 100) {
    uint64_t size = 0;
    tsr__file f = {.stream = fopen(path, "w+b"), .plain = true};
    REQUIRE(f.stream != NULL && ftruncate(fileno(f.stream), (off_t)n) == 0);
    CHECK(setvbuf(f.stream, NULL, _IONBF, 0) == 0); /* or it would answer from what it has */
    CHECK(tsr__system_size(f.stream, &size) && size == n);
    CHECK(tsr__file_read_at(&f, 0, to, n) == TSR_OK && f.error == 0);
    REQUIRE(ftruncate(fileno(f.stream), (off_t)n - 1) == 0);
    CHECK(tsr__file_read_at(&f, 0, to, n) == TSR_EIO && f.error == EIO);
    CHECK(fclose(f.stream) == 0);
  }
  folder_end();
}

TEST_MAIN(RUN(steps_come_in_order), RUN(the_folder_of_a_path), RUN(each_step_fails_in_turn),
          RUN(a_disk_that_is_full_at_each_byte), RUN(a_limit_on_the_size_of_files), RUN(a_device_that_is_full),
          RUN(killed_at_each_step), RUN(killed_at_any_moment), RUN(a_save_over_a_mapped_file),
          RUN(a_save_of_a_file_that_shrank), RUN(a_stream_that_shrinks))

#else

TEST(saves) { SKIP("no mapped files in this profile"); }
TEST_MAIN(RUN(saves))

#endif
