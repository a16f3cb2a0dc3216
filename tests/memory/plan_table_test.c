/* A plan that was made elsewhere, as constants: what examples/plan_table.c wrote is what the planner says here. */
#include <tessera/plan.h>
#include "support/helpers.h"
#include "support/test.h"
#include "../../examples/mcu/data/digits_plan.h"

enum { ALIGN = 8 };

/* examples/mcu/digits_plan.txt */
static const tsr_plan_item digits[DIGITS_PLAN_COUNT] = {
    [DIGITS_PLAN_IMAGE] = {.bytes = 256, .first = 0, .last = 1},
    [DIGITS_PLAN_CONV1] = {.bytes = 2048, .first = 1, .last = 2},
    [DIGITS_PLAN_CONV2] = {.bytes = 4096, .first = 2, .last = 3},
    [DIGITS_PLAN_POOLED] = {.bytes = 1024, .first = 3, .last = 4},
    [DIGITS_PLAN_SCORES] = {.bytes = 40, .first = 4, .last = 5},
};

TEST(the_table_is_the_plan) {
  tsr_ctx *const ctx = test_context();
  tsr_plan_item items[DIGITS_PLAN_COUNT];
  tsr_plan_report report;
  memcpy(items, digits, sizeof items);
  OK(ctx, tsr_plan(ctx, DIGITS_PLAN_COUNT, items, ALIGN, &report));
  CHECK(report.planned == DIGITS_PLAN_BYTES && report.lower_bound == DIGITS_PLAN_BYTES);
  for (int i = 0; i < DIGITS_PLAN_COUNT; i++) CHECK(items[i].offset == digits_plan[i]);
}

TEST(the_table_holds) {
  tsr_ctx *const ctx = test_context();
  tsr_plan_item items[DIGITS_PLAN_COUNT];
  memcpy(items, digits, sizeof items);
  for (int i = 0; i < DIGITS_PLAN_COUNT; i++) items[i].offset = digits_plan[i];
  OK(ctx, tsr_plan_check(ctx, DIGITS_PLAN_COUNT, items, ALIGN, DIGITS_PLAN_BYTES));
  FAILS(ctx, TSR_ECAPACITY, tsr_plan_check(ctx, DIGITS_PLAN_COUNT, items, ALIGN, DIGITS_PLAN_BYTES - 1));
  items[DIGITS_PLAN_POOLED].offset = items[DIGITS_PLAN_CONV2].offset; /* both are alive in step 3 */
  FAILS(ctx, TSR_EOVERLAP, tsr_plan_check(ctx, DIGITS_PLAN_COUNT, items, ALIGN, DIGITS_PLAN_BYTES));
}

TEST_MAIN(RUN(the_table_is_the_plan), RUN(the_table_holds))
