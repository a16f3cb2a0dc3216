/** @file layout.h
 *  Layout tags: what the axes of a tensor mean. */
#ifndef TESSERA_LAYOUT_H
#define TESSERA_LAYOUT_H

#include <tessera/status.h>

#ifdef __cplusplus
extern "C" {
#endif

/** Id, number, axes in order, channels of a block (its axes end in the block, written c), name. N samples, C channels,
 *  L length, D depth, H height, W width, O and I the outputs and inputs of a filter. */
#define TSR_LAYOUT_LIST(X)          \
  X(PLAIN, 0, "", 0, "plain")       \
  X(N, 1, "N", 0, "N")              \
  X(NC, 2, "NC", 0, "NC")           \
  X(NCL, 3, "NCL", 0, "NCL")        \
  X(NLC, 4, "NLC", 0, "NLC")        \
  X(NCHW, 5, "NCHW", 0, "NCHW")     \
  X(NHWC, 6, "NHWC", 0, "NHWC")     \
  X(OIHW, 7, "OIHW", 0, "OIHW")     \
  X(OHWI, 8, "OHWI", 0, "OHWI")     \
  X(HWIO, 9, "HWIO", 0, "HWIO")     \
  X(NC4HW, 10, "NCHWc", 4, "NC4HW") \
  X(NC8HW, 11, "NCHWc", 8, "NC8HW") \
  X(NCDHW, 12, "NCDHW", 0, "NCDHW") \
  X(NDHWC, 13, "NDHWC", 0, "NDHWC") \
  X(NDCHW, 14, "NDCHW", 0, "NDCHW")

/** The tags. TSR_AUTO is for arguments: N, NC, NCL, NCHW or NCDHW, by the rank. */
typedef enum tsr_layout {
#define X(id, number, axes, block, name) TSR_##id = number,
  TSR_LAYOUT_LIST(X)
#undef X
      TSR_LAYOUT_COUNT,
  TSR_AUTO = 255
} tsr_layout;

/** "NCHW"; "none" when the number is no layout. */
TSR_API const char *tsr_layout_name(int layout);

/** The layout called name, or -1. */
TSR_API int tsr_layout_find(const char *name);

/** The rank of tensors with this tag; 0 for TSR_PLAIN (any rank), -1 when the number is no layout. */
TSR_API int tsr_layout_rank(int layout);

/** Where the axis with this letter is ('C'), or -1. */
TSR_API int tsr_layout_axis(int layout, char letter);

#ifdef __cplusplus
}
#endif

#endif
