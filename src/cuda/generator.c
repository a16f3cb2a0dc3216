#include "cuda/generator.h"

#include <string.h>

int tsr__cuda_lines_out(const tsr__cuda_lines *lines) { return lines->step[lines->steps - 1].out; }

/* ---- dtypes ---- */

typedef struct dtype_words {
  const char *name, *wide;
} dtype_words;

static const dtype_words words[TSR_DTYPE_COUNT] = {
    [TSR_BOOL] = {"bool8", "i32"},      [TSR_I8] = {"i8", "i32"},           [TSR_I16] = {"i16", "i32"},
    [TSR_I32] = {"i32", "i32"},         [TSR_I64] = {"i64", "i64"},         [TSR_U8] = {"u8", "i32"},
    [TSR_U16] = {"u16", "i32"},         [TSR_U32] = {"u32", "i64"},         [TSR_U64] = {"u64", "u64"},
    [TSR_F8_E4M3] = {"f8_e4m3", "f32"}, [TSR_F8_E5M2] = {"f8_e5m2", "f32"}, [TSR_F16] = {"f16", "f32"},
    [TSR_BF16] = {"bf16", "f32"},       [TSR_F32] = {"f32", "f32"},         [TSR_F64] = {"f64", "f64"},
    [TSR_C64] = {"c64", "c64"},         [TSR_C128] = {"c128", "c128"}};

const char *tsr__cuda_dtype(int dtype) { return words[dtype].name; }

void tsr__cuda_add_cast(tsr__cuda_text *text, int from, int to, const char *value) {
  if (from == to)
    tsr__cuda_text_add(text, value);
  else
    tsr__cuda_text_format(text, "%s_from_%s(%s_load(%s))", words[to].name, words[from].wide, words[from].name, value);
}

/* ---- the compute type of a step ---- */

typedef struct compute_type {
  const char *type, *name;
  int bits, is_float, is_signed;
} compute_type;

static const compute_type types[TSR_DTYPE_COUNT] = {
    [TSR_BOOL] = {"uint8_t", "u8", 8, 0, 0},      [TSR_I8] = {"int8_t", "i8", 8, 0, 1},
    [TSR_I16] = {"int16_t", "i16", 16, 0, 1},     [TSR_I32] = {"int32_t", "i32", 32, 0, 1},
    [TSR_I64] = {"int64_t", "i64", 64, 0, 1},     [TSR_U8] = {"uint8_t", "u8", 8, 0, 0},
    [TSR_U16] = {"uint16_t", "u16", 16, 0, 0},    [TSR_U32] = {"uint32_t", "u32", 32, 0, 0},
    [TSR_U64] = {"uint64_t", "u64", 64, 0, 0},    [TSR_F32] = {"float", "f32", 32, 1, 1},
    [TSR_F64] = {"double", "f64", 64, 1, 1},      [TSR_C64] = {"c64_mem", "c64", 64, 0, 0},
    [TSR_C128] = {"c128_mem", "c128", 128, 0, 0}, [TSR_F16] = {"uint16_t", "u16", 16, 0, 0},
    [TSR_BF16] = {"uint16_t", "u16", 16, 0, 0},   [TSR_F8_E4M3] = {"uint8_t", "u8", 8, 0, 0},
    [TSR_F8_E5M2] = {"uint8_t", "u8", 8, 0, 0}}; /* small floats: where their bits are moved */

static const compute_type *type_of(const tsr__cuda_line_step *step) {
  const compute_type *const own = &types[step->compute];
  if (own->is_float || own->type[0] == 'c' || step->integers == TSR__CUDA_OWN) return own;
  const int bits = step->integers == TSR__CUDA_WRAPPING && own->bits < 32 ? 32 : own->bits;
  return &types[bits == 8 ? TSR_U8 : bits == 16 ? TSR_U16 : bits == 32 ? TSR_U32 : TSR_U64];
}

static void add_words_of(tsr__cuda_text *text, const compute_type *c) {
  tsr__cuda_text_format(text,
                        "#define C %s\n#define C_BITS %d\n#define C_FLOAT %d\n#define C_SIGNED %d\n"
                        "#define FN(name) name##_%s\n#define MATH(name) math_##name##_%s\n",
                        c->type, c->bits, c->is_float, c->is_signed, c->name, c->name);
}

