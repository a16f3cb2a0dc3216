/* A device for tests: the host's engines behind memory that the host cannot touch. Every byte of it is PROT_NONE but while
 * a work, a copy or a fill runs, and after it was freed. Deferred, works run later on a thread of the device, from copies
 * of what the call gave: what reads the caller's structs then, or memory that is gone, ends the program. */
#ifndef TSR_TEST_MIRROR_H
#define TSR_TEST_MIRROR_H

#include "support/helpers.h"

#if TSR_HAVE_OPS && TSR_HAVE_THREADS && defined(__unix__)
#define TEST_HAVE_MIRROR 1

typedef struct mirror mirror;

mirror *mirror_new(const char *name, bool deferred);
void mirror_free(mirror *m);
const tsr_device *mirror_device(const mirror *m);

/* How many works it has run; the first status of one that failed since the last call of this. Waits for all. */
long mirror_works(mirror *m);
tsr_status mirror_fault(mirror *m);

/* Bytes that are allocated. */
size_t mirror_live(const mirror *m);

#else
#define TEST_HAVE_MIRROR 0
#endif
#endif
