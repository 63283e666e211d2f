// Scans of 2048 tokens, 1024 wide, on one thread: milliseconds, and shares of what the
// machine does at most, measured in turn with them.
//   bench-scan
#include "oa/base/rng.h"
#include "oa/num/gemm.h"
#include "oa/num/matrix.h"
#include "survey/kernel/scan/diagonal_scan.h"
#include "survey/kernel/scan/gated_scan.h"
#include "survey/kernel/scan/linear_scan.h"
#include "survey/kernel/scan/selective_scan.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdio>
#include <ctime>
#include <functional>
#include <string>
#include <vector>

namespace oa {
namespace {

constexpr int kTokens = 2048;
constexpr int kWidth = 1024;
constexpr int kHeads = 16;
constexpr int kStates = 16;
constexpr int kRounds = 21;

double cpu_seconds() {
  timespec now{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

double milliseconds(const std::function<void()>& work) {
  const double begin = cpu_seconds();
  work();
  return 1e3 * (cpu_seconds() - begin);
}

struct Timing {
  double best;
  double median;
};

Timing timing_of(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return {values.front(), values[values.size() / 2]};
}

// A product that stays in the first cache: the multiply-adds that kernels reach at
// most, in GFLOP/s.
class Peak {
 public:
  Peak() : a_(6, 4096), b_(4096, 64), c_(6, 64) {
    num::View b = b_;
    b.stride = 0;  // one row, again and again
    row_ = b;
  }
  double operator()() {
    const double ms = milliseconds([&] {
      for (int i = 0; i < 200; ++i) {
        num::matmul(a_, row_, c_);
      }
    });
    return 200.0 * 2.0 * 6.0 * 4096.0 * 64.0 / ms * 1e-6;
  }

 private:
  num::Matrix a_;
  num::Matrix b_;
  num::Matrix c_;
  num::ConstView row_;
};

// Milliseconds for `count` exponentials of a feature map, which its block computes in
// the first cache.
class ExponentialRate {
 public:
  explicit ExponentialRate(std::int64_t count)
      : arena_(1U << 20U),
        block_({attention::Feature::Exp, 64, {}, {}}, arena_),
        x_(32, 64),
        calls_(count / (32 * 64)) {
    block_.read(x_, 1.0F);
  }
  double operator()() {
    return milliseconds([&] {
      for (std::int64_t i = 0; i < calls_; ++i) {
        block_.finish(nullptr);
      }
    });
  }

 private:
  Arena arena_;
  attention::FeatureBlock block_;
  num::Matrix x_;
  std::int64_t calls_;
};

void report(const std::string& name, double mflop, const std::function<void()>& work) {
  Peak peak;
  std::vector<double> times;
  std::vector<double> peaks;
  std::vector<double> shares;
  work();
  for (int i = 0; i < kRounds; ++i) {
    peaks.push_back(-peak());
    times.push_back(milliseconds(work));
    shares.push_back(-mflop / times.back() / -peaks.back());
  }
  const Timing t = timing_of(times);
  const Timing p = timing_of(peaks);
  const Timing s = timing_of(shares);
  std::printf("%-22s %7.2f ms (best %.2f), %.2f of %.0f GFLOP/s (best %.2f)\n",
              name.c_str(),
              t.median,
              t.best,
              -s.median,
              -p.median,
              -s.best);
}

num::Matrix drawn(Rng& rng, int rows, int cols, double low, double high) {
  num::Matrix m(rows, cols);
  for (int i = 0; i < rows; ++i) {
    for (int j = 0; j < cols; ++j) {
      m(i, j) = static_cast<float>(rng.uniform(low, high));
    }
  }
  return m;
}

num::Matrix none(int rows, int cols) {
  return {rows, cols};
}

void clear(num::Buffer& state) {
  std::fill_n(state.data(), state.size(), 0.0F);
}

void run_gated(Rng& rng, Arena& arena) {
  const num::Matrix q = drawn(rng, kTokens, kWidth, -1, 1);
  const num::Matrix k = drawn(rng, kTokens, kWidth, -1, 1);
  const num::Matrix v = drawn(rng, kTokens, kWidth, -1, 1);
  const num::Matrix decay = drawn(rng, kTokens, kWidth, -0.1, 0);
  num::Matrix o = none(kTokens, kWidth);
  std::vector<num::Matrix> to(4, o);
  const int d = kWidth / kHeads;
  const attention::GatedShape s{kHeads, d, d, 0.125F, 1};
  num::Buffer state(static_cast<std::size_t>(attention::gated_state_size(s)));
  const double mflop = 5.0 * kTokens * kWidth * d * 1e-6;
  report("gated", mflop, [&] {
    clear(state);
    attention::gated_scan(s, {q, k, decay, v}, o, state.span(), arena);
  });
  report("gated, gradients", 3.0 * mflop, [&] {
    attention::gated_scan_backward(
        s, {q, k, decay, v}, q, {to[0], to[1], to[2], to[3]}, arena);
  });
}

void run_linear(Rng& rng, Arena& arena) {
  const num::Matrix q = drawn(rng, kTokens, kWidth, -1, 1);
  const num::Matrix k = drawn(rng, kTokens, kWidth, -1, 1);
  const num::Matrix v = drawn(rng, kTokens, kWidth, -1, 1);
  num::Matrix o = none(kTokens, kWidth);
  num::Matrix sum = none(kTokens, kHeads);
  num::Matrix reference = none(kTokens, kHeads);
  std::vector<num::Matrix> to(3, o);
  attention::LinearShape s;
  s.heads = kHeads;
  s.key_width = s.value_width = s.features.head_width = kWidth / kHeads;
  const double mflop = 4.0 * kTokens * kWidth * s.key_width * 1e-6;
  report("linear, all tokens", mflop, [&] {
    attention::linear_sums(s, {q, k, v, {}, {}}, {o, sum, reference}, arena);
  });
  s.causal = true;
  num::Buffer state(static_cast<std::size_t>(attention::linear_state_size(s)));
  report("linear, causal", mflop, [&] {
    clear(state);
    attention::linear_scan(
        s, {q, k, v, {}, {}}, {o, sum, reference}, state.span(), arena);
  });
  report("linear, gradients", 3.0 * mflop, [&] {
    attention::linear_backward(s,
                               {q, k, v, {}, {}},
                               {o, sum, reference},
                               q,
                               {to[0], to[1], to[2], {}, {}},
                               arena);
  });
}

void run_selective(Rng& rng, Arena& arena) {
  const num::Matrix x = drawn(rng, kTokens, kWidth, -1, 1);
  const num::Matrix dt = drawn(rng, kTokens, kWidth, 0.001, 0.1);
  const num::Matrix b = drawn(rng, kTokens, kStates, -1, 1);
  const num::Matrix c = drawn(rng, kTokens, kStates, -1, 1);
  const num::Matrix a = drawn(rng, kStates, kWidth, -16, -1);
  num::Matrix y = none(kTokens, kWidth);
  std::vector<num::Matrix> to(2, y);
  std::vector<num::Matrix> small(2, b);
  num::Matrix da = a;
  const attention::SelectiveShape s{kWidth, kStates, 1};
  num::Buffer state(static_cast<std::size_t>(attention::selective_state_size(s)));
  num::Buffer saved(
      static_cast<std::size_t>(attention::selective_checkpoint_size(s, kTokens)));
  const double mflop = 1e-6 * kTokens * kWidth * (6.0 * kStates + 3.0);
  const attention::SelectiveInput in{x, dt, b, c, a, {}};
  report("selective", mflop, [&] {
    clear(state);
    attention::selective_scan(s, in, y, state.span(), saved.span(), arena);
  });
  report("selective, gradients", 3.0 * mflop, [&] {
    attention::selective_scan_backward(
        s, in, saved.span(), x, {to[0], to[1], small[0], small[1], da, {}}, arena);
  });
  ExponentialRate exponentials(std::int64_t{kTokens} * kWidth * kStates);
  std::vector<double> times;
  for (int i = 0; i < kRounds; ++i) {
    times.push_back(exponentials());
  }
  const Timing t = timing_of(times);
  std::printf(
      "%-22s %7.2f ms (best %.2f)\n", "its exponentials alone", t.median, t.best);
}

void run_diagonal(Rng& rng, Arena& arena) {
  constexpr int kPairs = 8;
  const num::Matrix p = drawn(rng, kTokens, kWidth, -1, 1);
  const num::Matrix pole = drawn(rng, kPairs, kWidth, 0, 0.7);
  num::Matrix y = none(kTokens, kWidth);
  const attention::DiagonalShape s{kWidth, kPairs, 1};
  num::Buffer state(static_cast<std::size_t>(attention::diagonal_state_size(s)));
  report("diagonal", 1e-6 * kTokens * kWidth * (12.0 * kPairs + 2.0), [&] {
    clear(state);
    attention::diagonal_scan(
        s, {p, pole, pole, pole, pole, {}}, y, state.span(), {}, arena);
  });
}

}  // namespace
}  // namespace oa

int main() {
  oa::Rng rng(1);
  oa::Arena arena(64U << 20U);
  oa::run_gated(rng, arena);
  oa::run_linear(rng, arena);
  oa::run_selective(rng, arena);
  oa::run_diagonal(rng, arena);
}
