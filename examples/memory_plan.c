/* A memory plan: tensors that are never alive together share bytes of one block. */
#include <stdio.h>
#include <tessera/tessera.h>

enum { COUNT = 5 };

int main(void) {
  /* What each tensor needs, the step that writes it and the last one that reads it. */
  static const char *const names[COUNT] = {"image", "conv1", "relu1", "conv2", "scores"};
  static const tsr_index lengths[COUNT] = {3 * 32 * 32, 16 * 32 * 32, 16 * 32 * 32, 32 * 16 * 16, 10};
  tsr_plan_item items[COUNT];
  tsr_plan_report report;
  tsr_bundle graph;
  tsr_tensor batch = {0};
  tsr_status st;
  TSR_TRY(st, tsr_bundle_init(NULL, &graph), failed);
  for (int i = 0; i < COUNT; i++) {
    tsr_tensor t = {0}; /* described: a shape without memory */
    TSR_TRY(st, tsr_desc_init(NULL, TSR_F32, TSR_SHAPE(lengths[i]), &t), done);
    items[i] = (tsr_plan_item){.bytes = tsr_nbytes(&t), .first = i, .last = i + 1};
    TSR_TRY(st, tsr_bundle_add(NULL, &graph, names[i], &t), done);
  }
  items[2].in_place = 1 + 1; /* relu1 may take conv1's slot: conv1 dies when relu1 is born */

  TSR_TRY(st, tsr_plan(NULL, COUNT, items, 0, &report), done);
  TSR_TRY(st, tsr_bundle_bind(NULL, &graph, COUNT, items, report.planned, NULL), done);
  for (int i = 0; i < COUNT; i++) printf("%-6s %6zu bytes at %6zu\n", names[i], items[i].bytes, items[i].offset);
  printf("one block of %zu bytes; ", report.planned);
  printf("unshared %zu, lower bound %zu\n", report.unshared, report.lower_bound);

  TSR_TRY(st, tsr_share(NULL, tsr_bundle_find(&graph, "image"), &batch), done);
  TSR_TRY(st, tsr_reallocate(NULL, &batch, TSR_SHAPE(3, 24, 24)), done); /* a smaller image today: the memory stays */
  if (tsr_reallocate(NULL, &batch, TSR_SHAPE(3, 33, 33)) != TSR_OK)
    printf("%s\n", tsr_error(NULL)); /* not a neighbour's */
done:
  if (st != TSR_OK) fprintf(stderr, "%s\n", tsr_error(NULL));
  tsr_release(&batch);
  tsr_bundle_release(&graph);
failed:
  return st;
}
