/* The terminal as a device of keys and cells: raw, on its other screen, and given back however the program ends. */
#ifndef TESSERA_TTY_H
#define TESSERA_TTY_H

#include <stdbool.h>

/* From here on keys come one by one, and the screen is ours. False: reported. */
bool tty_start(void);
void tty_end(void);

/* Its size. */
void tty_size(int *width, int *height);

/* The next key: waits for one. TTY_RESIZED when the size has changed, TTY_CLOSED when there will be no more. */
enum { TTY_RESIZED = 0x120000, TTY_CLOSED };
int tty_key(void);

#endif