static const char forget_words[] = "#undef C\n#undef C_BITS\n#undef C_FLOAT\n#undef C_SIGNED\n#undef FN\n#undef MATH\n";

/* Text that no earlier step has brought for the same type. */
static void add_needed(tsr__cuda_text *text, const tsr__cuda_chain *chain, int k, const char *needed) {
  if (needed == NULL) return;
  for (int i = 0; i < k; i++) {
    const tsr__cuda_line_step *const before = &chain->step[i];
    if (type_of(before) != type_of(&chain->step[k])) continue;
    if (before->needs != NULL && strcmp(before->needs, needed) == 0) return;
    if (before->functions != NULL && strcmp(before->functions, needed) == 0) return;
  }
  tsr__cuda_text_expand(text, needed);
}

static void add_function(tsr__cuda_text *text, const tsr__cuda_line_step *step, const compute_type *c, int k,
                         const char *suffix, const char *more, const char *line) {
  tsr__cuda_text_format(text, "#line 1 \"step%d\"\nstatic __device__ inline %s_mem step%d%s(", k,
                        tsr__cuda_dtype(step->result), k, suffix);
  tsr__cuda_text_format(text, "const table_args &table%s", more);
  for (int i = 0; i < step->inputs; i++) {
    const char letter[2] = {"abcp"[i], 0};
    const bool is_c = step->dtype[i] == step->compute;
    tsr__cuda_text_format(text, ", %s%s %s", is_c ? c->type : tsr__cuda_dtype(step->dtype[i]), is_c ? "" : "_mem",
                          letter);
  }
  tsr__cuda_text_format(text, ") { (void)table; return (%s_mem)(%s); }\n", tsr__cuda_dtype(step->result), line);
}

/* Whether a step's input may be tiny and the last bits of its value count: of f32, and of bf16 where it is not bf16 again. Other dtypes have
 * no numbers so small. */
static bool sees_tiny(const tsr__cuda_chain *chain, int k) {
  const tsr__cuda_line_step *const step = &chain->step[k];
  const int from = step->in[0] < chain->inputs ? chain->dtype[step->in[0]] : TSR_F32;
  return from == TSR_F32 || (from == TSR_BF16 && step->out != TSR_BF16);
}

/* "result stepK(C a, C b) { return line; }"; and stepK_near, where the step has a line for what is near. */
static void add_step(tsr__cuda_text *text, const tsr__cuda_chain *chain, int k) {
  const tsr__cuda_line_step *const step = &chain->step[k];
  const compute_type *const c = type_of(step);
  add_words_of(text, c);
  add_needed(text, chain, k, step->functions);
  add_needed(text, chain, k, step->needs);
  add_function(text, step, c, k, "", "", step->line);
  if (step->near != NULL) {
    tsr__cuda_text_format(text, "#define small %d\n", (int)sees_tiny(chain, k));
    add_function(text, step, c, k, "_near", ", bool &far", step->near);
    tsr__cuda_text_add(text, "#undef small\n");
  }
  tsr__cuda_text_add(text, forget_words);
}

void tsr__cuda_add_steps(tsr__cuda_text *text, const tsr__cuda_chain *chain) {
  for (int k = 0; k < chain->steps; k++) add_step(text, chain, k);
}

/* ---- one element: "void line(T0 &to, T1 v0, …)", all steps in order ---- */

tsr__cuda_value_name tsr__cuda_value(int number) {
  const char hundreds = (char)('0' + number / 100), tens = (char)('0' + number / 10 % 10),
             ones = (char)('0' + number % 10);
  if (number < 100) return (tsr__cuda_value_name){{'v', tens, ones}};
  return (tsr__cuda_value_name){{'v', hundreds, tens, ones}};
}

