/* Ids of instruction sets that stored weights hold. */
#include "cpu/isa_table.h"

#include "core/fail.h"

/* Of every id there is, whatever this build has; NULL: of none. */
static const char *name_of(int id) {
  switch (id) {
    case TSR_ISA_X86_64_BASE: return "x86-64 base";
    case TSR_ISA_X86_64_AVX2: return "avx2";
    case TSR_ISA_X86_64_AVX512: return "avx512";
    case TSR_ISA_X86_32_BASE: return "x86-32 base";
    case TSR_ISA_AARCH64_BASE: return "aarch64 base";
    case TSR_ISA_ARM_BASE: return "Arm base";
    case TSR_ISA_ARM_MVE: return "Arm with MVE";
    case TSR_ISA_RISCV_BASE: return "RISC-V base";
    case TSR_ISA_S390X_BASE: return "s390x base";
    case TSR_ISA_OTHER_LITTLE:
    case TSR_ISA_OTHER_BIG: return "another architecture";
    default: return NULL;
  }
}

tsr_status tsr__isa_find(tsr_ctx *ctx, const char *op, const char *arg, int id, int *isa) {
  *isa = tsr__isa_with_id(id);
  if (*isa >= 0) return TSR_OK;
  const int best = tsr__isa_best();
  const char *here = name_of(tsr__isa_rows[best].id), *there = name_of(id);
  if (there == NULL)
    return TSR__FAIL(ctx, TSR_EUNSUPPORTED, op, arg,
                     "was packed for instruction set %d, which is none; this machine has %s; pack it again", id, here);
  for (int k = 0; k < TSR__ISA_COUNT; k++)
    if (tsr__isa_rows[k].id == id)
      return TSR__FAIL(ctx, TSR_EUNSUPPORTED, op, arg, "was packed for %s, this machine has %s; pack it again", there,
                       here);
  return TSR__FAIL(ctx, TSR_EUNSUPPORTED, op, arg, "was packed for %s, this build has %s; pack it again", there,
                   name_of(tsr__isa_rows[TSR__ISA_COUNT - 1].id));
}
