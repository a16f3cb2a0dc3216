/* Where a save goes: through links, past temporary files of others, with names of any length; who may open the new file
 * before it is whole; and temporary files that a handler removes. */
#include "files_support.h"

#if TSR_HAVE_STDIO && TSR_HAVE_MMAP

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include "io/file/destination.h"
#include "io/file/disk.h"
#include "io/file/temporary.h"

static tsr_status save(const char *path, float value) {
  tsr_tensor t = {0};
  tsr_status st = tsr_from_const_memory(NULL, &value, TSR_F32, TSR_SHAPE(1), &t);
  if (st == TSR_OK) st = tsr_npy_save(NULL, path, &t);
  return st;
}

/* The value of a file that is whole, or -1. */
static float value_of(const char *path) {
  tsr_tensor t = {0};
  if (tsr_npy_load(NULL, path, &t) != TSR_OK) return -1;
  const float value = *(const float *)t.data;
  tsr_release(&t);
  return value;
}

static bool is_link(const char *path) {
  struct stat info;
  return lstat(path, &info) == 0 && S_ISLNK(info.st_mode);
}

static mode_t mode_of(const char *path) {
  struct stat info;
  return stat(path, &info) == 0 ? info.st_mode & 07777 : 0;
}

/* ---- links ---- */

TEST(a_link_to_a_file) {
  REQUIRE(folder_make());
  OK(NULL, save(in_folder("file"), 1));
  REQUIRE(chmod(in_folder("file"), 0640) == 0 && symlink("file", in_folder("near")) == 0);
  REQUIRE(symlink(in_folder("near"), in_folder("far")) == 0); /* a chain, from the root on */
  OK(NULL, save(in_folder("near"), 2));
  CHECK(is_link(in_folder("near")) && value_of(in_folder("file")) == 2);
  OK(NULL, save(in_folder("far"), 3));
  CHECK(is_link(in_folder("far")) && is_link(in_folder("near")) && !is_link(in_folder("file")));
  CHECK(value_of(in_folder("file")) == 3 && mode_of(in_folder("file")) == 0640 && folder_count(false) == 3);
  folder_end();
}

TEST(a_link_to_nothing_yet) {
  REQUIRE(folder_make());
  REQUIRE(symlink("file", in_folder("near")) == 0 && symlink("near", in_folder("far")) == 0);
  OK(NULL, save(in_folder("far"), 1));
  CHECK(is_link(in_folder("far")) && is_link(in_folder("near")) && !is_link(in_folder("file")));
  CHECK(value_of(in_folder("file")) == 1 && folder_count(false) == 3);
  folder_end();
}

TEST(links_to_folders) {
  REQUIRE(folder_make());
  REQUIRE(mkdir(in_folder("a"), 0700) == 0 && mkdir(in_folder("a/b"), 0700) == 0);
  REQUIRE(symlink("a/b", in_folder("link")) == 0);
  REQUIRE(symlink("../file", in_folder("link/up")) == 0); /* from the folder that it is in: a/file */
  OK(NULL, save(in_folder("link/up"), 1));
  CHECK(value_of(in_folder("a/file")) == 1 && is_link(in_folder("a/b/up")));
  OK(NULL, save(in_folder("link/file"), 2));
  CHECK(value_of(in_folder("a/b/file")) == 2 && is_link(in_folder("link")));
  FAILS(NULL, TSR_EIO, save(in_folder("link"), 3)); /* a folder is no file, at once */
  MESSAGE_HAS(NULL, strerror(EISDIR));
  CHECK(folder_count(false) == 2);
  REQUIRE(unlink(in_folder("a/b/up")) == 0 && unlink(in_folder("a/b/file")) == 0 && unlink(in_folder("a/file")) == 0);
  REQUIRE(rmdir(in_folder("a/b")) == 0 && rmdir(in_folder("a")) == 0);
  folder_end();
}

