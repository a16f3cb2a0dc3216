/* cuDNN's backend: what of it is called, declared here from its documentation, since its headers are on few machines. It is opened when the first
 * convolution wants it, and only where TSR_CUDA_CUDNN=1 asks for it. */
#ifndef TSR_CUDA_DNN_H
#define TSR_CUDA_DNN_H

#include "cuda/gpu.h"

/* Kinds of descriptors, their attributes, types of those, and numbers that are in them; the names are cuDNN's. */
enum {
  DNN_CONVOLUTION = 1,
  DNN_ENGINE = 2,
  DNN_ENGINECFG = 3,
  DNN_ENGINEHEUR = 4,
  DNN_EXECUTION_PLAN = 5,
  DNN_OPERATION_CONVOLUTION_FORWARD = 10,
  DNN_OPERATIONGRAPH = 15,
  DNN_VARIANT_PACK = 16,
  DNN_TENSOR = 17
};
enum {
  DNN_CONVOLUTION_COMP_TYPE = 100,
  DNN_CONVOLUTION_CONV_MODE = 101,
  DNN_CONVOLUTION_DILATIONS = 102,
  DNN_CONVOLUTION_FILTER_STRIDES = 103,
  DNN_CONVOLUTION_POST_PADDINGS = 104,
  DNN_CONVOLUTION_PRE_PADDINGS = 105,
  DNN_CONVOLUTION_SPATIAL_DIMS = 106,
  DNN_ENGINEHEUR_MODE = 200,
  DNN_ENGINEHEUR_OPERATION_GRAPH = 201,
  DNN_ENGINEHEUR_RESULTS = 202,
  DNN_ENGINECFG_ENGINE = 300,
  DNN_EXECUTION_PLAN_HANDLE = 400,
  DNN_EXECUTION_PLAN_ENGINE_CONFIG = 401,
  DNN_EXECUTION_PLAN_WORKSPACE_SIZE = 402,
  DNN_FORWARD_ALPHA = 700,
  DNN_FORWARD_BETA = 701,
  DNN_FORWARD_CONV_DESC = 702,
  DNN_FORWARD_W = 703,
  DNN_FORWARD_X = 704,
  DNN_FORWARD_Y = 705,
  DNN_OPERATIONGRAPH_HANDLE = 800,
  DNN_OPERATIONGRAPH_OPS = 801,
  DNN_TENSOR_BYTE_ALIGNMENT = 900,
  DNN_TENSOR_DATA_TYPE = 901,
  DNN_TENSOR_DIMENSIONS = 902,
  DNN_TENSOR_STRIDES = 903,
  DNN_TENSOR_UNIQUE_ID = 906,
  DNN_VARIANT_PACK_UNIQUE_IDS = 1000,
  DNN_VARIANT_PACK_DATA_POINTERS = 1001,
  DNN_VARIANT_PACK_WORKSPACE = 1003,
  DNN_ENGINE_NUMERICAL_NOTE = 1303
};
enum {
  DNN_TYPE_HANDLE = 0,
  DNN_TYPE_DATA_TYPE = 1,
  DNN_TYPE_INT64 = 3,
  DNN_TYPE_FLOAT = 4,
  DNN_TYPE_DOUBLE = 5,
  DNN_TYPE_VOID_PTR = 6,
  DNN_TYPE_CONVOLUTION_MODE = 7,
  DNN_TYPE_HEUR_MODE = 8,
  DNN_TYPE_NUMERICAL_NOTE = 11,
  DNN_TYPE_DESCRIPTOR = 15
};
enum { DNN_FLOAT = 0, DNN_DOUBLE = 1, DNN_HALF = 2, DNN_BFLOAT16 = 9 };
enum { DNN_CROSS_CORRELATION = 1, DNN_HEUR_MODE_A = 3 };
enum {
  DNN_NOTE_TENSOR_CORE,
  DNN_NOTE_DOWN_CONVERT,
  DNN_NOTE_REDUCED,
  DNN_NOTE_FFT,
  DNN_NOTE_NONDETERMINISTIC,
  DNN_NOTES = 16
};

typedef void *tsr__dnn_descriptor;

/* Functions are 0 where they succeed. */
typedef struct tsr__cuda_dnn {
  int (*create)(void **handle);
  int (*set_stream)(void *handle, void *stream);
  int (*make)(int kind, tsr__dnn_descriptor *descriptor);
  int (*destroy)(tsr__dnn_descriptor descriptor);
  int (*finalize)(tsr__dnn_descriptor descriptor);
  int (*set)(tsr__dnn_descriptor descriptor, int name, int type, int64_t count, const void *elements);
  int (*get)(tsr__dnn_descriptor descriptor, int name, int type, int64_t room, int64_t *count, void *elements);
  int (*execute)(void *handle, tsr__dnn_descriptor plan, tsr__dnn_descriptor pack);
  size_t (*version)(void);
  void *handle;
} tsr__cuda_dnn;

/* NULL: it is not asked for, missing, or does not start. The lock of blas and the context are held. */
const tsr__cuda_dnn *tsr__cuda_dnn_open(tsr__cuda *gpu);

/* Its version, 91400 for 9.14.0, where convolutions go to it; 0: they do not. */
int tsr__cuda_dnn_version(tsr__cuda *gpu);

#endif
