/* Every dtype, in every order, to NumPy and back, as .npy, .npz and safetensors: numpy_round_trip.py is NumPy's half.
 * Where an emulator runs this for another machine, NumPy is still the host's: the bytes are the same. */
#include "files_support.h"

#if TSR_HAVE_STDIO && TSR_HAVE_MMAP

#include <sys/wait.h>
#include <tessera/npz.h>
#include <tessera/safetensors.h>

enum { MOST_BYTES = 2 * 6 * 4 * 16 };

/* ---- the cases ---- */

typedef struct order_case {
  const char *name;
  int ndim;
  tsr_index shape[3];
  tsr_index stride[3]; /* in elements */
  tsr_index first;     /* where element 0 is */
} order_case;

static const order_case orders[] = {
    {"c", 3, {2, 3, 4}, {12, 4, 1}, 0},
    {"fortran", 3, {2, 3, 4}, {1, 2, 6}, 0},
    {"strided", 3, {2, 3, 4}, {24, 8, 1}, 0},
    {"flipped", 3, {2, 3, 4}, {-12, 4, 1}, 12},
    {"scalar", 0, {0}, {0}, 0},
    {"empty", 2, {0, 3}, {3, 1}, 0},
};

enum { ORDERS = sizeof orders / sizeof orders[0] };

/* Byte number part of element k, counted from the lowest: the same rule as in the script. */
static uint8_t rule(int dtype, tsr_index k, size_t part) {
  const uint8_t byte = (uint8_t)(k * 37 + (tsr_index)part * 101 + dtype * 59 + 3);
  return dtype == TSR_BOOL ? byte & 1 : byte;
}

/* Where that byte is in memory: the parts of a complex number each have their own order. */
static size_t place(int dtype, size_t part) {
  const size_t unit = tsr_dtype_describe(dtype)->align;
  return __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__ ? part : part / unit * unit + (unit - 1 - part % unit);
}

/* The address of element k in row-major order. */
static uint8_t *element(const tsr_tensor *t, tsr_index k) {
  tsr_index offset = 0;
  for (int i = t->ndim - 1; i >= 0; i--) {
    offset += k % t->shape[i] * t->stride[i];
    k /= t->shape[i];
  }
  return (uint8_t *)t->data + offset * (tsr_index)tsr_dtype_size(t->dtype);
}

static void make_case(int dtype, const order_case *order, void *memory, tsr_tensor *t) {
  tsr_tensor all = {0};
  const size_t item = tsr_dtype_size(dtype);
  OK(NULL, tsr_from_memory(NULL, memory, dtype, TSR_SHAPE((tsr_index)(MOST_BYTES / item)), &all));
  OK(NULL, tsr_as_strided(NULL, &all, order->ndim, order->shape, order->stride, order->first, t));
  for (tsr_index k = 0; k < tsr_size(t); k++)
    for (size_t part = 0; part < item; part++) element(t, k)[place(dtype, part)] = rule(dtype, k, part);
}

static bool is_case(const tsr_tensor *t, int dtype, const order_case *order) {
  if (t->dtype != dtype || t->ndim != order->ndim) return false;
  for (int i = 0; i < t->ndim; i++)
    if (t->shape[i] != order->shape[i]) return false;
  for (tsr_index k = 0; k < tsr_size(t); k++)
    for (size_t part = 0; part < tsr_dtype_size(dtype); part++)
      if (element(t, k)[place(dtype, part)] != rule(dtype, k, part)) return false;
  return true;
}

static int void_dtype(int dtype) { return tsr_dtype_describe(dtype)->npy[0] == 'V' ? dtype : 0; }

static const char *file_of(const char *start, int dtype, const char *order, const char *end) {
  char name[64];
  (void)snprintf(name, sizeof name, "%s_%s%s%s%s", start, tsr_dtype_name(dtype), order[0] != '\0' ? "_" : "", order,
                 end);
  return in_folder(name);
}

/* ---- what Tessera writes ---- */

static _Alignas(64) uint8_t memory[TSR_DTYPE_COUNT][ORDERS][MOST_BYTES];

/* The cases of a dtype in a bundle: borrowed, under the name of their order, after a prefix. */
static void add_cases(tsr_bundle *bundle, int dtype, const char *prefix, const char *dot) {
  for (int k = 0; k < ORDERS; k++) {
    char name[64];
    tsr_tensor t = {0};
    make_case(dtype, &orders[k], memory[dtype][k], &t);
    (void)snprintf(name, sizeof name, "%s%s%s", prefix, dot, orders[k].name);
    OK(NULL, tsr_bundle_add(NULL, bundle, name, &t));
  }
}

static void write_arrays(int dtype) {
  const tsr_npz_save_options packed = {.deflate = true};
  tsr_bundle b = {0};
  add_cases(&b, dtype, "", "");
  for (int k = 0; k < ORDERS; k++)
    OK(NULL, tsr_npy_save(NULL, file_of("t", dtype, orders[k].name, ".npy"), &b.tensors[k]));
  OK(NULL, tsr_npz_save(NULL, file_of("t", dtype, "", ".npz"), &b, NULL));
  if (TSR_HAVE_ZLIB) OK(NULL, tsr_npz_save(NULL, file_of("t", dtype, "packed", ".npz"), &b, &packed));
  tsr_bundle_release(&b);
}

