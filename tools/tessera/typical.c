#include "typical.h"

#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>

#if TSR_HAVE_OPS

/* ---- the list ---- */

/* Each op with each dtype is a call. Inputs are names of the table below, with @ before one that the output is written over; attributes
 * are name=value. Lists of inputs or attributes with ; between them are a call each. */
typedef struct row {
  const char *ops, *dtypes, *inputs, *attrs;
} row;

static const char floats[] = "f32 f16 bf16", common[] = "f32 f16 bf16 f64 i32 i64", each_way[] = ";axes=0;axes=1";

static const row rows[] = {
    /* a network on small images (bench/gpu/digits.h) */
    {"cast", "u8", "digits", "dtype=f32"},
    {"mul_scalar", "f32", "@digits", "value=0.0625"},
    {"conv2d", "f32", "digits filters1 channels8;maps8 filters8 channels",
     "pad_before=1,1 pad_after=1,1 activation=relu"},
    {"max_pool", "f32", "maps", "kernel=2,2"},
    {"softmax", "f32", "@answers", "axis=-1"},
    {"argmax", "f32", "answers", "axis=-1"},
    {"conv2d", floats, "images filters channels", "pad_before=1,1 pad_after=1,1 activation=relu"},
    {"conv2d", floats, "images64 filters64 channels64", "pad_before=1,1 pad_after=1,1 activation=relu"},
    {"max_pool avg_pool", floats, "images", "kernel=2,2"},
    {"max_pool", floats, "images", "kernel=3,3 stride=2,2 pad_before=1,1 pad_after=1,1"},
    {"global_avg_pool", floats, "images", ""},
    {"resize_linear resize_nearest", "f32", "images", "size=56,56"},
    {"pad", floats, "images", "before=0,0,1,1 after=0,0,1,1"},
    {"matmul", floats, "x w", ""},
    {"matmul", "f32", "w_t w", ""},
    {"dense", floats, "x weights b", ";activation=relu"},
    {"dense", "f32", "features weights b", ""},
    {"softmax", "f32", "scores", ""},
    {"argmax", "f32", "scores", ";axis=-1"},
    /* element by element */
    {"abs neg square relu sqrt rsqrt exp log tanh sigmoid silu gelu gelu_tanh", floats, "x", ""},
    {"sign floor ceil round trunc reciprocal exp2 expm1 log2 log10 log1p sin cos erf softplus mish hard_sigmoid "
     "hard_swish isnan isfinite",
     "f32", "x", ""},
    {"abs neg square exp log sqrt", "f64", "x", ""},
    {"abs neg", "i32 i64", "x", ""},
    {"leaky_relu elu", "f32", "x", ""},
    {"add sub mul", common, "x y", ""},
    {"add mul", floats, "@x y", ""},
    {"add_scalar mul_scalar", floats, "@x", "value=2"},
    {"relu gelu silu", floats, "@x", ""},
    {"softmax", floats, "@x", ""},
    {"div", "f32 f16 bf16 f64", "x y", ""},
    {"maximum minimum", floats, "x y", ""},
    {"pow", "f32", "x y", ""},
    {"floor_divide remainder", "i64", "x y", ""},
    {"logical_and logical_or", "bool", "x y", ""},
    {"logical_not", "bool", "x", ""},
    {"eq ne lt le gt ge", "f32 i64", "x y", ""},
    {"add mul", floats, "x row", ""},
    {"sub div", "f32", "x row;x col", ""},
    {"add mul", "f32", "x x_t", ""},
    {"add_scalar mul_scalar", common, "x", "value=2"},
    {"sub_scalar div_scalar", floats, "x", "value=2"},
    {"scalar_sub scalar_div maximum_scalar minimum_scalar pow_scalar", "f32", "x", "value=2"},
    {"eq_scalar ne_scalar lt_scalar le_scalar gt_scalar ge_scalar", "f32 i64", "x", "value=1"},
    {"where", "f32 f16 bf16 i64", "mask x y", ""},
    {"masked_fill", floats, "x mask", "value=0"},
    {"clamp", floats, "x", "lo=0 hi=1"},
    {"fma addcmul lerp", "f32", "x y x", ""},
    {"lerp_scalar", "f32", "x y", "weight=0.5"},
    {"dropout", floats, "x", "rate=0.1"},
    /* conversions and copies */
    {"cast", "f32", "x", "dtype=f16;dtype=bf16;dtype=f64;dtype=i32;dtype=i64;dtype=u8;dtype=bool"},
    {"cast", "f16 bf16 f64 i32 i64 u8 bool", "x", "dtype=f32"},
    {"cast", "bf16", "x", "dtype=f16"},
    {"cast", "f16", "x", "dtype=bf16"},
    {"cast", "u8", "x", "dtype=f16"},
    {"cast", "i32 bool", "x", "dtype=i64"},
    {"cast", "i64", "x", "dtype=i32"},
    {"contiguous", "u8 f16 f32 f64", "x_t", ""},
    {"contiguous", "f16 f32 i64", "even", ""},
    {"contiguous", "f16 f32", "shifted", ""},
    /* reductions */
    {"sum mean max", floats, "x", each_way},
    {"min", "f32", "x", ""},
    {"sum", "f64 i32 i64 bool", "x", ""},
    {"max min", "i64", "x", ""},
    {"prod", "f32", "x", ""},
    {"any all", "bool", "x", ""},
    {"count_nonzero", "bool", "x", ""},
    {"var logsumexp norm2", "f32", "x", ";axes=1"},
    {"logsumexp var", "f16 bf16", "x", "axes=1"},
    {"argmax", "f32", "x", ";axis=0"},
    {"argmax", floats, "x", "axis=1"},
    {"argmin", "f32", "x", "axis=1"},
    {"std", "f32", "x", "axes=1"},
    {"cumsum", "f32 i64", "x", "axis=0;axis=1"},
    {"cumsum", "f32", "long", "axis=1"},
    {"cumprod cummin cummax", "f32", "x", "axis=1"},
    {"nonzero", "bool", "mask", ""},
    {"masked_select", "f32 i64", "x mask", ""},
    {"histogram", "f32", "x", "bins=10"},
    {"bincount", "i64", "index", ""},
    {"diff", "f32", "x", "axis=1"},
    /* rows */
    {"softmax log_softmax", floats, "short;x;long", "axis=-1"},
    {"softmax", "f32", "x", "axis=0"},
    {"layer_norm", floats, "x row row", ""},
    {"layer_norm", "f32", "short ten ten;long wide wide", ""},
    {"rms_norm", floats, "x row", ""},
    {"rms_norm", "f32", "short ten;long wide", ""},
    {"group_norm", "f32", "images channels channels", "groups=4"},
    {"batch_norm", floats, "images channels channels channels channels", ""},
    /* where elements lie */
    {"take", "f32 i64", "x index", "axis=0;axis=1"},
    {"take", "f16 bf16", "x index", "axis=0"},
    {"gather", "f32", "x places", "axis=1"},
    {"embedding", floats, "x index;x index32", ""},
    {"concat", "f32 f16", "x y", "axis=0;axis=1"},
    {"stack", "f32", "x y", "axis=0"},
    {"pad", "f32", "x", "before=1,1 after=1,1"},
    {"roll", "f32", "x", "shift=1 axis=1"},
    {"tile", "f32", "x", "reps=2,1"},
    {"repeat", "f32", "x", "count=2 axis=0"},
    {"tril triu", "f32", "x", ""},
    {"one_hot", "i64", "index", "classes=10"},
    /* creation */
    {"zeros ones full", "f32 f16 bf16 i64 bool", "", "shape=512,1024 value=1"},
    {"arange", "f32 i32 i64", "", "stop=1024"},
    {"linspace", "f32", "", "start=0 stop=1 count=1024"},
    {"eye", "f32", "", "rows=64 cols=64"},
    {"rand_uniform rand_normal", floats, "", "shape=512,1024"},
    {"rand_integers", "i64", "", "shape=512,1024 high=10"},
    {"rand_bernoulli", "bool", "", "shape=512,1024"},
    /* sorting, and writing by index */
    {"sort", "f32 i64", "short;x;flat", ""},
    {"argsort", "f32 i64", "short;x;flat", ""},
    {"topk", "f32", "short;flat", "k=10"},
    {"median", "f32", "x;flat", "axes=-1"},
    {"unique", "i64", "index;flat", ""},
    {"index_add", "f32 f16 bf16", "x index x", "axis=0"},
    {"put", "f32", "x index x", "axis=0"},
    /* losses */
    {"mse_loss mae_loss bce_logits_loss huber_loss", "f32", "x y", ""},
    {"cross_entropy", "f32 bf16", "short classes", ""},
    {"rotary", floats, "heads angles32 angles32", ""},
    {"attention", floats, "heads heads heads;query heads heads", ";causal=1"},
};