static void add_value(tsr__cuda_text *text, const tsr__cuda_chain *chain, int k, bool near) {
  const tsr__cuda_line_step *const step = &chain->step[k];
  tsr__cuda_text_format(text, "  const %s_mem r%d = step%d%s(table", tsr__cuda_dtype(step->result), k, k,
                        near && step->near != NULL ? "_near" : "");
  if (near && step->near != NULL) tsr__cuda_text_add(text, ", far");
  for (int i = 0; i < step->inputs; i++) {
    const int in = step->in[i], from = in < chain->inputs ? chain->dtype[in] : chain->step[in - chain->inputs].out;
    tsr__cuda_text_add(text, ", ");
    tsr__cuda_add_cast(text, from, step->dtype[i], tsr__cuda_value(in).text);
  }
  tsr__cuda_text_format(text, ");\n  const %s_mem %s = ", tsr__cuda_dtype(step->out),
                        tsr__cuda_value(chain->inputs + k).text);
  tsr__cuda_value_name result = tsr__cuda_value(k); /* r0, r12, r113 */
  memmove(result.text, result.text + (k < 10), sizeof result.text - 1);
  result.text[0] = 'r';
  tsr__cuda_add_cast(text, step->result, step->out, result.text);
  tsr__cuda_text_add(text, ";\n");
}

void tsr__cuda_add_values(tsr__cuda_text *text, const tsr__cuda_chain *chain, bool near) {
  for (int k = 0; k < chain->steps; k++) add_value(text, chain, k, near);
}

bool tsr__cuda_has_near(const tsr__cuda_chain *chain) {
  for (int k = 0; k < chain->steps; k++)
    if (chain->step[k].near != NULL) return true;
  return false;
}

static tsr__cuda_chain chain_of(const tsr__cuda_lines *lines) {
  return (tsr__cuda_chain){lines->inputs, lines->steps, lines->dtype, lines->step};
}

static void add_line(tsr__cuda_text *text, const tsr__cuda_lines *lines, bool near) {
  const tsr__cuda_chain chain = chain_of(lines);
  tsr__cuda_text_format(text, "static __device__ inline void line%s(const table_args &table, %sT0 &to",
                        near ? "_near" : "", near ? "bool &far, " : "");
  for (int i = 0; i < lines->inputs; i++)
    tsr__cuda_text_format(text, ", const %s_mem %s", tsr__cuda_dtype(lines->dtype[i]), tsr__cuda_value(i).text);
  tsr__cuda_text_add(text, ") {\n");
  tsr__cuda_add_values(text, &chain, near);
  tsr__cuda_text_format(text, "  to = %s;\n}\n", tsr__cuda_value(lines->inputs + lines->steps - 1).text);
}

/* ---- patterns ---- */

/* Text once for each operand of mask: @ is its number. */
static void each(tsr__cuda_text *text, unsigned mask, const char *piece) {
  char one[2] = {0, 0};
  for (int k = 1; k < TSR__CUDA_OPERANDS; k++)
    for (const char *p = (mask >> k & 1) != 0 ? piece : ""; *p != 0; p++) {
      one[0] = *p == '@' ? (char)('0' + k) : *p;
      tsr__cuda_text_add(text, one);
    }
}

/* A call of line: `to`, and for each input its number or what a piece makes of its operand. far: line_near, and its flag. */
typedef struct call_pieces {
  const char *args, *to, *memory, *transposed, *position, *far;
} call_pieces;

static void add_call(tsr__cuda_text *text, const tsr__cuda_lines *lines, unsigned transposed,
                     const call_pieces *pieces) {
  int operand = 0;
  const bool near = pieces->far != NULL;
  tsr__cuda_text_format(text, "line%s(%s.table, %s%s%s", near ? "_near" : "", pieces->args, near ? pieces->far : "",
                        near ? ", " : "", pieces->to);
  for (int i = 0; i < lines->inputs; i++) {
    if (lines->kind[i] == TSR__CUDA_NUMBER) {
      tsr__cuda_text_format(text, ", n%d", i);
      continue;
    }
    operand++;
    each(text, 1u << operand,
         lines->kind[i] == TSR__CUDA_POSITION ? pieces->position
         : (transposed >> operand & 1) != 0   ? pieces->transposed
                                              : pieces->memory);
  }
  tsr__cuda_text_add(text, ");");
}

/* The line over a pack, by a loop. Where it has a form for what is near, that for all of them, without a branch; then, if any is not, those
 * again, from nothing: gelu of bf16 takes 32 registers, and 52 where the two share what they compute. */
