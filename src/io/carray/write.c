/* Tensors as C source. */
#include "core/check.h"
#include "core/table.h"
#include "io/bytes/swap.h"
#include "io/bytes/walk.h"
#include "io/carray/names.h"
#include "ops/print/element.h"

#include <string.h>
#include <tessera/carray.h>

static const char op[] = "carray_write";

enum { LINE = 100, DEFAULT_ALIGN = 64 };

/* ---- elements ---- */

/* How the elements of a tensor are written. */
typedef struct kind {
  const char *type; /* in C */
  int unit;         /* bytes of one number */
  bool bits;        /* as bits, in hexadecimal */
  const char *suffix;
} kind;

/* Whether every number has a literal. */
static bool all_finite(const tsr_tensor *t) {
  _Alignas(16) char element[16];
  tsr__element_walk walk;
  tsr__float value;
  const bool complex = tsr_dtype_describe(t->dtype)->class_ == TSR_CLASS_COMPLEX;
  if (tsr_size(t) == 0) return true;
  tsr__element_walk_init(&walk, t, false);
  for (tsr_index i = 0; i < tsr_size(t); i++) {
    tsr__element_gather(&walk, 1, element);
    for (int part = 0; part <= (complex ? 1 : 0); part++) {
      tsr__float_load(t->dtype, part, element, &value);
      if (value.kind != TSR__FINITE) return false;
    }
  }
  return true;
}

static kind kind_of(const tsr_tensor *t) {
  static const char *const bits[] = {"uint8_t", "uint16_t", "uint32_t", "uint64_t"};
  static const char *const ints[] = {"int8_t", "int16_t", "int32_t", "int64_t"};
  const tsr_dtype_info *info = tsr_dtype_describe(t->dtype);
  const int unit = info->class_ == TSR_CLASS_COMPLEX ? info->bytes / 2 : info->bytes;
  const int size = unit == 1 ? 0 : unit == 2 ? 1 : unit == 4 ? 2 : 3;
  const bool is_float = info->class_ == TSR_CLASS_FLOAT || info->class_ == TSR_CLASS_COMPLEX;
  if (is_float && unit >= 4 && tsr_dtype_supported(t->dtype) && all_finite(t))
    return (kind){.type = unit == 4 ? "float" : "double", .unit = unit, .suffix = unit == 4 ? "f" : ""};
  if (info->class_ == TSR_CLASS_INT) return (kind){.type = ints[size], .unit = unit, .suffix = ""};
  return (kind){.type = bits[size], .unit = unit, .bits = is_float, .suffix = unit == 8 ? "u" : ""};
}

static void put_bits(tsr__printer *printer, const void *number, int unit) {
  static const char digits[] = "0123456789abcdef";
  uint64_t value = 0;
  for (int i = 0; i < unit; i++) {
    const int byte = TSR__LITTLE_HOST ? unit - 1 - i : i;
    value = value << 8 | ((const uint8_t *)number)[byte];
  }
  tsr__print_string(printer, "0x");
  for (int i = 2 * unit - 1; i >= 0; i--) tsr__print_char(printer, digits[value >> 4 * i & 15]);
}

/* The lowest integers have no literal: a minus is an operator. */
static bool put_lowest(tsr__printer *printer, int dtype, const void *element) {
  int32_t narrow;
  int64_t wide;
  memcpy(&narrow, element, dtype == TSR_I32 ? sizeof narrow : 0);
  memcpy(&wide, element, dtype == TSR_I64 ? sizeof wide : 0);
  if (dtype == TSR_I32 && narrow == INT32_MIN)
    tsr__print_string(printer, "INT32_MIN");
  else if (dtype == TSR_I64 && wide == INT64_MIN)
    tsr__print_string(printer, "INT64_MIN");
  else
    return false;
  return true;
}

static void put_part(tsr__printer *printer, const tsr_tensor *t, const kind *k, const char *element, int part) {
  tsr__float value;
  if (k->bits) {
    put_bits(printer, element + part * k->unit, k->unit);
  } else if (k->type[0] == 'f' || k->type[0] == 'd') {
    tsr__float_load(t->dtype, part, element, &value);
    tsr__float_write_alone(&value, false, true, printer);
  } else if (t->dtype == TSR_BOOL) {
    tsr__print_char(printer, *element != 0 ? '1' : '0');
  } else if (!put_lowest(printer, t->dtype, element)) {
    tsr__element_write_alone(t->dtype, element, printer);
  }
  tsr__print_string(printer, k->suffix);
}

