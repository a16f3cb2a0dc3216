/* The nearest name, for messages about names that are not there. */
#ifndef TSR_CORE_NEAREST_H
#define TSR_CORE_NEAREST_H

#include <stddef.h>
#include <stdint.h>

/* The nearest of the names offered so far. */
typedef struct tsr__nearest {
  const char *wanted;
  const char *found;    /* NULL: none is near enough to be meant */
  int         distance; /* what the next one has to be nearer than */
} tsr__nearest;

void tsr__nearest_init(tsr__nearest *nearest, const char *wanted);
void tsr__nearest_offer(tsr__nearest *nearest, const char *name);

#endif
