/* tessera ops: every op of the library, by its name. */
#include <stdio.h>
#include <string.h>

#include "args.h"
#include "json.h"
#include "nearest.h"
#include "on_device.h"
#include "report.h"

#if TSR_HAVE_OPS

enum { TEXT_BYTES = 2048 };

static void put_line(const tsr_op *op) { (void)printf("%-24s %s\n", op->name, tsr_op_brief(op)); }

static void put_details(const tsr_op *op) {
  char text[TEXT_BYTES];
  (void)tsr_op_format(op, text, sizeof text);
  (void)printf("%s\n  %s.\n", text, tsr_op_brief(op));
  (void)tsr_op_format_dtypes(op, text, sizeof text);
  (void)printf("  dtypes: %s\n", text);
}

/* ---- JSON ---- */

static const char *const types[] = {"tensor", "tensors", "bool", "int",  "axis",  "real", "word",
                                    "dtype",  "layout",  "ints", "axes", "reals", "text", "rng"};
static const char *const objects[] = {"object", "packed", "conv_packed", "qlayer"};

static const char *type_of(const tsr_op_param *param) {
  if (param->type != TSR_OP_OBJECT) return types[param->type];
  return objects[param->takes <= TSR_OBJECT_QLAYER ? param->takes : 0];
}

static void put_default(json *j, const tsr_op_param *param) {
  const int64_t number = param->default_value.integer;
  if (param->type == TSR_OP_BOOL) json_bool(j, "default", number != 0);
  if (param->type == TSR_OP_INT || param->type == TSR_OP_AXIS) json_integer(j, "default", number);
  if (param->type == TSR_OP_REAL) json_real(j, "default", (double)param->default_value.real);
  if (param->type == TSR_OP_WORD) json_string(j, "default", tsr_op_word(param, (int)number));
  if (param->type == TSR_OP_DTYPE) json_string(j, "default", tsr_dtype_name((int)number));
  if (param->type == TSR_OP_LAYOUT)
    json_string(j, "default", number == TSR_AUTO ? "auto" : tsr_layout_name((int)number));
}

static void put_param(json *j, const tsr_op_param *param) {
  const char *word;
  const bool optional = (param->flags & TSR_OP_OPTIONAL) != 0;
  json_open(j, NULL, '{');
  json_string(j, "name", param->name);
  json_string(j, "type", type_of(param));
  json_bool(j, "optional", optional);
  if (param->type == TSR_OP_WORD) {
    json_open(j, "words", '[');
    for (int i = 0; (word = tsr_op_word(param, i)) != NULL; i++) json_string(j, NULL, word);
    json_close(j, ']');
  }
  if (optional && param->role == TSR_OP_ATTRIBUTE) put_default(j, param);
  json_close(j, '}');
}

static void put_json(json *j, const tsr_op *op) {
  static const char *const roles[] = {"inputs", "attributes", "outputs"};
  const tsr_op_param *param;
  char text[TEXT_BYTES];
  json_open(j, NULL, '{');
  json_string(j, "name", op->name);
  json_string(j, "brief", tsr_op_brief(op));
  (void)tsr_op_format_dtypes(op, text, sizeof text);
  json_string(j, "dtypes", text);
  for (int role = 0; role < 3; role++) {
    json_open(j, roles[role], '[');
    for (int i = 0; (param = tsr_op_param_at(op, role, i)) != NULL; i++) put_param(j, param);
    json_close(j, ']');
  }
  json_close(j, '}');
}

/* ---- the command ---- */

static const tsr_op *find(const char *name) {
  const tsr_op *const op = tsr_op_find(strncmp(name, "tsr_", 4) == 0 ? name + 4 : name);
  if (op != NULL) return op;
  nearest best;
  nearest_init(&best, name, strlen(name));
  for (int i = 0; i < tsr_op_count(); i++) nearest_offer(&best, tsr_op_at(i)->name);
  if (best.count > 0)
    (void)report("there is no op '%s'; did you mean '%s'? (tessera ops)", name, best.names[0]);
  else
    (void)report("there is no op '%s' (tessera ops)", name);
  return NULL;
}