/* ---- a tensor ---- */

static void put_elements(tsr__printer *printer, const tsr_tensor *t, const kind *k) {
  _Alignas(16) char element[16];
  tsr__element_walk walk;
  const int parts = (int)tsr_dtype_size(t->dtype) / k->unit;
  const int per_line = LINE / (2 * k->unit + 6);
  if (tsr_size(t) == 0) {
    tsr__print_string(printer, "0"); /* C has no empty arrays */
    return;
  }
  tsr__element_walk_init(&walk, t, false);
  for (tsr_index i = 0; i < tsr_size(t) && printer->status == TSR_OK; i++) {
    tsr__element_gather(&walk, 1, element);
    for (int part = 0; part < parts; part++) {
      if (i > 0 || part > 0) tsr__print_string(printer, (i * parts + part) % per_line == 0 ? ",\n  " : ", ");
      put_part(printer, t, k, element, part);
    }
  }
}

/* As many as the rank, whatever the configuration of whoever compiles it; C wants one at least. */
static void put_indices(tsr__printer *printer, const char *field, const tsr_index *numbers, tsr_index none, int ndim) {
  tsr__print_string(printer, field);
  if (ndim == 0) tsr__print_u64(printer, (uint64_t)none);
  for (int i = 0; i < ndim; i++) {
    if (i > 0) tsr__print_string(printer, ", ");
    tsr__print_u64(printer, (uint64_t)numbers[i]);
  }
  tsr__print_string(printer, "}");
}

/* A name as a comment has it: no character that ends the comment, or that a compiler reads in it. */
static void put_comment(tsr__printer *printer, const char *name) {
  static const char digits[] = "0123456789abcdef";
  for (; *name != '\0'; name++) {
    const unsigned char c = (unsigned char)*name;
    if (c >= ' ' && c < 127 && strchr("*\\?", c) == NULL) {
      tsr__print_char(printer, *name);
    } else {
      tsr__print_string(printer, "\\x");
      tsr__print_char(printer, digits[c >> 4]);
      tsr__print_char(printer, digits[c & 15]);
    }
  }
}

/* What it is, and its own name where C has another for it. */
static void put_about(tsr__printer *printer, const tsr_tensor *rows, const char *prefix, const char *name) {
  char described[TSR_TEXT_BYTES];
  const size_t before = strlen(prefix);
  (void)tsr_desc_format(rows, described, sizeof described);
  tsr__print_string(printer, "\n/* ");
  if (strncmp(name, prefix, before) != 0 || strcmp(name + before, rows->name) != 0) {
    put_comment(printer, rows->name);
    tsr__print_string(printer, ": ");
  }
  tsr__print_string(printer, described);
  tsr__print_string(printer, " */\n");
}

static void put_array(tsr__printer *printer, const tsr_tensor *t, const char *name, int align) {
  const kind k = kind_of(t);
  const size_t count = (size_t)tsr_size(t) * (tsr_dtype_size(t->dtype) / (size_t)k.unit);
  tsr__print_string(printer, "TSR_CONSTANT(");
  tsr__print_u64(printer, (uint64_t)align);
  tsr__print_string(printer, ") ");
  tsr__print_string(printer, k.type);
  tsr__print_char(printer, ' ');
  tsr__print_string(printer, name);
  tsr__print_char(printer, '[');
  tsr__print_u64(printer, count > 0 ? count : 1);
  tsr__print_string(printer, "] = {\n  ");
  put_elements(printer, t, &k);
  tsr__print_string(printer, "};\n");
}

/* The number for the compiler, the name for the reader. */
static void put_number(tsr__printer *printer, int number, const char *name) {
  tsr__print_u64(printer, (uint64_t)number);
  tsr__print_string(printer, " /* ");
  tsr__print_string(printer, name);
  tsr__print_string(printer, " */, ");
}

