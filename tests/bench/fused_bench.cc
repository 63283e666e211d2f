// How near fused attention comes to the limit of the processor:
//   bench-fused [ROUNDS [TARGET]]
//   bench-fused threads [ROUNDS]
// The first has one thread.  A line a case: its share of the rate of fused
// multiply-adds, which is measured before and after each run in the same process, as
// the median of runs and as the best run against the best rate; for gradients also
// their time in forward passes. Cases take turns, so that what else the machine does
// meets all of them.  A run that is not counted comes before each: a case then finds
// its data where it left them, not where the cases between put them.
//
// The second says what two threads reach of what two processes do at the same time,
// each with one thread: it needs two cores that are free.
#include "survey/kernel/fused/fused.h"

#include "oa/base/rng.h"
#include "oa/num/simd.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <sys/wait.h>
#include <unistd.h>

#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace oa {
namespace {

using attention::FusedScratch;
using attention::GradientScratch;
using attention::HeadsShape;
using attention::HeadsView;
using attention::Pattern;
using attention::Run;

// Seconds of this process.
double now() {
  timespec t{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return static_cast<double>(t.tv_sec) + 1e-9 * static_cast<double>(t.tv_nsec);
}

#if defined(__x86_64__)
constexpr int kChains = 12;  // more than latency times units
constexpr int kLoops = 200000;

__attribute__((target("avx512f"), optimize("O3"), noinline)) float fma_512() {
  __m512 sum[kChains];
  for (__m512& s : sum) {
    s = _mm512_set1_ps(1.0F);
  }
  const __m512 factor = _mm512_set1_ps(0.999F);
  for (int i = 0; i < kLoops; ++i) {
#pragma GCC unroll 12
    for (__m512& s : sum) {
      s = _mm512_fmadd_ps(s, factor, factor);
    }
  }
  for (int i = 1; i < kChains; ++i) {
    sum[0] = _mm512_add_ps(sum[0], sum[i]);
  }
  return _mm512_cvtss_f32(sum[0]);
}

__attribute__((target("avx2,fma"), optimize("O3"), noinline)) float fma_256() {
  __m256 sum[kChains];
  for (__m256& s : sum) {
    s = _mm256_set1_ps(1.0F);
  }
  const __m256 factor = _mm256_set1_ps(0.999F);
  for (int i = 0; i < kLoops; ++i) {
#pragma GCC unroll 12
    for (__m256& s : sum) {
      s = _mm256_fmadd_ps(s, factor, factor);
    }
  }
  for (int i = 1; i < kChains; ++i) {
    sum[0] = _mm256_add_ps(sum[0], sum[i]);
  }
  return _mm256_cvtss_f32(sum[0]);
}
#endif

// GFLOP/s of multiply-adds in registers.
double peak(std::string_view target) {
#if defined(__x86_64__)
  if (target == "AVX3" || target == "AVX2") {
    const bool wide = target == "AVX3";
    const double start = now();
    volatile float result = wide ? fma_512() : fma_256();
    (void)result;
    return 2.0 * kChains * kLoops * (wide ? 16 : 8) / (now() - start) * 1e-9;
  }
#endif
  (void)target;
  return 1.0;  // not known: GFLOP/s are printed
}

double median(std::vector<double> values) {
  std::ranges::sort(values);
  return values[values.size() / 2];
}

Pattern random_blocks(int tokens, int block, int per_row) {
  Rng rng(1);
  std::vector<std::int64_t> first{0};
  std::vector<Run> runs;
  std::vector<int> columns(static_cast<std::size_t>(tokens / block));
  for (int q = 0; q < tokens; ++q) {
    if (q % block == 0) {
      for (std::size_t i = 0; i < columns.size(); ++i) {
        columns[i] = static_cast<int>(i);
      }
      rng.shuffle(std::span(columns));
      std::sort(columns.begin(), columns.begin() + per_row);
    }
    int end = -1;
    for (int i = 0; i < per_row; ++i) {
      const int begin = columns[static_cast<std::size_t>(i)] * block;
      if (begin == end) {
        runs.back().end += block;
      } else {
        runs.push_back({begin, begin + block});
      }
      end = begin + block;
    }
    first.push_back(std::ssize(runs));
  }
  return Pattern::of_runs(tokens, std::move(first), std::move(runs));
}

num::Matrix drawn(Rng& rng, int rows, int cols) {
  num::Matrix m(rows, cols);
  for (int i = 0; i < rows; ++i) {
    for (int j = 0; j < cols; ++j) {
      m(i, j) = static_cast<float>(rng.normal());
    }
  }
  return m;
}

struct Case {
  std::string name;
  int heads;
  int groups;
  int width;
  int sequences;
  bool backward;
  Pattern pattern;
};

// A case, its data and memory, and how it did.
class Bench {
 public:
  explicit Bench(Case c, int threads = 1) : case_(std::move(c)) {
    Rng rng(2);
    const Pattern& p = case_.pattern;
    const int cols = case_.heads * case_.width;
    const int key_cols = case_.groups * case_.width;
    for (int i = 0; i < case_.sequences; ++i) {
      data_.push_back({drawn(rng, p.queries(), cols),
                       drawn(rng, p.keys(), key_cols),
                       drawn(rng, p.keys(), key_cols),
                       num::Matrix(p.queries(), cols)});
    }
    d_o_ = drawn(rng, p.queries(), cols);
    dq_ = num::Matrix(p.queries(), cols);
    dk_ = num::Matrix(p.keys(), key_cols);
    dv_ = num::Matrix(p.keys(), key_cols);
    log_sums_ = num::Matrix(case_.heads, p.queries());
    const auto plan = attention::plan_fused(shape());
    bytes_ =
        bytes_taken([&](Arena& a) { return FusedScratch(shape(), plan, threads, a); });
    arena_ = Arena(bytes_);
    scratch_ = std::make_unique<FusedScratch>(shape(), plan, threads, arena_);
    if (case_.backward) {
      back_arena_ =
          Arena(bytes_taken([&](Arena& a) { return GradientScratch(shape(), 1, a); }));
      back_ = std::make_unique<GradientScratch>(shape(), 1, back_arena_);
    }
    forward();
    repeats_ = std::max(1, static_cast<int>(2e9 / flops()));
  }

  void run(std::string_view target) {
    forward();
    const double before = peak(target);
    const double rate = flops() / seconds([&] { forward(); }) * 1e-9;
    const double after = peak(target);
    shares_.push_back(2.0 * rate / (before + after));
    best_rate_ = std::max(best_rate_, rate);
    best_peak_ = std::max({best_peak_, before, after});
    if (case_.backward) {
      backward();
      const double time = seconds([&] { backward(); });
      forwards_.push_back(time * rate * 1e9 / flops());
    }
  }

  void repeat_forward(int times) {
    for (int i = 0; i < times; ++i) {
      forward();
    }
  }
  [[nodiscard]] int repeats() const { return repeats_; }

  void print() const {
    std::printf("%-22s %5.2f %5.2f %8.2f MiB",
                case_.name.c_str(),
                median(shares_),
                best_rate_ / best_peak_,
                static_cast<double>(bytes_) / 1048576.0);
    if (case_.backward) {
      std::printf("   backward %.2f forwards, best %.2f",
                  median(forwards_),
                  *std::ranges::min_element(forwards_));
    }
    std::printf("\n");
  }

 private:
  struct Sequence {
    num::Matrix q;
    num::Matrix k;
    num::Matrix v;
    num::Matrix o;
  };

  [[nodiscard]] HeadsView view(const Sequence& s) const {
    const float scale = 1.0F / std::sqrt(static_cast<float>(case_.width));
    return {s.q.view(), s.k.view(), s.v.view(), case_.heads, case_.groups, scale};
  }
  [[nodiscard]] HeadsShape shape() const { return HeadsShape::of(view(data_[0])); }
  // The counts of one forward pass over all sequences.
  [[nodiscard]] double flops() const {
    return 4.0 * static_cast<double>(case_.pattern.pairs()) * case_.width *
           case_.heads * case_.sequences;
  }
  [[nodiscard]] double seconds(const std::function<void()>& work) const {
    const double start = now();
    for (int i = 0; i < repeats_; ++i) {
      work();
    }
    return (now() - start) / repeats_;
  }
  void forward() {
    for (Sequence& s : data_) {
      const num::View log_sums = case_.backward ? log_sums_.view() : num::View();
      attention::fused_forward(view(s), case_.pattern, s.o, log_sums, *scratch_);
    }
  }
  void backward() {
    const Sequence& s = data_.back();
    attention::fused_backward(
        view(s), case_.pattern, s.o, log_sums_, d_o_, dq_, dk_, dv_, *back_);
  }

  Case case_;
  std::vector<Sequence> data_;
  num::Matrix d_o_;
  num::Matrix dq_;
  num::Matrix dk_;
  num::Matrix dv_;
  num::Matrix log_sums_;
  std::size_t bytes_ = 0;
  Arena arena_;
  Arena back_arena_;
  std::unique_ptr<FusedScratch> scratch_;
  std::unique_ptr<GradientScratch> back_;
  int repeats_ = 1;
  std::vector<double> shares_;
  std::vector<double> forwards_;
  double best_rate_ = 0.0;
  double best_peak_ = 0.0;
};

std::vector<Case> cases() {
  std::vector<Case> list;
  list.push_back({"n=49 x 64", 1, 1, 64, 64, false, Pattern::all(49, 49)});
  list.push_back({"n=49, 8 heads x 8", 8, 8, 64, 8, false, Pattern::all(49, 49)});
  for (const int d : {64, 128}) {
    for (const int n : {256, 1024, 4096}) {
      const std::string size = "n=" + std::to_string(n) + " d=" + std::to_string(d);
      const bool backward = d == 64 && n > 256;
      list.push_back({size, 1, 1, d, 1, backward, Pattern::all(n, n)});
      list.push_back({size + " causal", 1, 1, d, 1, backward, Pattern::causal(n)});
    }
  }
  for (const int n : {1024, 4096}) {
    list.push_back(
        {"8:2 causal n=" + std::to_string(n), 8, 2, 64, 1, false, Pattern::causal(n)});
  }
  const int n = 16384;
  list.push_back(
      {"window 256 n=16384", 1, 1, 64, 1, false, Pattern::band(n, n, 256, 0)});
  for (const int blocks : {64, 16, 4}) {
    list.push_back({"64x64 blocks, " + std::to_string(blocks) + " of 64",
                    1,
                    1,
                    64,
                    1,
                    false,
                    random_blocks(4096, 64, blocks)});
  }
  return list;
}

int run(int argc, char** argv) {
  const std::string target(argc > 2 ? argv[2] : num::simd_targets().front());
  num::use_simd_target(target);
  std::vector<std::unique_ptr<Bench>> all;
  for (Case& c : cases()) {
    all.push_back(std::make_unique<Bench>(std::move(c)));
  }
  const int rounds = argc > 1 ? std::atoi(argv[1]) : 11;
  for (int round = 0; round < rounds; ++round) {
    for (const auto& bench : all) {
      bench->run(target);
    }
  }
  std::printf("share of the rate of multiply-adds: median, best; scratch memory\n");
  for (const auto& bench : all) {
    bench->print();
  }
  return 0;
}

// Seconds that have passed.
double wall(const std::function<void()>& work) {
  using Clock = std::chrono::steady_clock;
  const Clock::time_point begin = Clock::now();
  work();
  return std::chrono::duration<double>(Clock::now() - begin).count();
}

// Both this process and a copy of it do the work.
void do_twice(const std::function<void()>& work) {
  const pid_t child = fork();
  work();
  if (child == 0) {
    _exit(0);
  }
  waitpid(child, nullptr, 0);
}

int compare_threads(int rounds) {
  std::printf("two threads, as share of two processes: median, best\n");
  for (const int n : {256, 1024, 4096}) {
    for (const bool causal : {false, true}) {
      const Case c{"n=" + std::to_string(n) + " 8 heads" + (causal ? " causal" : ""),
                   8,
                   8,
                   64,
                   1,
                   false,
                   causal ? Pattern::causal(n) : Pattern::all(n, n)};
      Bench one(c);
      Bench two(c, 2);
      const int times = 20 * one.repeats();
      std::vector<double> shares;
      for (int round = 0; round < rounds; ++round) {
        const double threads = wall([&] { two.repeat_forward(times); });
        const double processes =
            wall([&] { do_twice([&] { one.repeat_forward(times); }); });
        shares.push_back(processes / (2.0 * threads));
      }
      std::printf("%-22s %5.2f %5.2f\n",
                  c.name.c_str(),
                  median(shares),
                  *std::ranges::max_element(shares));
    }
  }
  return 0;
}

}  // namespace
}  // namespace oa

int main(int argc, char** argv) {
  if (argc > 1 && std::string_view(argv[1]) == "threads") {
    return oa::compare_threads(argc > 2 ? std::atoi(argv[2]) : 7);
  }
  return oa::run(argc, argv);
}
