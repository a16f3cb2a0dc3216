/* Text that is safe on a terminal, and numbers for people. */
#ifndef TESSERA_TEXT_H
#define TESSERA_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <tessera/index.h>

/* What is escaped: in a name also the backslash, so that every name has a text of its own; in a line not. */
typedef enum text_kind { TEXT_NAME, TEXT_LINE } text_kind;

/* Writes text with control characters, marks that turn the direction of writing, and bytes that are no UTF-8 escaped:
 * \n, \x1b, \u202e. Returns how many places it takes. */
size_t text_write(FILE *stream, const char *text, text_kind kind);

/* The same into a buffer of capacity bytes, always closed by a zero; what does not fit is left out whole. */
size_t text_escape(const char *text, text_kind kind, char *out, size_t capacity);

/* The character at text, its bytes (0: no UTF-8), and whether it must not reach a terminal as it is. */
uint32_t text_decode(const char *text, int *bytes, bool *unsafe);

/* How many places an escaped text takes. */
size_t text_width(const char *text, text_kind kind);

/* "1.2 GB" (of 1000), "512 B". out has room for 32. */
const char *text_bytes(uint64_t bytes, char *out);

/* "12,345,678". out has room for 32. */
const char *text_count(int64_t count, char *out);

/* A number in few digits: "0.1234", "1.5e-09", "nan". out has room for 32. */
const char *text_real(double value, char *out);

/* "[2,3,4]". out has room for TEXT_SHAPE. */
enum { TEXT_SHAPE = 200 };
const char *text_shape(int ndim, const tsr_index *shape, char *out);

#endif
