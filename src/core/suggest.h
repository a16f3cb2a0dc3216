/* The nearest name, for messages about names that are not there. */
#ifndef TSR_CORE_SUGGEST_H
#define TSR_CORE_SUGGEST_H

#include <stddef.h>
#include <stdint.h>

/* The nearest of the names offered so far. */
typedef struct tsr__suggestion {
  const char *wanted;
  const char *found; /* NULL: none is near enough to be meant */
  int distance;      /* what the next one has to be nearer than */
} tsr__suggestion;

void tsr__suggest_init(tsr__suggestion *suggestion, const char *wanted);
void tsr__suggest_offer(tsr__suggestion *suggestion, const char *name);

#endif
