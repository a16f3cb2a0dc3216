/* The memory of the devices: addresses that the host can touch only while work runs, with pages around each allocation that
 * nobody can. What was freed stays out of reach as long as there are other addresses. */
#ifndef EMULATOR_MEMORY_H
#define EMULATOR_MEMORY_H

#include "state.h"

enum { SHARED_LIMIT = 232448 }; /* shared memory of a block: 227 KB */

/* An allocation: of a device, or pinned memory of the host. Of freed ones the last are remembered, for reports. */
typedef struct range {
  char *data, *pages;
  size_t bytes, page_bytes;
  int device; /* -1: the host's */
  bool live, registered;
} range;

/* All with the lock held. */
CUresult memory_alloc(int device, size_t bytes, char **data);
CUresult memory_free(int device, const void *data); /* device -1: pinned */
void memory_free_all(int device);
/* The live allocation that has all of these bytes, or NULL. */
const range *memory_find(const void *data, size_t bytes);
/* The one, live or not, that is nearest to an address: for reports. */
const range *memory_near(const void *data);
/* Host memory that copies may read later (add), or no longer. */
CUresult memory_register(void *data, size_t bytes, bool add);
/* Copies of all that are live, up to room of them; gives how many there are. */
int memory_list(range *list, int room);
/* Where an address is, in words. */
void memory_describe(const void *data, char *text, size_t size);
/* Between them the executing thread may touch the memory of all devices. */
void memory_open(void);
void memory_close(void);

#endif