TEST(links_that_lead_nowhere) {
  static char deep[4000];
  REQUIRE(folder_make());
  REQUIRE(symlink("b", in_folder("a")) == 0 && symlink("a", in_folder("b")) == 0);
  FAILS(NULL, TSR_EIO, save(in_folder("a"), 1));
  MESSAGE_HAS(NULL, "its links lead nowhere: ");
  MESSAGE_HAS(NULL, strerror(ELOOP));
  REQUIRE(symlink("none/file", in_folder("c")) == 0);
  FAILS(NULL, TSR_EIO, save(in_folder("c"), 1));
  MESSAGE_HAS(NULL, strerror(ENOENT));
  for (size_t i = 0; i + 2 < sizeof deep; i += 2) memcpy(deep + i, "./", 2);
  deep[sizeof deep - 2] = 'x';
  REQUIRE(symlink(deep, in_folder("d")) == 0); /* with the folder before it, it is too long */
  REQUIRE(unlink(in_folder("b")) == 0);
  char path[400];
  (void)snprintf(path, sizeof path, "%s/%.*sd", folder, 300, deep);
  FAILS(NULL, TSR_EIO, save(path, 1));
  MESSAGE_HAS(NULL, strerror(ENAMETOOLONG));
  CHECK(is_link(in_folder("a")) && is_link(in_folder("c")) && is_link(in_folder("d")) && folder_count(false) == 3);
  folder_end();
}

/* As many as the system follows, and one more than that. */
TEST(long_chains_of_links) {
  REQUIRE(folder_make());
  for (int i = 0; i < 41; i++) {
    char from[16], to[16];
    (void)snprintf(from, sizeof from, "l%d", i + 1);
    (void)snprintf(to, sizeof to, "l%d", i);
    REQUIRE(symlink(to, in_folder(from)) == 0);
  }
  OK(NULL, save(in_folder("l40"), 1));
  CHECK(value_of(in_folder("l0")) == 1 && is_link(in_folder("l1")));
  FAILS(NULL, TSR_EIO, save(in_folder("l41"), 2));
  MESSAGE_HAS(NULL, strerror(ELOOP));
  CHECK(value_of(in_folder("l0")) == 1);
  folder_end();
}

TEST(a_path_that_is_too_long_for_a_link) {
  static char path[2 * TSR__DESTINATION_PATH];
  tsr__destination target;
  memset(path, 'x', sizeof path - 1);
  CHECK(tsr__destination_find(path, &target) == 0 && target.kind == TSR__FILE_NONE && target.path == path);
  FAILS(NULL, TSR_EIO, save(path, 1));
  MESSAGE_HAS(NULL, strerror(ENAMETOOLONG));
}

/* ---- temporary names ---- */

TEST(a_thousand_temporary_files_of_this_process) {
  REQUIRE(folder_make());
  for (int i = 0; i < 1000; i++) {
    char name[64];
    (void)snprintf(name, sizeof name, "a.npy.tmp~%lld-%d", (long long)getpid(), i);
    FILE *f = fopen(in_folder(name), "wbx");
    REQUIRE(f != NULL && fclose(f) == 0);
  }
  for (int i = 0; i < 10; i++) OK(NULL, save(in_folder("a.npy"), (float)i));
  CHECK(value_of(in_folder("a.npy")) == 9 && folder_files(".tmp~", false) == 1000); /* others' files stay */
  folder_end();
}

static tsr__disk real;
static int made;
static char last_name[512];

/* The name is taken, as often as made says. */
static int make_later(const char *name, tsr__make how, FILE **stream) {
  CHECK(strcmp(name, last_name) != 0);
  (void)snprintf(last_name, sizeof last_name, "%s", name);
  return made-- > 0 ? EEXIST : real.make(name, how, stream);
}

TEST(names_that_are_taken) {
  REQUIRE(folder_make());
  real = tsr__disk_steps;
  tsr__disk_steps.make = make_later;
  made = 99;
  OK(NULL, save(in_folder("a.npy"), 1));
  made = 1000;
  FAILS(NULL, TSR_EIO, save(in_folder("a.npy"), 2));
  tsr__disk_steps = real;
  MESSAGE_HAS(NULL, strerror(EEXIST));
  CHECK(value_of(in_folder("a.npy")) == 1 && folder_count(false) == 1);
  folder_end();
}

/* Nothing that is there is opened, a link least of all. */
TEST(a_fresh_file_is_fresh) {
  FILE *stream = NULL;
  REQUIRE(folder_make());
  REQUIRE(symlink("elsewhere", in_folder("link")) == 0);
  CHECK(tsr__disk_steps.make(in_folder("link"), TSR__MAKE_FRESH, &stream) == EEXIST);
  CHECK(tsr__disk_steps.make(in_folder("link"), TSR__MAKE_PRIVATE, &stream) == EEXIST);
  CHECK(stream == NULL && folder_count(false) == 1);
  folder_end();
}

