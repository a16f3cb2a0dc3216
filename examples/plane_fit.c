/* The plane z = a·x + b·y + c through a cloud of points, by least squares: a stack of clouds is fitted in one call. */
#include <math.h>
#include <stdio.h>
#include <tessera/tessera.h>

enum { CLOUDS = 3, POINTS = 200 };

/* Points (x, y, 1) of each cloud, and their heights over a plane of its own, with some noise. */
static tsr_status make_clouds(tsr_ctx *ctx, const tsr_tensor *planes, tsr_tensor *points, tsr_tensor *heights) {
  tsr_rng rng = tsr_rng_seed(7);
  tsr_tensor ones = {0}, noise = {0}, columns = {0};
  tsr_status st;
  TSR_TRY(st, tsr_rand_uniform(ctx, &rng, TSR_F64, TSR_SHAPE(CLOUDS, POINTS, 3), -1, 1, points), done);
  TSR_TRY(st, tsr_narrow(ctx, points, 2, 2, 1, &ones), done);
  TSR_TRY(st, tsr_fill(ctx, 1, &ones), done);
  TSR_TRY(st, tsr_unsqueeze(ctx, planes, 2, &columns), done);    /* (CLOUDS, 3, 1) */
  TSR_TRY(st, tsr_matmul(ctx, points, &columns, heights), done); /* (CLOUDS, POINTS, 1) */
  TSR_TRY(st, tsr_rand_normal_scaled(ctx, &rng, TSR_F64, 3, heights->shape, 0, 0.01, &noise), done);
  TSR_TRY(st, tsr_add(ctx, heights, &noise, heights), done);
done:
  tsr_release(&columns);
  tsr_release(&noise);
  tsr_release(&ones);
  return st;
}

int main(void) {
  static const double truth[CLOUDS * 3] = {0.5, -1, 2, 0, 3, -1, 1, 1, 1};
  tsr_ctx ctx;
  tsr_tensor planes = {0}, points = {0}, heights = {0}, found = {0}, rank = {0};
  double worst = 0;
  tsr_status st;
  TSR_TRY(st, tsr_context_init(&ctx, NULL), done);
  TSR_TRY(st, tsr_from_const_memory(&ctx, truth, TSR_F64, TSR_SHAPE(CLOUDS, 3), &planes), done);
  TSR_TRY(st, make_clouds(&ctx, &planes, &points, &heights), done);
  TSR_TRY(st, tsr_lstsq(&ctx, &points, &heights, -1, &found, &rank, NULL), done); /* (CLOUDS, 3, 1) */
  for (int i = 0; i < CLOUDS * 3; i++) worst = fmax(worst, fabs(((const double *)found.data)[i] - truth[i]));
  TSR_TRY(st, tsr_print(&ctx, &found, NULL, stdout), done);
  printf("planes: %s\n", worst < 0.01 ? "found" : "not found");
done:
  if (st != TSR_OK) fprintf(stderr, "%s\n", tsr_error(&ctx));
  tsr_release(&rank);
  tsr_release(&found);
  tsr_release(&heights);
  tsr_release(&points);
  tsr_release(&planes);
  return st == TSR_OK && worst < 0.01 ? 0 : 1;
}