static void add_pack(tsr__cuda_text *text, const tsr__cuda_lines *lines, unsigned all, const char *packs,
                     const char *loop, call_pieces pieces) {
  const tsr__cuda_chain chain = chain_of(lines);
  const char *const to = pieces.to;
  if (!tsr__cuda_has_near(&chain)) {
    tsr__cuda_text_add(text, loop);
    add_call(text, lines, 0, &pieces);
    return;
  }
  pieces.far = "far";
  tsr__cuda_text_format(text, "bool far = false;\n    %s", loop);
  add_call(text, lines, 0, &pieces);
  pieces.far = "is_far";
  pieces.to = "none";
  tsr__cuda_text_add(text, "\n    if (far) {\n");
  each(text, all, packs);
  tsr__cuda_text_format(text, "      %s{\n      bool is_far = false;\n      T0 none;\n      ", loop);
  add_call(text, lines, 0, &pieces);
  pieces.far = NULL;
  pieces.to = to;
  tsr__cuda_text_add(text, "\n      if (is_far) ");
  add_call(text, lines, 0, &pieces);
  tsr__cuda_text_add(text, "\n      }\n    }");
}

/* One pack a thread: what is in flight are many blocks, not many loads of one thread. A small call is one load and one store long;
 * element by element only where a pack would leave the tensor. */
static void add_contiguous(tsr__cuda_text *text, const tsr__cuda_lines *lines, unsigned all) {
  tsr__cuda_text_add(text,
                     "  const uint64_t i = ((uint64_t)blockIdx.x * B + threadIdx.x) * V;\n"
                     "  if (i + V <= flat.n) {\n    pack<T0, V> o;\n");
  each(text, all, "    pack<T@, V> p@;\n    p@.load(x@ + i);\n");
  tsr__cuda_text_add(text, "    ");
  add_pack(text, lines, all, "      forget(p@);\n", "TSR__UNROLL(16) for (int k = 0; k < V; k++) ",
           (call_pieces){"flat", "o.v[k]", ", p@.v[k]", "", ", x@ + (int64_t)(i + k)", NULL});
  tsr__cuda_text_add(text, "\n    o.store(x0 + i);\n  } else {\n    for (uint64_t k = i; k < flat.n; k++) ");
  add_call(text, lines, 0, &(call_pieces){"flat", "x0[k]", ", x@[k]", "", ", x@ + (int64_t)k", NULL});
  tsr__cuda_text_add(text, "\n  }\n}\n");
}

/* The results of all values that an input of 16 bits can have. */
static void add_all_values(tsr__cuda_text *text, const tsr__cuda_lines *lines) {
  tsr__cuda_text_add(text, "  const uint32_t i = blockIdx.x * B + threadIdx.x;\n  const T1 one = (T1)i;\n  ");
  add_call(text, lines, 0, &(call_pieces){"flat", "x0[i]", ", one", "", "", NULL});
  tsr__cuda_text_add(text, "\n  (void)x1;\n}\n");
}

/* Packs of inputs become packs of those, which each block of threads has in its shared memory. */
static void add_looked_up(tsr__cuda_text *text) {
  tsr__cuda_text_add(
      text,
      "  extern __shared__ __align__(16) unsigned char memory[];\n  T0 *const results = (T0 *)memory;\n"
      "  enum { AHEAD = 4, TOGETHER = 16 / sizeof(T0) };\n"
      "  TSR__UNROLL(8) for (uint32_t i = threadIdx.x * TOGETHER; i < 65536; i += B * TOGETHER) {\n"
      "    pack<T0, TOGETHER> some;\n    some.load((const T0 *)flat.x[2] + i);\n    *(pack<T0, TOGETHER> *)(results + "
      "i) = some;\n  }\n"
      "  __syncthreads();\n"
      "  const uint64_t step = (uint64_t)gridDim.x * B, packs = flat.n / V, first = (uint64_t)blockIdx.x * B + "
      "threadIdx.x;\n"
      "  TSR__UNROLL_BY(1) for (uint64_t at = first; at < packs; at += AHEAD * step) {\n    pack<T1, V> p[AHEAD];\n"
      "    TSR__UNROLL(4) for (int k = 0; k < AHEAD; k++) if (at + k * step < packs) p[k].load(x1 + (at + k * step) * "
      "V);\n"
      "    TSR__UNROLL(4) for (int k = 0; k < AHEAD; k++) {\n      if (at + k * step >= packs) continue;\n      "
      "pack<T0, V> o;\n"
      "      TSR__UNROLL(16) for (int l = 0; l < V; l++) o.v[l] = results[p[k].v[l]];\n"
      "      o.store(x0 + (at + k * step) * V);\n    }\n  }\n"
      "  for (uint64_t i = packs * V + first; i < flat.n; i += step) x0[i] = results[x1[i]];\n}\n");
}

