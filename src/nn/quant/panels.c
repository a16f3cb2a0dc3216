#include "nn/quant/panels.h"

tsr__q_kernel tsr__q_panels_kernel(int isa, const tsr__q_filters *f, int x_dtype) {
  (void)isa, (void)f, (void)x_dtype;
  return TSR__Q_KERNEL_PLAIN;
}
size_t tsr__q_panels_bytes(tsr__q_kernel kernel, int isa, const tsr__q_filters *f) {
  (void)kernel, (void)isa, (void)f;
  return 0;
}
void tsr__q_panels_pack(tsr__q_kernel kernel, int isa, const tsr_tensor *w, const tsr__q_filters *f, void *panels) {
  (void)kernel, (void)isa, (void)w, (void)f, (void)panels;
}
