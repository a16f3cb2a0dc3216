/* Writing a program as constants: what is asked for, and the order of things. */
#include "freeze/freeze.h"

#if TSR_HAVE_OPS

#include "core/table.h"

#include <string.h>

static const char op[] = "freeze_write";

static bool is_name(const char *name, bool begins) {
  if (begins && (name[0] == '\0' || name[0] == '_' || (name[0] >= '0' && name[0] <= '9'))) return false;
  if (begins && (strncmp(name, "tsr_", 4) == 0 || strncmp(name, "TSR_", 4) == 0)) return false;
  for (; *name != '\0'; name++) {
    const char c = *name;
    if (!((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_')) return false;
  }
  return true;
}

static tsr_status check_ports(tsr_ctx *ctx, const tsr_program *p) {
  const size_t inputs = p->inputs.count, all = inputs + p->outputs.count;
  if (all > TSR_FROZEN_PORTS)
    return TSR__FAIL(ctx, TSR_EUNSUPPORTED, op, "program", "has %z inputs and outputs; at most %d", all,
                     (int)TSR_FROZEN_PORTS);
  for (size_t i = 0; i < all; i++) {
    const char *const name = (i < inputs ? tsr__program_input(p, i) : tsr__program_output(p, i - inputs))->name;
    if (!is_name(name, false)) return TSR__FAIL(ctx, TSR_ENAME, op, "program", "has %s, which is no name in C", name);
    for (size_t k = 0; k < i; k++)
      if (strcmp(name, (k < inputs ? tsr__program_input(p, k) : tsr__program_output(p, k - inputs))->name) == 0)
        return TSR__FAIL(ctx, TSR_ENAME, op, "program", "has %s twice", name);
  }
  return TSR_OK;
}

static tsr_status check_program(tsr_ctx *ctx, const tsr_program *p, const char *name, const tsr_sink *sink) {
  if (p == NULL || name == NULL) return TSR__FAIL(ctx, TSR_EARG, op, p == NULL ? "program" : "name", "is NULL");
  const tsr_status st = tsr__check_sink(ctx, op, sink);
  if (st != TSR_OK) return st;
  if (p->state != TSR__PROGRAM_ENDED || p->home != NULL || (p->nodes.count > 0 && p->refs == NULL))
    return TSR__FAIL(ctx, TSR_ESTATE, op, "program",
                     p->home != NULL ? "was recorded for a device" : "has not been ended");
  if (!is_name(name, true)) return TSR__FAIL(ctx, TSR_ENAME, op, "name", "is %s, which is no name in C", name);
  return check_ports(ctx, p);
}

tsr_status tsr_freeze_write(tsr_ctx *ctx, const tsr_program *program, const char *name, const tsr_sink *sink,
                            tsr_freeze_report *report) {
  tsr__freezing f = {.ctx = ctx, .p = program, .name = name};
  tsr__scratch scratch;
  tsr_status st = check_program(ctx, program, name, sink);
  if (st != TSR_OK) return st;
  st = tsr__scratch_get(ctx, op, program->nodes.count * sizeof *f.calls, &scratch);
  if (st != TSR_OK) return st;
  f.calls = scratch.data;
  st = tsr__freeze_gather(&f);
  f.report.calls = f.count;
  if (st == TSR_OK) st = tsr__freeze_plan(&f);
  if (st == TSR_OK) st = tsr__freeze_text(&f, sink);
  tsr__scratch_put(&scratch);
  if (st == TSR_OK && report != NULL) *report = f.report;
  return st;
}

#endif