/* Any strides. With V > 1 the fastest axis has steps of 1, 0 or -1; with V = 1 neighbours in a warp are neighbours on that axis,
 * whatever its step. */
static void add_strided(tsr__cuda_text *text, const tsr__cuda_lines *lines, unsigned all) {
  tsr__cuda_text_add(text, "  const COUNT first = (COUNT)blockIdx.x * (B * U) + threadIdx.x;\n  int64_t at[U][N];\n");
  each(text, all, "  pack<T@, V> p@[U];\n");
  tsr__cuda_text_add(text,
                     "  TSR__UNROLL(4) for (int k = 0; k < U; k++) {\n    const COUNT i = first + k * B;\n"
                     "    if (i < s.units) {\n      locate<N>(s, i, at[k]);\n");
  each(text, all, "      fetch<T@, V>(p@[k], x@ + at[k][@], V > 1 ? s.mode[@] : 1);\n");
  tsr__cuda_text_add(text,
                     "    }\n  }\n  TSR__UNROLL(4) for (int k = 0; k < U; k++)\n    if (first + k * B < s.units) {\n"
                     "      pack<T0, V> o;\n      ");
  add_pack(text, lines, all, "      forget(p@[k]);\n", "TSR__UNROLL(16) for (int i = 0; i < V; i++) ",
           (call_pieces){"s.flat", "o.v[i]", ", p@[k].v[i]", "", ", x@ + at[k][@] + (int64_t)i * s.mode[@]", NULL});
  tsr__cuda_text_add(text, "\n      o.store(x0 + at[k][0]);\n    }\n}\n");
}

/* Where a tile is: TX elements of the output's fastest axis, 64 of the transposed inputs'. */
static void add_tile(tsr__cuda_text *text, unsigned transposed) {
  tsr__cuda_text_add(text,
                     "  COUNT t = blockIdx.x;\n  const COUNT bx = t % s.tiles_x;\n  t /= s.tiles_x;\n"
                     "  const COUNT by = t % s.tiles_y;\n  t /= s.tiles_y;\n  int64_t at[N];\n  locate<N>(s, t, at);\n"
                     "  const COUNT left = bx * TX, top = by * 64;\n");
  each(text, transposed,
       "  __shared__ T@ t@[TX][65];\n  const T@ *const y@ = x@ + at[@] + (int64_t)left * s.stride_x[@] + top;\n");
}

/* A tile element by element, neighbours in a warp still neighbours in memory. Past an edge its last element is read again: loads without a
 * condition are all under way at once. few: so many of them, in a shorter kernel. */
static void add_odd_tile(tsr__cuda_text *text, const tsr__cuda_lines *lines, unsigned transposed, bool few) {
  tsr__cuda_text_add(
      text,
      "  const int e = threadIdx.x % 64, f = threadIdx.x / 64, ex = threadIdx.x % TX, fx = threadIdx.x / TX;\n"
      "  const COUNT last_x = s.length_x - 1 - left, last_y = s.length_y - 1 - top, column = e < last_y ? e : "
      "last_y;\n");
  each(text, transposed,
       few ? "  TSR__UNROLL_BY(4) for (int k = 0; k < TX / 4; k++)\n"
             "    t@[f + 4 * k][e] = y@[(int64_t)(f + 4 * k < last_x ? f + 4 * k : last_x) * s.stride_x[@] + column];\n"
           : "  T@ v@[TX / 4];\n  TSR__UNROLL(32) for (int k = 0; k < TX / 4; k++)\n"
             "    v@[k] = y@[(int64_t)(f + 4 * k < last_x ? f + 4 * k : last_x) * s.stride_x[@] + column];\n"
             "  TSR__UNROLL(32) for (int k = 0; k < TX / 4; k++) t@[f + 4 * k][e] = v@[k];\n");
  tsr__cuda_text_format(text,
                        "  __syncthreads();\n  TSR__UNROLL_BY(%d) for (int k = 0; k < TX / 4; k++) {\n"
                        "    const COUNT r = fx + B / TX * k;\n"
                        "    if (left + ex < s.length_x && top + r < s.length_y)\n      ",
                        few ? 4 : 16);
  add_call(text, lines, transposed,
           &(call_pieces){
               "s.flat", "x0[at[0] + (int64_t)(top + r) * s.stride_y[0] + left + ex]",
               ", x@[at[@] + (int64_t)(left + ex) * s.stride_x[@] + (int64_t)(top + r) * s.stride_y[@]]", ", t@[ex][r]",
               ", x@ + at[@] + (int64_t)(left + ex) * s.stride_x[@] + (int64_t)(top + r) * s.stride_y[@]", NULL});
  tsr__cuda_text_add(text, "\n  }\n}\n");
}

