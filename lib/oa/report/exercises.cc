#include "oa/report/exercises.h"

#include "oa/attention/kernel/pattern/patterns.h"
#include "oa/base/json_text.h"
#include "oa/base/number.h"
#include "oa/base/rng.h"
#include "oa/report/wrapped.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>

namespace oa::report {
namespace {

constexpr double kMiB = 1024.0 * 1024.0;
constexpr double kHalf = 2.0;  // bytes of a number of 16 bits

std::string mib(double bytes, int decimals = 0) {
  return format_fixed(bytes / kMiB, decimals) + " MiB";
}

std::string per_cent(double share, int decimals = 1) {
  return format_fixed(100.0 * share, decimals) + " %";
}

Exercise memory_traffic() {
  constexpr double kTokens = 2048;
  constexpr double kWidth = 64;
  constexpr double kBlock = 64;
  const double matrix = kTokens * kWidth * kHalf;   // Q, K, V or O
  const double scores = kTokens * kTokens * kHalf;  // S or P
  const double standard = 4 * matrix + 4 * scores;
  const double blocks = kTokens / kBlock;
  const double flash = 2 * matrix + blocks * 2 * matrix;
  const double cached = 4 * matrix;
  return {
      .number = 1,
      .question =
          "How much memory traffic have standard and flash attention with 2048 "
          "tokens, width 64, 16 bits, blocks of 64?",
      .steps = {{"standard: Q, K, V read, O written", mib(4 * matrix, 1)},
                {"standard: S and P, each written and read", mib(4 * scores, 1)},
                {"flash: Q read, O written, once", mib(2 * matrix, 1)},
                {"flash: K and V read for each of " + format(blocks) + " query blocks",
                 mib(blocks * 2 * matrix, 1)},
                {"flash, if K and V stay in a cache", mib(cached, 1)}},
      .answer = "standard " + mib(standard, 1) + ", flash " + mib(flash, 1) +
                ": ratio " + format_fixed(standard / flash, 1) +
                ".  With K and V in a cache " + mib(cached, 1) + ": ratio " +
                format_fixed(standard / cached, 0) + ".",
      .published = "standard 32.5 MiB, flash 1 MiB.",
      .why =
          "Its items add up to 33.25 MiB.  1 MiB leaves out that every block of "
          "queries reads all keys and values again, unless a cache holds them."};
}

Exercise cache_of_keys() {
  constexpr double kTokens = 8192;
  constexpr double kHeads = 32;
  constexpr double kWidth = 128;
  const auto cache = [&](double groups) {
    return 2.0 * kTokens * groups * kWidth * kHalf;
  };
  const auto step = [&](const char* name, double groups) {
    return Exercise::Step{name, mib(cache(groups)) + ", " + per_cent(groups / kHeads)};
  };
  return {.number = 2,
          .question =
              "How large is the cache of keys and values of a layer with 32 "
              "heads of width 128, 8192 tokens, 16 bits?",
          .steps = {step("32 groups (each head its own)", kHeads),
                    step("8 groups", 8),
                    step("4 groups", 4),
                    step("1 group", 1)},
          .answer = mib(cache(kHeads)) + "; with 8 groups " + mib(cache(8)) +
                    ", with 4 " + mib(cache(4)) + ", with one " + mib(cache(1)) +
                    ": the share is groups / heads.",
          .published =
              "128, 32, 16 and 4 MiB in the answer; a table of the same text "
              "says 12.5 % for 8 groups and 25 % for 4.",
          .why =
              "The answer is right and contradicts the table, whose two columns are "
              "exchanged."};
}

Exercise pairs_of_bigbird() {
  constexpr int kTokens = 512;
  constexpr attention::BigBird kShape{.radius = 3, .globals = 2, .random = 2};
  const attention::Pattern pattern = attention::bigbird_pattern(kTokens, kShape, false);
  constexpr int kLocal = kTokens - kShape.globals;
  const std::int64_t everywhere =
      2 * kShape.globals * kTokens - kShape.globals * kShape.globals;
  const std::int64_t window =
      kLocal * (2 * kShape.radius + 1) - kShape.radius * (kShape.radius + 1);
  const std::int64_t random = kLocal * kShape.random;
  const double density =
      static_cast<double>(pattern.pairs()) / (double{kTokens} * kTokens);
  return {
      .number = 3,
      .question =
          "How sparse is BigBird with a window of 3 on each side, 2 random keys, "
          "2 global tokens and 512 tokens?",
      .steps = {{"rows and columns of global tokens, 2gn - g^2", format(everywhere)},
                {"window of the others, (n-g)(2w+1) - w(w+1)", format(window)},
                {"random keys of the others, (n-g)r", format(random)},
                {"sum", format(everywhere + window + random)},
                {"counted in a drawn pattern", format(pattern.pairs())},
                {"keys of an ordinary row", format(pattern.degree(kTokens / 2))}},
      .answer = format(pattern.pairs()) + " pairs, density " + per_cent(density, 2) +
                ", sparsity " + per_cent(1.0 - density, 2) + ".",
      .published = "6656 pairs, sparsity 97.5 %.",
      .why =
          "An ordinary row has 2w+1+r+g keys, not 2w+1+r+2g; rows of global tokens "
          "have all; windows end at the ends.  Rounded, the sparsity is the same."};
}

/// The largest B with so many bytes for each row and column, 2B^2 for scores and 8B for
/// statistics within `memory`.
int largest_block(int bytes_a_cell, int memory) {
  constexpr int kWidth = 64;
  int block = 0;
  const auto bytes = [&](int b) {
    return bytes_a_cell * b * kWidth + 2 * b * b + 8 * b;
  };
  while (bytes(block + 1) <= memory) {
    ++block;
  }
  return block;
}

Exercise block_size() {
  constexpr int kMemory = 48 * 1024;
  const int plain = largest_block(6, kMemory);
  const int half = largest_block(8, kMemory);
  const int single = largest_block(10, kMemory);
  return {
      .number = 4,
      .question = "Which block size B fits 48 KiB with width 64 and 16 bits?",
      .steps = {{"blocks of Q, K and V, scores, statistics: 6Bd + 2B^2 + 8B bytes",
                 "B <= " + format(plain)},
                {"and an accumulator of 16 bits: 2Bd more", "B <= " + format(half)},
                {"and an accumulator of 32 bits: 4Bd more", "B <= " + format(single)},
                {"the last as a multiple of 16", "B = " + format(single / 16 * 16)}},
      .answer = "B <= " + format(plain) + " without the accumulator, " +
                format(single) + " with one of 32 bits.",
      .published = "48.",
      .why =
          "48 is what is left by an accumulator of 32 bits and multiples of 16, "
          "neither of which the formula has.  To fill the memory is not the aim: "
          "traffic falls with the block of queries alone, so that one should be "
          "large and the block of keys small."};
}

/// Points on a sphere around 0.
std::vector<double> points_on_sphere(int count, int width, double radius, Rng& rng) {
  std::vector<double> all;
  for (int i = 0; i < count; ++i) {
    std::vector<double> point;
    double square = 0.0;
    for (int j = 0; j < width; ++j) {
      point.push_back(rng.normal());
      square += point.back() * point.back();
    }
    for (const double coordinate : point) {
      all.push_back(radius * coordinate / std::sqrt(square));
    }
  }
  return all;
}

/// exp(w'x - |x|^2/2) for every point x and feature w, point by point.
std::vector<double> positive_features(const std::vector<double>& points,
                                      const std::vector<double>& features,
                                      int width) {
  std::vector<double> all;
  const auto d = static_cast<std::size_t>(width);
  for (std::size_t p = 0; p < points.size(); p += d) {
    for (std::size_t w = 0; w < features.size(); w += d) {
      double inner = 0.0;
      double square = 0.0;
      for (std::size_t j = 0; j < d; ++j) {
        inner += features[w + j] * points[p + j];
        square += points[p + j] * points[p + j];
      }
      all.push_back(std::exp(inner - square / 2.0));
    }
  }
  return all;
}

double inner_product(const std::vector<double>& a,
                     int i,
                     const std::vector<double>& b,
                     int j,
                     int width) {
  double sum = 0.0;
  for (int k = 0; k < width; ++k) {
    sum += a[static_cast<std::size_t>(i * width + k)] *
           b[static_cast<std::size_t>(j * width + k)];
  }
  return sum;
}

/// |A^ - A|_F / |A|_F of the kernel A = exp(x'y) and its estimate by m features.
double drawn_error(int m, double radius, Rng rng) {
  constexpr int kPoints = 32;
  constexpr int kWidth = 8;
  const auto x = points_on_sphere(kPoints, kWidth, radius, rng);
  const auto y = points_on_sphere(kPoints, kWidth, radius, rng);
  std::vector<double> features;
  for (int k = 0; k < m * kWidth; ++k) {
    features.push_back(rng.normal());
  }
  const auto of_x = positive_features(x, features, kWidth);
  const auto of_y = positive_features(y, features, kWidth);
  double squared_error = 0.0;
  double squared = 0.0;
  for (int i = 0; i < kPoints; ++i) {
    for (int j = 0; j < kPoints; ++j) {
      const double exact = std::exp(inner_product(x, i, y, j, kWidth));
      const double estimate = inner_product(of_x, i, of_y, j, m) / m;
      squared_error += (estimate - exact) * (estimate - exact);
      squared += exact * exact;
    }
  }
  return std::sqrt(squared_error / squared);
}

double mean_error(int m, double radius) {
  constexpr int kDraws = 20;
  double sum = 0.0;
  for (int draw = 0; draw < kDraws; ++draw) {
    sum += drawn_error(m, radius, Rng(5).fork(static_cast<std::uint64_t>(draw)));
  }
  return sum / kDraws;
}

Exercise feature_bound() {
  constexpr double kRadius = 0.8;
  Exercise e{
      .number = 5,
      .question = "How does the error of random features depend on their number m?",
      .steps = {{"variance of one entry", "A^2 (exp(|x+y|^2) - 1) / m"},
                {"bound for |x|, |y| <= R", "sqrt((exp(4R^2) - 1) / m) |A|_F"}},
      .answer = "",
      .published = "C / sqrt(m), with a C that depends on the dimension.",
      .why =
          "C depends on the norms of queries and keys, not on the dimension as such: "
          "it is sqrt(exp(4R^2) - 1)."};
  for (const int m : {64, 256, 1024}) {
    const double bound = std::sqrt((std::exp(4.0 * kRadius * kRadius) - 1.0) / m);
    e.steps.push_back(
        {"m = " + format(m) + ", R = 0.8: drawn, and the bound",
         format_fixed(mean_error(m, kRadius), 3) + ", " + format_fixed(bound, 3)});
  }
  e.answer = "|A^ - A|_F <= " +
             format_fixed(std::sqrt(std::exp(4.0 * kRadius * kRadius) - 1.0), 2) +
             " / sqrt(m) |A|_F on average, for norms up to 0.8.";
  return e;
}

/// Twelve layers: four full, four with shared keys, four with a window of 256 and 32
/// global tokens.
struct Hybrid {
  static constexpr double kWidth = 768;
  static constexpr double kHeads = 12;
  static constexpr int kRadius = 256;
  static constexpr int kGlobals = 32;

