/* A use of each part of the header, for compilers and standards to look at: not run. */
#include <tessera/tessera.hpp>

#include <tessera/cpp/image.hpp>
#include <tessera/cpp/vector.hpp>
#if __has_include(<Eigen/Core>)
#include <tessera/cpp/eigen.hpp>
#endif

#include <ostream>
#include <vector>

#ifdef TSR_CPP_NO_EXCEPTIONS
#define VALUE(call) (call).value()
#else
#define VALUE(call) (call)
#endif

void use(std::ostream &to, std::vector<float> &numbers);
void use(std::ostream &to, std::vector<float> &numbers) {
  alignas(64) static unsigned char bytes[4096];
  tsr::arena arena(bytes);
  tsr::pool pool(1 << 16);
  tsr::context ctx(pool), small(arena);
  tsr::with with(ctx);
  tsr_rng rng = tsr_rng_seed(1);
  tsr::tensor a = VALUE(tsr::ones({3, 4})), b = VALUE(tsr::rand_normal(rng, {3, 4})), out;
  const tsr::tensor &fixed = a;
  tsr::tensor y = VALUE(tsr::eval(gelu(a * b + 2) - 0.5f));
  (void)tsr::eval(sum(tsr::lazy(a) * b, tsr::arg::axis = 0), tsr::out(out));
  (void)(y += 1);
  (void)(VALUE(y({0, 2}, -1)) = 3);
  float sum = 0;
  for (const float v : VALUE(fixed.as<float>())) sum += v;
  for (tsr::view row : y) (void)row.fill(sum);
  auto d = VALUE((y.dense<float, 2>()));
  d(0, 1) = sum;
#ifdef __cpp_lib_span
  for (float &v : d.span()) v *= 2;
#endif
  auto best = VALUE(tsr::topk(y, 2, tsr::arg::axis = 1));
  to << best.values << VALUE(tsr::to_text(a)) << tsr::description(a);
  tsr::view column = VALUE(tsr::borrow(numbers));
  tsr::tensor all = VALUE(tsr::concat({column, column}));
  (void)tsr::to_vector<float>(all);
  (void)tsr::map<float>(all, [](float v) { return v * 2; });
  tsr::bundle named;
  (void)named.add("all", std::move(all));
  (void)tsr::save("x.npz", named);
#ifdef TESSERA_CPP_EIGEN_HPP
  VALUE(tsr::as_eigen<float>(y)) *= 2;
#endif
  tsr::pool *no_pool = nullptr;
  (void)no_pool;
}
