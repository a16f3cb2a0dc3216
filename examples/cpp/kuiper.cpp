// kuiper_infer::Tensor's days, in C++ over Tessera: (channels, rows, cols) whose planes are column-major, filled in either order,
// transformed, reshaped, flattened, padded. Column-major is an order of strides; every function takes it.
#include <tessera/tessera.hpp>

#include <cstdio>
#include <numeric>
#include <vector>

static int failures = 0;
static void expect(bool holds, const char *what) {
  std::printf("%-66s %s\n", what, holds ? "yes" : "NO");
  if (!holds) failures++;
}

// Tensor<float>(channels, rows, cols), and what its raw_shapes say: leading ones go, (1,1,c) is [c].
static tsr::tensor cube(tsr_index channels, tsr_index rows, tsr_index cols) {
  return tsr::squeeze_leading(tsr::zeros_ordered({channels, rows, cols}, tsr::arg::order = TSR_COL_MAJOR), 1);
}

int main() {
  tsr::tensor x = cube(3, 5, 4);
  expect(x.strides()[1] == 1 && x.strides()[2] == 5 && x.strides()[0] == 20,
         "a row is 1 away, a column 5, a channel 20");
  expect(cube(1, 1, 4).rank() == 1 && cube(1, 3, 4).rank() == 2 && cube(5, 1, 1).rank() == 3,
         "leading ones are dropped");

  // Fill(values, row_major = true): in the order of channels, rows, columns, wherever memory has them.
  std::vector<float> values(60);
  std::iota(values.begin(), values.end(), 0.0f);
  tsr::from_array(values.data(), values.size(), {3, 5, 4}, TSR_ROW_MAJOR, tsr::out(x));
  expect(x.get(0, 0, 1) == 1 && x.get(1, 2, 3) == 31, "Fill(values, row_major)");
  // Fill(values, false): as memory runs.
  tsr::tensor raw = cube(3, 5, 4);
  tsr::from_array(values.data(), values.size(), {3, 5, 4}, TSR_MEMORY, tsr::out(raw));
  expect(raw.get(0, 1, 0) == 1 && raw.get(0, 0, 1) == 5, "Fill(values) as memory runs");
  // values(row_major): back, in either order.
  std::vector<float> back(60);
  tsr::to_array(x, back.data(), back.size());
  expect(back == values, "values(row_major)");

  // slice(channel): the matrix itself. at(c, r, col), checked.
  tsr::view channel = x(1);
  channel(2, 3) = -1;
  expect(x.get(1, 2, 3) == -1, "slice(channel) is the same memory");
  bool refused = false;
  try {
    (void)x.get(3, 0, 0);
  } catch (const tsr::error &e) {
    refused = e.status() == TSR_EINDEX;  // the process goes on
  }
  expect(refused, "at() outside is an exception, not an abort");

  // Transform(f).
  tsr::tensor negative = tsr::map<float>(x, [](float v) { return -v; });
  expect(negative.get(0, 0, 1) == -1 && negative.get(1, 2, 3) == 1, "Transform(f)");

  // Reshape(shapes, row_major): in logical order, or as memory runs.
  tsr::tensor logical = tsr::reshape(x, {4, 15});
  expect(logical.get(0, 5) == 5, "Reshape(shapes, row_major = true)");
  tsr::tensor memory = tsr::reshape_ordered(raw, {4, 15}, tsr::arg::order = TSR_MEMORY);
  expect(memory.c()->data == raw.c()->data, "Reshape(shapes) as memory runs: nothing moves");
  // Flatten(row_major).
  expect(tsr::flatten(x).shape(0) == 60 && tsr::flatten(x).get(1) == 1, "Flatten(row_major = true)");

  // Padding({up, bottom, left, right}, value): [3,5,4] with {1,2,3,4} is [3,8,11].
  tsr::tensor padded = tsr::pad_2d(x, tsr::arg::up = 1, tsr::arg::bottom = 2, tsr::arg::left = 3, tsr::arg::right = 4,
                                   tsr::arg::value = 9);
  expect(padded.shape(1) == 8 && padded.shape(2) == 11 && padded.get(0, 0, 0) == 9 && padded.get(0, 1, 4) == 1,
         "Padding");

  // Element by element, orders mixed.
  tsr::tensor sum = x + logical({0, 3})({}, {0, 4})(0);
  expect(sum.shape(0) == 3 && sum.get(0, 0, 1) == 2, "orders mix in one expression");
  return failures == 0 ? 0 : 1;
}
