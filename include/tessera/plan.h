/** @file plan.h
 *  The memory planner: tensors that are never alive together share bytes. */
#ifndef TESSERA_PLAN_H
#define TESSERA_PLAN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <tessera/context.h>

#ifdef __cplusplus
extern "C" {
#endif

/** One tensor of a plan: what it needs and when; the planner fills in offset. */
typedef struct tsr_plan_item {
  size_t bytes;     /**< its size; its slot is that, rounded up to the alignment */
  int32_t first;    /**< the step that writes it */
  int32_t last;     /**< the last step that reads it; ≥ first. Alive from first to last, both included */
  int32_t in_place; /**< 0: none. k + 1: it may take the slot of item k, when that one's last step is this one's first,
                         and its slot is not smaller. A slot goes to one taker; what that leaves of it is free */
  size_t offset;    /**< out: where its slot begins */
} tsr_plan_item;

/** What a plan came to. */
typedef struct tsr_plan_report {
  size_t planned;     /**< bytes of the one block */
  size_t unshared;    /**< the sum of all slots: without sharing */
  size_t lower_bound; /**< the largest sum of slots alive at one step, a slot that is taken over counted once: no plan
                           can be smaller */
  int32_t in_place;   /**< items that took a dying input's slot */
} tsr_plan_report;

/** Places n items at aligned offsets so that no two that are alive together overlap, in as few bytes as it can find:
 *  gap packing in several orders, then improvement while the lower bound is not reached. The same items give the same
 *  offsets on every machine. align: a power of two, 0 for TSR_DATA_ALIGN. report may be NULL. Temporary memory: see
 *  tsr_plan_workspace_size. TSR_EARG for an item that ends before it begins or whose in_place is out of range or leads
 *  into a circle, TSR_EOVERFLOW when the sum of all slots does not fit. When it fails no offset has changed. */
TSR_API TSR_MUST_USE tsr_status tsr_plan(tsr_ctx *ctx, int32_t n, tsr_plan_item *items, size_t align,
                                         tsr_plan_report *report);

/** Bytes of temporary memory that a plan of n items takes, at whatever address it begins. */
TSR_API TSR_MUST_USE tsr_status tsr_plan_workspace_size(tsr_ctx *ctx, int32_t n, size_t *bytes);

/** Whether the offsets are aligned (TSR_EALIGN), inside block_bytes (TSR_ECAPACITY), and free of clashes (TSR_EOVERLAP:
 *  the message names the first pair that are alive together and share bytes). An item may share the slot that its
 *  in_place names when it begins at the same offset. For plans that come from elsewhere: compares every pair, takes no
 *  memory. */
TSR_API TSR_MUST_USE tsr_status tsr_plan_check(tsr_ctx *ctx, int32_t n, const tsr_plan_item *items, size_t align,
                                               size_t block_bytes);

#ifdef __cplusplus
}
#endif

#endif
