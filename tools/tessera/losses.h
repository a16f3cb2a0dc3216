/* Whether convert may take numbers away. */
#ifndef TESSERA_LOSSES_H
#define TESSERA_LOSSES_H

#include "command.h"
#include "source.h"

/* Looks for numbers that the rules of convert would change, and reports them: true where there are none, or --lossy is
 * given. picture: the output is one. */
bool losses_accepted(tsr_ctx *ctx, const arguments *args, const targets *found, bool picture);

#endif