/* Tiles through shared memory for the inputs that are transposed; the others are read as the output lies. */
static void add_tiled(tsr__cuda_text *text, const tsr__cuda_lines *lines, unsigned all, unsigned transposed) {
  add_tile(text, transposed);
  tsr__cuda_text_add(text,
                     "  const int tx = threadIdx.x % 16, ty = threadIdx.x / 16;\n"
                     "  if (left + 64 <= s.length_x && top + 64 <= s.length_y) {\n");
  each(text, transposed,
       "    TSR__UNROLL(4) for (int k = 0; k < 4; k++) {\n      const int c = ty + 16 * k, r = 4 * tx;\n"
       "      pack<T@, 4> v;\n      v.load(y@ + (int64_t)c * s.stride_x[@] + r);\n"
       "      TSR__UNROLL(4) for (int i = 0; i < 4; i++) t@[c][r + i] = v.v[i];\n    }\n");
  tsr__cuda_text_add(text,
                     "    __syncthreads();\n    TSR__UNROLL(4) for (int k = 0; k < 4; k++) {\n"
                     "      const COUNT c = 4 * tx, r = ty + 16 * k;\n");
  each(text, all & ~transposed,
       "      pack<T@, 4> v@;\n      fetch<T@, 4>(v@, x@ + at[@] + (int64_t)(left + c) * s.stride_x[@] + "
       "(int64_t)(top + r) * s.stride_y[@], s.mode[@]);\n");
  each(text, transposed,
       "      pack<T@, 4> v@;\n      TSR__UNROLL(4) for (int i = 0; i < 4; i++) v@.v[i] = t@[c + i][r];\n");
  tsr__cuda_text_add(text, "      pack<T0, 4> o;\n      TSR__UNROLL(4) for (int i = 0; i < 4; i++) ");
  add_call(text, lines, 0,
           &(call_pieces){"s.flat", "o.v[i]", ", v@.v[i]", "",
                          ", x@ + at[@] + (int64_t)(left + c + i) * s.stride_x[@] + (int64_t)(top + r) * s.stride_y[@]",
                          NULL});
  tsr__cuda_text_add(
      text,
      "\n      o.store(x0 + at[0] + (int64_t)(top + r) * s.stride_y[0] + left + c);\n    }\n    return;\n"
      "  }\n");
  add_odd_tile(text, lines, transposed, true);
}

/* The same where packs are not aligned. */
static void add_odd_tiles(tsr__cuda_text *text, const tsr__cuda_lines *lines, unsigned transposed) {
  add_tile(text, transposed);
  add_odd_tile(text, lines, transposed, false);
}

/* ---- the kernel ---- */

/* Tiles write short rows far apart: marked as read and written once they are 1.5 times as fast; all else is faster without the marks.
 * Memory that the kernel writes as well is not read as constant. */
static void add_head(tsr__cuda_text *text, const tsr__cuda_lines *lines, const tsr__cuda_pattern *p) {
  const bool tiled = p->kind == TSR__CUDA_TILED || p->kind == TSR__CUDA_ODD_TILES;
  tsr__cuda_text_expand(text, "#include \"cuda/kernels/prelude.cuh\"\n#include \"cuda/kernels/dtypes.cuh\"\n");
  tsr__cuda_text_format(text, "#define WIDE %d\ntypedef %s STEP;\ntypedef %s COUNT;\n#define LOAD%s\n#define STORE%s\n",
                        p->wide, p->wide ? "int64_t" : "int32_t", p->wide ? "uint64_t" : "uint32_t",
                        tiled && !lines->in_place ? " TSR__LOAD_ONCE"
                        : lines->in_place         ? "(p) (*(p))"
                                                  : " TSR__LOAD_CONST",
                        tiled ? " TSR__STORE_ONCE" : "(p, v) (*(p) = (v))");
  tsr__cuda_text_expand(text, "#include \"cuda/kernels/pack.cuh\"\n");
}

