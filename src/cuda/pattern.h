/* How an elementwise kernel goes through memory: which pattern, and the argument that says where everything lies. */
#ifndef TSR_CUDA_PATTERN_H
#define TSR_CUDA_PATTERN_H

#include <tessera/tensor.h>

enum { TSR__CUDA_OPERANDS = 8, TSR__CUDA_NUMBERS = 4, TSR__CUDA_RANK = 8 }; /* as in kernels/pack.cuh */
_Static_assert(TSR_MAX_DIMS <= TSR__CUDA_RANK, "kernels have room for every rank");

/* An operand over the shape of the output: strides in elements, 0 where it repeats. address: for its alignment; of memory that is not
 * there yet, which will be aligned, the offset in it. item: bytes of an element; 0: no memory, but a number by its place. */
typedef struct tsr__cuda_operand {
  uintptr_t address;
  ptrdiff_t moved; /* in bytes (a number by its place: in units), what the pattern added to the address */
  size_t item;
  int64_t stride[TSR_MAX_DIMS];
} tsr__cuda_operand;

/* The output is operand 0. */
typedef struct tsr__cuda_loop {
  int rank, operands;
  int64_t length[TSR_MAX_DIMS];
  tsr__cuda_operand operand[TSR__CUDA_OPERANDS];
} tsr__cuda_loop;

typedef enum tsr__cuda_kind {
  TSR__CUDA_CONTIGUOUS, /* one pack of 16 bytes a thread */
  TSR__CUDA_PACKS,      /* the same where the fastest axis has steps of 1, 0 or -1 */
  TSR__CUDA_ELEMENTS,   /* any strides: neighbours in a warp are neighbours on the output's fastest axis */
  TSR__CUDA_TILED,      /* 64 × 64 tiles through shared memory for inputs whose fastest axis is another one */
  TSR__CUDA_ODD_TILES,  /* the same where packs are not aligned: tiles are twice as long where the output runs */
  TSR__CUDA_ALL_VALUES, /* the results of all values of one input of 16 bits, which */
  TSR__CUDA_LOOKED_UP   /* this one has in shared memory: operand 2 is where they are. Contiguous */
} tsr__cuda_kind;

/* What the text of a kernel depends on. */
typedef struct tsr__cuda_pattern {
  uint8_t kind;       /* tsr__cuda_kind */
  uint8_t transposed; /* bit k: operand k goes through a tile */
  uint8_t vector;     /* elements a pack */
  uint8_t tile;       /* elements of a tile along the output's fastest axis */
  uint8_t wide;       /* counts or strides need more than 31 bits */
} tsr__cuda_pattern;

typedef struct tsr__cuda_number {
  _Alignas(16) unsigned char bytes[16];
} tsr__cuda_number;

/* The kernel's parameter: contiguous kernels have the first part. The text has the same structs, with strides of 32 bits where
 * they are not wide. */
typedef struct tsr__cuda_flat_args {
  uint64_t n;
  uint64_t x[TSR__CUDA_OPERANDS];
  tsr__cuda_number number[TSR__CUDA_NUMBERS];
  struct {
    uint64_t data;
    int64_t step, length, padding, wraps;
    uint64_t fault[2];
  } table;
} tsr__cuda_flat_args;

#define TSR__CUDA_SHAPE_ARGS(name, step, count)                      \
  typedef struct name {                                              \
    tsr__cuda_flat_args flat;                                        \
    uint64_t units;                                                  \
    int32_t rank, unused;                                            \
    count length[TSR__CUDA_RANK];                                    \
    uint32_t magic[TSR__CUDA_RANK], shift[TSR__CUDA_RANK];           \
    step stride[TSR__CUDA_OPERANDS][TSR__CUDA_RANK];                 \
    int32_t mode[TSR__CUDA_OPERANDS];                                \
    count tiles_x, tiles_y, length_x, length_y;                      \
    step stride_x[TSR__CUDA_OPERANDS], stride_y[TSR__CUDA_OPERANDS]; \
  } name;
TSR__CUDA_SHAPE_ARGS(tsr__cuda_narrow_args, int32_t, uint32_t)
TSR__CUDA_SHAPE_ARGS(tsr__cuda_wide_args, int64_t, uint64_t)

typedef union tsr__cuda_args {
  tsr__cuda_flat_args flat;
  tsr__cuda_narrow_args narrow;
  tsr__cuda_wide_args wide;
} tsr__cuda_args;

/* A launch of it. */
typedef struct tsr__cuda_way {
  tsr__cuda_pattern pattern;
  unsigned threads;
  uint64_t blocks;
  unsigned shared; /* bytes of a block */
  size_t args_bytes;
  tsr__cuda_args args;
} tsr__cuda_way;

/* loop: axes merge, and operands may move in it. Its lengths are not 0. wide: as if counts needed it (for tests). */
void tsr__cuda_find_way(tsr__cuda_loop *loop, bool wide, tsr__cuda_way *way);

/* A contiguous way becomes one of results that are looked up, of item bytes each, by as many blocks of threads; and the way that makes
 * them. */
enum { TSR__CUDA_VALUES_16 = 1 << 16, TSR__CUDA_LOOKED_UP_THREADS = 1024 };
void tsr__cuda_look_up(tsr__cuda_way *way, size_t item, int multiprocessors, tsr__cuda_way *all);

#endif