/* Names as long as file systems take, in letters of one, two, three and four bytes. */
TEST(long_names) {
  static const char *const letters[] = {"a", "\xc3\xa9", "\xe9\x87\x8d", "\xf0\x9f\x98\x80"};
  REQUIRE(folder_make());
  for (int i = 0; i < 4; i++) {
    char path[512];
    int n = snprintf(path, sizeof path, "%s/", folder);
    const int start = n;
    while (n - start + i + 1 <= 255) n += snprintf(path + n, sizeof path - (size_t)n, "%s", letters[i]);
    OK(NULL, save(path, (float)i));
    CHECK(value_of(path) == (float)i && folder_count(true) == 1);
    char name[512];
    tsr__temporary_name(path, name);
    const char *const cut = strstr(name, ".tmp~");
    CHECK(cut != NULL && strlen(name) - (size_t)start <= 255);
    CHECK((cut - name - start) % (i + 1) == 0 && memcmp(path, name, (size_t)(cut - name)) == 0);
  }
  folder_end();
}

/* ---- who may open it ---- */

static mode_t seen[16];
static int looks;

static void look(const char *name) {
  if (looks < 16) seen[looks++] = mode_of(name);
}

static int make_and_look(const char *name, tsr__make how, FILE **stream) {
  (void)snprintf(last_name, sizeof last_name, "%s", name);
  const int error = real.make(name, how, stream);
  look(name);
  return error;
}
static int write_and_look(FILE *stream, const void *bytes, size_t n) {
  const int error = real.write(stream, bytes, n);
  look(last_name);
  return error;
}
static int flush_and_look(FILE *stream) {
  const int error = real.flush(stream);
  look(last_name);
  return error;
}
static int sync_and_look(FILE *stream) {
  CHECK(mode_of(last_name) != 0);
  return real.sync(stream);
}

/* Saves, and looks at the mode of the temporary file at each step until it is whole. */
static void save_and_look(const char *path) {
  real = tsr__disk_steps;
  tsr__disk_steps.make = make_and_look;
  tsr__disk_steps.write = write_and_look;
  tsr__disk_steps.flush = flush_and_look;
  tsr__disk_steps.sync = sync_and_look;
  looks = 0;
  OK(NULL, save(path, 2));
  tsr__disk_steps = real;
  CHECK(looks >= 4);
}

TEST(the_mode_while_it_is_written) {
  static const mode_t modes[] = {0600, 0640, 0644, 0666, 0400, 0700, 0444, 02644, 04755};
  const mode_t before = umask(0022);
  REQUIRE(folder_make());
  for (size_t i = 0; i < sizeof modes / sizeof modes[0]; i++) {
    const char *const path = in_folder("a.npy");
    (void)unlink(path);
    OK(NULL, save(path, 1));
    REQUIRE(chmod(path, modes[i]) == 0);
    save_and_look(path);
    for (int k = 0; k < looks; k++) CHECK(seen[k] == 0600);
    CHECK(mode_of(path) == (modes[i] & 0777)); /* rights stay; what makes a program someone else's does not */
  }
  folder_end();
  (void)umask(before);
}

TEST(the_mode_of_new_files) {
  static const mode_t masks[] = {0022, 0077, 0, 0027};
  const mode_t before = umask(0022);
  REQUIRE(folder_make());
  for (size_t i = 0; i < sizeof masks / sizeof masks[0]; i++) {
    const char *const path = in_folder("a.npy");
    (void)umask(masks[i]);
    (void)unlink(path);
    save_and_look(path);
    for (int k = 0; k < looks; k++) CHECK(seen[k] == (0666 & ~masks[i]));
    CHECK(mode_of(path) == (0666 & ~masks[i]));
  }
  folder_end();
  (void)umask(before);
}

/* ---- what a handler removes ---- */

static int signal_step(FILE *stream, const void *bytes, size_t n) {
  const int error = real.write(stream, bytes, n);
  (void)raise(SIGUSR1);
  return error;
}

static void remove_all(int number) {
  (void)number;
  errno = 0;
  tsr_temporaries_remove();
  CHECK(errno == 0);
}

TEST(a_handler_removes_temporary_files) {
  REQUIRE(folder_make());
  OK(NULL, save(in_folder("a.npy"), 1));
  const struct sigaction handler = {.sa_handler = remove_all};
  struct sigaction before;
  REQUIRE(sigaction(SIGUSR1, &handler, &before) == 0);
  real = tsr__disk_steps;
  tsr__disk_steps.write = signal_step;
  for (int i = 0; i < 40; i++) { /* more often than it can list */
    FAILS(NULL, TSR_EIO, save(in_folder("a.npy"), 2));
    MESSAGE_HAS(NULL, strerror(ENOENT));
    CHECK(value_of(in_folder("a.npy")) == 1 && folder_count(false) == 1);
  }
  tsr__disk_steps = real;
  REQUIRE(sigaction(SIGUSR1, &before, NULL) == 0);
  tsr_temporaries_remove(); /* there are none */
  OK(NULL, save(in_folder("a.npy"), 3));
  CHECK(value_of(in_folder("a.npy")) == 3 && folder_count(false) == 1);
  folder_end();
}

