/** @file csv.h
 *  Tables of numbers as text: CSV and TSV to and from tensors. */
#ifndef TESSERA_CSV_H
#define TESSERA_CSV_H

#include <tessera/io.h>
#include <tessera/limits.h>
#include <tessera/metadata.h>

#ifdef __cplusplus
extern "C" {
#endif

#if TSR_HAVE_STDIO
/** Whether the first row names the columns. */
typedef enum tsr_csv_header {
  TSR_CSV_HEADER_AUTO = 0, /**< it does when it has a field that is neither a number nor missing. A field that is no
                                name either, such as `1 2`, `2024-01-31` or `# text`, is TSR_EFORMAT unless quoted,
                                and so is one that begins as a number, such as `1.5.2`, in a row with numbers */
  TSR_CSV_HEADER_NONE = 1,
  TSR_CSV_HEADER_FIRST = 2
} tsr_csv_header;

/** How to read and write; 0 is the default of each. Limits are the context's: <tessera/limits.h>. */
typedef struct tsr_csv_options {
  char separator;   /**< between fields: any ASCII character but quotes, ends of lines, and what numbers are made
                                of; 0: ',', and when reading a tab where the first row has one outside quotes */
  char comment;     /**< lines that begin with it are passed over; 0: none */
  int header;       /**< TSR_CSV_HEADER_AUTO … */
  int dtype;        /**< of the tensor that is read; 0: TSR_F64. bool is 0 or 1; complex dtypes are not read */
  bool whole;       /**< missing fields are errors, not NaN; they always are where the dtype has no NaN */
  size_t max_field; /**< bytes of one field, for which there is memory from the start; 0: 4096 */
  size_t reserved[TSR_RESERVED]; /**< 0: room for what later versions add */
} tsr_csv_options;

/** Reads a table: [rows, columns]. Fields may be quoted ("a ""b"" c", "1,5" is no number), lines end with LF or CRLF,
 *  a byte order mark at the start and blank lines are passed over, spaces around numbers too. Numbers are decimal, with
 *  an exponent or without, or nan, inf, infinity (any case, signed), whatever the locale; integer dtypes take whole
 *  numbers alone. f64 and f32 are rounded once from the text, narrower floats from f64.
 *  Missing are empty fields, NA, N/A, null, none. Every row has as many fields as the first. A number that does not fit
 *  its dtype is TSR_ERANGE, anything else that is wrong TSR_EFORMAT, with line and column (both from 1).
 *  columns (may be NULL, else it must be empty) takes the names of a header row: "column.0" is the first's. An empty
 *  *out is allocated; a given one takes the numbers when dtype and shape fit. The source is read in pieces: memory goes
 *  with the numbers, not with the text. options may be NULL. *out and *columns stay as they are when it fails. */
TSR_API TSR_MUST_USE tsr_status tsr_csv_read(tsr_ctx *ctx, const tsr_source *source, const tsr_csv_options *options,
                                             tsr_tensor *out, tsr_metadata *columns);

/** The same from n bytes in memory. */
TSR_API TSR_MUST_USE tsr_status tsr_csv_decode(tsr_ctx *ctx, const void *bytes, size_t n,
                                               const tsr_csv_options *options, tsr_tensor *out, tsr_metadata *columns);

/** Writes a tensor of rank 0 … 2 (rank 1 is one column): integers in full, floats with the fewest digits that read
 *  back as the same number, NaN as nan. columns (may be NULL) gives the header row by its "column.N"; a column without
 *  a name is empty there, and one whose name is not UTF-8 is TSR_ENAME. Only separator is read of options, which may be
 *  NULL. */
TSR_API TSR_MUST_USE tsr_status tsr_csv_write(tsr_ctx *ctx, const tsr_tensor *t, const tsr_metadata *columns,
                                              const tsr_csv_options *options, const tsr_sink *sink);

/** Reads a file. */
TSR_API TSR_MUST_USE tsr_status tsr_csv_load(tsr_ctx *ctx, const char *path, const tsr_csv_options *options,
                                             tsr_tensor *out, tsr_metadata *columns);

/** Writes a file: to a temporary name beside it first, so that a failure leaves the old file whole. */
TSR_API TSR_MUST_USE tsr_status tsr_csv_save(tsr_ctx *ctx, const char *path, const tsr_tensor *t,
                                             const tsr_metadata *columns, const tsr_csv_options *options);
#endif

#ifdef __cplusplus
}
#endif

#endif
