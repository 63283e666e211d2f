#include "survey/bench/bench.h"

#include "app/processor.h"
#include "oa/base/number.h"
#include "oa/base/parallel.h"
#include "oa/num/peak.h"
#include "oa/num/simd.h"
#include "survey/bench/subject.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <memory>
#include <string>
#include <utility>

namespace oa::app {
namespace {

constexpr const char* kBaseline = "flash2";
constexpr const char* kPlainBaseline = "softmax";  // without flash2
constexpr const char* kOurs = "optimizing";

/// The best rate of several short runs, in 10^9 operations a second.
/// work(worker) returns the number of operations that a worker did.
template <class Work>
double best_rate(int runs, int threads, const Work& work) {
  double best = 0.0;
  for (int run = 0; run < runs; ++run) {
    std::vector<std::int64_t> done(static_cast<std::size_t>(threads), 0);
    const WorkClock clock(threads);
    if (threads == 1) {
      done[0] = work(0);
    } else {
      run_workers(threads, [&](int worker) {
        done[static_cast<std::size_t>(worker)] = work(worker);
      });
    }
    const double seconds = clock.seconds();
    std::int64_t all = 0;
    for (const std::int64_t part : done) {
      all += part;
    }
    best = std::max(best, 1e-9 * static_cast<double>(all) / std::max(seconds, 1e-9));
  }
  return best;
}

double fma_gflops(int threads) {
  constexpr int kRuns = 15;
  constexpr std::int64_t kSteps = 200'000;  // one or two milliseconds
  std::vector<num::Line> sums(static_cast<std::size_t>(threads));
  return best_rate(kRuns, threads, [&](int worker) {
    float sum = 0.0F;
    const std::int64_t flops = num::multiply_add_loop(kSteps, sum);
    sums[static_cast<std::size_t>(worker)].lane[0] = static_cast<double>(sum);
    return flops;
  });
}

/// The bandwidth of copying arrays larger than the private caches of a core.
double copy_gbs(int threads) {
  constexpr int kRuns = 5;
  constexpr std::size_t kFloats = std::size_t{1} << 24;
  std::vector<std::vector<float>> from(static_cast<std::size_t>(threads));
  std::vector<std::vector<float>> to(static_cast<std::size_t>(threads));
  for (std::size_t k = 0; k < from.size(); ++k) {
    from[k].assign(kFloats, 1.0F);
    to[k].assign(kFloats, 0.0F);
  }
  return best_rate(kRuns, threads, [&](int worker) {
    const auto k = static_cast<std::size_t>(worker);
    num::copy_floats(from[k], to[k]);
    return static_cast<std::int64_t>(2 * sizeof(float) * kFloats);
  });
}

/// Measures the machine at each number of tokens, because its speed changes.
void measure(report::BenchMachine& machine) {
  machine.fma_gflops = std::max(machine.fma_gflops, fma_gflops(machine.threads));
  machine.copy_gbs = std::max(machine.copy_gbs, copy_gbs(machine.threads));
}

std::vector<attention::KindSpec> specs_of(const BenchOptions& options) {
  std::vector<attention::KindSpec> specs = options.kinds;
  if (specs.empty()) {
    for (const attention::Kind* kind : attention::all_kinds()) {
      specs.push_back({.kind = kind});
    }
  }
  // Puts the optimising kind first, so that its cost is easy to find.
  std::ranges::stable_partition(
      specs, [](const attention::KindSpec& spec) { return spec.kind->name == kOurs; });
  return specs;
}

/// Predicts the seconds of a call from the times at smaller numbers of tokens.
class Forecast {
 public:
  void observe(const std::string& config, int tokens, double seconds) {
    times_[config].emplace_back(tokens, seconds);
  }

  /// Returns 0 without observations.  Extrapolates by the exponent between the last two
  /// observations, at most `most_power`; a single observation uses `most_power`.
  [[nodiscard]] double seconds(const std::string& config,
                               int tokens,
                               double most_power) const {
    const auto found = times_.find(config);
    if (found == times_.end()) {
      return 0.0;
    }
    const auto& times = found->second;
    const auto& last = times.back();
    double power = most_power;
    if (times.size() > 1) {
      const auto& before = times[times.size() - 2];
      power = std::min(power,
                       std::log(last.second / before.second) /
                           std::log(static_cast<double>(last.first) / before.first));
    }
    return last.second * std::pow(static_cast<double>(tokens) / last.first, power);
  }

 private:
  std::map<std::string, std::vector<std::pair<int, double>>> times_;
};

using Subjects = std::vector<std::unique_ptr<BenchSubject>>;

/// All kinds of a benchmark at one number of tokens.
class Block {
 public:
  Block(int tokens, const BenchOptions& options, Context& context)
      : options_(options),
        context_(context),
        tokens_(tokens) {
    const std::vector<attention::KindSpec> specs = specs_of(options);
    for (const attention::KindSpec& spec : specs) {
      subjects_.push_back(std::make_unique<BenchSubject>(spec, tokens, options));
    }
    baseline_ = find_baseline(specs);
  }