static int child_step(FILE *stream, const void *bytes, size_t n) {
  int status = 1;
  const pid_t child = fork();
  if (child == 0) {
    tsr_temporaries_remove();
    _exit(0);
  }
  CHECK(child > 0 && waitpid(child, &status, 0) == child && status == 0);
  return real.write(stream, bytes, n);
}

TEST(a_child_leaves_those_of_its_parent) {
  REQUIRE(folder_make());
  real = tsr__disk_steps;
  tsr__disk_steps.write = child_step;
  OK(NULL, save(in_folder("a.npy"), 1));
  tsr__disk_steps = real;
  CHECK(value_of(in_folder("a.npy")) == 1 && folder_count(false) == 1);
  folder_end();
}

TEST(more_names_than_are_listed) {
  static char far[5000];
  tsr__temporary listed[20];
  REQUIRE(folder_make());
  memset(far, 'x', sizeof far - 1);
  CHECK(tsr__temporary_begin(far).slot == -1);
  for (int i = 0; i < 20; i++) {
    char name[16];
    (void)snprintf(name, sizeof name, "t%d", i);
    FILE *f = fopen(in_folder(name), "wbx");
    REQUIRE(f != NULL && fclose(f) == 0);
    listed[i] = tsr__temporary_begin(in_folder(name));
    CHECK((listed[i].slot >= 0) == (i < 16));
  }
  tsr__temporary_end(&listed[3]); /* is in its place */
  tsr_temporaries_remove();
  CHECK(folder_count(false) == 5 && access(in_folder("t3"), F_OK) == 0);
  tsr_temporaries_remove();
  CHECK(folder_count(false) == 5);
  const tsr__temporary again = tsr__temporary_begin(in_folder("t3"));
  for (int i = 0; i < 20; i++) tsr__temporary_end(&listed[i]); /* of a round that is over */
  tsr_temporaries_remove();
  CHECK(again.slot >= 0 && folder_count(false) == 4);
  folder_end();
}

/* ---- from many threads at once, while others remove ---- */

static int stop;

static void *save_often(void *arg) {
  char path[128];
  (void)snprintf(path, sizeof path, "%s/%c.npy", folder, *(const char *)arg);
  for (int i = 0; i < 200; i++) (void)(save(path, 1) == TSR_OK);
  return NULL;
}

static void *remove_often(void *arg) {
  (void)arg;
  while (!__atomic_load_n(&stop, __ATOMIC_RELAXED)) tsr_temporaries_remove();
  return NULL;
}

TEST(removed_while_threads_save) {
  pthread_t savers[4], remover;
  REQUIRE(folder_make());
  stop = 0;
  REQUIRE(pthread_create(&remover, NULL, remove_often, NULL) == 0);
  for (int i = 0; i < 4; i++) REQUIRE(pthread_create(&savers[i], NULL, save_often, (void *)&"abcd"[i]) == 0);
  for (int i = 0; i < 4; i++) REQUIRE(pthread_join(savers[i], NULL) == 0);
  __atomic_store_n(&stop, 1, __ATOMIC_RELAXED);
  REQUIRE(pthread_join(remover, NULL) == 0);
  CHECK(folder_files(".tmp~", false) == 0);
  folder_end();
}

TEST_MAIN(RUN(a_link_to_a_file), RUN(a_link_to_nothing_yet), RUN(links_to_folders), RUN(links_that_lead_nowhere),
          RUN(long_chains_of_links), RUN(a_path_that_is_too_long_for_a_link),
          RUN(a_thousand_temporary_files_of_this_process), RUN(names_that_are_taken), RUN(a_fresh_file_is_fresh),
          RUN(long_names), RUN(the_mode_while_it_is_written), RUN(the_mode_of_new_files),
          RUN(a_handler_removes_temporary_files), RUN(a_child_leaves_those_of_its_parent),
          RUN(more_names_than_are_listed), RUN(removed_while_threads_save))

#else

TEST(saves) { SKIP("no mapped files in this profile"); }
TEST_MAIN(RUN(saves))

#endif
