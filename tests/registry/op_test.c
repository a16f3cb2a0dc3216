/* The table of ops: finding, walking, what it says of an op, and calls that are wrong. */
#include "support/helpers.h"
#include "support/test.h"

#if TSR_HAVE_OPS

static float numbers[24] = {3, 1, 2, 6, 5, 4, 9, 7, 8, 12, 11, 10};
static tsr_tensor x = {.dtype = TSR_F32, .ndim = 2, .shape = {3, 4}, .stride = {4, 1}, .data = numbers};

/* ---- finding and walking ---- */

TEST(an_op_is_found_by_its_name) {
  const tsr_op *const softmax = tsr_op_find("softmax");
  REQUIRE(softmax != NULL);
  CHECK(strcmp(softmax->name, "softmax") == 0);
  CHECK(strcmp(tsr_op_brief(softmax), "e^x / Σ e^x along axis") == 0);
  CHECK(softmax->takes == 1 << TSR_CLASS_FLOAT && softmax->gives == TSR_GIVES_SAME);
  const tsr_op_param *const axis = tsr_op_attribute(softmax, "axis");
  REQUIRE(axis != NULL);
  CHECK(axis->type == TSR_OP_AXIS && axis->flags == TSR_OP_OPTIONAL && axis->default_value.integer == -1);
  CHECK(strcmp(tsr_op_param_at(softmax, TSR_OP_INPUT, 0)->name, "x") == 0);
  CHECK(tsr_op_param_at(softmax, TSR_OP_INPUT, 1) == NULL && tsr_op_param_at(softmax, TSR_OP_INPUT, -1) == NULL);
  CHECK(tsr_op_param_at(softmax, -1, 1) == axis && tsr_op_param_at(softmax, -1, 3) == NULL);
  CHECK(tsr_op_find("tsr_softmax") == NULL && tsr_op_find("") == NULL && tsr_op_find(NULL) == NULL);
  CHECK(tsr_op_attribute(softmax, "x") == NULL && tsr_op_attribute(softmax, NULL) == NULL);
  CHECK(tsr_op_attribute(NULL, "axis") == NULL && tsr_op_param_at(NULL, -1, 0) == NULL);
  CHECK(strcmp(tsr_op_brief(NULL), "") == 0 && tsr_op_word(NULL, 0) == NULL && tsr_op_word(axis, 0) == NULL);
}

TEST(a_name_that_is_none_names_the_nearest) {
  tsr_ctx *const ctx = test_context();
  const tsr_op *op = NULL;
  OK(ctx, tsr_op_get(ctx, "matmul", &op));
  CHECK(op == tsr_op_find("matmul"));
  FAILS(ctx, TSR_ENAME, tsr_op_get(ctx, "sofmax", &op));
  MESSAGE_HAS(ctx, "op_get: there is no op 'sofmax'; did you mean 'softmax'?");
  FAILS(ctx, TSR_ENAME, tsr_op_get(ctx, "fourier_transform", &op));
  MESSAGE_HAS(ctx, "op_get: there is no op 'fourier_transform'");
  FAILS(ctx, TSR_EARG, tsr_op_get(ctx, NULL, &op));
  MESSAGE_HAS(ctx, "op_get: name is NULL");
  FAILS(ctx, TSR_EARG, tsr_op_get(ctx, "add", NULL));
  MESSAGE_HAS(ctx, "op_get: op is NULL");
  CHECK(op == tsr_op_find("matmul"));
}

static void check_param(const tsr_op *op, const tsr_op_param *param) {
  const bool attribute = param->role == TSR_OP_ATTRIBUTE, tensor = param->type <= TSR_OP_TENSORS;
  CHECK(memchr(param->name, 0, sizeof param->name) != NULL && param->name[0] != '\0');
  CHECK(attribute != tensor && param->type <= TSR_OP_OBJECT && param->role <= TSR_OP_OUTPUT);
  if (param->type == TSR_OP_OBJECT) CHECK(param->takes >= TSR_OBJECT_PACKED && param->takes <= TSR_OBJECT_QLAYER);
  if (attribute) CHECK(tsr_op_attribute(op, param->name) == param); /* no two of one name */
  if (param->type != TSR_OP_WORD) return;
  CHECK(tsr_op_word(param, 0) != NULL && tsr_op_word(param, -1) == NULL && tsr_op_word(param, 99) == NULL);
  if ((param->flags & TSR_OP_OPTIONAL) != 0) CHECK(tsr_op_word(param, (int)param->default_value.integer) != NULL);
}

