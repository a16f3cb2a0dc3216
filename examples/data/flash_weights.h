/* Written by Tessera: tensors as constants. */
#include <stdint.h>
#include <tessera/tensor.h>

/* f32 [3] */
TSR_CONSTANT(16) float flash_offset_data[3] = {
  0.485f, 0.456f, 0.406f};
static const tsr_tensor flash_offset = {12 /* f32 */, 0 /* plain */, 1, TSR_READONLY,
  /* shape */ {3}, /* stride */ {1}, (void *)flash_offset_data, NULL, NULL};

/* f32 [3] */
TSR_CONSTANT(16) float flash_gain_data[3] = {
  4.366812f, 4.464286f, 4.444444f};
static const tsr_tensor flash_gain = {12 /* f32 */, 0 /* plain */, 1, TSR_READONLY,
  /* shape */ {3}, /* stride */ {1}, (void *)flash_gain_data, NULL, NULL};

/* i8 [3,3] */
TSR_CONSTANT(16) int8_t flash_edges_data[9] = {
  -1, -2, -1, 0, 0, 0, 1, 2, 1};
static const tsr_tensor flash_edges = {2 /* i8 */, 0 /* plain */, 2, TSR_READONLY,
  /* shape */ {3, 3}, /* stride */ {3, 1}, (void *)flash_edges_data, NULL, NULL};

/* f16 [2] */
TSR_CONSTANT(16) uint16_t flash_halves_data[2] = {
  0x3c00, 0x3800};
static const tsr_tensor flash_halves = {10 /* f16 */, 0 /* plain */, 1, TSR_READONLY,
  /* shape */ {2}, /* stride */ {1}, (void *)flash_halves_data, NULL, NULL};
