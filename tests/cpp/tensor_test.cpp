/* What tensors, views, slices and elements of the C++ header do: ownership, and the same elements as by the functions of C. */
#include "cpp/cpp_test.hpp"

#include <string>
#include <vector>

namespace {

tsr::tensor counting(tsr_index rows, tsr_index cols) {
  return tsr::reshape(tsr::arange<float>(static_cast<tsr_real>(rows * cols)), {rows, cols});
}

TEST(a_tensor_is_moved_shared_and_cloned) {
  counted memory;
  {
    tsr::with use(memory.c());
    tsr::tensor a = counting(3, 4);
    CHECK(a && a.rank() == 2 && a.size() == 12 && a.bytes() == 48 && a.count() == 1 && a.dtype() == TSR_F32);
    const void *where = a.c()->data;
    tsr::tensor b = std::move(a);
    CHECK(a.empty() && !a && a.size() == 0 && b.c()->data == where); /* NOLINT: it is empty, not gone */
    tsr::tensor c = b.share();
    CHECK(c.c()->data == where && b.count() == 2 && c.count() == 2);
    tsr::tensor d = b.clone();
    CHECK(d.c()->data != where && d.get(2, 3) == 11);
    d.set(-1, 2, 3);
    CHECK(b.get(2, 3) == 11 && d.get(2, -1) == -1);
    c = std::move(d); /* the count of b's memory goes */
    CHECK(b.count() == 1 && c.get(2, 3) == -1);
    tsr::tensor &self = c;
    c = std::move(self);
    CHECK(c.get(2, 3) == -1);
    std::vector<tsr::tensor> many;
    for (int i = 0; i < 10; i++) many.push_back(b.share()); /* grows by moving */
    CHECK(b.count() == 11);
    many.clear();
    CHECK(b.count() == 1);
    tsr_tensor raw = b.give();
    CHECK(b.empty());
    tsr::tensor back = tsr::tensor::take(&raw);
    CHECK(raw.dtype == TSR_NONE && back.c()->data == where);
  }
}

TEST(a_context_is_used_until_its_block_ends) {
  counted outer, inner;
  {
    tsr::with use(outer.c());
    tsr::tensor a = tsr::zeros({4});
    const std::size_t before = outer.calls();
    {
      tsr::with other(inner.c());
      tsr::tensor b = tsr::zeros({4});
      CHECK(inner.calls() == 1 && outer.calls() == before && b.size() == 4);
    }
    tsr::tensor c = tsr::zeros({4});
    CHECK(outer.calls() == before + 1 && inner.calls() == 1 && a.size() == c.size());
  }
}

/* Slices, beside what Python gives for the same words. */
TEST(slices_are_those_of_python) {
  tsr::tensor x = counting(4, 6);
  tsr::view row = x(1);
  CHECK(row.rank() == 1 && row.shape(0) == 6 && row.get(0) == 6);
  CHECK(x(-1, -1).rank() == 0 && x(-1, -1).item<float>() == 23);
  tsr::view part = x({1, 3}, {2, {}});
  const tsr_index want[] = {2, 4};
  CHECK(part.shape() == tsr::ints(want, 2) && part.get(0, 0) == 8 && part.get(1, 3) == 17);
  tsr::view turned = x({{}, {}, -1}, {{}, {}, 2});
  CHECK(turned.shape(0) == 4 && turned.shape(1) == 3 && turned.get(0, 1) == 20 && turned.get(3, 2) == 4);
  CHECK(x({}, 2).shape(0) == 4 && x({}, 2).get(3) == 20);
  CHECK(x(tsr::rest, 2).get(3) == 20 && x(tsr::newaxis, 1).rank() == 2 && x(tsr::rest, tsr::newaxis).shape(2) == 1);
  CHECK(x({-3, -1}).shape(0) == 2 && x({100, 200}).size() == 0);
  CHECK(x(1).c()->data == static_cast<const float *>(x.c()->data) + 6); /* no copy */
  tsr::tensor kept = counting(4, 6)({1, 3});                            /* a part of what ends here is a tensor */
  CHECK(kept.shape(0) == 2 && kept.get(1, 5) == 17);
  THROWS(TSR_EINDEX, "index 4 is out of range for axis 0", x(4));
  THROWS(TSR_EAXIS, "axis", x(0, 0, 0));
  THROWS(TSR_EAXIS, "axis", x({}, {}, {0, 1}));
}

TEST(slices_are_written_to) {
  tsr::tensor x = tsr::zeros({3, 4});
  x({0, 2}, -1) = 7;
  CHECK(x.get(0, 3) == 7 && x.get(1, 3) == 7 && x.get(2, 3) == 0);
  tsr::tensor row = tsr::arange<float>(4);
  x(2) = row; /* elements of another tensor */
  CHECK(x.get(2, 0) == 0 && x.get(2, 3) == 3);
  x({0, 2}) = row; /* which repeat where they must */
  CHECK(x.get(0, 1) == 1 && x.get(1, 2) == 2);
  x({}, 0) = row({0, 3}) * 10.0f; /* the value of an expression */
  CHECK(x.get(0, 0) == 0 && x.get(1, 0) == 10 && x.get(2, 0) == 20);
  x({}, {0, 2}) += 1;
  CHECK(x.get(2, 0) == 21 && x.get(2, 1) == 2 && x.get(2, 2) == 2);
  x(0) = x(1); /* a view without a name takes elements, one with a name looks elsewhere */
  CHECK(x.get(0, 0) == 11);
  tsr::view v = x(0);
  v = x(2);
  CHECK(v.get(0) == 21 && x.get(0, 0) == 11);
  tsr::tensor whole = tsr::zeros({2, 2}, tsr::arg::dtype = TSR_I32);
  whole(0) = 3000000000LL / 1000;
  CHECK(whole.get(0, 1) == 3000000);
  THROWS(TSR_ESHAPE, "broadcast", x(0) = tsr::zeros({5}));
  THROWS(TSR_ERANGE, "not a whole number", whole(0) = 0.5);
  const tsr::tensor &constant = x;
  THROWS(TSR_EREADONLY, "read-only", constant(0).fill(1));
  CHECK(x.get(0, 0) == 11);
}

TEST(elements_are_those_of_a_bare_array) {
  tsr::tensor x = counting(3, 4);
  auto e = x.as<float, 2>();
  CHECK(e(2, 1) == 9 && e.rank() == 2 && e.shape(1) == 4 && e.stride(0) == 4);
  e(2, 1) = -9;
  CHECK(x.get(2, 1) == -9);
  auto any = x.as<float>(); /* rank at run time */
  CHECK(any(2, 1) == -9 && any.size() == 12);
  tsr::view t = tsr::transpose(x);
  auto te = t.as<const float, 2>();
  CHECK(te(1, 2) == -9);
  float sum = 0;
  std::string order;
  for (const float v : te) { /* row-major order of the transposed view */
    sum += v;
    if (order.size() < 12) order += std::to_string(static_cast<int>(v)) + " ";
  }
  CHECK(sum == 66 - 18 && order.substr(0, 6) == "0 4 8 ");
  auto d = x.dense<float, 2>();
  CHECK(d(1, 2) == 6 && d.end() - d.begin() == 12);
  tsr::tensor one = tsr::full({}, 2.5);
  CHECK((one.as<float, 0>()() == 2.5f) && one.item<double>() == 2.5 && one.item<int>() == 2);
  tsr::tensor none = tsr::zeros({0, 3});
  int seen = 0;
  for (const float v : none.as<float>()) seen += v == 0 ? 1 : 2;
  CHECK(seen == 0);
  THROWS(TSR_EDTYPE, "another type", x.as<double>());
  THROWS(TSR_ESHAPE, "another rank", (x.as<float, 3>()));
  THROWS(TSR_ESTRIDE, "not contiguous", (t.dense<float, 2>()));
  THROWS(TSR_ESHAPE, "not one element", x.item<float>());
  THROWS(TSR_EINDEX, "out of range", x.get(3, 0));
  THROWS(TSR_EINDEX, "out of range", x.set(1, 0, -5));
}

TEST(rows_are_walked_as_views) {
  tsr::tensor x = counting(3, 4);
  tsr_index i = 0;
  for (tsr::view row : x) {
    CHECK(row.get(0) == static_cast<tsr_real>(4 * i));
    row(0) = 100;
    i++;
  }
  CHECK(i == 3 && x.get(2, 0) == 100);
  for (tsr::view row : tsr::view(x)({0, 1})) CHECK(row.shape(0) == 4);
  tsr::tensor number = tsr::zeros({});
  for (tsr::view part : number) CHECK(part.empty()); /* has no axis to walk */
  CHECK(x.batch() == 1 && x.rows() == 3 && x.cols() == 4 && x.channels() == 1);
}

TEST(memory_of_the_program_is_borrowed) {
  float data[6] = {0, 1, 2, 3, 4, 5};
  tsr::view v = tsr::borrow(data, {2, 3});
  CHECK(v.count() == 0 && v.get(1, 2) == 5);
  v(1) = 0;
  CHECK(data[3] == 0 && data[5] == 0);
  const float *constant = data;
  tsr::view r = tsr::borrow(constant, {3, 2});
  CHECK(r.read_only() && r.get(0, 1) == 1);
  THROWS(TSR_EREADONLY, "read-only", r.fill(0));
  THROWS(TSR_ESTATE, "share", v.share()); /* nobody counts it */
  tsr::tensor own = v.clone();
  CHECK(own.get(0, 1) == 1);
}

TEST(memory_is_reallocated_within_its_capacity) {
  tsr::tensor x = counting(4, 6);
  x.reallocate({2, 3});
  CHECK(x.shape(0) == 2 && x.get(1, 2) == 5 && x.capacity() >= 96);
  x.reallocate({4, 6});
  CHECK(x.get(3, 5) == 23);
  THROWS(TSR_ECAPACITY, "capacity", x.reallocate({1000}));
  CHECK(x.shape(0) == 4);
}

/* Listed numbers, arrays in any order, functions of the program. */
TEST(arrays_go_in_and_out) {
  tsr::tensor a = tsr::values<float>({1, 2, 3});
  tsr::tensor b = tsr::values<std::int32_t>({1, 2, 3, 4}, {2, 2});
  tsr::tensor m = tsr::rows<double>({{1, 2, 3}, {4, 5, 6}});
  CHECK(a.shape(0) == 3 && b.get(1, 0) == 3 && m.dtype() == TSR_F64 && m.shape(1) == 3 && m.get(1, 2) == 6);
  THROWS(TSR_ESHAPE, "count", tsr::rows<float>({{1, 2}, {3}}));
  THROWS(TSR_ESHAPE, "count", tsr::rows<float>({{}, {3}}));
  THROWS(TSR_ESHAPE, "count", tsr::values<float>({1, 2}, {3}));
  const float listed[] = {1, 2, 3, 4, 5, 6};
  tsr::tensor columns = tsr::zeros_ordered({2, 3}, tsr::arg::order = TSR_COL_MAJOR);
  tsr::from_array(listed, 6, {2, 3}, TSR_ROW_MAJOR, tsr::out(columns));
  CHECK(columns.get(0, 1) == 2 && columns.strides()[0] == 1);
  float back[6] = {};
  tsr::to_array(columns, back, 6, TSR_MEMORY);
  CHECK(back[1] == 4);
  tsr::to_array(columns, back, 6);
  CHECK(back[1] == 2 && back[5] == 6);
  THROWS(TSR_EDTYPE, "another type", tsr::to_array(m, back, 6));
  THROWS(TSR_ESHAPE, "", tsr::to_array(columns, back, 5));
  int calls = 0;
  tsr::tensor doubled = tsr::map<float>(columns, [&calls](float v) { return calls++, 2.0 * static_cast<double>(v); });
  CHECK(calls == 6 && doubled.dtype() == TSR_F64 && doubled.get(1, 0) == 8);
  counted memory;
  bool thrown = false;
  {
    tsr::with use(memory.c());
    try {
      (void)tsr::map<float>(columns, [](float) -> float { throw 5; });
    } catch (int five) {
      thrown = five == 5;
    }
  }
  CHECK(thrown);
  THROWS(TSR_EDTYPE, "another type", tsr::map<int>(columns, [](int v) { return v; }));
}

TEST(failures_name_the_call_and_leave_outputs_alone) {
  tsr::tensor x = counting(3, 4), y = tsr::ones({5});
  THROWS(TSR_ESHAPE, "add: a [3,4] and b [5] do not broadcast", tsr::add(x, y));
  THROWS(TSR_ESHAPE, "reshape: shape [5,5] does not have the 12 elements", tsr::reshape(x, {5, 5}));
  tsr::tensor given = tsr::full({2}, 9);
  THROWS(TSR_ESHAPE, "", tsr::add(x, x, tsr::out(given)));
  CHECK(given.get(0) == 9 && given.shape(0) == 2);
  tsr_failing failing;
  TSR_IGNORE(tsr_failing_init(nullptr, 0, true, &failing));
  tsr_ctx ctx;
  TSR_IGNORE(tsr_context_init(&ctx, &failing.allocator));
  {
    tsr::with use(&ctx);
    THROWS(TSR_ENOMEM, "", tsr::add(x, x));
  }
  CHECK(failing.live == 0);
  try {
    (void)tsr::add(x, y);
  } catch (const std::exception &e) { /* as any exception */
    CHECK(std::strlen(e.what()) > 10);
  }
}

}  // namespace

TEST_MAIN(RUN(a_tensor_is_moved_shared_and_cloned), RUN(a_context_is_used_until_its_block_ends),
          RUN(slices_are_those_of_python), RUN(slices_are_written_to), RUN(elements_are_those_of_a_bare_array),
          RUN(rows_are_walked_as_views), RUN(memory_of_the_program_is_borrowed),
          RUN(memory_is_reallocated_within_its_capacity), RUN(arrays_go_in_and_out),
          RUN(failures_name_the_call_and_leave_outputs_alone))
