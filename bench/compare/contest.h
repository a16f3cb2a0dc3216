/* What every compiled contestant shares: the line protocol, its memory, its inputs and the clock.
 *
 * A contestant is a process that answers lines on stdin with one line on stdout each:
 *   list         "NAME GROUP ELEMENTS;..." the workloads of workloads.h
 *   open SPEC    "ok CHECKSUM" after one call, or "none" when it cannot do that; SPEC is a workload or "sweep ..."
 *   round MS     best ns a call of about MS milliseconds of calls, at least one
 *   close        "ok"
 * On start it says "ready VERSION". CONTEST_THREADS in the environment is the number of threads. */
#ifndef BENCH_CONTEST_H
#define BENCH_CONTEST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct contest_workload {
  const char *name, *group;
  int64_t elements, bytes_read, bytes_written;
  int64_t operations; /* 0: bytes bound it */
  const char *unit;   /* of the operations: "f32", "f64", "bf16", "i8"; or NULL */
} contest_workload;

/* What a result consists of. */
typedef enum contest_kind {
  CONTEST_F32,
  CONTEST_F64,
  CONTEST_F16,
  CONTEST_BF16,
  CONTEST_U8,
  CONTEST_I32,
  CONTEST_I64
} contest_kind;

typedef struct contestant {
  const char *version;
  bool (*open)(const char *spec); /* gets everything ready and calls contest_result; false: it cannot do that */
  void (*run)(long calls);        /* does what was opened so many times */
  void (*close)(void);            /* may be NULL */
} contestant;

int contest_main(const contestant *self);

/* The row of workloads.h called name, or NULL. */
const contest_workload *contest_find(const char *name);

int contest_threads(void);
double contest_now_ns(void);

/* Memory for one workload: 64-byte aligned, on huge pages where there are some, touched, kept until the next one opens.
 * All contestants use the same, so that none wins by its allocator; what a workload allocates is not from here. */
void *contest_bytes(int64_t bytes);
/* n numbers from -3 to 5, the same for everyone, starting anywhere in the sequence; a long one has a 9, once. */
float *contest_floats(int64_t n, int64_t start);
/* n bytes; n numbers rounded to f16 or bf16. */
uint8_t *contest_u8(int64_t n);
uint16_t *contest_halves(int64_t n, contest_kind kind);
/* n numbers from 0 to 255. */
float *contest_positive(int64_t n);
/* contest_floats as f64; n bytes from -127 to 127. */
double *contest_doubles(int64_t n, int64_t start);
int8_t *contest_i8(int64_t n);

/* 2^20 different numbers of both signs in no order, as f32 and as i32: what is sorted comes out the same for everyone. */
float *contest_shuffled(void);
int32_t *contest_shuffled_i32(void);

/* Where the result will be: a sample of it makes the checksum. */
void contest_result(const void *data, int64_t count, contest_kind kind);
/* f32 images with the channels last, n of (places, channels): its checksum is that of the same with channels first. */
/* What quantised layers multiply their sums by. */
#define CONTEST_SCALE 0.0011f

void contest_result_nhwc(const float *data, int64_t n, int64_t places, int64_t channels);
void contest_result_last(const void *data, contest_kind kind, int64_t n, int64_t places, int64_t channels);

/* Keeps the compiler from moving or dropping work. */
static inline void contest_keep(const void *p) {
#if defined(__GNUC__)
  __asm__ volatile("" : : "r"(p) : "memory");
#else
  (void)p;
#endif
}

#ifdef __cplusplus
}
#endif

#endif