  int tokens;

  [[nodiscard]] double all_pairs() const { return double{1} * tokens * tokens; }
  /// Share of pairs that a window layer scores, each counted once.
  [[nodiscard]] double density() const {
    return static_cast<double>(
               attention::longformer_pattern(tokens, kRadius, kGlobals, false)
                   .pairs()) /
           all_pairs();
  }
  /// The same if window and global pairs are added up.
  [[nodiscard]] double added_density() const {
    const auto window = attention::window_pattern(tokens, kRadius, false).pairs();
    return (static_cast<double>(window) + 2.0 * kGlobals * tokens) / all_pairs();
  }
  /// Of the FLOPs of scores and values.
  [[nodiscard]] static double core_saving(double density) {
    return (1.0 - density) / 3.0;
  }
  /// Of the FLOPs with projections; shared keys save part of those.
  [[nodiscard]] double saving(double density, double groups) const {
    const double maps = 8.0 * kWidth;
    const double core = 4.0 * tokens;
    const double saved_maps = 4.0 * kWidth * (1.0 - groups / kHeads);
    return (saved_maps + core * (1.0 - density)) / (3.0 * (maps + core));
  }
  /// Of the cache of keys and values.
  [[nodiscard]] double cache_saving(double groups) const {
    const double kept = std::min(1.0, static_cast<double>(kRadius + kGlobals) / tokens);
    return (1.0 - groups / kHeads + 1.0 - kept) / 3.0;
  }
};

Exercise hybrid_layers() {
  const auto for_each = [](auto value) {
    std::string text;
    for (const int tokens : {512, 2048, 8192}) {
      text +=
          (text.empty() ? "" : ", ") + format_fixed(100.0 * value(Hybrid{tokens}), 1);
    }
    return text + " %";
  };
  const std::string core =
      for_each([](const Hybrid& h) { return h.core_saving(h.density()); });
  const std::string cache =
      for_each([](const Hybrid& h) { return h.cache_saving(4.0); });
  return {
      .number = 6,
      .question =
          "What do 12 layers save, four of them full, four with grouped keys, four "
          "with "
          "a window of 256 and 32 global tokens (width 768, 12 heads)?  512, 2048 and "
          "8192 tokens.",
      .steps = {{"scores and values, each pair once", core},
                {"the same, window and global pairs added up",
                 for_each([](auto h) { return h.core_saving(h.added_density()); })},
                {"with projections",
                 for_each([](auto h) { return h.saving(h.density(), 4.0); })},
                {"with projections, added up",
                 for_each([](auto h) { return h.saving(h.added_density(), 4.0); })},
                {"cache of keys, 4 groups for 12 heads", cache},
                {"cache of keys, groups of 4 heads",
                 for_each([](auto h) { return h.cache_saving(3.0); })}},
      .answer = core + " of the FLOPs of attention, " + cache + " of the cache.",
      .published = "about 45 % of the FLOPs, about 60 % of the cache.",
      .why =
          "Shared keys save no FLOPs of scores: a third of the layers, the windows, "
          "can save at most a third.  The cache comes near 60 % for long texts only."};
}

Exercise layers_to_reach() {
  constexpr int kTokens = 1024;
  constexpr int kRadius = 32;
  const auto layers = [](int tokens, int radius) {
    return attention::reach(attention::window_pattern(tokens, radius, false), false)
        .value_or(0);
  };
  const int formula = (kTokens - 1 + kRadius - 1) / kRadius;
  return {.number = 7,
          .question =
              "After how many layers with a window of 32 on each side does every "
              "one of 1024 tokens depend on every other?",
          .steps = {{"ceil((n-1) / w)", format(formula)},
                    {"by search in the graph", format(layers(kTokens, kRadius))},
                    {"by search, 129 tokens and a window of 4", format(layers(129, 4))},
                    {"ceil((n-1) / 2w), as published", format((formula + 1) / 2)}},
          .answer = format(layers(kTokens, kRadius)) + " layers.",
          .published = "16 layers.",
          .why =
              "2Lw+1 is the width of what a token sees.  That covers the sequence "
              "only from its middle; from one end to the other it takes twice as "
              "many layers."};
}

Exercise roofline() {
  constexpr double kTokens = 512;
  constexpr double kWidth = 768;
  constexpr double kBandwidth = 25.6e9;
  constexpr double kPeak = 2e12;
  const double ridge = kPeak / kBandwidth;
  const double flops = 4.0 * kTokens * kTokens * kWidth;
  const double flash = 4.0 * kTokens * kWidth * kHalf;
  const auto standard = [&](double heads) {
    return flash + 4.0 * heads * kTokens * kTokens * kHalf;
  };
  const auto point = [&](double bytes) {
    const double intensity = flops / bytes;
    return format_fixed(bytes * 1e-6, 2) + " MB, " + format_fixed(intensity, 0) +
           " FLOP/B, at most " + per_cent(std::min(1.0, intensity / ridge), 0);
  };
  constexpr double kHeadsOfGroup = 8;  // FLOP/B of a step with 16 bits
  return {
      .number = 8,
      .question =
          "Where on the roofline of 25.6 GB/s and 2 TFLOP/s is attention with "
          "512 tokens, width 768, 16 bits?",
      .steps = {{"ridge", format_fixed(ridge, 0) + " FLOP/B"},
                {"FLOPs", format_fixed(flops * 1e-9, 3) + " GFLOP"},
                {"standard, 12 heads", point(standard(12))},
                {"standard, one head", point(standard(1))},
                {"flash", point(flash)},
                {"decoding, 8 heads for each key",
                 format_fixed(kHeadsOfGroup, 0) + " FLOP/B, at most " +
                     per_cent(kHeadsOfGroup / ridge, 0)}},
      .answer =
          "standard is bound by memory with 12 heads, by arithmetic with one; "
          "flash by arithmetic, at most " +
          per_cent(std::min(1.0, flops / flash / ridge), 0) +
          "; decoding by memory, at most " + per_cent(kHeadsOfGroup / ridge, 0) + ".",
      .published = "flash 2 MB and 40 % of the peak; decoding with grouped keys 70 %.",
      .why =
          "Q, K, V and O once are 3.15 MB.  Traffic of the standard form grows with "
          "the heads.  A step of decoding does 2 FLOPs with each number of the cache "
          "for each head of the group."};
}

}  // namespace

Exercise exercise(int number) {
  constexpr std::array kAll{memory_traffic,
                            cache_of_keys,
                            pairs_of_bigbird,
                            block_size,
                            feature_bound,
                            hybrid_layers,
                            layers_to_reach,
                            roofline};
  static_assert(kAll.size() == kExercises);
  return kAll.at(static_cast<std::size_t>(number - 1))();
}

std::string exercise_text(const Exercise& e) {
  constexpr std::size_t kIndent = 12;
  std::string text = wrapped("", "Exercise " + format(e.number) + ": " + e.question, 4);
  for (const Exercise::Step& step : e.steps) {
    text += wrapped("    ", step.what + ": " + step.value, 8);
  }
  text += wrapped("ours        ", e.answer, kIndent);
  text += wrapped("published   ", e.published, kIndent);
  if (!e.why.empty()) {
    text += wrapped("why         ", e.why, kIndent);
  }
  return text;
}

std::string exercise_json(const Exercise& e) {
  JsonArray steps;
  for (const Exercise::Step& step : e.steps) {
    steps.element(JsonObject{{"what", step.what}, {"value", step.value}});
  }
  return JsonObject{{"exercise", e.number},
                    {"question", e.question},
                    {"steps", steps},
                    {"answer", e.answer},
                    {"published", e.published},
                    {"why", e.why}}
             .text() +
         "\n";
}

}  // namespace oa::report
