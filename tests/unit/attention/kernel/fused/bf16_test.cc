#include "oa/attention/kernel/fused/fused.h"
#include "ref/amx_or_not.h"
#include "ref/fused_cases.h"
#include "ref/larger.h"

#include <doctest/doctest.h>

#include <bit>
#include <vector>

using namespace oa;
using attention::FusedPlan;
using attention::FusedScratch;
using attention::HeadsShape;
using attention::HeadsView;
using attention::Pattern;
using attention::Precision;
using test::HeadsMemory;

namespace {

// The largest root mean square error of each precision, relative to the right value.
struct Bound {
  Precision precision;
  double error;
};
constexpr Bound kBounds[] = {{Precision::Bf16, 4e-3}, {Precision::Int8, 1.3e-2}};

struct RoundedSequence {
  int queries;
  int heads;
  int groups;
  int width;

  HeadsMemory q;
  HeadsMemory k;
  HeadsMemory v;
  HeadsMemory o;
  num::Matrix log_sums;

  RoundedSequence(Rng& rng, int n, int m, int h, int g, int d)
      : queries(n),
        heads(h),
        groups(g),
        width(d),
        q(rng, n, h * d),
        k(rng, m, g * d),
        v(rng, m, g * d),
        o(n, h * d),
        log_sums(h, n) {}

  [[nodiscard]] HeadsView view() {
    const float scale = 1.0F / std::sqrt(static_cast<float>(width));
    return {q.view(), k.view(), v.view(), heads, groups, scale};
  }

  void run(const Pattern& pattern, Precision precision, int threads = 1) {
    const HeadsShape shape = HeadsShape::of(view());
    const FusedPlan plan = attention::plan_fused(shape, 0, precision);
    Arena arena(bytes_taken(
        [&](Arena& a) { return FusedScratch(shape, plan, threads, a, precision); }));
    const FusedScratch scratch(shape, plan, threads, arena, precision);
    attention::fused_forward(view(), pattern, o.view(), log_sums, scratch);
  }

  // Root mean square error of outputs, relative to the right values.
  [[nodiscard]] double error(const Pattern& pattern) {
    double wrong = 0.0;
    double right = 0.0;
    double worst_log = 0.0;
    for (int h = 0; h < heads; ++h) {
      const test::PlainHead plain = test::plain_attention(view(), pattern, h);
      for (int i = 0; i < queries; ++i) {
        const auto at = static_cast<std::size_t>(i);
        if (pattern.degree(i) == 0) {
          CHECK(log_sums(h, i) == -std::numeric_limits<float>::infinity());
        } else {
          const double difference =
              plain.log_sums[at] - static_cast<double>(log_sums(h, i));
          worst_log = test::larger(worst_log, std::abs(difference));
        }
        for (int x = 0; x < width; ++x) {
          const double o_plain = plain.o[at][static_cast<std::size_t>(x)];
          const double difference =
              o_plain - static_cast<double>(o.view()(i, h * width + x));
          wrong += difference * difference;
          right += o_plain * o_plain;
        }
      }
    }
    CHECK(worst_log < 0.05);
    return right > 0.0 ? std::sqrt(wrong / right) : std::sqrt(wrong);
  }
};

}  // namespace

TEST_CASE("fused attention in bfloat16 and with keys of 8 bits has a small error") {
  test::AmxOrNot().each([&](bool amx) {
    CAPTURE(amx);
    Rng rng(3);
    for (const Bound& bound : kBounds) {
      for (const int d : {1, 7, 20, 64, 72, 129}) {
        for (const int n : {1, 6, 49, 131, 300}) {
          const int m = n == 49 ? 70 : n;
          const int groups = d == 20 ? 2 : 1;
          RoundedSequence s(rng, n, m, d == 64 ? 1 : 4, groups, d);
          for (const Pattern& pattern : {Pattern::all(n, m),
                                         Pattern::band(n, m, n, 0),
                                         Pattern::band(n, m, 37, 0),
                                         Pattern::band(n, m, 5, 9),
                                         test::random_runs(rng, n, m)}) {
            CAPTURE(d);
            CAPTURE(n);
            s.run(pattern, bound.precision);
            // With few numbers the error may by chance be larger.
            const double chance = d < 20 || n < 64 ? 3.0 : 1.1;
            CHECK(s.error(pattern) < bound.error * chance);
            CHECK(s.o.others_untouched());
          }
        }
      }
    }
  });
}

TEST_CASE("the error of precisions is the stated one for many keys") {
  test::AmxOrNot().each([&](bool amx) {
    CAPTURE(amx);
    for (const Bound& bound : kBounds) {
      Rng rng(4);
      RoundedSequence s(rng, 1024, 1024, 1, 1, 64);
      for (const Pattern& pattern : {Pattern::all(1024, 1024), Pattern::causal(1024)}) {
        s.run(pattern, bound.precision);
        const double error = s.error(pattern);
        MESSAGE("relative rms ", error);
        CHECK(error < bound.error);
        CHECK(error > bound.error / 4);  // it is this precision
      }
    }
  });
}