static void write_bundles(void) {
  const tsr_safetensors_save_options plain = {.plain = true};
  tsr_bundle b = {0};
  for (int dtype = 1; dtype < TSR_DTYPE_COUNT; dtype++) add_cases(&b, dtype, tsr_dtype_name(dtype), ".");
  OK(NULL, tsr_safetensors_save(NULL, in_folder("t_all.safetensors"), &b, NULL, NULL));
  OK(NULL, tsr_safetensors_save(NULL, in_folder("t_plain.safetensors"), &b, NULL, &plain));
  tsr_bundle_release(&b);
}

/* ---- NumPy's half ---- */

static bool numpy_ran;
#define NEEDS_NUMPY()                                                           \
  do {                                                                          \
    if (!numpy_ran) SKIP("NumPy (python3-numpy) is not installed, or differs"); \
  } while (0)

static int run_script(void) {
  char command[512];
  const char *const python = access("/usr/bin/python3", X_OK) == 0 ? "/usr/bin/python3" : "python3";
  (void)snprintf(command, sizeof command, "%s -B '%s/tests/io/numpy_round_trip.py' '%s' 2>&1", python, TSR_SOURCE_DIR,
                 folder);
  const int status = system(command);
  return status != -1 && WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

TEST(numpy_reads_every_dtype_in_every_order) {
  REQUIRE(folder_make());
  for (int dtype = 1; dtype < TSR_DTYPE_COUNT; dtype++) write_arrays(dtype);
  write_bundles();
  (void)fflush(stdout);
  const int result = run_script();
  if (result == 77 || result == 127) SKIP("NumPy (python3-numpy) is not installed");
  REQUIRE(result == 0);
  numpy_ran = true;
}

/* ---- what NumPy wrote ---- */

static void read_npy(const char *start, int dtype, const order_case *order, int access) {
  const tsr_npy_options options = {.void_dtype = void_dtype(dtype)};
  tsr_tensor t = {0};
  OK(NULL, tsr_npy_mmap(NULL, file_of(start, dtype, order->name, ".npy"), (tsr_access)access, &options, &t));
  CHECK(is_case(&t, dtype, order));
  if (order->ndim == 3) CHECK(tsr_is_contiguous(&t, strcmp(order->name, "fortran") == 0 ? TSR_FORTRAN : TSR_ROW_MAJOR));
  tsr_release(&t);
}

TEST(tessera_reads_npy_of_numpy) {
  NEEDS_NUMPY();
  for (int dtype = 1; dtype < TSR_DTYPE_COUNT; dtype++) {
    for (int k = 0; k < ORDERS; k++) {
      for (int access = TSR_ACCESS_READ; access <= TSR_ACCESS_COPY; access++) {
        read_npy("n", dtype, &orders[k], access);
        if (void_dtype(dtype) == 0) read_npy("b", dtype, &orders[k], access); /* big-endian */
      }
    }
  }
}

static void read_npz(int dtype, const char *kind, int access) {
  const tsr_npz_options options = {.void_dtype = void_dtype(dtype), .access = access};
  tsr_bundle b = {0};
  OK(NULL, tsr_npz_load(NULL, file_of("n", dtype, kind, ".npz"), &options, &b));
  CHECK(b.count == ORDERS);
  for (int k = 0; k < ORDERS; k++) {
    const tsr_tensor *const t = tsr_bundle_find(&b, orders[k].name);
    CHECK(t != NULL && is_case(t, dtype, &orders[k]));
  }
  tsr_bundle_release(&b);
}

TEST(tessera_reads_npz_of_numpy) {
  NEEDS_NUMPY();
  for (int dtype = 1; dtype < TSR_DTYPE_COUNT; dtype++) {
    for (int access = TSR_ACCESS_READ; access <= TSR_ACCESS_COPY; access++) {
      read_npz(dtype, "", access);
      if (TSR_HAVE_ZLIB) read_npz(dtype, "packed", access);
    }
  }
}

static void read_safetensors(const char *file, int access) {
  const tsr_safetensors_options options = {.access = access};
  tsr_bundle b = {0};
  OK(NULL, tsr_safetensors_load(NULL, in_folder(file), &options, &b, NULL));
  CHECK(b.count == (TSR_DTYPE_COUNT - 1) * ORDERS);
  for (int dtype = 1; dtype < TSR_DTYPE_COUNT; dtype++) {
    for (int k = 0; k < ORDERS; k++) {
      char name[64];
      (void)snprintf(name, sizeof name, "%s.%s", tsr_dtype_name(dtype), orders[k].name);
      const tsr_tensor *const t = tsr_bundle_find(&b, name);
      REQUIRE(t != NULL && is_case(t, dtype, &orders[k]));
      const bool kept = strcmp(file, "t_all.safetensors") == 0 && strcmp(orders[k].name, "fortran") == 0;
      CHECK(tsr_is_contiguous(t, kept ? TSR_FORTRAN : TSR_ROW_MAJOR)); /* our own metadata has kept the order */
    }
  }
  tsr_bundle_release(&b);
}

TEST(tessera_reads_safetensors_of_others_and_its_own) {
  for (int access = TSR_ACCESS_READ; access <= TSR_ACCESS_COPY; access++) {
    read_safetensors("t_all.safetensors", access);
    read_safetensors("t_plain.safetensors", access);
    if (numpy_ran) read_safetensors("n_all.safetensors", access);
  }
  folder_end();
  NEEDS_NUMPY();
}

TEST_MAIN(RUN(numpy_reads_every_dtype_in_every_order), RUN(tessera_reads_npy_of_numpy), RUN(tessera_reads_npz_of_numpy),
          RUN(tessera_reads_safetensors_of_others_and_its_own))

#else

TEST(files) { SKIP("no mapped files in this profile"); }
TEST_MAIN(RUN(files))

#endif
