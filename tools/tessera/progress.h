/* A bar on the terminal while something long is done; nothing where stderr is none. */
#ifndef TESSERA_PROGRESS_H
#define TESSERA_PROGRESS_H

#include <stdint.h>

/* Starts a bar for total bytes of work: what progress_add says, and what the process writes. One at a time. */
void progress_start(uint64_t total);
void progress_add(uint64_t bytes);

/* So many bytes of what progress_add will be told of next are done. The bar does not go back. */
void progress_share(uint64_t bytes);

/* Takes the bar away. */
void progress_end(void);

#endif
