/* A table of attacks: the file, the status that it gets, a part of the message. */
#ifndef TSR_TEST_ATTACKS_SUPPORT_H
#define TSR_TEST_ATTACKS_SUPPORT_H

#include "npy_support.h"

typedef struct attack {
  const char *name;
  tsr_status status;
  const char *message;
} attack;

#define ATTACK(name, status, message) {name, status, message},

static inline bool message_fits(const tsr_ctx *ctx, const attack *a) {
  if (!TSR_HAVE_TEXT || strstr(tsr_error(ctx), a->message) != NULL) return true;
  printf("%s: \"%s\"\n   instead of \"%s\"\n", a->name, tsr_error(ctx), a->message);
  return false;
}

#endif
