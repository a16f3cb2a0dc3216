/* Tensors on a microcontroller: memory from a static array, no malloc, no stdio. */
#include <semihost.h>
#include <tessera/tessera.h>

static uint8_t memory[2048];
static char text[512];

int main(void) {
  tsr_arena arena;
  tsr_ctx ctx;
  tsr_tensor a = {0}, corner = {0}, copy = {0};
  tsr_status st;
  TSR_TRY(st, tsr_arena_init(memory, sizeof memory, &arena), done);
  TSR_TRY(st, tsr_context_init(&ctx, &arena.allocator), done);
  TSR_TRY(st, tsr_zeros(&ctx, TSR_F32, TSR_SHAPE(3, 4), &a), done);
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 4; j++) TSR_AT(float, &a, i, j) = (float)(10 * i + j) + 0.5f;
  TSR_TRY(st, tsr_transpose(&ctx, &a, 0, 1, &corner), done);
  TSR_TRY(st, tsr_slice(&ctx, &corner, 0, 1, 3, 1, &corner), done);
  TSR_TRY(st, tsr_copy(&ctx, &corner, &copy), done);
  TSR_TRY(st, tsr_print_text(&ctx, &copy, NULL, text, sizeof text, NULL), done);
  port_say(text);
  st = TSR_AT(float, &copy, 1, 2) == 22.5f ? TSR_OK : TSR_ESTATE;
done:
  tsr_release(&copy);
  tsr_release(&a);
  port_say(st == TSR_OK ? "\nmcu smoke: ok\n" : "\nmcu smoke: failed\n");
  return st;
}
