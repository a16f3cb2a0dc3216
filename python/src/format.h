/* Formats of buffers, as the module struct writes them. */
#ifndef TESSERA_PYTHON_FORMAT_H
#define TESSERA_PYTHON_FORMAT_H

/* The format of a dtype: "f"; NULL: buffers have none. */
const char *py_format_of(int dtype);
/* The dtype of a format (NULL: bytes) with items of so many bytes; TSR_NONE: there is none. *swapped: its bytes are in the other order. */
int py_format_dtype(const char *format, Py_ssize_t item, bool *swapped);

#endif
