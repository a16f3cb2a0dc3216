/* Where the output goes: its width, and whether it takes colours. */
#ifndef TESSERA_TERMINAL_H
#define TESSERA_TERMINAL_H

#include <stdbool.h>
#include <stdint.h>

typedef struct terminal {
  bool is_terminal; /* stdout is one */
  bool color;
  bool utf8; /* blocks and the like can be shown */
  int width; /* COLUMNS, or what the terminal says, or 80 */
} terminal;

/* when is the value of --color: false when it is none, which is reported. */
bool terminal_init(terminal *t, const char *when);

/* Whether messages go to a terminal: for progress. */
bool terminal_on_stderr(void);

/* Colours for what follows, as 0xRRGGBB; nothing where there are none. */
void terminal_foreground(const terminal *t, uint32_t color);
void terminal_background(const terminal *t, uint32_t color);
void terminal_bold(const terminal *t);
void terminal_dim(const terminal *t);
void terminal_reset(const terminal *t);

#endif
