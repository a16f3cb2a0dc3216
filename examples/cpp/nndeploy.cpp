// The life of a tensor of nndeploy, in C++ over Tessera: a description without memory, memory from a pool, from outside and shared;
// dynamic shapes within a capacity, never a move; names, files, a plan that lets tensors share one buffer.
#include <tessera/tessera.hpp>

#include <array>
#include <cstdio>
#include <string>

static int failures = 0;
static void expect(bool holds, const char *what) {
  std::printf("%-66s %s\n", what, holds ? "yes" : "NO");
  if (!holds) failures++;
}

// A description: dtype, format and shape; no memory yet.
static tsr::tensor described(const char *name, int dtype, int layout, const tsr::ints &shape) {
  tsr_tensor t = TSR_EMPTY;
  if (const tsr_status st = tsr_desc_init(nullptr, dtype, shape.count(), shape.data(), &t))
    throw tsr::error(st, tsr_error(nullptr));
  t.layout = static_cast<std::uint8_t>(layout);
  t.name = name;
  return tsr::tensor::take(&t);
}

int main() {
  tsr::tensor input = described("images", TSR_F32, TSR_NCHW, {1, 3, 224, 224});
  std::printf("%s: %s\n", input.name(), tsr::description(input).c_str());
  expect(input.c()->data == nullptr && input.strides()[0] == 3 * 224 * 224, "a description has strides and no memory");
  input.reallocate({2, 3, 112, 112});
  expect(input.c()->data == nullptr && input.batch() == 2, "reshape without memory changes the shape alone");

  // Memory from a pool, which serves the next tensor from what the last one gave back.
  tsr::pool pool(16 << 20);
  {
    tsr::context ctx(pool);
    tsr::with use(ctx);
    tsr::zeros(input.shape(), tsr::out(input));
    expect(input.count() == 1 && pool.stats().in_use >= input.bytes(), "allocated where the context says");

    // Smaller: the same memory; back again: the same memory; larger: refused, because somebody may hold the pointer.
    const void *where = input.c()->data;
    input.reallocate({1, 3, 112, 112});
    input.reallocate({2, 3, 112, 112});
    bool refused = false;
    try {
      input.reallocate({4, 3, 112, 112});
    } catch (const tsr::error &e) {
      refused = e.status() == TSR_ECAPACITY;
      std::printf("  %s\n", e.what());
    }
    expect(refused && input.c()->data == where, "dynamic shapes stay within their memory");

    // A shallow copy counts, a deep one copies; the last owner frees.
    tsr::tensor shallow = input.share(), deep = input.clone();
    shallow.fill(3);
    expect(input.count() == 2 && input.get(0, 0, 0, 0) == 3 && deep.get(0, 0, 0, 0) == 0, "share and clone");
    deep.assign(shallow);  // copyTo
    expect(deep.get(1, 2, 111, 111) == 3, "copied into memory that is there");
    input = tsr::tensor();
  }
  expect(pool.stats().in_use == 0, "everything went back to the pool");

  // Memory from outside is never freed; formats are converted, not only named.
  std::array<float, 24> buffer{};
  buffer[5] = 5;
  tsr::view nchw = tsr::set_layout(tsr::borrow(buffer.data(), {1, 2, 3, 4}), tsr::arg::layout = TSR_NCHW);
  tsr::tensor nhwc = tsr::to_layout(nchw, TSR_NHWC);
  expect(nhwc.shape(3) == 2 && nhwc.get(0, 1, 1, 0) == 5, "NCHW to NHWC");

  // Three tensors of a graph, whose lives say who may share: an example of its own has the planner, examples/memory_plan.c.
  tsr::bundle model;
  model.add("w", tsr::ones({4, 3}));
  bool twice = false;
  try {
    model.add("w", tsr::ones({1}));
  } catch (const tsr::error &e) {
    twice = e.status() == TSR_ENAME;
  }
  expect(twice, "a name is used once in a model");
  const std::string path = "nndeploy_example.safetensors";
  tsr::save(path.c_str(), model);
  tsr::bundle read = tsr::load(path.c_str());
  expect(read["w"].shape(0) == 4 && read["w"].get(3, 2) == 1, "written and read back");
  (void)std::remove(path.c_str());
  return failures == 0 ? 0 : 1;
}