/* Word number i of a list with a character between them, as long as it is one: its bytes. NULL: it has no more. */
static const char *word_at(const char *list, char between, int i, size_t *length) {
  const char ends[] = {between, '\0'};
  for (;; i--) {
    *length = strcspn(list, ends);
    if (i == 0) return list;
    if (list[*length] == '\0') return NULL;
    list += *length + 1;
  }
}

static int count_words(const char *list, char between) {
  int n = 1;
  for (; *list != '\0'; list++) n += *list == between;
  return n;
}

static void copy_word(const char *list, char between, int i, char *out, size_t capacity) {
  size_t length;
  const char *const word = word_at(list, between, i, &length);
  if (word == NULL || length >= capacity) length = 0;
  memcpy(out, word != NULL ? word : "", length);
  out[length] = '\0';
}

bool typical_at(int i, const char *pattern, typical_call *out) {
  for (size_t r = 0; r < sizeof rows / sizeof rows[0]; r++) {
    const int attrs = count_words(rows[r].attrs, ';'), inputs = count_words(rows[r].inputs, ';');
    const int dtypes = count_words(rows[r].dtypes, ' '), each = attrs * inputs * dtypes;
    for (int op = 0; op < count_words(rows[r].ops, ' '); op++) {
      copy_word(rows[r].ops, ' ', op, out->op, sizeof out->op);
      if (fnmatch(pattern, out->op, 0) != 0) continue;
      if (i >= each) {
        i -= each;
        continue;
      }
      size_t length;
      copy_word(rows[r].dtypes, ' ', i / (attrs * inputs), out->dtype, sizeof out->dtype);
      out->inputs = word_at(rows[r].inputs, ';', i / attrs % inputs, &length);
      out->attrs = word_at(rows[r].attrs, ';', i % attrs, &length);
      return true;
    }
  }
  return false;
}