/* Every field in its order: C++17 has no names for them. */
static void put_struct(tsr__printer *printer, const tsr_tensor *rows, const tsr__c_name *name) {
  tsr__print_string(printer, "static const tsr_tensor ");
  tsr__print_string(printer, name->tensor);
  tsr__print_string(printer, " = {");
  put_number(printer, rows->dtype, tsr_dtype_name(rows->dtype));
  put_number(printer, rows->layout, tsr_layout_name(rows->layout));
  tsr__print_u64(printer, rows->ndim);
  tsr__print_string(printer, ", TSR_READONLY,");
  put_indices(printer, "\n  /* shape */ {", rows->shape, 1, rows->ndim);
  put_indices(printer, ", /* stride */ {", rows->stride, 0, rows->ndim);
  tsr__print_string(printer, ", (void *)");
  tsr__print_string(printer, name->array);
  tsr__print_string(printer, ", NULL, NULL};\n");
}

static void put_tensor(tsr__printer *printer, const tsr_tensor *t, const char *prefix, int align,
                       const tsr__c_name *name) {
  tsr_tensor rows = *t; /* as it will lie there */
  tsr__strides_for(t->ndim, t->shape, TSR_ROW_MAJOR, rows.stride);
  put_about(printer, &rows, prefix, name->tensor);
  put_array(printer, t, name->array, align);
  put_struct(printer, &rows, name);
}

/* ---- public ---- */

static tsr_status check_carray(tsr_ctx *ctx, const tsr_bundle *bundle, const tsr_carray_options *options) {
  const int align = options->align;
  if (align < 0 || align > 4096 || (align & (align - 1)) != 0)
    return TSR__FAIL(ctx, TSR_EARG, op, "options", "align %d is not a power of two up to 4096", align);
  const char *prefix = options->prefix;
  if (prefix != NULL && ((prefix[0] >= '0' && prefix[0] <= '9') || !tsr__is_c_part(prefix)))
    return TSR__FAIL(ctx, TSR_ENAME, op, "options", "prefix %s is not a name in C", prefix);
  for (tsr_index i = 0; i < bundle->count; i++) {
    const tsr_tensor *t = &bundle->tensors[i];
    const tsr_status st = tsr__check_input(ctx, op, t->name, t);
    if (st != TSR_OK) return st;
  }
  return TSR_OK;
}

static tsr_status write_all(tsr_ctx *ctx, const tsr_bundle *bundle, const tsr_carray_options *options,
                            const tsr_sink *sink) {
  const char *const prefix = options->prefix != NULL ? options->prefix : "";
  tsr__c_names names;
  tsr__printer printer;
  tsr_status st = tsr__c_names_init(ctx, op, bundle, prefix, &names);
  if (st != TSR_OK) return st;
  tsr__printer_init(&printer, sink);
  tsr__print_string(&printer,
                    "/* Written by Tessera: tensors as constants. */\n#include <stdint.h>\n"
                    "#include <tessera/tensor.h>\n");
  for (tsr_index i = 0; i < bundle->count && printer.status == TSR_OK; i++)
    put_tensor(&printer, &bundle->tensors[i], prefix, options->align > 0 ? options->align : DEFAULT_ALIGN,
               &names.name[i]);
  st = tsr__printer_finish(&printer);
  tsr__c_names_end(&names);
  return st == TSR_OK ? TSR_OK : TSR__FAIL(ctx, st, op, NULL, "the sink failed");
}

tsr_status tsr_carray_write(tsr_ctx *ctx, const tsr_bundle *bundle, const tsr_carray_options *options,
                            const tsr_sink *sink) {
  static const tsr_carray_options defaults = {0};
  if (bundle == NULL) return TSR__FAIL(ctx, TSR_EARG, op, "bundle", "is NULL");
  const tsr_status given = tsr__check_sink(ctx, op, sink);
  if (given != TSR_OK) return given;
  if (options == NULL) options = &defaults;
  tsr_status st = tsr__check_reserved(ctx, op, TSR__ROOM(options));
  if (st == TSR_OK) st = check_carray(ctx, bundle, options);
  return st == TSR_OK ? write_all(ctx, bundle, options, sink) : st;
}