TEST(every_op_is_whole_and_there_once) {
  CHECK(tsr_op_at(-1) == NULL && tsr_op_at(tsr_op_count()) == NULL);
  for (int i = 0; i < tsr_op_count(); i++) {
    const tsr_op *const op = tsr_op_at(i);
    const tsr_op_param *param;
    bool reads = false;
    int lists_of_axes = 0;
    CHECK(tsr_op_find(op->name) == op);
    CHECK(strlen(tsr_op_brief(op)) >= 2 && op->gives >= TSR_GIVES_SAME && op->gives <= TSR_GIVES_REAL_FLOAT);
    for (int k = 0; (param = tsr_op_param_at(op, -1, k)) != NULL; k++) {
      check_param(op, param);
      reads = reads || (param->role == TSR_OP_INPUT && param->takes == 0);
      lists_of_axes += param->type == TSR_OP_AXES;
    }
    CHECK(lists_of_axes <= 2); /* what a call has room for */
    CHECK(tsr_op_param_at(op, TSR_OP_OUTPUT, 0) != NULL);
    CHECK(reads == (op->takes != 0));
  }
}

/* ---- what it says ---- */

static void says(const char *name, const char *signature, const char *dtypes) {
  char text[512];
  const tsr_op *const op = tsr_op_find(name);
  const size_t length = tsr_op_format(op, text, sizeof text);
  if (!test_check(length == strlen(signature) && strcmp(text, signature) == 0, __FILE__, __LINE__, name))
    printf("  %s\n", text);
  const size_t short_length = tsr_op_format(op, text, 8);
  CHECK(short_length == length && strncmp(text, signature, 7) == 0 && text[7] == '\0');
  (void)tsr_op_format_dtypes(op, text, sizeof text);
  if (!test_check(strcmp(text, dtypes) == 0, __FILE__, __LINE__, name)) printf("  %s\n", text);
}

TEST(an_op_as_a_line_of_text) {
  says("add", "add(a, b) -> out", "bool, integers, floats, complex -> the same");
  says("topk", "topk(x, k: int, axis: axis = -1, largest: bool = true, sorted: bool = true) -> values?, index?",
       "bool, integers, floats -> the same, index");
  says("sum", "sum(x, axes: axes = all, keepdims: bool = false) -> out", "bool, integers, floats, complex -> sum");
  says("argmax", "argmax(x, axis: axis = all, keepdims: bool = false) -> out", "bool, integers, floats -> index");
  says("pad",
       "pad(in, before: ints[rank] = none, after: ints[rank] = none, mode: constant|edge|reflect|wrap = constant, "
       "value: real = 0) -> out",
       "bool, integers, floats, complex -> the same");
  says("zeros", "zeros(dtype: dtype = f32, shape: ints) -> out", "-> dtype");
  says("slice", "slice(in, axis: axis, start: int = omit, stop: int = omit, step: int = 1) -> out",
       "bool, integers, floats, complex -> the same");
  says("concat", "concat(in..., axis: axis = 0) -> out", "bool, integers, floats, complex -> the same");
  says("set_layout", "set_layout(in, layout: layout = auto) -> out", "bool, integers, floats, complex -> the same");
  says("where", "where(cond, a, b) -> out", "bool, integers, floats, complex; cond bool -> the same");
  says("rand_normal", "rand_normal(rng: rng, dtype: dtype = f32, shape: ints) -> out", "-> dtype");
  says("resize_linear",
       "resize_linear(x, size: ints, scale: reals[1..2] = default, coordinates: "
       "half_pixel|asymmetric|align_corners|pytorch_half_pixel = half_pixel, nearest: "
       "prefer_floor|prefer_ceil|floor|ceil = prefer_floor) -> out",
       "floats -> the same");
  says("quantize",
       "quantize(x, scale: real = default, zero: int = default, scales: reals = none, zeros: ints = none, axis: axis = "
       "0, dtype: dtype = none) -> out",
       "x floats -> dtype");
  says("conv1d_packed", "conv1d_packed(x, packed: conv_packed) -> out", "x floats -> other");
  says("qdense", "qdense(x, layer: qlayer) -> out", "x integers -> other");
  CHECK(tsr_op_format(NULL, NULL, 0) == 0 && tsr_op_format_dtypes(NULL, NULL, 0) == 0);
}

