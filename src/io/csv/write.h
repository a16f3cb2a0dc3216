/* What the writers of tables share. */
#ifndef TSR_IO_CSV_WRITE_H
#define TSR_IO_CSV_WRITE_H

#include "io/csv/csv.h"
#include "ops/print/printer.h"

#if TSR_HAVE_STDIO

/* A reader refuses names that are not UTF-8: they are not written either. TSR_ENAME. */
tsr_status tsr__csv_check_name(tsr_ctx *ctx, const char *op, const char *name, tsr_index column);

#endif

#endif
