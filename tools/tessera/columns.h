/* The names of a table's columns, which files keep as metadata: "column.0" is the first's. */
#ifndef TESSERA_COLUMNS_H
#define TESSERA_COLUMNS_H

#include <tessera/tessera.h>

#include "slice.h"

/* Makes the names those of a slice of the table `whole`: a column that is left keeps its name, whatever its new number;
 * where the slice has no columns, or whole is no table (or NULL), none are left. Other metadata stays. */
tsr_status columns_follow(tsr_ctx *ctx, const tsr_tensor *whole, const slice *s, tsr_metadata *metadata);

/* Whether there are names. */
bool columns_named(const tsr_metadata *metadata);

/* The name of a column; NULL: it has none. */
const char *columns_name(const tsr_metadata *metadata, tsr_index number);

/* The number of the column of that name among the first most, or of that number where no name is such a text. */
bool columns_find(const tsr_metadata *metadata, tsr_index most, const char *name, tsr_index *number);

/* Makes the names those of the columns that were picked. */
tsr_status columns_pick(tsr_ctx *ctx, tsr_metadata *metadata, tsr_index count, const tsr_index *numbers);

#endif
