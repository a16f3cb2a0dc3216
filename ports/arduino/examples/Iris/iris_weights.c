/* iris.h was written by the command: tessera convert iris.npz iris.h. It is C, and the sketch is C++. */
#include "iris_weights.h"
#include "iris.h"

const tsr_tensor *const iris_weights[6] = {&iris_first_weight, &iris_first_bias,   &iris_second_weight,
                                           &iris_second_bias,  &iris_third_weight, &iris_third_bias};