/* ---- operands ---- */

/* A tensor of zeros: of the call's dtype, or of its own; and how it is looked at. */
typedef enum look { PLAIN, TRANSPOSED, EVEN, SHIFTED } look;
typedef struct operand {
  const char *name;
  int dtype, ndim;
  tsr_index shape[4];
  look look;
} operand;

static const operand operands[] = {
    {.name = "x", .ndim = 2, .shape = {512, 1024}},
    {.name = "y", .ndim = 2, .shape = {512, 1024}},
    {.name = "x_t", .ndim = 2, .shape = {1024, 512}, .look = TRANSPOSED},
    {.name = "even", .ndim = 2, .shape = {512, 2048}, .look = EVEN},
    {.name = "shifted", .ndim = 2, .shape = {512, 1026}, .look = SHIFTED},
    {.name = "row", .ndim = 1, .shape = {1024}},
    {.name = "col", .ndim = 2, .shape = {512, 1}},
    {.name = "mask", .dtype = TSR_BOOL, .ndim = 2, .shape = {512, 1024}},
    {.name = "index", .dtype = TSR_I64, .ndim = 1, .shape = {512}},
    {.name = "index32", .dtype = TSR_I32, .ndim = 1, .shape = {512}},
    {.name = "places", .dtype = TSR_I64, .ndim = 2, .shape = {512, 16}},
    {.name = "short", .ndim = 2, .shape = {512, 10}},
    {.name = "ten", .ndim = 1, .shape = {10}},
    {.name = "classes", .dtype = TSR_I64, .ndim = 1, .shape = {512}},
    {.name = "long", .ndim = 2, .shape = {8, 16384}},
    {.name = "wide", .ndim = 1, .shape = {16384}},
    {.name = "flat", .ndim = 1, .shape = {65536}},
    {.name = "w", .ndim = 2, .shape = {1024, 256}},
    {.name = "w_t", .ndim = 2, .shape = {1024, 256}, .look = TRANSPOSED},
    {.name = "weights", .ndim = 2, .shape = {256, 1024}},
    {.name = "b", .ndim = 1, .shape = {256}},
    {.name = "features", .ndim = 2, .shape = {1, 1024}},
    {.name = "scores", .ndim = 2, .shape = {1, 10}},
    {.name = "digits", .ndim = 4, .shape = {1797, 1, 8, 8}},
    {.name = "filters1", .ndim = 4, .shape = {8, 1, 3, 3}},
    {.name = "channels8", .ndim = 1, .shape = {8}},
    {.name = "maps8", .ndim = 4, .shape = {1797, 8, 8, 8}},
    {.name = "filters8", .ndim = 4, .shape = {16, 8, 3, 3}},
    {.name = "maps", .ndim = 4, .shape = {1797, 16, 8, 8}},
    {.name = "answers", .ndim = 2, .shape = {1797, 10}},
    {.name = "images", .ndim = 4, .shape = {8, 16, 28, 28}},
    {.name = "images64", .ndim = 4, .shape = {16, 64, 56, 56}},
    {.name = "filters64", .ndim = 4, .shape = {64, 64, 3, 3}},
    {.name = "channels64", .ndim = 1, .shape = {64}},
    {.name = "filters", .ndim = 4, .shape = {16, 16, 3, 3}},
    {.name = "channels", .ndim = 1, .shape = {16}},
    {.name = "heads", .ndim = 4, .shape = {2, 8, 64, 64}},
    {.name = "query", .ndim = 4, .shape = {2, 8, 1, 64}},
    {.name = "angles32", .dtype = TSR_F32, .ndim = 2, .shape = {64, 32}},
};