static void word_is(const char *op, const char *attribute, int number, const char *word) {
  const char *const found = tsr_op_word(tsr_op_attribute(tsr_op_find(op), attribute), number);
  if (!test_check(found != NULL && strcmp(found, word) == 0, __FILE__, __LINE__, word))
    printf("  %s %s: %s\n", op, attribute, found != NULL ? found : "none");
}

static void words_end(const char *op, const char *attribute, int count) {
  const tsr_op_param *const param = tsr_op_attribute(tsr_op_find(op), attribute);
  CHECK(tsr_op_word(param, count - 1) != NULL && tsr_op_word(param, count) == NULL);
}

TEST(words_are_the_values_of_the_enums) {
  word_is("flatten", "order", TSR_ROW_MAJOR, "row_major"), word_is("flatten", "order", TSR_COL_MAJOR, "col_major");
  word_is("flatten", "order", TSR_FORTRAN, "fortran"), word_is("flatten", "order", TSR_MEMORY, "memory");
  word_is("pad", "mode", TSR_PAD_CONSTANT, "constant"), word_is("pad", "mode", TSR_PAD_EDGE, "edge");
  word_is("pad", "mode", TSR_PAD_REFLECT, "reflect"), word_is("pad", "mode", TSR_PAD_WRAP, "wrap");
  word_is("meshgrid", "indexing", TSR_INDEXING_IJ, "ij"), word_is("meshgrid", "indexing", TSR_INDEXING_XY, "xy");
  word_is("quantile", "mode", TSR_INTERPOLATE_LINEAR, "linear");
  word_is("quantile", "mode", TSR_INTERPOLATE_LOWER, "lower");
  word_is("quantile", "mode", TSR_INTERPOLATE_HIGHER, "higher");
  word_is("quantile", "mode", TSR_INTERPOLATE_MIDPOINT, "midpoint");
  word_is("quantile", "mode", TSR_INTERPOLATE_NEAREST, "nearest");
  word_is("mse_loss", "reduction", TSR_REDUCE_MEAN, "mean"), word_is("mse_loss", "reduction", TSR_REDUCE_SUM, "sum");
  word_is("mse_loss", "reduction", TSR_REDUCE_NONE, "none");
  word_is("rotary", "form", TSR_ROTARY_HALVES, "halves");
  word_is("rotary", "form", TSR_ROTARY_INTERLEAVED, "interleaved");
  word_is("pixel_shuffle", "order", TSR_PIXELS_INNER, "inner");
  word_is("pixel_shuffle", "order", TSR_PIXELS_OUTER, "outer");
  word_is("conv2d", "padding", TSR_PADDING_EXPLICIT, "explicit");
  word_is("conv2d", "padding", TSR_PADDING_VALID, "valid"), word_is("conv2d", "padding", TSR_PADDING_SAME, "same");
  word_is("conv2d", "padding", TSR_PADDING_SAME_LOWER, "same_lower");
  word_is("conv2d", "algorithm", TSR_CONV_AUTO, "auto"), word_is("conv2d", "algorithm", TSR_CONV_DIRECT, "direct");
  word_is("conv2d", "algorithm", TSR_CONV_GEMM, "gemm");
  word_is("conv2d", "algorithm", TSR_CONV_WINOGRAD, "winograd");
  word_is("resize_nearest", "coordinates", TSR_COORDINATES_HALF_PIXEL, "half_pixel");
  word_is("resize_nearest", "coordinates", TSR_COORDINATES_ASYMMETRIC, "asymmetric");
  word_is("resize_nearest", "coordinates", TSR_COORDINATES_ALIGN_CORNERS, "align_corners");
  word_is("resize_nearest", "coordinates", TSR_COORDINATES_PYTORCH_HALF_PIXEL, "pytorch_half_pixel");
  word_is("resize_nearest", "nearest", TSR_NEAREST_PREFER_FLOOR, "prefer_floor");
  word_is("resize_nearest", "nearest", TSR_NEAREST_PREFER_CEIL, "prefer_ceil");
  word_is("resize_nearest", "nearest", TSR_NEAREST_FLOOR, "floor");
  word_is("resize_nearest", "nearest", TSR_NEAREST_CEIL, "ceil");
  words_end("flatten", "order", 4), words_end("pad", "mode", 4), words_end("meshgrid", "indexing", 2);
  words_end("quantile", "mode", 5), words_end("mse_loss", "reduction", 3), words_end("rotary", "form", 2);
  words_end("conv2d", "padding", 4), words_end("conv2d", "algorithm", 4), words_end("resize_linear", "nearest", 4);
  words_end("dense", "activation", 14);
}

