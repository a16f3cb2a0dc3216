/* The command line. */
#ifndef TESSERA_ARGS_H
#define TESSERA_ARGS_H

#include "command.h"

/* Options that every command takes. */
extern const option common_options[];

/* Reads argv[0 … argc - 1], which come behind the name of the command. False when something is wrong: that is
 * reported. The tables need args_release either way. */
bool args_read(const command *c, int argc, char **argv, arguments *out);

/* Gives the tables back. */
void args_release(arguments *args);

/* Whether an option is there; its last value, or otherwise. */
bool args_has(const arguments *args, const char *name);
const char *args_value(const arguments *args, const char *name, const char *otherwise);

/* The value of an option as a number of a range; otherwise when it is not there. False when it is none: reported. */
bool args_integer(const arguments *args, const char *name, long least, long most, long otherwise, long *out);
bool args_real(const arguments *args, const char *name, double otherwise, double *out);

#endif
