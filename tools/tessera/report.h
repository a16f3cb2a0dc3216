/* What goes wrong: everything that the command has to say about it passes here. */
#ifndef TESSERA_REPORT_H
#define TESSERA_REPORT_H

#include <stdio.h>
#include <tessera/tessera.h>

/* Forgets what was said before. */
void report_start(void);

/* The command that speaks: "ls"; NULL before it is known. */
void report_command(const char *name);

/* From now on nothing is said: another process of the same job says it. */
void report_mute(void);

/* Writes "tessera ls: TEXT" and a newline to stderr; control characters in names are escaped. Returns FAILED. */
__attribute__((format(printf, 1, 2))) int report(const char *format, ...);

/* The same for what the library said last: about is a file's name, or NULL. */
int report_failure(const tsr_ctx *ctx, const char *about);

/* Says why a stream could not be written (errno), standard output once: it is looked at again at the end. */
int report_unwritten(const FILE *stream, const char *name);

/* The library's text without the name of its function, which the user did not call. */
const char *failure_text(const tsr_ctx *ctx);

#endif
