// oneDNN as a contestant: primitives made once, then executed. Versions 2 and 3 differ in how they are described.
#include <oneapi/dnnl/dnnl.hpp>
#include <unordered_map>

#include "peer.hpp"

namespace {

using namespace peer;
using dnnl::algorithm;
using dnnl::memory;
using Dims = memory::dims;
using Type = memory::data_type;

const dnnl::engine &engine() {
  static const dnnl::engine cpu(dnnl::engine::kind::cpu, 0);
  return cpu;
}

Dims row_major(const Dims &shape) {
  Dims strides(shape.size(), 1);
  for (size_t i = shape.size() - 1; i > 0; i--) strides[i - 1] = strides[i] * shape[i];
  return strides;
}

int64_t count(const Dims &shape) {
  int64_t n = 1;
  for (const auto d : shape) n *= d;
  return n;
}

memory::desc desc(const Dims &shape, Type type = Type::f32) { return {shape, type, row_major(shape)}; }

memory input(const Dims &shape, int64_t start = 0) { return {desc(shape), engine(), floats(count(shape), start)}; }

memory output(const Dims &shape) { return {desc(shape), engine(), result(count(shape))}; }

// Another view of the same memory.
memory seen_as(const memory &m, const Dims &shape, const Dims &strides, int64_t offset = 0) {
  return {{shape, Type::f32, strides}, engine(), static_cast<float *>(m.get_data_handle()) + offset};
}

Runner execute(dnnl::primitive primitive, std::unordered_map<int, memory> arguments) {
  dnnl::stream stream(engine());
  return repeat([=]() mutable {
    primitive.execute(stream, arguments);
    stream.wait();
  });
}

Runner add(const memory &a, const memory &b, const Dims &shape) {
  const memory out = output(shape);
#if DNNL_VERSION_MAJOR >= 3
  const dnnl::binary::primitive_desc pd(engine(), algorithm::binary_add, a.get_desc(), b.get_desc(), out.get_desc());
#else
  const dnnl::binary::primitive_desc pd({algorithm::binary_add, a.get_desc(), b.get_desc(), out.get_desc()}, engine());
#endif
  return execute(dnnl::binary(pd), {{DNNL_ARG_SRC_0, a}, {DNNL_ARG_SRC_1, b}, {DNNL_ARG_DST, out}});
}

Runner flat_add(int64_t n) {
  const memory a = input({n}), b = input({n}, 7);
  return add(a, b, {n});
}

Runner bcast(const Dims &a_shape, const Dims &b_shape, const Dims &shape) {
  const memory a = input(a_shape), b = input(b_shape, 7);
  return add(a, b, shape);
}

Runner addT() {
  const memory a = input({2048, 2048}), b = input({2048, 2048}, 7);
  return add(a, seen_as(b, {2048, 2048}, {1, 2048}), {2048, 2048});
}

Runner unary(algorithm what) {
  const memory x = input({M}), out = output({M});
#if DNNL_VERSION_MAJOR >= 3
  const dnnl::eltwise_forward::primitive_desc pd(engine(), dnnl::prop_kind::forward_inference, what, x.get_desc(),
                                                 out.get_desc());
#else
  const dnnl::eltwise_forward::primitive_desc pd({dnnl::prop_kind::forward_inference, what, x.get_desc()}, engine());
#endif
  return execute(dnnl::eltwise_forward(pd), {{DNNL_ARG_SRC, x}, {DNNL_ARG_DST, out}});
}

Runner reduce(algorithm what, const Dims &from, const Dims &to) {
  const memory x = input(from), out = output(to);
#if DNNL_VERSION_MAJOR >= 3
  const dnnl::reduction::primitive_desc pd(engine(), what, x.get_desc(), out.get_desc(), 0.0f, 0.0f);
#else
  const dnnl::reduction::primitive_desc pd({what, x.get_desc(), out.get_desc(), 0.0f, 0.0f}, engine());
#endif
  return execute(dnnl::reduction(pd), {{DNNL_ARG_SRC, x}, {DNNL_ARG_DST, out}});
}

Runner reorder(memory from, memory to) {
  return execute(dnnl::reorder(from, to), {{DNNL_ARG_FROM, from}, {DNNL_ARG_TO, to}});
}

// axes[i] is the axis of from that becomes axis i.
Runner permute(const Dims &from, const std::vector<size_t> &axes) {
  const memory x = input(from);
  const Dims strides = row_major(from);
  Dims shape, moved;
  for (const size_t axis : axes) {
    shape.push_back(from[axis]);
    moved.push_back(strides[axis]);
  }
  return reorder(seen_as(x, shape, moved), output(shape));
}

Runner cast(void *from, Type from_type, Type to_type, contest_kind kind) {
  const Dims shape = {16 * M};
  void *to = to_type == Type::f32    ? static_cast<void *>(result(16 * M))
             : to_type == Type::u8   ? static_cast<void *>(result_as<uint8_t>(16 * M, kind))
                                     : static_cast<void *>(result_as<uint16_t>(16 * M, kind));
  return reorder({desc(shape, from_type), engine(), from}, {desc(shape, to_type), engine(), to});
}

Runner slice(const Dims &shape, const Dims &strides, int64_t offset) {
  const memory x = input({4096, 4096});
  return reorder(seen_as(x, shape, strides, offset), output(shape));
}

Runner concat(int axis) {
  const memory a = input({2048, 2048}), b = input({2048, 2048}, 7);
  const memory out = output(axis == 0 ? Dims{4096, 2048} : Dims{2048, 4096});
#if DNNL_VERSION_MAJOR >= 3
  const dnnl::concat::primitive_desc pd(engine(), out.get_desc(), axis, {a.get_desc(), b.get_desc()});
#else
  const dnnl::concat::primitive_desc pd(out.get_desc(), axis, {a.get_desc(), b.get_desc()}, engine());
#endif
  return execute(dnnl::concat(pd), {{DNNL_ARG_MULTIPLE_SRC, a}, {DNNL_ARG_MULTIPLE_SRC + 1, b}, {DNNL_ARG_DST, out}});
}

// ---- products, convolutions and what goes with them ----

template <class P, class... Args>
typename P::primitive_desc describe(const dnnl::primitive_attr &attributes, Args... arguments) {
#if DNNL_VERSION_MAJOR >= 3
  return typename P::primitive_desc(engine(), arguments..., attributes);
#else
  return typename P::primitive_desc(typename P::desc(arguments...), attributes, engine());
#endif
}

memory reordered(memory from, const memory::desc &to_desc) {
  if (from.get_desc() == to_desc) return from;
  memory to(to_desc, engine());
  dnnl::stream stream(engine());
  dnnl::reorder(from, to).execute(stream, from, to);
  stream.wait();
  return to;
}

memory transposed(const memory &m, const Dims &shape) {
  Dims strides = row_major(shape);
  std::swap(strides[shape.size() - 1], strides[shape.size() - 2]);
  strides[shape.size() - 1] = shape[shape.size() - 2];
  return seen_as(m, shape, strides);
}

enum class Weights { plain, transposed, packed };

memory::desc weights_desc(const memory &w, Weights how) {
  if (how != Weights::packed) return w.get_desc();
  return {w.get_desc().dims(), w.get_desc().data_type(), memory::format_tag::any};
}

Runner product(const memory &a, const memory &b, const memory &out, Weights how) {
  const auto pd = describe<dnnl::matmul>({}, a.get_desc(), weights_desc(b, how), out.get_desc());
  return execute(dnnl::matmul(pd), {{DNNL_ARG_SRC, a}, {DNNL_ARG_WEIGHTS, reordered(b, pd.weights_desc())}, {DNNL_ARG_DST, out}});
}

Runner sgemm(const Dims &a_shape, const Dims &b_shape, const Dims &shape, Weights how = Weights::plain) {
  const memory a = input(a_shape), b = input(b_shape, 7);
  return product(a, how == Weights::transposed ? transposed(b, b_shape) : b, output(shape), how);
}

Runner square(int64_t n, Weights how = Weights::plain) { return sgemm({n, n}, {n, n}, {n, n}, how); }

Runner int8gemm() {
  const Dims shape = {1024, 1024};
  const memory a(desc(shape, Type::u8), engine(), contest_u8(M)), b(desc(shape, Type::s8), engine(), contest_i8(M));
  const memory out(desc(shape, Type::s32), engine(), result_as<int32_t>(M, CONTEST_I32));
  return product(a, b, out, Weights::packed);
}

// Sums times one number, to u8.
dnnl::primitive_attr scaled() {
  dnnl::primitive_attr attributes;
#if DNNL_VERSION_MAJOR >= 3
  attributes.set_scales_mask(DNNL_ARG_SRC, 0);
#else
  attributes.set_output_scales(0, {CONTEST_SCALE});
#endif
  return attributes;
}

std::unordered_map<int, memory> with_scale(std::unordered_map<int, memory> arguments) {
#if DNNL_VERSION_MAJOR >= 3
  const memory scale(desc({1}), engine(), contest_bytes(4));
  *static_cast<float *>(scale.get_data_handle()) = CONTEST_SCALE;
  arguments.insert({DNNL_ARG_ATTR_SCALES | DNNL_ARG_SRC, scale});
#endif
  return arguments;
}

Runner qmatmul() {
  const Dims shape = {1024, 1024};
  const memory a(desc(shape, Type::u8), engine(), contest_u8(M)), b(desc(shape, Type::s8), engine(), contest_i8(M));
  const memory out(desc(shape, Type::u8), engine(), result_as<uint8_t>(M, CONTEST_U8));
  const auto pd = describe<dnnl::matmul>(scaled(), a.get_desc(), memory::desc(shape, Type::s8, memory::format_tag::any),
                                         out.get_desc());
  return execute(dnnl::matmul(pd), with_scale({{DNNL_ARG_SRC, a},
                                               {DNNL_ARG_WEIGHTS, reordered(b, pd.weights_desc())},
                                               {DNNL_ARG_DST, out}}));
}

Runner bf16gemm() {
  const Dims shape = {1024, 1024};
  const memory a = reordered(input(shape), desc(shape, Type::bf16)), b = reordered(input(shape, 7), desc(shape, Type::bf16));
  return quickest({product(a, b, output(shape), Weights::packed),
                   product(a, b, {desc(shape, Type::bf16), engine(), contest_bytes(2 * M)}, Weights::packed)});
}

struct Image {
  Dims x, w, y, stride, pad;
};

// The result, computed once, is kept with the channels first for the checksum.
void keep_result(const memory &y, const Dims &shape) {
  dnnl::stream stream(engine());
  memory from = y, to = output(shape);
  dnnl::reorder(from, to).execute(stream, from, to);
  stream.wait();
}

Runner conv(const Image &i, memory::format_tag tag) {
  const memory x = input(i.x), w = input(i.w, 7);
  const auto pd = describe<dnnl::convolution_forward>(
      {}, dnnl::prop_kind::forward_inference, algorithm::convolution_auto, memory::desc(i.x, Type::f32, tag),
      memory::desc(i.w, Type::f32, memory::format_tag::any), memory::desc(i.y, Type::f32, tag), i.stride, i.pad, i.pad);
  const memory y(pd.dst_desc(), engine());
  Runner run = execute(dnnl::convolution_forward(pd), {{DNNL_ARG_SRC, reordered(x, pd.src_desc())},
                                                       {DNNL_ARG_WEIGHTS, reordered(w, pd.weights_desc())},
                                                       {DNNL_ARG_DST, y}});
  run(1);
  keep_result(y, i.y);
  return run;
}

Runner qconv(const Image &i) {
  const memory x(desc(i.x, Type::u8), engine(), contest_u8(count(i.x))), w(desc(i.w, Type::s8), engine(), contest_i8(count(i.w)));
  const auto any = memory::format_tag::any, last = memory::format_tag::nhwc;
  const auto pd = describe<dnnl::convolution_forward>(
      scaled(), dnnl::prop_kind::forward_inference, algorithm::convolution_auto, memory::desc(i.x, Type::u8, last),
      memory::desc(i.w, Type::s8, any), memory::desc(i.y, Type::u8, last), i.stride, i.pad, i.pad);
  memory y(pd.dst_desc(), engine()), kept(desc(i.y, Type::u8), engine(), result_as<uint8_t>(count(i.y), CONTEST_U8));
  Runner run = execute(dnnl::convolution_forward(pd), with_scale({{DNNL_ARG_SRC, reordered(x, pd.src_desc())},
                                                                  {DNNL_ARG_WEIGHTS, reordered(w, pd.weights_desc())},
                                                                  {DNNL_ARG_DST, y}}));
  run(1);
  dnnl::stream stream(engine());
  dnnl::reorder(y, kept).execute(stream, y, kept);
  stream.wait();
  return run;
}

using Tag = memory::format_tag;

Runner conv2d(const Image &i) { return quickest({conv(i, Tag::any), conv(i, Tag::nhwc), conv(i, Tag::nchw)}); }

const Image conv3_64 = {{1, 64, 56, 56}, {64, 64, 3, 3}, {1, 64, 56, 56}, {1, 1}, {1, 1}};

Runner pool(Tag tag) {
  const Image i = {{1, 64, 112, 112}, {}, {1, 64, 56, 56}, {2, 2}, {1, 1}};
  const Dims kernel = {3, 3}, far = {0, 0};
  const memory x = input(i.x);
  const memory::desc x_desc(i.x, Type::f32, tag), y_desc(i.y, Type::f32, tag);
#if DNNL_VERSION_MAJOR >= 3
  const auto pd = describe<dnnl::pooling_forward>({}, dnnl::prop_kind::forward_inference, algorithm::pooling_max, x_desc,
                                                  y_desc, i.stride, kernel, Dims{0, 0}, i.pad, far);
#else
  const auto pd = describe<dnnl::pooling_forward>({}, dnnl::prop_kind::forward_inference, algorithm::pooling_max, x_desc,
                                                  y_desc, i.stride, kernel, i.pad, far);
#endif
  const memory y(pd.dst_desc(), engine());
  Runner run = execute(dnnl::pooling_forward(pd), {{DNNL_ARG_SRC, reordered(x, pd.src_desc())}, {DNNL_ARG_DST, y}});
  run(1);
  keep_result(y, i.y);
  return run;
}

dnnl::primitive softmax_over(const memory::desc &d, int axis) {
#if DNNL_VERSION_MAJOR >= 3
  return dnnl::softmax_forward(describe<dnnl::softmax_forward>({}, dnnl::prop_kind::forward_inference,
                                                               algorithm::softmax_accurate, d, d, axis));
#else
  return dnnl::softmax_forward(describe<dnnl::softmax_forward>({}, dnnl::prop_kind::forward_inference, d, axis));
#endif
}

Runner softmax(const Dims &shape) {
  const memory x = input(shape), out = output(shape);
  return execute(softmax_over(x.get_desc(), 1), {{DNNL_ARG_SRC, x}, {DNNL_ARG_DST, out}});
}

Runner layernorm() {
  using dnnl::normalization_flags;
  const memory x = input({1024, 1024}), scale = input({1024}, 3), offset = input({1024}, 11), out = output({1024, 1024});
  const auto flags = normalization_flags::use_scale | normalization_flags::use_shift;
#if DNNL_VERSION_MAJOR >= 3
  const auto pd = describe<dnnl::layer_normalization_forward>({}, dnnl::prop_kind::forward_inference, x.get_desc(),
                                                              out.get_desc(), 1e-5f, flags);
#else
  const auto pd = describe<dnnl::layer_normalization_forward>({}, dnnl::prop_kind::forward_inference, x.get_desc(), 1e-5f,
                                                              flags);
#endif
  return execute(dnnl::layer_normalization_forward(pd),
                 {{DNNL_ARG_SRC, x}, {DNNL_ARG_SCALE, scale}, {DNNL_ARG_SHIFT, offset}, {DNNL_ARG_DST, out}});
}

Runner attention() {
  const Dims shape = {8, 512, 64}, transposed_shape = {8, 64, 512}, square_shape = {8, 512, 512};
  const memory q = input(shape), k = input(shape, 7), v = input(shape, 13), out = output(shape);
  const memory kt = seen_as(k, transposed_shape, {512 * 64, 1, 64});
  const memory scores(desc(square_shape), engine());
  dnnl::post_ops scale;
#if DNNL_VERSION_MAJOR >= 3
  scale.append_eltwise(algorithm::eltwise_linear, 0.125f, 0.0f);
#else
  scale.append_eltwise(1.0f, algorithm::eltwise_linear, 0.125f, 0.0f);
#endif
  dnnl::primitive_attr attributes;
  attributes.set_post_ops(scale);
  const auto pd = describe<dnnl::matmul>(attributes, q.get_desc(), kt.get_desc(), scores.get_desc());
  Runner first = execute(dnnl::matmul(pd), {{DNNL_ARG_SRC, q}, {DNNL_ARG_WEIGHTS, kt}, {DNNL_ARG_DST, scores}});
  Runner second = execute(softmax_over(scores.get_desc(), 2), {{DNNL_ARG_SRC, scores}, {DNNL_ARG_DST, scores}});
  Runner third = product(scores, v, out, Weights::plain);
  return repeat([=] { first(1), second(1), third(1); });
}

const Rows rows = {
    {"sgemm_64", [] { return square(64); }},
    {"sgemm_256", [] { return square(256); }},
    {"sgemm_1024", [] { return square(1024); }},
    {"sgemm_2048", [] { return square(2048); }},
    {"sgemm_256_packed", [] { return square(256, Weights::packed); }},
    {"sgemm_1024_packed", [] { return square(1024, Weights::packed); }},
    {"sgemm_2048_packed", [] { return square(2048, Weights::packed); }},
    {"gemv_4096", [] { return sgemm({1, 4096}, {4096, 4096}, {1, 4096}); }},
    {"gemv_4096_wT", [] { return sgemm({1, 4096}, {4096, 4096}, {1, 4096}, Weights::transposed); }},
    {"gemm_32x4096", [] { return sgemm({32, 4096}, {4096, 4096}, {32, 4096}); }},
    {"gemm_32x4096_wT", [] { return sgemm({32, 4096}, {4096, 4096}, {32, 4096}, Weights::transposed); }},
    {"gemm_32x4096_packed", [] { return sgemm({32, 4096}, {4096, 4096}, {32, 4096}, Weights::packed); }},
    {"bmm_64", [] { return sgemm({64, 128, 64}, {64, 64, 128}, {64, 128, 128}); }},
    {"int8gemm_1024", int8gemm},
    {"qmatmul_1024", qmatmul},
    {"qconv3_64", [] { return qconv(conv3_64); }},
    {"qconv1x1", [] { return qconv({{1, 256, 56, 56}, {64, 256, 1, 1}, {1, 64, 56, 56}, {1, 1}, {0, 0}}); }},
    {"qconvdw3", [] { return qconv({{1, 32, 112, 112}, {32, 1, 1, 3, 3}, {1, 32, 112, 112}, {1, 1}, {1, 1}}); }},
    {"bf16gemm_1024", bf16gemm},
    {"conv7s2",
     [] { return conv2d({{1, 3, 224, 224}, {64, 3, 7, 7}, {1, 64, 112, 112}, {2, 2}, {3, 3}}); }},
    {"conv3_64", [] { return conv2d(conv3_64); }},
    {"conv3_64_nhwc", [] { return conv(conv3_64, Tag::nhwc); }},
    {"conv3_256", [] { return conv2d({{1, 256, 14, 14}, {256, 256, 3, 3}, {1, 256, 14, 14}, {1, 1}, {1, 1}}); }},
    {"conv1x1", [] { return conv2d({{1, 128, 28, 28}, {512, 128, 1, 1}, {1, 512, 28, 28}, {1, 1}, {0, 0}}); }},
    {"convdw3",
     [] { return conv2d({{1, 32, 112, 112}, {32, 1, 1, 3, 3}, {1, 32, 112, 112}, {1, 1}, {1, 1}}); }},
    {"conv1d",
     [] {
       const Image i = {{8, 64, 1024}, {64, 64, 5}, {8, 64, 1024}, {1}, {2}};
       return quickest({conv(i, Tag::any), conv(i, Tag::nwc), conv(i, Tag::ncw)});
     }},
    {"maxpool", [] { return quickest({pool(Tag::nchw), pool(Tag::nhwc), pool(Tag::nChw16c)}); }},
    {"maxpool_nhwc", [] { return pool(Tag::nhwc); }},
    {"softmax_1024", [] { return softmax({1024, 1024}); }},
    {"softmax_64x50257", [] { return softmax({64, 50257}); }},
    {"layernorm_1024", layernorm},
    {"attn", attention},
    {"add_1k", [] { return flat_add(1000); }},
    {"add_100k", [] { return flat_add(100000); }},
    {"add_16M", [] { return flat_add(16 * M); }},
    {"bcast_row", [] { return bcast({1024, 1024}, {1, 1024}, {1024, 1024}); }},
    {"bcast_col", [] { return bcast({1024, 1024}, {1024, 1}, {1024, 1024}); }},
    {"addT_2048", addT},
    {"exp_1M", [] { return unary(algorithm::eltwise_exp); }},
    {"tanh_1M", [] { return unary(algorithm::eltwise_tanh); }},
    {"gelu_erf_1M", [] { return unary(algorithm::eltwise_gelu_erf); }},
    {"gelu_tanh_1M", [] { return unary(algorithm::eltwise_gelu_tanh); }},
    {"sigmoid_1M", [] { return unary(algorithm::eltwise_logistic); }},
    {"relu_1M", [] { return unary(algorithm::eltwise_relu); }},
    {"sum_16M", [] { return reduce(algorithm::reduction_sum, {16 * M}, {1}); }},
    {"sum_ax0", [] { return reduce(algorithm::reduction_sum, {4096, 4096}, {1, 4096}); }},
    {"sum_ax1", [] { return reduce(algorithm::reduction_sum, {4096, 4096}, {4096, 1}); }},
    {"max_ax0", [] { return reduce(algorithm::reduction_max, {4096, 4096}, {1, 4096}); }},
    {"max_ax1", [] { return reduce(algorithm::reduction_max, {4096, 4096}, {4096, 1}); }},
    {"transpose_4096", [] { return permute({4096, 4096}, {1, 0}); }},
    {"perm_nchw2nhwc", [] { return permute({8, 64, 56, 56}, {0, 2, 3, 1}); }},
    {"perm_nhwc2nchw", [] { return permute({8, 56, 56, 64}, {0, 3, 1, 2}); }},
    {"cast_bf16", [] { return cast(floats(16 * M), Type::f32, Type::bf16, CONTEST_BF16); }},
    {"cast_u8", [] { return cast(contest_positive(16 * M), Type::f32, Type::u8, CONTEST_U8); }},
    {"cast_bf16_to_f32", [] { return cast(contest_halves(16 * M, CONTEST_BF16), Type::bf16, Type::f32, CONTEST_F32); }},
    {"cast_u8_to_f32", [] { return cast(contest_u8(16 * M), Type::u8, Type::f32, CONTEST_F32); }},
    {"slice_cols2", [] { return slice({4096, 2048}, {4096, 2}, 0); }},
    {"slice_block", [] { return slice({2000, 2000}, {4096, 1}, 1000 * 4096 + 1000); }},
    {"concat_ax0", [] { return concat(0); }},
    {"concat_ax1", [] { return concat(1); }},
    {"add4_given", [] { return flat_add(4); }},
};

}  // namespace

int main() {
  const dnnl_version_t *v = dnnl_version();
  return peer::serve(std::to_string(v->major) + "." + std::to_string(v->minor) + "." + std::to_string(v->patch), rows);
}
