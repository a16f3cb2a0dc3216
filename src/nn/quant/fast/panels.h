/* Weights in panels, for the kernels of hosts. */
#ifndef TSR_NN_QUANT_FAST_PANELS_H
#define TSR_NN_QUANT_FAST_PANELS_H

#include "cpu/isa_table.h"
#include "nn/quant/fast/fast.h"
#include "nn/quant/fast/tile.h"

/* How panels lie: for each group of channels its columns in panels, all of them; then the biases, multipliers and
 * shifts of all columns. Runs of numbers that lie side by side in x are taps. */
typedef struct tsr__q_panels {
  const tsr__q_tiles *tiles;
  tsr_index taps, run;        /* run: numbers in each */
  tsr_index steps;            /* groups of four bytes in each */
  tsr_index columns, vectors; /* of a group of channels: outputs, and vectors of them */
  tsr_index panels;           /* of a group */
  size_t table;               /* bytes before the biases */
  size_t bytes;
} tsr__q_panels;

/* The kernel for x of a dtype, and weights of which some zero point is not 0. */
tsr__q_kernel tsr__q_panels_kernel(int isa, const tsr__q_filters *f, int x_dtype, bool asymmetric);

/* Whether an instruction set, on this machine, has TSR__Q_KERNEL_BYTES. */
bool tsr__q_panels_have_bytes(int isa);

/* The dtype of x that a kernel takes as it is. */
int tsr__q_panels_x_dtype(tsr__q_kernel kernel, int isa);

/* The number of a kernel and the width of its vectors, as layers store it. */
uint8_t tsr__q_panels_number(tsr__q_kernel kernel, int isa);

void tsr__q_panels_init(tsr__q_kernel kernel, int isa, const tsr__q_filters *f, tsr__q_panels *p);
size_t tsr__q_panels_bytes(tsr__q_kernel kernel, int isa, const tsr__q_filters *f);

/* The panels of w and its table (tsr__q_table). */
void tsr__q_panels_pack(const tsr__q_packing *packing, const int32_t *table, void *panels);

/* The first vector of a panel, of the one past the last all vectors: panels are as equal as can be. */
static inline tsr_index tsr__q_panel_vector(const tsr__q_panels *p, tsr_index panel) {
  const tsr_index more = p->vectors % p->panels;
  return panel * (p->vectors / p->panels) + (panel < more ? panel : more);
}

#endif