/* Every activation by its word: its name is the word, and dense gives what the direct call gives. */
TEST(words_of_activations) {
  static const tsr_activation_kind *const kinds[] = {
      NULL,        TSR_RELU,         TSR_LEAKY_RELU, TSR_ELU,      TSR_GELU, TSR_GELU_TANH, TSR_SILU,
      TSR_SIGMOID, TSR_HARD_SIGMOID, TSR_HARD_SWISH, TSR_SOFTPLUS, TSR_MISH, TSR_TANH,      TSR_CLIP};
  tsr_ctx *const ctx = test_context();
  const tsr_tensor *const in[] = {&x, &x};
  for (int i = 0; i < COUNT_OF(kinds); i++) {
    tsr_tensor named = {0}, direct = {0};
    tsr_tensor *const out[] = {&named};
    const tsr_attr attrs[] = {tsr_attr_text("activation", tsr_activation_name(kinds[i])),
                              tsr_attr_real("activation_alpha", 2), tsr_attr_int("activation_beta", 40)};
    word_is("dense", "activation", i, tsr_activation_name(kinds[i]));
    OK(ctx, tsr_op_call(ctx, tsr_op_find("dense"), 2, in, 3, attrs, 1, out));
    OK(ctx, tsr_dense(ctx, &x, &x, NULL, &(tsr_activation){kinds[i], 2, 40}, &direct));
    CHECK(test_same_elements(&named, &direct));
    tsr_release(&named);
    tsr_release(&direct);
  }
}

/* ---- calls that are wrong ---- */

/* Calls with up to three attributes, which must fail so and leave the output empty. */
typedef struct wrong {
  const char *op;
  int inputs, outputs;
  tsr_status status;
  const char *message;
} wrong;

static void refuse(const wrong *w, int count, const tsr_attr *attrs, int line) {
  tsr_ctx *const ctx = test_context();
  tsr_tensor first = {0}, gap = {0}, second = {0}; /* gap: they do not lie in a row */
  tsr_tensor *const out[] = {&first, &second, &gap};
  const tsr_tensor *const in[] = {&x, &x, &x, &x};
  const tsr_status got = tsr_op_call(ctx, tsr_op_find(w->op), w->inputs, in, count, attrs, w->outputs, out);
  (void)test_status(got, w->status, tsr_error(ctx), tsr_status_name, __FILE__, line, w->op);
  if (got == w->status) (void)test_message(tsr_error(ctx), w->message, __FILE__, line);
  const bool untouched = tsr_is_none(&first) && tsr_is_none(&second) && test_live() == 0;
  (void)test_check(untouched, __FILE__, line, "nothing changed");
}
#define WRONG(op, inputs, outputs, status, message, ...)    \
  do {                                                      \
    const wrong w = {op, inputs, outputs, status, message}; \
    const tsr_attr attrs[] = {__VA_ARGS__};                 \
    refuse(&w, COUNT_OF(attrs), attrs, __LINE__);           \
  } while (0)
#define WRONG_PLAIN(op, inputs, outputs, status, message)   \
  do {                                                      \
    const wrong w = {op, inputs, outputs, status, message}; \
    refuse(&w, 0, NULL, __LINE__);                          \
  } while (0)