static tsr_status look_at(tsr_ctx *ctx, look how, tsr_tensor *t) {
  switch (how) {
    case PLAIN: break;
    case TRANSPOSED: return tsr_transpose(ctx, t, 0, 1, t);
    case EVEN: return tsr_slice(ctx, t, 1, TSR_OMIT, TSR_OMIT, 2, t);
    case SHIFTED: return tsr_slice(ctx, t, 1, 1, TSR_OMIT, 1, t);
  }
  return TSR_OK;
}

/* The base holds the memory; the view is what the call gets. */
static tsr_status make_operand(tsr_ctx *ctx, const char *name, int dtype, tsr_tensor *base, tsr_tensor *view) {
  for (size_t i = 0; i < sizeof operands / sizeof operands[0]; i++) {
    const operand *const o = &operands[i];
    if (strcmp(o->name, name) != 0) continue;
    tsr_status st = tsr_zeros(ctx, o->dtype != TSR_NONE ? o->dtype : dtype, o->ndim, o->shape, base);
    if (st == TSR_OK) st = tsr_view(ctx, base, view);
    return st == TSR_OK ? look_at(ctx, o->look, view) : st;
  }
  return TSR_EARG;
}

/* ---- attributes ---- */

enum { MOST_INPUTS = 6, MOST_ATTRS = 6, MOST_NUMBERS = 8, TEXT = 32 };

typedef struct attributes {
  int count;
  tsr_attr attr[MOST_ATTRS];
  char name[MOST_ATTRS][TEXT], text[MOST_ATTRS][TEXT];
  tsr_index numbers[MOST_ATTRS][MOST_NUMBERS];
  tsr_rng rng;
} attributes;

