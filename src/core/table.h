/* Tables and options that a program hands in: they can grow, because a table begins with its size and options end in room that is
 * 0. What is wrong with either is told before it is used; not on microcontrollers, whose programs are built with their library. */
#ifndef TSR_CORE_TABLE_H
#define TSR_CORE_TABLE_H

#include "core/fail.h"
#include <tessera/io.h>

/* The bytes of the first version of a table, whose last field was this one. Not sizeof: that grows with the table, and the
 * programs that were compiled before do not. */
#define TSR__FIRST_BYTES(table, last) (offsetof(table, last) + sizeof(((table *)0)->last))

/* Refuses a table whose size, its first field, is below least: that of its first version. */
static inline tsr_status tsr__check_table(tsr_ctx *ctx, const char *op, const char *arg, const void *table,
                                          size_t least, bool complete) {
  if (table == NULL || !complete) return TSR__FAIL(ctx, TSR_EARG, op, arg, "is NULL");
  if (TSR_HAVE_OPS && *(const size_t *)table < least)
    return TSR__FAIL(ctx, TSR_EARG, op, arg, "has size %l, not that of its struct: set it to sizeof(tsr_%s)",
                     (int64_t) * (const size_t *)table, arg);
  return TSR_OK;
}

static inline tsr_status tsr__check_sink(tsr_ctx *ctx, const char *op, const tsr_sink *sink) {
  return tsr__check_table(ctx, op, "sink", sink, TSR__FIRST_BYTES(tsr_sink, self), sink != NULL && sink->write != NULL);
}
static inline tsr_status tsr__check_source(tsr_ctx *ctx, const char *op, const tsr_source *source) {
  return tsr__check_table(ctx, op, "source", source, TSR__FIRST_BYTES(tsr_source, self),
                          source != NULL && source->read != NULL);
}
static inline tsr_status tsr__check_reader(tsr_ctx *ctx, const char *op, const tsr_reader *reader) {
  return tsr__check_table(ctx, op, "reader", reader, TSR__FIRST_BYTES(tsr_reader, bytes),
                          reader != NULL && reader->read != NULL);
}
static inline tsr_status tsr__check_producer(tsr_ctx *ctx, const char *op, const tsr_producer *producer) {
  return tsr__check_table(ctx, op, "producer", producer, TSR__FIRST_BYTES(tsr_producer, self),
                          producer != NULL && producer->produce != NULL);
}

/* Refuses options in whose room something stands: the program was built for a later version, and wants what this one has not.
 * NULL is fine. */
static inline tsr_status tsr__check_reserved(tsr_ctx *ctx, const char *op, const size_t *reserved, size_t count) {
  if (!TSR_HAVE_OPS || reserved == NULL) return TSR_OK;
  for (size_t i = 0; i < count; i++)
    if (reserved[i] != 0)
      return TSR__FAIL(ctx, TSR_EUNSUPPORTED, op, "options",
                       "have something in their reserved room, which is 0 in this version");
  return TSR_OK;
}

/* The room of options and how many words it still has, as two arguments; of options that may be NULL. */
#define TSR__ROOM(options) (options)->reserved, sizeof((options)->reserved) / sizeof(size_t)
#define TSR__RESERVED_OF(options) \
  ((options) != NULL ? (options)->reserved : NULL), sizeof((options)->reserved) / sizeof(size_t)

#endif