static void add_operands(tsr__cuda_text *text, const tsr__cuda_lines *lines, const char *args) {
  int operand = 0, number = 0;
  tsr__cuda_text_format(text, "  T0 *const x0 = (T0 *)%s.x[0];\n", args);
  for (int i = 0; i < lines->inputs; i++)
    if (lines->kind[i] == TSR__CUDA_NUMBER)
      tsr__cuda_text_format(text, "  const %s_mem n%d = *(const %s_mem *)%s.numbers[%d].bytes;\n",
                            tsr__cuda_dtype(lines->dtype[i]), i, tsr__cuda_dtype(lines->dtype[i]), args, number++);
    else if (operand++, lines->kind[i] == TSR__CUDA_POSITION)
      tsr__cuda_text_format(text, "  const int64_t x%d = (int64_t)%s.x[%d];\n", operand, args, operand);
    else
      tsr__cuda_text_format(text, "  const T%d *const x%d = (const T%d *)%s.x[%d];\n", operand, operand, operand, args,
                            operand);
}

static int threads_of(const tsr__cuda_pattern *p) {
  if (p->kind == TSR__CUDA_LOOKED_UP) return TSR__CUDA_LOOKED_UP_THREADS;
  const bool flat = p->kind == TSR__CUDA_CONTIGUOUS || p->kind == TSR__CUDA_PACKS || p->kind == TSR__CUDA_ELEMENTS;
  return flat ? 128 : 256;
}

void tsr__cuda_generate(const tsr__cuda_lines *lines, const tsr__cuda_pattern *p, tsr__cuda_text *text) {
  unsigned all = 0;
  int operand = 0;
  add_head(text, lines, p);
  tsr__cuda_text_format(text, "typedef %s_mem T0;\n", tsr__cuda_dtype(tsr__cuda_lines_out(lines)));
  for (int i = 0; i < lines->inputs; i++) {
    if (lines->kind[i] == TSR__CUDA_NUMBER) continue;
    operand++;
    if (lines->kind[i] == TSR__CUDA_POSITION) continue;
    all |= 1u << operand;
    tsr__cuda_text_format(text, "typedef %s_mem T%d;\n", tsr__cuda_dtype(lines->dtype[i]), operand);
  }
  const tsr__cuda_chain chain = chain_of(lines);
  tsr__cuda_add_steps(text, &chain);
  add_line(text, lines, false);
  if (tsr__cuda_has_near(&chain)) add_line(text, lines, true);
  tsr__cuda_text_format(text, "enum { V = %d, U = %d, N = %d, B = %d, TX = %d };\n", p->vector,
                        p->kind == TSR__CUDA_ELEMENTS ? 4 : 1, operand + 1, threads_of(p), p->tile);
  const bool looked_up = p->kind == TSR__CUDA_LOOKED_UP || p->kind == TSR__CUDA_ALL_VALUES;
  const bool flat = p->kind == TSR__CUDA_CONTIGUOUS || looked_up;
  tsr__cuda_text_format(
      text, "extern \"C\" __global__ void __launch_bounds__(B) tsr_elements(const __grid_constant__ %s) {\n",
      flat ? "flat_args flat" : "shape_args s");
  add_operands(text, lines, flat ? "flat" : "s.flat");
  if (p->kind == TSR__CUDA_LOOKED_UP)
    add_looked_up(text);
  else if (p->kind == TSR__CUDA_ALL_VALUES)
    add_all_values(text, lines);
  else if (flat)
    add_contiguous(text, lines, all);
  else if (p->kind == TSR__CUDA_TILED)
    add_tiled(text, lines, all, p->transposed);
  else if (p->kind == TSR__CUDA_ODD_TILES)
    add_odd_tiles(text, lines, p->transposed);
  else
    add_strided(text, lines, all);
}
