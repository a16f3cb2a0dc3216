/* What a compiled kernel and the emulated driver know of each other. C11 and C++17. */
#ifndef EMULATOR_MACHINE_H
#define EMULATOR_MACHINE_H

enum emulated_warp_kind {
  WARP_SYNC,
  WARP_INDEX,
  WARP_UP,
  WARP_DOWN,
  WARP_XOR,
  WARP_BALLOT,
  WARP_ANY,
  WARP_ALL,
  WARP_MATCH_ANY,
  WARP_MATCH_ALL,
  WARP_ADD,
  WARP_MIN_SIGNED,
  WARP_MAX_SIGNED,
  WARP_MIN,
  WARP_MAX,
  WARP_AND,
  WARP_OR,
  WARP_BITS_XOR
};
enum emulated_barrier_kind { BARRIER_PLAIN, BARRIER_COUNT, BARRIER_ALL, BARRIER_ANY };
/* ATOMIC: reads and writes. The two behind it are volatile ones. */
enum emulated_access {
  ACCESS_READ,
  ACCESS_WRITE,
  ACCESS_ATOMIC,
  ACCESS_ATOMIC_READ,
  ACCESS_ATOMIC_WRITE,
  ACCESS_UNALIGNED = 8
};

/* What kernels call: set when a module is loaded. line: where in the text. */
struct emulated_hooks {
  /* count 0: all threads of the block that have not ended. */
  int (*barrier)(int id, int count, int kind, int value, int line);
  unsigned long long (*warp)(int kind, unsigned mask, unsigned long long value, int argument, int width, int line);
  unsigned (*active)(void); /* lanes of the warp that have not ended */
  void (*order)(void);      /* what was done before is done before what follows */
  void (*sleep)(void);      /* lets other threads and blocks go on */
  void (*fail)(const char *why);
  void (*access)(const void *data, unsigned long bytes, int kind, const void *where);
  void (*copy_later)(void *dst, const void *src, unsigned long bytes); /* by copy_commit and copy_wait, as cp.async */
  void (*copy_commit)(void);
  void (*copy_wait)(int groups_left);
  unsigned long long (*clock)(void);
};

struct emulated_kernel {
  const char *name;
  void (*entry)(void **arguments); /* one thread */
  int count;                       /* of parameters, with their sizes and alignments */
  const unsigned short *sizes, *aligns;
  int max_threads; /* of __launch_bounds__; 0: none given */
};

struct emulated_module {
  int version;
  int count;
  const struct emulated_kernel *kernels;
  unsigned *indices; /* threadIdx, blockIdx, blockDim, gridDim */
  struct emulated_hooks *hooks;
  char *(*dynamic)(void); /* dynamic shared memory of the calling thread; NULL where the module has none */
  char *(*anchor)(void);  /* something in its shared memory, so that there is some */
};

enum { EMULATED_VERSION = 4, EMULATED_DYNAMIC = 232448 };

#endif
