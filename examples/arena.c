/* Contexts that take their memory from somewhere else: an arena over bytes of our own, and a pool that keeps what was freed. */
#include <stdio.h>
#include <tessera/tessera.h>

/* y = relu(x·2 - 3), with temporaries that the arena forgets at once. */
static tsr_status step(tsr_ctx *ctx, const tsr_tensor *x, tsr_tensor *y) {
  tsr_tensor doubled = {0}, shifted = {0};
  tsr_status st;
  TSR_TRY(st, tsr_mul_scalar(ctx, x, 2, &doubled), done);
  TSR_TRY(st, tsr_sub_scalar(ctx, &doubled, 3, &shifted), done);
  TSR_TRY(st, tsr_relu(ctx, &shifted, y), done); /* y is given: written into */
done:
  tsr_release(&shifted);
  tsr_release(&doubled);
  return st;
}

static tsr_status on_an_arena(void) {
  static _Alignas(64) unsigned char bytes[4096]; /* all the memory there is */
  tsr_arena arena;
  tsr_ctx ctx;
  tsr_tensor x = {0}, y = {0};
  tsr_status st;
  TSR_TRY(st, tsr_arena_init(bytes, sizeof bytes, &arena), done);
  TSR_TRY(st, tsr_context_init(&ctx, &arena.allocator), done);
  TSR_TRY(st, tsr_arange(&ctx, TSR_F32, 0, 8, 1, &x), done);
  TSR_TRY(st, tsr_empty_like(&ctx, &x, &y), done);
  const size_t mark = tsr_arena_mark(&arena);
  for (int i = 0; i < 100; i++) {
    TSR_TRY(st, step(&ctx, &x, &y), done);
    TSR_TRY(st, tsr_arena_rewind(&arena, mark), done); /* the temporaries of this step */
  }
  TSR_TRY(st, tsr_print(&ctx, &y, NULL, stdout), done);
  printf("arena: %zu of %zu bytes after 100 steps\n", tsr_arena_mark(&arena), sizeof bytes);
done:
  tsr_release(&y);
  tsr_release(&x);
  return st;
}

static tsr_status on_a_pool(void) {
  tsr_memory_pool *pool = NULL;
  tsr_ctx ctx;
  tsr_tensor x = {0}, y = {0};
  tsr_status st;
  TSR_TRY(st, tsr_memory_pool_new(NULL, 1 << 20, &pool), done); /* keeps up to 1 MB */
  TSR_TRY(st, tsr_context_init(&ctx, tsr_memory_pool_allocator(pool)), done);
  TSR_TRY(st, tsr_ones(&ctx, TSR_F32, TSR_SHAPE(64, 64), &x), done);
  TSR_TRY(st, tsr_empty_like(&ctx, &x, &y), done);
  for (int i = 0; i < 100; i++) TSR_TRY(st, step(&ctx, &x, &y), done);
  const tsr_memory_stats stats = tsr_memory_pool_stats(pool);
  printf("pool: %zu bytes in use, %zu kept, %llu blocks handed out again\n", stats.in_use, stats.cached,
         (unsigned long long)stats.hits);
done:
  tsr_release(&y);
  tsr_release(&x);
  if (pool != NULL) TSR_IGNORE(tsr_memory_pool_release(pool)); /* fails while blocks are out; none is */
  return st;
}

int main(void) {
  const tsr_status st = on_an_arena();
  if (st != TSR_OK) fprintf(stderr, "arena: %s\n", tsr_status_text(st));
  const tsr_status st2 = on_a_pool();
  if (st2 != TSR_OK) fprintf(stderr, "pool: %s\n", tsr_status_text(st2));
  return st != TSR_OK ? st : st2;
}
