/** @file rotary.h
 *  Rotary position embedding: pairs of features, turned by angles that grow with the position.
 *
 *  x is [T,D], [H,T,D] or [B,H,T,D] (any rank from 2 on; T is the last axis but one), of any float dtype and strides.
 *  The first R of the D features are R/2 pairs, and pair i of a row at position p becomes
 *
 *      (a·cos[p,i] - b·sin[p,i], b·cos[p,i] + a·sin[p,i]);
 *
 *  the others stay. f16, bf16 and f8 are computed in f32 and rounded once. Only products and sums: the same bits on
 *  every machine, for any strides and number of threads (class A).
 *
 *  out may be x; temporary memory is needed only where it overlaps an input otherwise. */
#ifndef TESSERA_ROTARY_H
#define TESSERA_ROTARY_H

#include <tessera/tensor.h>

#ifdef __cplusplus
extern "C" {
#endif

/** Which features are a pair. */
typedef enum tsr_rotary_form {
  TSR_ROTARY_HALVES = 0,     /**< i and R/2 + i: GPT-NeoX, Llama as published by Hugging Face, ONNX's default */
  TSR_ROTARY_INTERLEAVED = 1 /**< 2i and 2i + 1: the paper, GPT-J, ONNX with interleaved = 1 */
} tsr_rotary_form;

/** Pairs of features of x, turned by the angles of their positions. cos and sin are [S,R/2], R ≤ D, and f32 (f64 for an
 *  x of f64). positions are integers of any dtype, [T] or [B,T] (B is then axis 0 of x, which has a rank of 3 or more);
 *  NULL: 0 … T-1. For rows that follow others, give the tables from that position on:
 *  `tsr_narrow(ctx, &cos, 0, position, T, &part)`.
 *
 *  A position that is no row of the tables: TSR_EINDEX, and the message names it. Tables that do not fit x or each
 *  other: TSR_ESHAPE, TSR_EDTYPE. A form that is none: TSR_EARG. */
TSR_API TSR_MUST_USE tsr_status tsr_rotary(tsr_ctx *ctx, const tsr_tensor *x, const tsr_tensor *cos,
                                           const tsr_tensor *sin, const tsr_tensor *positions, tsr_rotary_form form,
                                           tsr_tensor *out);

/** The tables for positions 0 … length-1 and the first `features` features, an even number: cos and sin [length,
 *  features/2] of the angles p·base^(-2i/features), base usually 10000. dtype: f32, or f64 for x of f64. Angles are
 *  computed in tsr_real: with double the tables are right to their last place but one (class B by the C library); where
 *  tsr_real is float an angle is wrong by p·2^-21 at most. */
TSR_API TSR_MUST_USE tsr_status tsr_rotary_tables(tsr_ctx *ctx, int dtype, tsr_index length, tsr_index features,
                                                  tsr_real base, tsr_tensor *cos, tsr_tensor *sin);

#ifdef __cplusplus
}
#endif

#endif
