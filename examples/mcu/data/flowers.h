/* Written by Tessera: tensors as constants. */
#include <stdint.h>
#include <tessera/tensor.h>

/* f32 [30,4] */
static const _Alignas(64) float flowers_x_data[120] = {
  5.0f, 3.6f, 1.4f, 0.2f, 4.9f, 3.1f, 1.5f,
  0.1f, 5.8f, 4.0f, 1.2f, 0.2f, 5.1f, 3.8f,
  1.5f, 0.3f, 4.8f, 3.4f, 1.9f, 0.2f, 4.7f,
  3.2f, 1.6f, 0.2f, 4.9f, 3.1f, 1.5f, 0.2f,
  5.1f, 3.4f, 1.5f, 0.2f, 5.1f, 3.8f, 1.9f,
  0.4f, 5.0f, 3.3f, 1.4f, 0.2f, 6.5f, 2.8f,
  4.6f, 1.5f, 5.2f, 2.7f, 3.9f, 1.4f, 5.6f,
  2.9f, 3.6f, 1.3f, 5.6f, 2.5f, 3.9f, 1.1f,
  6.4f, 2.9f, 4.3f, 1.3f, 5.7f, 2.6f, 3.5f,
  1.0f, 5.4f, 3.0f, 4.5f, 1.5f, 5.5f, 2.5f,
  4.0f, 1.3f, 5.6f, 2.7f, 4.2f, 1.3f, 5.7f,
  2.8f, 4.1f, 1.3f, 6.5f, 3.0f, 5.8f, 2.2f,
  7.2f, 3.6f, 6.1f, 2.5f, 5.8f, 2.8f, 5.1f,
  2.4f, 6.0f, 2.2f, 5.0f, 1.5f, 6.7f, 3.3f,
  5.7f, 2.1f, 7.2f, 3.0f, 5.8f, 1.6f, 6.1f,
  2.6f, 5.6f, 1.4f, 6.9f, 3.1f, 5.4f, 2.1f,
  6.7f, 3.3f, 5.7f, 2.5f, 5.9f, 3.0f, 5.1f,
  1.8f};
static const tsr_tensor flowers_x = {.dtype = 12 /* f32 */, .layout = 0 /* plain */, .ndim = 2, .flags = TSR_READONLY,
  .shape = {30, 4}, .stride = {4, 1}, .data = (void *)flowers_x_data};

/* u8 [30] */
static const _Alignas(64) uint8_t flowers_y_data[30] = {
  0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 1,
  1, 1, 1, 1, 1, 1, 1, 1, 2, 2, 2, 2,
  2, 2, 2, 2, 2, 2};
static const tsr_tensor flowers_y = {.dtype = 6 /* u8 */, .layout = 0 /* plain */, .ndim = 1, .flags = TSR_READONLY,
  .shape = {30}, .stride = {1}, .data = (void *)flowers_y_data};
