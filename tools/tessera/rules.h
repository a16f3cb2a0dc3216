/* What convert changes: which tensors, their names, dtypes and layouts. */
#ifndef TESSERA_RULES_H
#define TESSERA_RULES_H

#include "command.h"
#include "source.h"

/* The rules are the options; they stay the command line's. False when one is wrong: reported. */
bool rules_check(const arguments *args);

/* Whether a tensor of that name is taken: all are where --select is not given. */
bool rules_select(const arguments *args, const char *name);

/* Whether each --select takes a tensor, and each --rename one that is taken; else the first that does not is reported.
 */
bool rules_meet(const arguments *args, const targets *found);

/* The new name: owned by the caller; NULL when there is no memory. */
char *rules_rename(const arguments *args, const char *name);

/* The dtype and the layout that a tensor gets: its own where no rule speaks of it. */
int rules_dtype(const arguments *args, const tsr_tensor *t);
int rules_layout(const arguments *args, const tsr_tensor *t);

#endif
