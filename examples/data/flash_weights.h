/* Written by Tessera: tensors as constants. */
#include <stdint.h>
#include <tessera/tensor.h>

/* f32 [3] */
static const _Alignas(16) float flash_offset_data[3] = {
  0.485f, 0.456f, 0.406f};
static const tsr_tensor flash_offset = {.dtype = 12 /* f32 */, .layout = 0 /* plain */, .ndim = 1, .flags = TSR_READONLY,
  .shape = {3}, .stride = {1}, .data = (void *)flash_offset_data};

/* f32 [3] */
static const _Alignas(16) float flash_gain_data[3] = {
  4.366812f, 4.464286f, 4.444444f};
static const tsr_tensor flash_gain = {.dtype = 12 /* f32 */, .layout = 0 /* plain */, .ndim = 1, .flags = TSR_READONLY,
  .shape = {3}, .stride = {1}, .data = (void *)flash_gain_data};

/* i8 [3,3] */
static const _Alignas(16) int8_t flash_edges_data[9] = {
  -1, -2, -1, 0, 0, 0, 1, 2, 1};
static const tsr_tensor flash_edges = {.dtype = 2 /* i8 */, .layout = 0 /* plain */, .ndim = 2, .flags = TSR_READONLY,
  .shape = {3, 3}, .stride = {3, 1}, .data = (void *)flash_edges_data};

/* f16 [2] */
static const _Alignas(16) uint16_t flash_halves_data[2] = {
  0x3c00, 0x3800};
static const tsr_tensor flash_halves = {.dtype = 10 /* f16 */, .layout = 0 /* plain */, .ndim = 1, .flags = TSR_READONLY,
  .shape = {2}, .stride = {1}, .data = (void *)flash_halves_data};