  void run(Forecast& forecast) {
    const bool any = std::ranges::any_of(
        subjects_, [](const auto& subject) { return subject->supported(); });
    if (!any) {
      return;
    }
    BenchTokens tokens(tokens_, options_.width, options_.backward);
    prepare(tokens, forecast);
    for (int round = 0; round < options_.rounds; ++round) {
      for (const auto& subject : subjects_) {
        if (subject->supported() && round < subject->rounds() &&
            !context_.interrupted()) {
          subject->sample(tokens);
        }
      }
    }
    for (const auto& subject : subjects_) {
      if (options_.decode && subject->supported() && !context_.interrupted()) {
        subject->decode(tokens, context_);
      }
    }
  }

  /// The rows of the requested kinds, except those that a signal left unmeasured.
  [[nodiscard]] std::vector<report::BenchRow> rows() const {
    const report::BenchRow base = subjects_[baseline_]->row();
    std::vector<report::BenchRow> rows;
    for (std::size_t k = 0; k < requested_; ++k) {
      report::BenchRow row = subjects_[k]->row();
      if (row.unsupported.empty() && row.forward.rounds == 0) {
        continue;
      }
      if (row.forward.rounds > 0 && base.forward.rounds > 0) {
        row.vs_baseline = row.forward.median / base.forward.median;
      }
      rows.push_back(std::move(row));
    }
    return rows;
  }

  [[nodiscard]] std::string baseline() const {
    return subjects_[baseline_]->row().kind;
  }

 private:
  /// Finds the first baseline kind whose only options are heads and maps.
  /// Adds one if `specs` has none.
  std::size_t find_baseline(const std::vector<attention::KindSpec>& specs) {
    requested_ = specs.size();
    const attention::Kind* fused = attention::find_kind(kBaseline);
    const attention::Kind* kind =
        fused != nullptr ? fused : attention::find_kind(kPlainBaseline);
    const auto found = std::ranges::find_if(specs, [&](const auto& spec) {
      return spec.kind == kind && std::ranges::all_of(spec.options, [](const auto& o) {
               return o.first == "heads" || o.first == "plain" || o.first == "output";
             });
    });
    if (found == specs.end()) {
      subjects_.push_back(std::make_unique<BenchSubject>(
          attention::KindSpec{.kind = kind}, tokens_, options_));
    }
    return static_cast<std::size_t>(found - specs.begin());
  }

  void prepare(BenchTokens& tokens, Forecast& forecast) {
    for (const auto& subject : subjects_) {
      if (!subject->supported() || context_.interrupted()) {
        continue;
      }
      const double seconds =
          forecast.seconds(subject->config(), tokens_, subject->most_power());
      if (seconds > options_.limit_s) {
        subject->refuse("would take about " + format_fixed(seconds, 0) +
                        " seconds, judging by fewer tokens: above the time limit");
        continue;
      }
      subject->prepare(tokens);
      forecast.observe(subject->config(), tokens_, subject->seconds_per_call());
    }
  }

  const BenchOptions& options_;
  Context& context_;
  int tokens_;
  Subjects subjects_;
  std::size_t requested_ = 0;  // further subjects are not requested
  std::size_t baseline_ = 0;
};

std::vector<int> rising_tokens(const BenchOptions& options) {
  std::vector<int> tokens = options.tokens;
  std::ranges::sort(tokens);
  tokens.erase(std::unique(tokens.begin(), tokens.end()), tokens.end());
  return tokens;
}

}  // namespace

report::Bench run_bench(const BenchOptions& options, Context& context) {
  if (options.threads == 1) {
    stay_on_this_processor();
  }
  report::Bench bench;
  bench.machine = {.processor = processor_name(),
                   .instruction_set = std::string(num::simd_targets().front()),
                   .threads = options.threads};
  const std::vector<int> tokens = rising_tokens(options);
  Forecast forecast;
  context.progress().start("numbers of tokens", std::ssize(tokens));
  for (const int n : tokens) {
    if (context.interrupted()) {
      break;
    }
    measure(bench.machine);
    Block block(n, options, context);
    block.run(forecast);
    bench.baseline = block.baseline();
    for (report::BenchRow& row : block.rows()) {
      bench.rows.push_back(std::move(row));
    }
    context.progress().advance(1);
  }
  measure(bench.machine);
  context.progress().finish();
  return bench;
}

std::vector<attention::Exponential> study_exponentials(const BenchOptions& options) {
  constexpr std::array kSpreads{1.0, 3.0};
  const std::vector<int> tokens = rising_tokens(options);
  if (tokens.back() > kMaxStudiedTokens) {
    throw UsageError("exponentials",
                     ": " + format(tokens.back()) + " tokens (expected at most " +
                         format(kMaxStudiedTokens) + ")");
  }
  return attention::exponential_errors(tokens, kSpreads);
}

}  // namespace oa::app