static int read_numbers(const char *text, tsr_index *numbers) {
  int n = 0;
  for (char *end; n < MOST_NUMBERS && *text != '\0'; text = *end == ',' ? end + 1 : end)
    numbers[n++] = (tsr_index)strtoll(text, &end, 10);
  return n;
}

static void add_attribute(attributes *a, const tsr_op_param *param, const char *text) {
  const int at = a->count++;
  const char *const name = param->name;
  switch (param->type) {
    case TSR_OP_RNG: a->attr[at] = tsr_attr_rng(name, &a->rng); break;
    case TSR_OP_REAL: a->attr[at] = tsr_attr_real(name, (tsr_real)strtod(text, NULL)); break;
    case TSR_OP_INTS:
    case TSR_OP_AXES: {
      const int n = read_numbers(text, a->numbers[at]);
      a->attr[at] = tsr_attr_ints(name, n, a->numbers[at]);
      break;
    }
    case TSR_OP_WORD:
    case TSR_OP_DTYPE: a->attr[at] = tsr_attr_text(name, text); break;
    default: a->attr[at] = tsr_attr_int(name, strtoll(text, NULL, 10)); break;
  }
}

/* What the call says, as far as the op has such attributes; its dtype, where the op has that and the call says none; a generator. */
static void read_attributes(const tsr_op *op, const typical_call *call, attributes *a) {
  const size_t length = strcspn(call->attrs, ";");
  bool has_dtype = false;
  char all[128];
  (void)memcpy(all, call->attrs, length < sizeof all ? length : 0);
  all[length < sizeof all ? length : 0] = '\0';
  a->rng = tsr_rng_seed(1);
  for (int i = 0; all[0] != '\0' && i < count_words(all, ' '); i++) {
    char word[64];
    copy_word(all, ' ', i, word, sizeof word);
    copy_word(word, '=', 0, a->name[a->count], TEXT);
    copy_word(word, '=', 1, a->text[a->count], TEXT);
    const tsr_op_param *const param = tsr_op_attribute(op, a->name[a->count]);
    if (param == NULL) continue;
    has_dtype = has_dtype || param->type == TSR_OP_DTYPE;
    add_attribute(a, param, a->text[a->count]);
  }
  for (int i = 0;; i++) {
    const tsr_op_param *const param = tsr_op_param_at(op, TSR_OP_ATTRIBUTE, i);
    if (param == NULL) return;
    if (param->type == TSR_OP_RNG) add_attribute(a, param, "");
    if (param->type == TSR_OP_DTYPE && !has_dtype && tsr_op_param_at(op, TSR_OP_INPUT, 0) == NULL)
      add_attribute(a, param, call->dtype);
  }
}

/* ---- the call ---- */

tsr_status typical_make(tsr_ctx *ctx, const typical_call *call) {
  const tsr_op *const op = tsr_op_find(call->op);
  tsr_tensor base[MOST_INPUTS] = {{0}}, view[MOST_INPUTS] = {{0}}, result = {0};
  const tsr_tensor *in[MOST_INPUTS];
  tsr_tensor *out[] = {&result};
  attributes attrs = {0};
  char inputs[64];
  int count = 0;
  tsr_status st = TSR_OK;
  if (op == NULL || !tsr_op_on(op, ctx->device)) return TSR_OK;
  copy_word(call->inputs, ';', 0, inputs, sizeof inputs);
  for (; inputs[0] != '\0' && count < count_words(inputs, ' ') && st == TSR_OK; count++) {
    char name[16];
    copy_word(inputs, ' ', count, name, sizeof name);
    in[count] = &view[count];
    st = make_operand(ctx, name + (name[0] == '@'), tsr_dtype_find(call->dtype), &base[count], &view[count]);
    if (st == TSR_OK && name[0] == '@') st = tsr_view(ctx, &view[count], &result);
  }
  read_attributes(op, call, &attrs);
  if (st == TSR_OK) st = tsr_op_call(ctx, op, count, in, attrs.count, attrs.attr, 1, out);
  tsr_release(&result);
  for (int i = 0; i < count; i++) tsr_release(&base[i]);
  return st;
}

#endif
