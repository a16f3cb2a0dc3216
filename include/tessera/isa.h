/** @file isa.h
 *  Instruction sets as stored weights name them. */
#ifndef TESSERA_ISA_H
#define TESSERA_ISA_H

/** The instruction set that weights are packed for: the field isa of tsr_packed, tsr_conv_packed and tsr_qlayer. The
 *  numbers are part of stored bytes: they never change, none is used twice, and those of architectures differ. Numbers
 *  that are not listed are refused with TSR_EUNSUPPORTED, and so are those that this build or machine does not have. */
typedef enum tsr_isa_id {
  TSR_ISA_NONE = 0, /**< none: no weights are packed for it */

  TSR_ISA_X86_64_BASE = 16,
  TSR_ISA_X86_64_AVX2 = 17,   /**< with FMA and F16C */
  TSR_ISA_X86_64_AVX512 = 18, /**< F, BW, VL and DQ, with what AVX2 has */
  TSR_ISA_X86_32_BASE = 24,

  TSR_ISA_AARCH64_BASE = 32, /**< with NEON */
  TSR_ISA_ARM_BASE = 48,     /**< 32 bits */
  TSR_ISA_ARM_MVE = 49,      /**< 32 bits, compiled for the vectors of Armv8.1-M */

  TSR_ISA_RISCV_BASE = 64, /**< 32 or 64 bits */
  TSR_ISA_S390X_BASE = 80,

  TSR_ISA_OTHER_LITTLE = 112, /**< any other architecture, least significant byte first */
  TSR_ISA_OTHER_BIG = 113     /**< the same, most significant byte first; and Arm and others above where they are so */
} tsr_isa_id;

#endif
