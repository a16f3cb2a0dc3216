#!/usr/bin/env bash
# What the header costs: a call through it has the instructions of the call of C and the test of its status, and a loop over its
# elements those of a loop over a bare array. Counted in what the compiler makes, cold parts apart.
. "$(dirname "$0")/../build/lib.sh"
cxx=$(find_cxx)
if [ -z "$cxx" ]; then skip "no C++ compiler"; finish; fi
case $(uname -m) in x86_64 | aarch64) ;; *) skip "instructions are counted on x86-64 and aarch64"; finish ;; esac
cat >"$scratch/cost.cpp" <<'END'
#include <tessera/tessera.hpp>
extern "C" {
void add_c(const tsr_tensor *a, const tsr_tensor *b, tsr_tensor *y);
void add_cpp(const tsr::tensor &a, const tsr::tensor &b, tsr::tensor &y);
float sum_c(const float *x, long rows, long cols, long stride);
float sum_cpp(const tsr::elements<const float, 2> &e);
float dense_c(const float *x, long rows, long cols);
float dense_cpp(const tsr::dense_elements<const float, 2> &e);
void fail(void);

void add_c(const tsr_tensor *a, const tsr_tensor *b, tsr_tensor *y) {
  if (__builtin_expect(tsr_add(tsr::detail::current, a, b, y) != TSR_OK, 0)) fail();
}
void add_cpp(const tsr::tensor &a, const tsr::tensor &b, tsr::tensor &y) { tsr::add(a, b, tsr::out(y)); }

float sum_c(const float *x, long rows, long cols, long stride) {
  float sum = 0;
  for (long i = 0; i < rows; i++)
    for (long j = 0; j < cols; j++) sum += x[i * stride + j];
  return sum;
}
float sum_cpp(const tsr::elements<const float, 2> &e) {
  float sum = 0;
  for (tsr_index i = 0; i < e.shape(0); i++)
    for (tsr_index j = 0; j < e.shape(1); j++) sum += e(i, j);
  return sum;
}
float dense_c(const float *x, long rows, long cols) {
  float sum = 0;
  for (long i = 0; i < rows; i++)
    for (long j = 0; j < cols; j++) sum += x[i * cols + j];
  return sum;
}
float dense_cpp(const tsr::dense_elements<const float, 2> &e) {
  float sum = 0;
  for (tsr_index i = 0; i < e.shape(0); i++)
    for (tsr_index j = 0; j < e.shape(1); j++) sum += e(i, j);
  return sum;
}
}
END
"$cxx" -std=c++17 -O2 -fcf-protection=none -I"$SOURCE/include" -I"$BUILD/include" -c "$scratch/cost.cpp" -o "$scratch/cost.o" 2>"$scratch/output" ||
  "$cxx" -std=c++17 -O2 -I"$SOURCE/include" -I"$BUILD/include" -c "$scratch/cost.cpp" -o "$scratch/cost.o"
"${OBJDUMP:-objdump}" -d --no-show-raw-insn "$scratch/cost.o" >"$scratch/text"
instructions() {  # of a function, without what pads it; the cold part has a symbol of its own
  awk -v name="<$1>:" '$2 == name { on = 1; next } /^$/ { on = 0 } on && !/nop|xchg +%ax,%ax|data16/ { n++ } END { print n + 0 }' "$scratch/text"
}
compare() {  # compare C CPP MOST WHAT
  local c cpp
  c=$(instructions "$1") cpp=$(instructions "$2")
  echo "$4: $c instructions in C, $cpp through the header"
  if [ "$c" -gt 0 ] && [ "$cpp" -gt 0 ] && [ "$cpp" -le $((c + $3)) ]; then pass; else fail "$4: $cpp instructions, $3 more than $c are allowed"; fi
}
compare add_c add_cpp 2 "add into a given tensor"
# What an object of elements has, data, lengths, strides, is loaded from it; in C these are arguments.
compare sum_c sum_cpp 6 "a loop over strided elements"
compare dense_c dense_cpp 6 "a loop over contiguous elements"
finish
