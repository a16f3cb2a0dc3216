/* Tables of text: how they are read, and their columns as tensors, matrices and text. */
#ifndef TESSERA_ROWS_H
#define TESSERA_ROWS_H

#include "command.h"

/* Takes what --csv says: separator=; comment=# skip=3 and others; false: reported. */
bool rows_options_read(const arguments *args);

/* Whether --csv was given: then every text is a table. */
bool rows_asked(void);

/* What --csv said. */
tsr_csv_options rows_options(void);

/* Reads a text as a table. */
tsr_status rows_load(tsr_ctx *ctx, const char *path, tsr_table *out, tsr_csv_form *form);

/* Whether all columns are numbers: such a table is a matrix. */
bool rows_are_numbers(const tsr_table *table);

/* The field that a value of a column is; "" where it is missing. text has room for n bytes, and longer texts are cut. */
void rows_text(const tsr_column *what, int64_t value, char *text, size_t n);

/* "text", "date", "datetime[us]"; NULL of numbers, which are called by their dtype. text has room for 24. */
const char *rows_kind(const tsr_column *what, char *text);

#endif
