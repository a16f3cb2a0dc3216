// tiny::Tensor's days, in C++ over Tessera: float32 of up to four axes, made from shapes or borrowed memory, broadcast, reshaped,
// handed to matrix routines without a copy, copied and moved.
#include <tessera/tessera.hpp>

#include <cstdio>
#include <iostream>
#include <vector>

static int failures = 0;
static void expect(bool holds, const char *what) {
  std::printf("%-62s %s\n", what, holds ? "yes" : "NO");
  if (!holds) failures++;
}

int main() {
  // Tensor x(B, C, H, W): zeros. Tensor t0: empty, no memory.
  tsr::tensor x = tsr::zeros({2, 3, 4, 5}), t0;
  expect(x.size() == 120 && x.rank() == 4 && t0.empty(), "shapes make zeros, an empty tensor makes nothing");

  // at(b, c, h, w): bare-array speed, unchecked.
  auto at = x.as<float, 4>();
  for (int b = 0; b < 2; b++)
    for (int c = 0; c < 3; c++)
      for (int h = 0; h < 4; h++)
        for (int w = 0; w < 5; w++) at(b, c, h, w) = static_cast<float>(((b * 3 + c) * 4 + h) * 5 + w);
  expect(static_cast<const float *>(x.c()->data)[119] == 119, "element (i,j,k,l) is at ((i*s1+j)*s2+k)*s3+l");
  expect(x.batch() == 2 && x.channels() == 3 && x.rows() == 4 && x.cols() == 5, "batch, channels, rows, cols");

  // from_data: wrapped, never owned.
  float data[6] = {0, 1, 2, 3, 4, 5};
  tsr::view wrapped = tsr::borrow(data, {2, 3});
  wrapped(1, 2) = 50;
  expect(data[5] == 50 && wrapped.count() == 0, "a view writes to the program's own array");

  // [3,1] + [1,4] is [3,4], without copies of either.
  tsr::tensor sum = tsr::reshape(tsr::arange<float>(3), {3, 1}) + tsr::reshape(tsr::arange<float>(4), {1, 4});
  expect(sum.shape(0) == 3 && sum.shape(1) == 4 && sum.get(2, 3) == 5, "broadcasting from right to left");

  // reshape_3d and back: the buffer stays. A wrong count is an error, and x is as it was.
  tsr::view tokens = tsr::reshape_view(x, {2, 12, 5});
  expect(tokens.c()->data == x.c()->data, "a reshape keeps the memory");
  bool refused = false;
  try {
    (void)tsr::reshape(x, {7, 7});
  } catch (const tsr::error &e) {
    refused = e.status() == TSR_ESHAPE;
    std::printf("  %s\n", e.what());
  }
  expect(refused && x.rank() == 4, "a wrong number of elements is refused");

  // to_mat(): any two axes go to the matrix routines as they are, transposed too.
  tsr::view m = x(0, 0);
  tsr::tensor gram = tsr::matmul(m, tsr::transpose(m));
  expect(gram.shape(0) == 4 && gram.get(0, 0) == 30, "a matrix product of a view and its transpose");

  // Copies are asked for, moves take over, a vector of tensors grows by moves.
  tsr::tensor copy = x.clone();
  copy.fill(0);
  std::vector<tsr::tensor> all;
  all.push_back(std::move(copy));
  all.push_back(x.share());
  expect(copy.empty() && all[0].get(1, 2, 3, 4) == 0 && all[1].get(1, 2, 3, 4) == 119, "clone, share and move");

  // softmax over the last axis, in place.
  tsr::tensor scores = tsr::rows<float>({{1, 2, 3}, {3, 2, 1}});
  tsr::softmax(scores, tsr::out(scores));
  expect(scores.get(0, 2) > 0.66f && scores.get(0, 2) < 0.67f, "softmax in place");
  std::cout << scores << "\n";
  return failures == 0 ? 0 : 1;
}
