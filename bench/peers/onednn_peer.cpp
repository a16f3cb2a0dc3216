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

const Rows rows = {
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
