/* Tables that are made of the columns of others, and written. */
#ifndef TESSERA_COLUMNS_OF_H
#define TESSERA_COLUMNS_OF_H

#include "source.h"

/* The columns that were found as a table of their own, in the order of an index of rows (NULL: as they are). *out needs tsr_table_release; false: reported. */
bool columns_of(tsr_ctx *ctx, const source *from, const targets *found, const tsr_tensor *order, tsr_table *out);

/* Writes a table: as text, or as the tensors and metadata that stand for it; false: reported. */
bool columns_save(tsr_ctx *ctx, const char *path, int format, const tsr_table *table);

#endif
