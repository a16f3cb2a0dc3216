/* A file as the text of a table. */
#ifndef TSR_IO_CSV_FILE_H
#define TSR_IO_CSV_FILE_H

#include "io/csv/csv.h"
#include "io/file/file.h"
#include "io/file/system.h"

#if TSR_HAVE_STDIO

void tsr__csv_of_file(tsr_ctx *ctx, tsr__file_source *f, tsr__csv *csv);
bool tsr__csv_rewind_file(void *self);

#endif

#endif
