/* A CUDA driver in software, for tests: libcuda.so.1, libnvrtc.so.13 and libcublasLt.so.13 of this folder run the plug-in and its kernels where
 * there is no GPU. Kernel text is compiled by the host's C++ compiler, behind a prelude that makes CUDA C++ of it.
 *
 * A plug-in opens them in place of the real ones where TSR_CUDA_LIBRARIES names their folder. What they do is set by the
 * environment, and by the functions below, which a test finds with dlsym in libcuda.so.1.
 *
 *   TSR_EMULATOR_DEVICES=2      how many devices there are (1)
 *   TSR_EMULATOR_MEMORY=BYTES   how much memory each has (4 GiB)
 *   TSR_EMULATOR_SEED=N         blocks and threads run in an order made of N (0: in the order of their indices)
 *   TSR_EMULATOR_QUEUE=late     work runs when something waits for it, not before (soon: at once, on a thread a stream)
 *   TSR_EMULATOR_CHECK=0        kernels are compiled without a check of each access (1)
 *   TSR_EMULATOR_CACHE=FOLDER   compiled kernels are kept there (none)
 *   TSR_EMULATOR_CXX=COMPILER   the C++ compiler (g++)
 *   TSR_EMULATOR_KEEP=1        the files of the compiler stay where they were made (in TMPDIR, or /tmp)
 *   TSR_EMULATOR_TRACE=1       each call of the driver is a line on stderr
 *   TSR_EMULATOR_ARCH=80       the architecture of the devices (90)
 *   TSR_EMULATOR_BLAS=0        cuBLASLt does not start
 *   TSR_EMULATOR_QUIET=1        launches that fail say nothing on stderr */
#ifndef EMULATOR_H
#define EMULATOR_H

#include <stdbool.h>
#include <stddef.h>

/* What the last launch that failed did wrong: a sentence that names the kernel, the block and the thread. "" for none. */
typedef const char *(*emulator_report_fn)(void);
const char *emulator_report(void);

/* Sets and gives back what a device has, and what is allocated of it. */
typedef void (*emulator_set_memory_fn)(int device, size_t bytes);
void emulator_set_memory(int device, size_t bytes);
typedef size_t (*emulator_live_fn)(int device);
size_t emulator_live(int device);

/* The call of function ("cuMemAlloc_v2"; NULL: any) after so many more returns error instead of doing anything. */
typedef void (*emulator_fail_fn)(const char *function, long after, int error);
void emulator_fail(const char *function, long after, int error);
/* How many calls of it there were (NULL: of all). */
typedef long (*emulator_calls_fn)(const char *function);
long emulator_calls(const char *function);

/* From now on every call on the device fails, as after a fault that it does not recover from. */
typedef void (*emulator_lose_fn)(int device);
void emulator_lose(int device);

/* As the variables do. */
typedef void (*emulator_set_seed_fn)(unsigned seed);
void emulator_set_seed(unsigned seed);
typedef void (*emulator_set_late_fn)(bool late);
void emulator_set_late(bool late);

#endif
