/* The types that GGUF files name. */
#include "io/gguf/gguf.h"

#if TSR_HAVE_STDIO

/* By the format's number: name, elements and bytes of a block. Numbers that are missing were given up. */
static const tsr__gguf_type types[] = {
    [0] = {"F32", 1, 4, TSR_F32},          [1] = {"F16", 1, 2, TSR_F16},          [2] = {"Q4_0", 32, 18, TSR_NONE},
    [3] = {"Q4_1", 32, 20, TSR_NONE},      [6] = {"Q5_0", 32, 22, TSR_NONE},      [7] = {"Q5_1", 32, 24, TSR_NONE},
    [8] = {"Q8_0", 32, 34, TSR_NONE},      [9] = {"Q8_1", 32, 36, TSR_NONE},      [10] = {"Q2_K", 256, 84, TSR_NONE},
    [11] = {"Q3_K", 256, 110, TSR_NONE},   [12] = {"Q4_K", 256, 144, TSR_NONE},   [13] = {"Q5_K", 256, 176, TSR_NONE},
    [14] = {"Q6_K", 256, 210, TSR_NONE},   [15] = {"Q8_K", 256, 292, TSR_NONE},   [16] = {"IQ2_XXS", 256, 66, TSR_NONE},
    [17] = {"IQ2_XS", 256, 74, TSR_NONE},  [18] = {"IQ3_XXS", 256, 98, TSR_NONE}, [19] = {"IQ1_S", 256, 50, TSR_NONE},
    [20] = {"IQ4_NL", 32, 18, TSR_NONE},   [21] = {"IQ3_S", 256, 110, TSR_NONE},  [22] = {"IQ2_S", 256, 82, TSR_NONE},
    [23] = {"IQ4_XS", 256, 136, TSR_NONE}, [24] = {"I8", 1, 1, TSR_I8},           [25] = {"I16", 1, 2, TSR_I16},
    [26] = {"I32", 1, 4, TSR_I32},         [27] = {"I64", 1, 8, TSR_I64},         [28] = {"F64", 1, 8, TSR_F64},
    [29] = {"IQ1_M", 256, 56, TSR_NONE},   [30] = {"BF16", 1, 2, TSR_BF16},       [34] = {"TQ1_0", 256, 54, TSR_NONE},
    [35] = {"TQ2_0", 256, 66, TSR_NONE},   [39] = {"MXFP4", 32, 17, TSR_NONE},
};

const tsr__gguf_type *tsr__gguf_type_of(uint32_t number) {
  if (number >= sizeof types / sizeof types[0] || types[number].name == NULL) return NULL;
  return &types[number];
}

bool tsr__gguf_decodes(uint32_t number) { return number == TSR_GGUF_Q4_0 || number == TSR_GGUF_Q8_0; }

const char *tsr_gguf_type_name(int type) {
  const tsr__gguf_type *found = type >= 0 ? tsr__gguf_type_of((uint32_t)type) : NULL;
  return found != NULL ? found->name : NULL;
}

size_t tsr__gguf_value_bytes(uint32_t type) {
  static const uint8_t bytes[] = {1, 1, 2, 2, 4, 4, 4, 1, 0, 0, 8, 8, 8};
  return type < sizeof bytes ? bytes[type] : 0;
}

#endif
