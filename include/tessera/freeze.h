/** @file freeze.h
 *  Programs as C source for microcontrollers (<tessera/frozen.h>). Where ops by name are configured out this header declares
 *  nothing. */
#ifndef TESSERA_FREEZE_H
#define TESSERA_FREEZE_H

#include <tessera/print.h>
#include <tessera/program.h>

#ifdef __cplusplus
extern "C" {
#endif

#if TSR_HAVE_OPS

/** What a frozen program takes on a microcontroller. */
typedef struct tsr_freeze_report {
  size_t calls;
  size_t memory;  /**< tensors between inputs and outputs, and scratch */
  size_t scratch; /**< the most that a call takes of it */
  size_t weights; /**< constants of layers: weights and tables */
} tsr_freeze_report;

/** Writes a program that has ended (tsr_program_end) as a header for C11 and C++17, for every microcontroller: constants, a
 *  tsr_frozen called name, and an enum with name_bytes (the memory that a run is given) and name_bytes_PORT for each input and output.
 *  Memory is planned again, aligned to 8, with scratch for the core that takes most.
 *
 *  name is a C identifier that the library does not have for itself; so are the names of inputs and outputs, of which there are
 *  TSR_FROZEN_PORTS at most. Layers may be packed for any kernel: their weights are written in the order of plain ones.
 *
 *  These calls can be frozen: tsr_qconv2d, tsr_qdense, tsr_qmax_pool, tsr_qavg_pool, and tsr_qadd of contiguous tensors of one shape.
 *  Another one, a constant where a value is meant, or an output that overlaps an input is TSR_EUNSUPPORTED, and the message says
 *  which call it is. TSR_ESTATE: the program has not ended, or was fused or recorded for a device. TSR_ENAME. TSR_EOVERFLOW: 2^31
 *  bytes or more. Nothing is written unless every call can be. report may be NULL. */
TSR_API TSR_MUST_USE tsr_status tsr_freeze_write(tsr_ctx *ctx, const tsr_program *program, const char *name,
                                                 const tsr_sink *sink, tsr_freeze_report *report);

#endif

#ifdef __cplusplus
}
#endif

#endif