/* ---- what a device does not compute ---- */

/* Ops that touch no element: they work on tensors of any device, and no device is asked. */
static const char *const views[] = {"as_strided",
                                    "bitcast",
                                    "broadcast_to",
                                    "complex_part",
                                    "diagonal",
                                    "flatten_view",
                                    "flip",
                                    "mat",
                                    "meshgrid",
                                    "narrow",
                                    "permute",
                                    "reshape_view",
                                    "reshape_view_ordered",
                                    "select",
                                    "set_layout",
                                    "slice",
                                    "sliding_window",
                                    "split",
                                    "split_sizes",
                                    "squeeze",
                                    "squeeze_all",
                                    "squeeze_leading",
                                    "to_layout_view",
                                    "transpose",
                                    "unsqueeze",
                                    "view"};

static const char *reason_of(const tsr_op *op) {
  const tsr_op_param *param;
  for (size_t i = 0; i < sizeof views / sizeof views[0]; i++)
    if (strcmp(views[i], op->name) == 0) return "touches no element: works on tensors of that device as on the host's";
  for (int i = 0; (param = tsr_op_param_at(op, TSR_OP_ATTRIBUTE, i)) != NULL; i++)
    if (param->type == TSR_OP_OBJECT) return "takes weights that were packed for the host";
  return "has no kernel there: copy its operands to the host first";
}

static void put_others(const tsr_device *device) {
  int others = 0;
  for (int i = 0; i < tsr_op_count(); i++) {
    const tsr_op *const op = tsr_op_at(i);
    if (tsr_op_on(op, device)) continue;
    if (others++ == 0) (void)printf("\n%s does not compute:\n", device->name);
    (void)printf("%-24s %s\n", op->name, reason_of(op));
  }
}

/* How an op is shown: one line in a list, all of it, or as JSON. */
static void put(const tsr_op *op, const arguments *args, json *j, bool named) {
  if (args_has(args, "json")) {
    put_json(j, op);
  } else if (named || args_has(args, "long")) {
    put_details(op);
  } else {
    put_line(op);
  }
}

static int run(tsr_ctx *ctx, const arguments *args) {
  json j = {0};
  const tsr_device *device;
  if (!device_of(ctx, args, &device)) return FAILED;
  for (int i = 0; i < args->operand_count; i++)
    if (find(args->operands[i]) == NULL) return FAILED;
  if (args_has(args, "json")) json_open(&j, NULL, '[');
  if (args->operand_count == 0)
    for (int i = 0; i < tsr_op_count(); i++)
      if (tsr_op_on(tsr_op_at(i), device)) put(tsr_op_at(i), args, &j, false);
  for (int i = 0; i < args->operand_count; i++) put(find(args->operands[i]), args, &j, true);
  if (args_has(args, "json")) json_close(&j, ']');
  if (args->operand_count == 0 && device != NULL && !args_has(args, "json")) put_others(device);
  return DONE;
}

#else

static int run(tsr_ctx *ctx, const arguments *args) {
  (void)ctx, (void)args;
  return report("this build has no table of ops (TSR_HAVE_OPS)");
}

#endif

static const option options[] = {
    {"long", 'l', NULL, "parameters, defaults and dtypes of every op"},
    {"json", 0, NULL, "as JSON"},
    {"device", 0, "NAME", "those that a device computes, and why it does not compute the others: cpu, cuda:0, dry"},
    {0}};

const command ops_command = {
    .name = "ops",
    .summary = "lists the operations of the library",
    .usage = "[OPTION]... [NAME]...",
    .about =
        "Prints the table of tsr_op_find. Without a name: every op and what it does. With names: how each is called,\n"
        "its attributes with their types and defaults, and the dtypes that it takes and gives. \"?\" marks what may "
        "be\n"
        "left out; <tessera/registry.h> explains the rest.",
    .examples =
        "  tessera ops\n  tessera ops softmax topk\n  tessera ops --json conv2d\n  tessera ops --device cuda:0\n",
    .options = options,
    .least = 0,
    .most = -1,
    .run = run,
};
