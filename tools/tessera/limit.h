/* --limit: how much a file may take. */
#ifndef TESSERA_LIMIT_H
#define TESSERA_LIMIT_H

#include "command.h"

/* Reads every --limit of the command line, the last word on each limit counts; false: reported. */
bool limits_read(const arguments *args, tsr_io_limits *out);

#endif
