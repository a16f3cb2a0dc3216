/* A table as its columns. */
#ifndef TESSERA_SPLIT_H
#define TESSERA_SPLIT_H

#include "source.h"

/* Puts the columns of a table in the place of the table, each under its name; leaves what is none. False: reported. */
bool split_columns(tsr_ctx *ctx, const source *s, targets *found);

#endif
