/* Names that were probably meant. */
#ifndef TESSERA_NEAREST_H
#define TESSERA_NEAREST_H

#include <stdbool.h>
#include <stddef.h>

enum { NEAREST = 3 };

/* The best of the names that were offered, the nearest first; they stay the caller's. */
typedef struct nearest {
  const char *wanted;
  size_t length;
  int count;
  const char *names[NEAREST];
  int distances[NEAREST];
} nearest;

void nearest_init(nearest *n, const char *wanted, size_t length);

/* Keeps name if it is among the nearest, and near enough to be meant. */
void nearest_offer(nearest *n, const char *name);

/* "; did you mean 'a'?", "; near are 'a', 'b'", or otherwise where none was near. */
const char *nearest_text(const nearest *n, const char *otherwise, char *out, size_t capacity);

#endif
