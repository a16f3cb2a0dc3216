/* Names and other strings of files: whether they are UTF-8, and how a message shows them. */
#ifndef TSR_IO_BYTES_TEXT_H
#define TSR_IO_BYTES_TEXT_H

#include <stddef.h>
#include <stdint.h>

/* Room for a piece of the file in a message: control characters and what is not ASCII show as '?', a long one is cut. */
enum { TSR__SHOWN = 32 };
void tsr__show_text(const char *text, char shown[TSR__SHOWN]);

/* How many bytes the UTF-8 sequence at p has, none of them past n > 0; 0 when it is none: overlong, a surrogate, too
 * large. */
size_t tsr__utf8(const uint8_t *p, size_t n);

#endif
