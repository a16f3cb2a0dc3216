/* Tensors as text: tables with the names of their columns, all else as NumPy prints it. */
#ifndef TESSERA_PUT_H
#define TESSERA_PUT_H

#include "grid.h"
#include "source.h"
#include "terminal.h"

/* "NAME: f32 [3,4]" */
void put_description(const target *t, const terminal *to);

/* All elements of a tensor, which was made of a target of that source; false: reported. */
bool put_all(tsr_ctx *ctx, const source *from, const target *t, const terminal *to);

/* A table, of which o says how much; false: reported. */
bool put_grid(tsr_ctx *ctx, const source *from, const target *t, const grid_options *o, const terminal *to);

#endif