TEST(too_few_or_too_many_tensors) {
  WRONG_PLAIN("add", 1, 1, TSR_EARG, "add: takes 2 inputs (a, b), has 1");
  WRONG_PLAIN("add", 3, 1, TSR_EARG, "add: takes 2 inputs (a, b), has 3");
  WRONG_PLAIN("add", -1, 1, TSR_EARG, "add: takes 2 inputs (a, b), has -1");
  WRONG_PLAIN("add", 2, 0, TSR_EARG, "add: gives 1 output (out), has 0");
  WRONG_PLAIN("add", 2, 2, TSR_EARG, "add: gives 1 output (out), has 2");
  WRONG_PLAIN("conv2d", 1, 1, TSR_EARG, "conv2d: takes at least 2 inputs (x, w, bias), has 1");
  WRONG_PLAIN("conv2d", 4, 1, TSR_EARG, "conv2d: takes at most 3 inputs (x, w, bias), has 4");
  WRONG_PLAIN("concat", 0, 1, TSR_EARG, "concat: takes at least 1 input (in), has 0");
  WRONG("split_sizes", 1, 2, TSR_EARG, "split_sizes: gives 1 output, has 2", tsr_attr_ints("sizes", TSR_SHAPE(3)));
  WRONG("topk", 1, 0, TSR_EARG, "topk: ", tsr_attr_int("k", 1)); /* the function wants one of its two */
}

TEST(attributes_that_there_are_not) {
  WRONG("softmax", 1, 1, TSR_ENAME, "softmax: there is no attribute 'axes'; did you mean 'axis'?",
        tsr_attr_int("axes", 1));
  WRONG("softmax", 1, 1, TSR_ENAME, "softmax: there is no attribute 'temperature'; it takes axis",
        tsr_attr_real("temperature", 1));
  WRONG("abs", 1, 1, TSR_ENAME, "abs: there is no attribute 'axis'; it takes none", tsr_attr_int("axis", 1));
  WRONG("softmax", 1, 1, TSR_EARG, "softmax: axis is given twice", tsr_attr_int("axis", 1), tsr_attr_int("axis", 1));
  WRONG("softmax", 1, 1, TSR_EARG, "softmax: the name of attribute 0 is NULL", tsr_attr_int(NULL, 1));
  WRONG_PLAIN("topk", 1, 1, TSR_EARG, "topk: k is missing; it is an int");
  WRONG_PLAIN("reshape", 1, 1, TSR_EARG, "reshape: shape is missing; it is ints");
  WRONG("rand_normal", 0, 1, TSR_EARG, "rand_normal: rng is missing; it is a generator",
        tsr_attr_ints("shape", TSR_SHAPE(3)));
}

TEST(attributes_of_another_type) {
  WRONG("softmax", 1, 1, TSR_EARG, "softmax: axis is given as a number, not as an int", tsr_attr_real("axis", 1));
  WRONG("softmax", 1, 1, TSR_EARG, "softmax: axis is given as a text, not as an int", tsr_attr_text("axis", "last"));
  WRONG("sort", 1, 1, TSR_EARG, "sort: descending is given as an int, not as a bool", tsr_attr_int("descending", 1));
  WRONG("add_scalar", 1, 1, TSR_EARG, "add_scalar: value is given as a bool, not as a number",
        tsr_attr_bool("value", true));
  WRONG("sum", 1, 1, TSR_EARG, "sum: axes is given as an int, not as ints", tsr_attr_int("axes", 1));
  WRONG("quantiles", 1, 1, TSR_EARG, "quantiles: q is given as ints, not as numbers", tsr_attr_ints("q", TSR_SHAPE(1)));
  WRONG("pad", 1, 1, TSR_EARG, "pad: mode is given as a number, not as a word", tsr_attr_real("mode", 1));
  WRONG("dropout", 1, 1, TSR_EARG, "dropout: rng is given as an int, not as a generator", tsr_attr_int("rng", 7));
  WRONG("matmul_packed", 1, 1, TSR_EARG, "matmul_packed: b is given as qlayer, not as packed",
        tsr_attr_qlayer("b", NULL));
  WRONG("qdense", 1, 1, TSR_EARG, "qdense: layer is given as an int, not as qlayer", tsr_attr_int("layer", 7));
  WRONG("softmax", 1, 1, TSR_EARG, "softmax: axis is given as conv_packed, not as an int",
        tsr_attr_conv_packed("axis", NULL));
  WRONG_PLAIN("qconv2d", 1, 1, TSR_EARG, "qconv2d: layer is missing; it is qlayer");
  WRONG("qconv2d", 1, 1, TSR_EARG, "qconv2d: layer is NULL", tsr_attr_qlayer("layer", NULL));
  WRONG("gemm_packed", 1, 1, TSR_EARG, "gemm_packed: b is NULL", tsr_attr_packed("b", NULL));
}

