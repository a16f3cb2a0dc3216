/* Operands that are gone through one after the other, as most commands do. */
#ifndef TESSERA_EACH_H
#define TESSERA_EACH_H

#include "command.h"
#include "source.h"

/* Does something with one tensor, which has its elements; false: reported. */
typedef bool each_fn(void *user, const source *from, target *t);

/* Calls fn for every tensor of every operand; with tables, once for the columns of a table of text, as a group. What
 * cannot be opened or done is reported, and the others are done all the same. The exit code. */
int each_target(tsr_ctx *ctx, const arguments *args, bool tables, each_fn *fn, void *user);

#endif