TEST_CASE("other precisions do not depend on the number of threads") {
  test::AmxOrNot().each([&](bool amx) {
    CAPTURE(amx);
    Rng rng(5);
    RoundedSequence s(rng, 500, 500, 4, 2, 24);
    for (const Bound& bound : kBounds) {
      for (const Pattern& pattern :
           {Pattern::causal(500), test::random_runs(rng, 500, 500)}) {
        s.run(pattern, bound.precision, 1);
        HeadsMemory one = s.o;
        s.run(pattern, bound.precision, 3);
        for (int i = 0; i < 500; ++i) {
          for (int j = 0; j < 96; ++j) {
            REQUIRE(std::bit_cast<std::uint32_t>(s.o.view()(i, j)) ==
                    std::bit_cast<std::uint32_t>(one.view()(i, j)));
          }
        }
      }
    }
  });
}

TEST_CASE("other precisions bear large logits, growing ones and no keys") {
  test::AmxOrNot().each([&](bool amx) {
    CAPTURE(amx);
    for (const Bound& bound : kBounds) {
      Rng rng(7);
      const int n = 400;
      RoundedSequence s(rng, n, n, 1, 1, 8);
      // Logits are whole and grow by 5 a key: the last key has nearly all weight.
      for (int j = 0; j < n; ++j) {
        for (int x = 0; x < 8; ++x) {
          s.k.view()(j, x) = x == 0 ? static_cast<float>(j) * 2.5F : 0.0F;
          s.q.view()(j, x) = x == 0 ? std::sqrt(8.0F) : 0.0F;
        }
      }
      s.run(Pattern::causal(n), bound.precision);
      for (int i = 0; i < n; ++i) {
        for (int x = 0; x < 8; ++x) {
          REQUIRE(std::isfinite(s.o.view()(i, x)));
        }
      }
      for (int j = 0; j < n; ++j) {
        s.k.view()(j, 0) = j % 3 == 0 ? 1e4F : -1e4F;
      }
      s.run(Pattern::band(n, n, 50, 3), bound.precision);
      for (int i = 0; i < n; ++i) {
        for (int x = 0; x < 8; ++x) {
          REQUIRE(std::isfinite(s.o.view()(i, x)));
        }
      }
      RoundedSequence no_keys(rng, 5, 0, 2, 1, 8);
      no_keys.run(Pattern::all(5, 0), bound.precision);
      CHECK(no_keys.error(Pattern::all(5, 0)) == 0.0);
    }
  });
}

TEST_CASE("in other precisions NaN and infinity reach the queries that see them") {
  test::AmxOrNot().each([&](bool amx) {
    CAPTURE(amx);
    for (const Bound& bound : kBounds) {
      for (const float bad : {std::numeric_limits<float>::quiet_NaN(),
                              std::numeric_limits<float>::infinity()}) {
        CAPTURE(bad);
        Rng rng(8);
        RoundedSequence s(rng, 150, 150, 2, 2, 20);
        const Pattern pattern = Pattern::causal(150);
        s.run(pattern, bound.precision);
        HeadsMemory good = s.o;
        s.v.view()(90, 25) = bad;  // head 1
        s.q.view()(11, 30) = bad;  // head 1
        s.run(pattern, bound.precision);
        for (int i = 0; i < 150; ++i) {
          for (int j = 0; j < 40; ++j) {
            CAPTURE(i);
            CAPTURE(j);
            if (j >= 20 && (i == 11 || (i >= 90 && j == 25))) {
              CHECK_FALSE(std::isfinite(s.o.view()(i, j)));
            } else {
              CHECK(s.o.view()(i, j) ==
                    doctest::Approx(good.view()(i, j)).epsilon(1e-2));
            }
          }
        }
      }
    }
  });
}

TEST_CASE("AMX tiles and vectors differ only by rounding of weights") {
  Rng rng(9);
  for (const Bound& bound : kBounds) {
    for (const int d : {5, 64, 150}) {
      for (const int n : {17, 260}) {
        RoundedSequence s(rng, n, n, 2, 1, d);
        for (const Pattern& pattern :
             {Pattern::causal(n), test::random_runs(rng, n, n)}) {
          std::vector<HeadsMemory> outputs;
          test::AmxOrNot().each([&](bool /*amx*/) {
            s.run(pattern, bound.precision);
            outputs.push_back(s.o);
          });
          if (outputs.size() < 2) {
            continue;
          }
          double difference = 0.0;
          double size = 0.0;
          for (int i = 0; i < n; ++i) {
            for (int j = 0; j < 2 * d; ++j) {
              const auto one = static_cast<double>(outputs[0].view()(i, j));
              const auto other = static_cast<double>(outputs[1].view()(i, j));
              difference += (one - other) * (one - other);
              size += other * other;
            }
          }
          CAPTURE(d);
          CAPTURE(n);
          CHECK(std::sqrt(difference) < 1e-4 * std::sqrt(size));
        }
      }
    }
  }
}
