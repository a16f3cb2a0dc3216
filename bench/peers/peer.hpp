// What the contestants in C++ share: rows of lambdas on top of the line protocol of compare/contest.h.
#ifndef BENCH_PEER_HPP
#define BENCH_PEER_HPP

#include <functional>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "../compare/contest.h"

namespace peer {

using Runner = std::function<void(long)>;    // does a workload so many times
using Opener = std::function<Runner()>;      // gets it ready
using Rows = std::map<std::string, Opener>;

constexpr int64_t M = 1048576;

template <class F>
Runner repeat(F once) {
  return [once](long calls) mutable {
    for (long i = 0; i < calls; i++) {
      once();
      contest_keep(nullptr);
    }
  };
}

// Of several ways to do the same, the quickest here.
inline Runner quickest(std::vector<Runner> ways) {
  size_t best = 0;
  double least = 1e30;
  for (size_t i = 0; i < ways.size(); i++) {
    ways[i](1);
    for (int t = 0; t < 5; t++) {
      const double start = contest_now_ns();
      ways[i](1);
      const double ns = contest_now_ns() - start;
      if (ns < least) {
        least = ns;
        best = i;
      }
    }
  }
  return ways[best];
}

inline float *floats(int64_t n, int64_t start = 0) { return contest_floats(n, start); }

inline float *result(int64_t n) {
  float *p = static_cast<float *>(contest_bytes(4 * n));
  contest_result(p, n, CONTEST_F32);
  return p;
}

template <class T>
T *result_as(int64_t n, contest_kind kind) {
  T *p = static_cast<T *>(contest_bytes(static_cast<int64_t>(sizeof(T)) * n));
  contest_result(p, n, kind);
  return p;
}

namespace detail {
inline Rows rows;
inline Runner runner;
inline bool open(const char *spec) {
  const auto row = rows.find(spec);
  if (row == rows.end()) return false;
  runner = row->second();
  return static_cast<bool>(runner);
}
inline void run(long calls) { runner(calls); }
inline void close() { runner = nullptr; }
}  // namespace detail

inline int serve(const std::string &version, Rows rows) {
  detail::rows = std::move(rows);
  const contestant self = {version.c_str(), detail::open, detail::run, detail::close};
  return contest_main(&self);
}

}  // namespace peer

#endif
