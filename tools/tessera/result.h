/* One tensor that a command has made: printed, or written to the file that --output names. */
#ifndef TESSERA_RESULT_H
#define TESSERA_RESULT_H

#include "command.h"
#include "source.h"
#include "terminal.h"

/* Writes a tensor under the name of the target that it was made of, with the metadata of its file; false: reported. t is
 * given up. */
bool result_save(tsr_ctx *ctx, const arguments *args, const source *from, const char *name, tsr_tensor *t);

#endif
