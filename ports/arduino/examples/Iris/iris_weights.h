/* The weights, first layer to third: weights, then bias. */
#ifndef IRIS_WEIGHTS_H
#define IRIS_WEIGHTS_H

#include <tessera.h>

#ifdef __cplusplus
extern "C" {
#endif
extern const tsr_tensor *const iris_weights[6];
#ifdef __cplusplus
}
#endif

#endif