TEST(lists_of_quantisations) {
  const tsr_attr scales = tsr_attr_reals("scales", 2, (const tsr_real[]){1, 2}), i8 = tsr_attr_text("dtype", "i8");
  WRONG("quantize", 1, 1, TSR_ESHAPE, "quantize: quant has 2 scales, axis 1 of ", scales, i8, tsr_attr_int("axis", 1));
  WRONG("quantize", 1, 1, TSR_EAXIS, "quantize: quant 127 is out of range", scales, i8, tsr_attr_int("axis", 300));
  WRONG("quantize", 1, 1, TSR_EARG, "quantize: zeros has 1 number, takes 2", scales, i8,
        tsr_attr_ints("zeros", TSR_SHAPE(1)));
  WRONG("quantize", 1, 1, TSR_EARG, "quantize: zeros has 1 number, takes 0", i8, tsr_attr_ints("zeros", TSR_SHAPE(1)));
  WRONG("quantize", 1, 1, TSR_EDTYPE, "quantize: quant is for none; it takes i8, u8 and i16", scales);
#if TSR_INDEX_BITS == 64
  WRONG("quantize", 1, 1, TSR_ERANGE, "quantize: zeros 4294967296 is out of range", scales, i8,
        tsr_attr_ints("zeros", TSR_SHAPE(0, INT64_C(1) << 32)));
#endif
  WRONG("qadd", 2, 1, TSR_EDTYPE, "qadd: ", tsr_attr_reals("a_scales", 1, (const tsr_real[]){1}));
}

TEST(values_that_there_are_not) {
  WRONG("pad", 1, 1, TSR_ENAME, "pad: mode 'reflct' is unknown; did you mean 'reflect'?",
        tsr_attr_text("mode", "reflct"));
  WRONG("pad", 1, 1, TSR_ENAME, "pad: mode 'symmetric' is unknown", tsr_attr_text("mode", "symmetric"));
  WRONG("pad", 1, 1, TSR_EARG, "pad: mode is NULL", tsr_attr_text("mode", NULL));
  WRONG("pad", 1, 1, TSR_ERANGE, "pad: mode 4 is out of range", tsr_attr_int("mode", 4));
  WRONG("pad", 1, 1, TSR_ERANGE, "pad: mode -1 is out of range", tsr_attr_int("mode", -1));
  WRONG("cast", 1, 1, TSR_ENAME, "cast: dtype 'f33' is unknown; did you mean 'f32'?", tsr_attr_text("dtype", "f33"));
  WRONG("cast", 1, 1, TSR_EDTYPE, "cast: dtype", tsr_attr_int("dtype", 99));
  WRONG("to_layout", 1, 1, TSR_ENAME, "to_layout: layout 'NCHV' is unknown; did you mean 'NCHW'?",
        tsr_attr_text("layout", "NCHV"));
  WRONG("softmax", 1, 1, TSR_ERANGE, "softmax: axis 4294967296 is out of range",
        tsr_attr_int("axis", INT64_C(1) << 32));
  WRONG("gemm", 2, 1, TSR_ERANGE, "gemm: dtype 300 is out of range", tsr_attr_int("dtype", 300));
  WRONG("softmax", 1, 1, TSR_EAXIS, "softmax: axis", tsr_attr_int("axis", 7));
}

