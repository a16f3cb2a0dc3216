/* Contexts, arenas, pools, threads, scopes, files and bundles of the C++ header. */
#include "cpp/cpp_test.hpp"

#include <array>
#include <cstdio>
#include <sstream>
#include <string>
#include <thread>
#include <vector>

namespace {

TEST(an_arena_holds_what_is_made_with_it) {
  alignas(64) std::array<unsigned char, 4096> bytes;
  tsr::arena memory(bytes);
  tsr::context ctx(memory);
  std::size_t peak = 0;
  {
    tsr::with use(ctx);
    tsr::tensor a = tsr::ones({10, 10}), b = tsr::add(a, a);
    CHECK(b.get(9, 9) == 2);
    const auto *at = static_cast<const unsigned char *>(b.c()->data);
    CHECK(at >= bytes.data() && at < bytes.data() + bytes.size());
    THROWS(TSR_ENOMEM, "", tsr::ones({1000}));
    const std::size_t mark = memory.mark();
    (void)tsr::ones({4}).size();
    memory.rewind(mark);
    peak = memory.peak();
    THROWS(TSR_EARG, "rewind", memory.rewind(bytes.size()));
  }
  CHECK(peak > 800 && memory.used() <= peak);
}

TEST(a_pool_keeps_blocks) {
  tsr::pool memory(1 << 20);
  tsr::context ctx(memory);
  tsr::with use(ctx);
  for (int i = 0; i < 5; i++) (void)tsr::ones({1000}).size();
  CHECK(memory.stats().hits >= 4 && memory.stats().in_use == 0 && memory.stats().cached > 0);
  CHECK(memory.trim() > 0);
  CHECK(memory.stats().cached == 0);
}

TEST(threads_and_instruction_sets_are_chosen) {
  tsr::threads two(2);
  tsr::context ctx;
  ctx.run_on(two).isa("base");
  tsr::tensor a = tsr::arange<float>(100000), b;
  {
    tsr::with use(ctx);
    b = tsr::sum(a);
  }
  ctx.run_serially();
  {
    tsr::with use(ctx);
    CHECK(tsr::sum(a).item<float>() == b.item<float>()); /* not a matter of threads */
  }
  THROWS(TSR_EUNSUPPORTED, "z80", ctx.isa("z80"));
  alignas(64) unsigned char scratch[64];
  ctx.scratch(scratch, sizeof scratch);
  tsr::with use(ctx);
  THROWS(TSR_ESCRATCH, "scratch", tsr::sort(tsr::arange<float>(10000)));
}

TEST(contexts_are_those_of_a_thread) {
  counted memory;
  tsr::with use(memory.c());
  std::size_t calls = 1;
  std::thread other([&calls] { /* begins with the default context, and has expressions of its own */
                               tsr::tensor a = tsr::ones({64}), b = a * 2 + 1;
                               calls = b.get(63) == 3 ? 0 : 1;
  });
  other.join();
  CHECK(calls == 0 && memory.calls() == 0);
}

TEST(what_plain_calls_make_in_a_scope_goes_with_it) {
  tsr::pool memory(0);
  {
    tsr::context ctx(memory);
    const tsr_index n = 4;
    tsr_tensor raw = TSR_EMPTY;
    tsr::tensor kept, copy, expression, mapped, lent;
    tsr::topk_result best;
    float data[4] = {1, 2, 3, 4};
    {
      tsr::scope all(ctx);
      CHECK(tsr_ones(ctx.c(), TSR_F32, 1, &n, &raw) == TSR_OK && memory.stats().in_use > 0);
      tsr::with use(ctx);
      kept = tsr::ones({2}); /* tensors of C++ stay, however they were made */
      copy = kept.clone();
      best = tsr::topk(tsr::rows<float>({{1, 3, 2}}), 1);
      expression = kept * 2 + copy;
      mapped = tsr::map<float>(kept, [](float v) { return v + 1; });
      lent = tsr::reshape(tsr::borrow(data, {4}), {2, 2});
    }
    CHECK(kept.get(1) == 1 && copy.get(0) == 1 && best.values.get(0, 0) == 3 && best.index.get(0, 0) == 1);
    CHECK(expression.get(1) == 3 && mapped.get(0) == 2 && lent.get(1, 1) == 4 && lent.count() == 1);
  }
  CHECK(memory.stats().in_use == 0);
}

TEST(tensors_by_name_go_to_files_and_back) {
  const std::string path = "cpp_machine_test.safetensors";
  {
    tsr::bundle all;
    all.add("w", tsr::reshape(tsr::arange<float>(6), {2, 3}));
    all.add("b", tsr::ones({3}));
    CHECK(all.size() == 2 && all.has("w") && !all.has("x"));
    THROWS(TSR_ENAME, "w", all.add("w", tsr::ones({1})));
    THROWS(TSR_ENAME, "x", all["x"]);
    tsr::save(path.c_str(), all);
    tsr::tensor w = all.take("w");
    CHECK(w.get(1, 2) == 5 && all.size() == 1);
  }
  {
    tsr::bundle back = tsr::load(path.c_str());
    CHECK(back.size() == 2 && back["w"].get(1, 2) == 5 && back["b"].shape(0) == 3);
    tsr::bundle moved = std::move(back);
    CHECK(moved.size() == 2 && back.size() == 0); /* NOLINT */
    tsr::tensor y = moved["w"] * 2;               /* mapped, read-only: read */
    CHECK(y.get(1, 2) == 10);
  }
  CHECK(std::remove(path.c_str()) == 0);
  THROWS(TSR_EIO, "no such", tsr::load("no such file.npy"));
}

TEST(tensors_are_text) {
  tsr::tensor x = tsr::rows<std::int32_t>({{1, 2}, {3, 4}});
  std::ostringstream to;
  to << x << "\n" << x(1);
  CHECK(to.str() == "[[1 2]\n [3 4]]\n[3 4]");
  CHECK(tsr::description(x) == "i32 [2,2]");
}

}  // namespace

TEST_MAIN(RUN(an_arena_holds_what_is_made_with_it), RUN(a_pool_keeps_blocks),
          RUN(threads_and_instruction_sets_are_chosen), RUN(contexts_are_those_of_a_thread),
          RUN(what_plain_calls_make_in_a_scope_goes_with_it), RUN(tensors_by_name_go_to_files_and_back),
          RUN(tensors_are_text))
