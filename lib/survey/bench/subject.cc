#include "survey/bench/subject.h"

#include "app/processor.h"
#include "oa/base/error.h"
#include "oa/base/number.h"
#include "oa/base/rng.h"
#include "oa/base/stopwatch.h"
#include "oa/train/exact_forward.h"

#include <algorithm>
#include <cstddef>

namespace oa::app {
namespace {

// CPU clocks tick in microseconds, so a sample has thousands of ticks.
constexpr double kSampleSeconds = 5e-3;

void draw_normal(num::Matrix& m) {
  Rng rng(1);
  for (int i = 0; i < m.rows(); ++i) {
    for (int j = 0; j < m.cols(); ++j) {
      m(i, j) = static_cast<float>(rng.normal());
    }
  }
}

num::ConstView one_row(num::ConstView m, int row) {
  return {m.row(row), 1, m.cols, m.stride};
}

/// A layer and its memory.
struct AtWork {
  Arena kept;
  Arena scratch;
  std::unique_ptr<attention::Attention> attention;

  AtWork(const attention::Layer& layer,
         const attention::Batch& batch,
         const report::BenchRow& row,
         const BenchOptions& options)
      : kept(row.arena - row.workspace),
        scratch(row.workspace) {
    attention = layer.make(batch,
                           {.kept = kept,
                            .scratch = scratch,
                            .backward = options.backward,
                            .threads = options.threads});
  }
};

parts::Weights drawn_weights(const parts::Layout& layout) {
  parts::Values values(layout);
  parts::initialize(layout, Rng(1), values);
  parts::Weights weights(layout);
  weights.set(values);
  return weights;
}

/// Returns the mean seconds of `calls` calls.
double seconds_of(int calls, int threads, const auto& call) {
  const WorkClock clock(threads);
  for (int k = 0; k < calls; ++k) {
    call();
  }
  return clock.seconds() / calls;
}

/// Adds defaults of options that determine the number of parameters.
void complete(const attention::Kind& kind, attention::OptionTexts& options) {
  for (const char* name : {"heads", "plain", "output"}) {
    if (attention::takes_option(kind, options, name)) {
      options[name] = attention::option_text(kind, options, name);
    }
  }
}

std::size_t bytes_of_floats(std::int64_t count) {
  return sizeof(float) * static_cast<std::size_t>(count);
}

}  // namespace

BenchTokens::BenchTokens(int tokens, int width, bool backward)
    : x(tokens, width),
      o(tokens, width) {
  draw_normal(x);
  if (backward) {
    dx = num::Matrix(tokens, width);
  }
}

BenchSubject::BenchSubject(const attention::KindSpec& spec,
                           int tokens,
                           const BenchOptions& options)
    : options_(options),
      spec_(spec),
      batch_(attention::Batch::of_one(tokens)) {
  row_.kind = spec.kind->name;
  row_.label = spec.text();
  if (options.heads && attention::takes_option(*spec.kind, spec.options, "heads")) {
    spec_.options.emplace("heads", format(*options.heads));
  }
  complete(*spec.kind, spec_.options);
  row_.config = spec_.text();
  row_.tokens = tokens;
  row_.width = options.width;
  row_.heads = static_cast<int>(
      parse_int(attention::option_text(*spec.kind, spec_.options, "heads"))
          .value_or(1));
  row_.causal = options.causal;
  try {
    attention::check_site(*spec_.kind, site(options.causal), "");
  } catch (const InputError& error) {
    // Removes the kind's name, which the row has already.
    const std::string who = "attention '" + row_.kind + "'";
    const std::string why = error.what();
    refuse(why.substr(std::min(why.size(), why.find_first_not_of(": ", who.size()))));
    return;
  }
  count(tokens);
}

attention::Site BenchSubject::site(bool causal) const {
  attention::Site site;
  site.tokens = row_.tokens;
  site.width = options_.width;
  site.dim = options_.width;
  site.causal = causal;
  site.divide_output = false;  // causal layers do not support division
  site.options = spec_.options;
  site.coefficients = options_.coefficients == BenchCoefficients::Continuous
                          ? Coefficients::Continuous
                          : Coefficients::Binary;
  if (options_.coefficients == BenchCoefficients::Exact) {
    site.solver.optima = train::exact_optima();
  }
  return site;
}

void BenchSubject::count(int tokens) {
  layer_ = spec_.kind->declare(site(options_.causal), layout_);
  const parts::Cost cost = layer_->cost(batch_, options_.threads);
  row_.parameters = cost.parameters;
  row_.flops = cost.forward;
  row_.projection_flops = cost.projections;
  row_.backward_flops = cost.backward;
  row_.exponentials = cost.exponentials;
  row_.pairs = cost.pairs;
  const std::int64_t elements = std::int64_t{1} * tokens * options_.width;
  row_.bytes = bytes_of_floats(2 * elements + cost.parameters);
  row_.traffic = row_.bytes + static_cast<std::size_t>(cost.traffic);
  row_.saved = cost.saved;
  Arena kept;
  Arena scratch;
  (void)layer_->make(batch_,
                     {.kept = kept,
                      .scratch = scratch,
                      .backward = options_.backward,
                      .threads = options_.threads});
  row_.workspace = scratch.high_water();
  row_.arena = kept.high_water() + scratch.high_water();
  count_state(tokens);
  // Bytes of parameters, their transposes and gradients; tokens and outputs.
  const std::size_t needed =
      row_.arena +
      bytes_of_floats(static_cast<std::int64_t>(layout_.size()) *
                      (options_.backward ? 4 : 3)) +
      bytes_of_floats((options_.backward ? 3 : 2) * std::int64_t{tokens} *
                      num::padded(options_.width));
  if (const std::size_t available = available_memory(); needed > available) {
    refuse("takes " + format_grouped(static_cast<std::int64_t>(needed)) +
           " bytes of memory (free are " +
           format_grouped(static_cast<std::int64_t>(available)) + ")");
  }
}

void BenchSubject::count_state(int tokens) {
  if (spec_.kind->direction != attention::Direction::Both) {
    return;
  }
  parts::Layout layout;
  Arena kept;
  Arena scratch;
  const auto layer = spec_.kind->declare(site(true), layout);
  if (layer->make_decoder(
          tokens, {.kept = kept, .scratch = scratch, .backward = false}) != nullptr) {
    row_.state = kept.high_water();
  }
}

void BenchSubject::prepare(BenchTokens& tokens) {
  weights_ = drawn_weights(layout_);
  const std::size_t before = resident_memory();
  const AtWork at(*layer_, batch_, row_, options_);
  const auto forward = [&] { at.attention->forward(*weights_, tokens.x, tokens.o); };
  seconds_per_call_ = seconds_of(1, options_.threads, forward);
  row_.counts = at.attention->counts();
  const std::size_t after = resident_memory();
  row_.resident = after - std::min(before, after);
  while (seconds_per_call_ * calls_ < kSampleSeconds) {
    calls_ *= 2;
    seconds_per_call_ = seconds_of(calls_, options_.threads, forward);
  }
}

int BenchSubject::rounds() const {
  constexpr double kSlow = 1.0;
  constexpr double kVerySlow = 10.0;
  const int most = seconds_per_call_ >= kVerySlow ? 1 : 3;
  return seconds_per_call_ >= kSlow ? std::min(options_.rounds, most) : options_.rounds;
}

void BenchSubject::sample(BenchTokens& tokens) {
  const AtWork at(*layer_, batch_, row_, options_);
  const auto forward = [&] { at.attention->forward(*weights_, tokens.x, tokens.o); };
  if (calls_ > 1) {
    forward();  // warms the caches
  }
  const double seconds = seconds_of(calls_, options_.threads, forward);
  forward_ms_.push_back(1e3 * seconds);
  if (options_.backward) {
    // Times forward and backward together, and subtracts the time of forward.
    parts::Values gradient(layout_);
    const double both = seconds_of(calls_, options_.threads, [&] {
      forward();
      at.attention->backward(*weights_, tokens.x, tokens.o, tokens.dx, gradient);
    });
    backward_ms_.push_back(1e3 * std::max(0.0, both - seconds));
  }
}

void BenchSubject::decode(const BenchTokens& tokens, Context& context) {
  if (!row_.state) {
    return;
  }
  constexpr int kTimed = 64;
  constexpr int kMax = 1024;  // tokens reused from the cache
  parts::Layout layout;
  const auto layer = spec_.kind->declare(site(true), layout);
  // Draws new weights, because the causal layer may have other tensors.
  const parts::Weights weights = drawn_weights(layout);
  Arena counting;
  Arena scratch_counting;
  (void)layer->make_decoder(
      row_.tokens, {.kept = counting, .scratch = scratch_counting, .backward = false});
  Arena kept(counting.high_water());
  Arena scratch(scratch_counting.high_water());
  const auto decoder = layer->make_decoder(
      row_.tokens, {.kept = kept, .scratch = scratch, .backward = false});
  num::Matrix y(1, options_.width);
  std::vector<double> micros;
  for (int pass = 0; pass < (row_.tokens <= kMax ? options_.rounds : 1); ++pass) {
    decoder->restart();
    for (int i = 0; i < row_.tokens && !context.interrupted(); ++i) {
      const Stopwatch step;
      decoder->step(weights, one_row(tokens.x.view(), i), y);
      if (i >= row_.tokens - kTimed) {
        micros.push_back(1e6 * step.seconds());
      }
    }
  }
  if (!context.interrupted()) {
    row_.decode_us = report::times_of(std::move(micros)).median;
  }
}

report::BenchRow BenchSubject::row() const {
  report::BenchRow row = row_;
  if (!forward_ms_.empty()) {
    row.forward = report::times_of(forward_ms_);
  }
  if (!backward_ms_.empty()) {
    row.backward = report::times_of(backward_ms_);
  }
  return row;
}

}  // namespace oa::app
