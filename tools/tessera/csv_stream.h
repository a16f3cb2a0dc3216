/* Large tables of text to tensors, column by column: memory goes with some ten thousand rows. */
#ifndef TESSERA_CSV_STREAM_H
#define TESSERA_CSV_STREAM_H

#include "args.h"

/* Whether IN is a table of text that is large, as it is or columns of it, and OUT a format that is written piece by piece; other
 * tables are converted in memory. */
bool csv_stream_takes(tsr_ctx *ctx, const arguments *args, int format);

/* Converts it; false: reported. */
bool csv_stream_convert(tsr_ctx *ctx, const arguments *args, int format);

#endif