TEST(lists_of_another_length) {
  WRONG("permute", 1, 1, TSR_EARG, "permute: axes has 1 number, takes 2", tsr_attr_ints("axes", TSR_SHAPE(0)));
  WRONG("permute", 1, 1, TSR_EARG, "permute: axes has 3 numbers, takes 2", tsr_attr_ints("axes", TSR_SHAPE(0, 1, 2)));
  WRONG("permute", 1, 1, TSR_EARG, "permute: axes is NULL", tsr_attr_ints("axes", 2, NULL));
  WRONG("pad", 1, 1, TSR_EARG, "pad: after has 1 number, takes 2", tsr_attr_ints("after", TSR_SHAPE(1)));
  WRONG("as_strided", 1, 1, TSR_EARG, "as_strided: stride has 1 number, takes 2",
        tsr_attr_ints("shape", TSR_SHAPE(1, 2)), tsr_attr_ints("stride", TSR_SHAPE(1)));
  WRONG("conv2d", 2, 1, TSR_EARG, "conv2d: stride has 1 number, takes 2", tsr_attr_ints("stride", TSR_SHAPE(1)));
  WRONG("max_pool", 1, 1, TSR_EARG, "max_pool: stride has 3 numbers, takes at most 2",
        tsr_attr_ints("kernel", TSR_SHAPE(1)), tsr_attr_ints("stride", TSR_SHAPE(1, 1, 1)));
  WRONG("max_pool", 1, 1, TSR_EARG, "max_pool: stride has 0 numbers, takes at least 1",
        tsr_attr_ints("kernel", TSR_SHAPE(1)), tsr_attr_ints("stride", 0, NULL));
  WRONG("sum", 1, 1, TSR_EARG, "sum: axes has 9 numbers, takes at most",
        tsr_attr_ints("axes", TSR_SHAPE(0, 0, 0, 0, 0, 0, 0, 0, 0)));
  WRONG("sum", 1, 1, TSR_EARG, "sum: axes has -1 numbers, takes at least 0", tsr_attr_ints("axes", -1, NULL));
#if TSR_INDEX_BITS == 64
  WRONG("sum", 1, 1, TSR_EAXIS, "sum: axes 4294967296 is no axis", tsr_attr_ints("axes", TSR_SHAPE(INT64_C(1) << 32)));
#endif
}

TEST(pointers_that_are_null) {
  tsr_ctx *const ctx = test_context();
  tsr_tensor out = {0};
  tsr_tensor *const o[] = {&out, NULL};
  const tsr_tensor *const in[] = {&x, NULL};
  const tsr_attr order = tsr_attr_ints("axes", TSR_SHAPE(0, 1, 2, 3, 4, 5, 6, 7, 8));
  FAILS(ctx, TSR_EARG, tsr_op_call(ctx, NULL, 1, in, 0, NULL, 1, o));
  MESSAGE_HAS(ctx, "op_call: op is NULL");
  FAILS(ctx, TSR_EARG, tsr_op_call(ctx, tsr_op_find("abs"), 1, NULL, 0, NULL, 1, o));
  MESSAGE_HAS(ctx, "abs: in is NULL");
  FAILS(ctx, TSR_EARG, tsr_op_call(ctx, tsr_op_find("abs"), 1, in, 0, NULL, 1, NULL));
  MESSAGE_HAS(ctx, "abs: out is NULL");
  FAILS(ctx, TSR_EARG, tsr_op_call(ctx, tsr_op_find("abs"), 1, in, 1, NULL, 1, o));
  MESSAGE_HAS(ctx, "abs: attrs is NULL");
  FAILS(ctx, TSR_EARG, tsr_op_call(ctx, tsr_op_find("abs"), 1, &in[1], 0, NULL, 1, o));
  MESSAGE_HAS(ctx, "abs: x is NULL");
  FAILS(ctx, TSR_EARG, tsr_op_call(ctx, tsr_op_find("abs"), 1, in, 0, NULL, 1, &o[1]));
  MESSAGE_HAS(ctx, "abs: out is NULL");
  FAILS(ctx, TSR_EARG, tsr_op_call(ctx, tsr_op_find("split"), 1, in, 0, NULL, 2, o));
  MESSAGE_HAS(ctx, "split: output 1 is NULL");
  FAILS(ctx, TSR_EARG, tsr_op_call(ctx, tsr_op_find("permute"), 1, &in[1], 1, &order, 1, o));
  MESSAGE_HAS(ctx, "permute: axes has 9 axes");
  CHECK(tsr_is_none(&out) && test_live() == 0);
}

/* ---- outputs ---- */

