/* The loop over a frozen program. */
#include "nn/quant/frozen/frozen.h"

static bool take_ports(char **bases, const void *const *ports, int count) {
  for (int i = 0; i < count; i++) {
    if (ports == NULL || ports[i] == NULL) return false;
    bases[i] = (char *)(uintptr_t)ports[i];
  }
  return true;
}

tsr_status tsr_frozen_run(const tsr_frozen *f, void *memory, const void *const *inputs, void *const *outputs) {
  char *bases[1 + TSR_FROZEN_PORTS];
  bases[0] = memory;
  if (f == NULL || (memory == NULL && f->bytes > 0)) return TSR_EARG;
  if (f->form != TSR__FROZEN_FORM || f->inputs + f->outputs > TSR_FROZEN_PORTS) return TSR_EUNSUPPORTED;
  if ((uintptr_t)memory % TSR__FROZEN_ALIGN != 0) return TSR_EALIGN;
  if (!take_ports(bases + 1, inputs, f->inputs) ||
      !take_ports(bases + 1 + f->inputs, (const void *const *)outputs, f->outputs))
    return TSR_EARG;
  tsr_status st = TSR_OK;
  for (int i = 0; i < f->steps && st == TSR_OK; i++) st = f->step[i].run(f->step[i].call, bases);
  return st;
}
