/* The names of a table's columns, which files keep as metadata: "column.0" is the first's. */
#ifndef TESSERA_COLUMNS_H
#define TESSERA_COLUMNS_H

#include <tessera/tessera.h>

#include "slice.h"

/* Makes the names those of a slice of the table `whole`: a column that is left keeps its name, whatever its new number;
 * where the slice has no columns, or whole is no table (or NULL), none are left. Other metadata stays. */
tsr_status columns_follow(tsr_ctx *ctx, const tsr_tensor *whole, const slice *s, tsr_metadata *metadata);

#endif