TEST(optional_outputs_may_be_left_out) {
  tsr_ctx *const ctx = test_context();
  tsr_tensor values = {0}, index = {0}, want = {0};
  tsr_tensor *const both[] = {NULL, &index};
  tsr_tensor *const first[] = {&values};
  const tsr_tensor *const in[] = {&x};
  const tsr_attr k = tsr_attr_int("k", 2);
  OK(ctx, tsr_op_call(ctx, tsr_op_find("topk"), 1, in, 1, &k, 2, both));
  OK(ctx, tsr_op_call(ctx, tsr_op_find("topk"), 1, in, 1, &k, 1, first));
  OK(ctx, tsr_topk(ctx, &x, 2, -1, true, true, &want, NULL));
  CHECK(test_same_elements(&values, &want));
  CHECK(index.dtype == (TSR_INDEX_BITS == 64 ? TSR_I64 : TSR_I32));
  tsr_release(&values);
  tsr_release(&index);
  tsr_release(&want);
}

TEST(outputs_are_given_or_in_place_as_ever) {
  tsr_ctx *const ctx = test_context();
  float memory[12] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12};
  tsr_tensor t = {0};
  OK(ctx, tsr_from_memory(ctx, memory, TSR_F32, TSR_SHAPE(3, 4), &t));
  const tsr_tensor *const in[] = {&t, &t};
  tsr_tensor *const out[] = {&t};
  OK(ctx, tsr_op_call(ctx, tsr_op_find("add"), 2, in, 0, NULL, 1, out));
  CHECK(memory[0] == 2 && memory[11] == 24);
  t.flags |= TSR_READONLY;
  FAILS(ctx, TSR_EREADONLY, tsr_op_call(ctx, tsr_op_find("add"), 2, in, 0, NULL, 1, out));
  CHECK(memory[0] == 2);
}

/* Outputs apart from each other pass through scratch memory, which may be missing. */
TEST(no_memory_for_outputs_that_lie_apart) {
  tsr_ctx *const ctx = test_context();
  tsr_tensor out[3] = {{0}};
  tsr_tensor *const apart[] = {&out[2], &out[0]};
  const tsr_tensor *const in[] = {&x};
  const tsr_attr axis = tsr_attr_int("axis", 1);
  char scratch[8];
  OK(ctx, tsr_context_set_scratch(ctx, scratch, sizeof scratch));
  FAILS(ctx, TSR_ESCRATCH, tsr_op_call(ctx, tsr_op_find("split"), 1, in, 1, &axis, 2, apart));
  CHECK(tsr_is_none(&out[0]) && tsr_is_none(&out[2]));
  OK(ctx, tsr_context_set_scratch(ctx, NULL, 0));
  test_failing()->fail_at = test_failing()->calls;
  FAILS(ctx, TSR_ENOMEM, tsr_op_call(ctx, tsr_op_find("split"), 1, in, 1, &axis, 2, apart));
  CHECK(tsr_is_none(&out[0]) && tsr_is_none(&out[2]));
  test_failing()->fail_at = SIZE_MAX;
  OK(ctx, tsr_op_call(ctx, tsr_op_find("split"), 1, in, 1, &axis, 2, apart));
  CHECK(out[2].data == numbers && out[0].data == numbers + 2 && out[0].shape[1] == 2);
  CHECK(test_live() == 0);
}

TEST_MAIN(RUN(an_op_is_found_by_its_name), RUN(a_name_that_is_none_names_the_nearest),
          RUN(every_op_is_whole_and_there_once), RUN(an_op_as_a_line_of_text), RUN(words_are_the_values_of_the_enums),
          RUN(words_of_activations), RUN(too_few_or_too_many_tensors), RUN(attributes_that_there_are_not),
          RUN(attributes_of_another_type), RUN(lists_of_quantisations), RUN(values_that_there_are_not),
          RUN(lists_of_another_length), RUN(pointers_that_are_null), RUN(optional_outputs_may_be_left_out),
          RUN(outputs_are_given_or_in_place_as_ever), RUN(no_memory_for_outputs_that_lie_apart))

#else

TEST(ops_by_name) { SKIP("not configured"); }
TEST_MAIN(RUN(ops_by_name))

#endif
