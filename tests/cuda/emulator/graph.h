/* Capture: operations that are kept instead of queued. Their order is that of the calls, which is one that every dependence
 * allows. */
#ifndef EMULATOR_GRAPH_H
#define EMULATOR_GRAPH_H

#include "stream.h"

struct graph {
  operation *first, *last;
  uint64_t id;
  bool invalid;
  bool counted; /* it is one of emulator.captures */
};

void graph_add(struct graph *g, operation *op);
void graph_invalidate(struct graph *g);

#endif
