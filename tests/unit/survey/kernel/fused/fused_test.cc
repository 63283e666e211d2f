#include "survey/kernel/fused/fused.h"

#include "ref/fused_cases.h"
#include "ref/larger.h"
#include "ref/targets.h"
#include "survey/kernel/fused/flash1.h"
#include "unit/matrices.h"

#include <doctest/doctest.h>

#include <vector>

using namespace oa;
using attention::FusedPlan;
using attention::FusedScratch;
using attention::HeadsShape;
using attention::HeadsView;
using attention::Pattern;
using test::HeadsMemory;

namespace {

struct Sequence {
  int queries;
  int keys;
  int heads;
  int groups;
  int width;

  HeadsMemory q;
  HeadsMemory k;
  HeadsMemory v;
  HeadsMemory o;
  num::Matrix log_sums;

  Sequence(Rng& rng, int n, int m, int h, int g, int d)
      : queries(n),
        keys(m),
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

  void run(const Pattern& pattern, const FusedPlan& plan, int threads = 1) {
    const HeadsShape shape = HeadsShape::of(view());
    Arena arena(
        bytes_taken([&](Arena& a) { return FusedScratch(shape, plan, threads, a); }));
    const FusedScratch scratch(shape, plan, threads, arena);
    attention::fused_forward(view(), pattern, o.view(), log_sums, scratch);
  }
  void run(const Pattern& pattern, int threads = 1) {
    run(pattern, attention::plan_fused(HeadsShape::of(view())), threads);
  }

  void run_flash1(const Pattern& pattern) {
    const HeadsShape shape = HeadsShape::of(view());
    const FusedPlan plan = attention::plan_fused(shape);
    Arena arena(bytes_taken([&](Arena& a) {
      (void)attention::flash1_sums(shape, a);
      return FusedScratch(shape, plan, 1, a);
    }));
    const auto sums = attention::flash1_sums(shape, arena);
    const FusedScratch scratch(shape, plan, 1, arena);
    attention::flash1_forward(view(), pattern, o.view(), log_sums, scratch, sums);
  }

  // The largest error of outputs and of logarithms of sums.
  [[nodiscard]] double error(const Pattern& pattern) {
    double worst = 0.0;
    for (int h = 0; h < heads; ++h) {
      const test::PlainHead plain = test::plain_attention(view(), pattern, h);
      for (int i = 0; i < queries; ++i) {
        const auto at = static_cast<std::size_t>(i);
        if (pattern.degree(i) == 0) {
          CHECK(log_sums(h, i) == -std::numeric_limits<float>::infinity());
        } else {
          worst = test::larger(
              worst,
              std::abs(plain.log_sums[at] - static_cast<double>(log_sums(h, i))));
        }
        for (int x = 0; x < width; ++x) {
          worst =
              test::larger(worst,
                           std::abs(plain.o[at][static_cast<std::size_t>(x)] -
                                    static_cast<double>(o.view()(i, h * width + x))));
        }
      }
    }
    return worst;
  }
};

/// Blocks of a checkerboard.
Pattern every_other_block(int tokens, int block) {
  std::vector<std::int64_t> first{0};
  std::vector<attention::Run> runs;
  for (int i = 0; i < tokens; ++i) {
    for (int j = i / block % 2 * block; j < tokens; j += 2 * block) {
      runs.push_back({j, j + block});
    }
    first.push_back(std::ssize(runs));
  }
  return Pattern::of_runs(tokens, first, std::move(runs));
}

}  // namespace

TEST_CASE("fused attention agrees with plain attention in doubles") {
  ref::on_each_target([&] {
    Rng rng(3);
    for (const int d : {1, 20, 64, 72}) {
      for (const int n : {1, 6, 49, 64, 131, 300}) {
        const int m = n == 49 ? 70 : n;
        const int groups = d == 20 ? 2 : 1;
        Sequence s(rng, n, m, d == 64 ? 1 : 4, groups, d);
        for (const Pattern& pattern : {Pattern::all(n, m),
                                       Pattern::band(n, m, n, 0),
                                       Pattern::band(n, m, 37, 0),
                                       Pattern::band(n, m, 5, 9),
                                       test::random_runs(rng, n, m)}) {
          CAPTURE(d);
          CAPTURE(n);
          s.run(pattern);
          CHECK(s.error(pattern) < 3e-6);
          CHECK(s.o.others_untouched());
          s.run_flash1(pattern);
          CHECK(s.error(pattern) < 3e-6);
          CHECK(s.o.others_untouched());
        }
      }
    }
  });
}

TEST_CASE("heads of a group share tiles, however many they are") {
  ref::on_each_target([&] {
    Rng rng(6);
    for (const int heads : {2, 3, 5, 9}) {
      for (const int n : {66, 67, 133, 200}) {
        Sequence s(rng, n, n, 2 * heads, 2, 16);
        for (const Pattern& pattern : {Pattern::band(n, n, n, 0),
                                       Pattern::band(n, n, 40, 3),
                                       test::random_runs(rng, n, n)}) {
          CAPTURE(heads);
          CAPTURE(n);
          s.run(pattern);
          CHECK(s.error(pattern) < 3e-6);
          CHECK(s.o.others_untouched());
        }
      }
    }
  });
}

TEST_CASE("queries that all see the same keys, some runs of them in one panel") {
  const std::vector<attention::Run> seen{
      {3, 5}, {7, 8}, {10, 70}, {130, 131}, {140, 150}, {190, 200}};
  ref::on_each_target([&] {
    Rng rng(5);
    for (const int n : {1, 64, 150}) {
      std::vector<std::int64_t> first{0};
      std::vector<attention::Run> runs;
      for (int i = 0; i < n; ++i) {
        runs.insert(runs.end(), seen.begin(), seen.end());
        first.push_back(std::ssize(runs));
      }
      const Pattern pattern = Pattern::of_runs(200, first, std::move(runs));
      Sequence s(rng, n, 200, 2, 1, 20);
      CAPTURE(n);
      s.run(pattern);
      CHECK(s.error(pattern) < 3e-6);
      s.run_flash1(pattern);
      CHECK(s.error(pattern) < 3e-6);
    }
  });
}

TEST_CASE("narrow windows, whose keys are packed when a tile needs them") {
  ref::on_each_target([&] {
    Rng rng(24);
    for (const int m : {1400, 1600}) {
      const int n = 1600;
      Sequence s(rng, n, m, 4, 2, 8);
      for (const Pattern& pattern : {Pattern::band(n, m, 20, 0),
                                     Pattern::band(n, m, 0, 30),
                                     Pattern::band(n, m, 100, 100)}) {
        s.run(pattern, 1);
        CHECK(s.error(pattern) < 3e-6);
        HeadsMemory one = s.o;
        for (const int threads : {2, 3, 7}) {
          s.run(pattern, threads);
          CHECK(test::same_bits(s.o.view(), one.view()));
        }
      }
    }
  });
}

TEST_CASE("fused attention of large and of growing logits is finite and right") {
  ref::on_each_target([&] {
    Rng rng(7);
    const int n = 400;
    Sequence s(rng, n, n, 1, 1, 8);
    // Logits grow by 5 a key up to 1000: the reference of each row is raised many
    // times.
    for (int j = 0; j < n; ++j) {
      for (int x = 0; x < 8; ++x) {
        s.k.view()(j, x) = x == 0 ? static_cast<float>(j) * 2.5F : 0.0F;
        s.q.view()(j, x) =
            x == 0 ? std::sqrt(8.0F) * (j % 2 == 0 ? 1.0F : -1.0F) : 0.0F;
      }
    }
    for (const Pattern& pattern : {Pattern::all(n, n), Pattern::causal(n)}) {
      s.run(pattern);
      CHECK(s.error(pattern) < 1e-4);  // of logarithms of about 1000
    }
    for (int j = 0; j < n; ++j) {
      s.k.view()(j, 0) = j % 3 == 0 ? 1e4F : -1e4F;
    }
    const Pattern pattern = Pattern::band(n, n, 50, 3);
    s.run(pattern);
    CHECK(s.error(pattern) < 1e-2);  // of logarithms of about 10000
  });
}

TEST_CASE("long keys change no bit of the queries that do not see them") {
  ref::on_each_target([&] {
    for (const int n : {50, 300, 900}) {
      CAPTURE(n);
      Rng rng(21);
      Sequence s(rng, n, n, 2, 1, 40);
      const Pattern pattern = Pattern::causal(n);
      s.run(pattern);
      HeadsMemory before = s.o;
      const num::Matrix log_sums = s.log_sums;
      // No logit was far from 0 before, so there were no references.
      for (int j = 0; j < s.width; ++j) {
        s.k.view()(n - 1, j) *= 1000.0F;
      }
      s.run(pattern);
      for (int h = 0; h < s.heads; ++h) {
        CHECK(std::equal(log_sums.row(h), log_sums.row(h) + n - 1, s.log_sums.row(h)));
      }
      CHECK(test::same_bits(s.o.view().top(n - 1), before.view().top(n - 1)));
      CHECK(s.error(pattern) < 1e-3);
    }
  });
}

TEST_CASE("logits near the limit for a reference") {
  ref::on_each_target([&] {
    for (const float factor : {2.0F, 4.0F, 8.0F, 32.0F}) {
      CAPTURE(factor);
      Rng rng(22);
      Sequence s(rng, 200, 200, 1, 1, 16);
      for (int i = 0; i < 200; ++i) {
        for (int j = 0; j < 16; ++j) {
          s.q.view()(i, j) *= factor * (i % 5 == 0 ? 30.0F : 1.0F);
        }
      }
      for (const Pattern& pattern : {Pattern::all(200, 200), Pattern::causal(200)}) {
        s.run(pattern);
        CHECK(s.error(pattern) < 1e-3);
      }
    }
  });
}

TEST_CASE("flash1 raises the reference of a row from one block of keys to the next") {
  ref::on_each_target([&] {
    Rng rng(23);
    Sequence s(rng, 20, 600, 1, 1, 8);
    for (int i = 0; i < 20; ++i) {
      s.q.view()(i, 0) = 30.0F;
    }
    for (int j = 0; j < 600; ++j) {
      s.k.view()(j, 0) = j < 300 ? -30.0F : 0.0F;
    }
    const Pattern pattern = Pattern::all(20, 600);
    s.run_flash1(pattern);
    CHECK(s.error(pattern) < 1e-3);
  });
}

TEST_CASE("values that are not finite reach the queries whose blocks have them") {
  ref::on_each_target([&] {
    for (const int block : {16, 32, 64, 128}) {
      for (const int width : {20, 64}) {  // values are copied, or read where they are
        CAPTURE(block);
        CAPTURE(width);
        constexpr int kTokens = 256;
        const Pattern pattern = every_other_block(kTokens, block);
        CHECK(pattern.grain() == block);
        Rng rng(9);
        Sequence s(rng, kTokens, kTokens, 1, 1, width);
        s.run(pattern);
        CHECK(s.error(pattern) < 1e-5);
        s.v.view()(90, 7) = std::numeric_limits<float>::infinity();
        s.run(pattern);
        for (int i = 0; i < kTokens; ++i) {
          CAPTURE(i);
          CHECK(std::isfinite(s.o.view()(i, 7)) != pattern.allows(i, 90));
          CHECK(std::isfinite(s.o.view()(i, 8)));
        }
      }
    }
  });
}

TEST_CASE("a reference that rises behind keys that are not seen lowers all weights") {
  ref::on_each_target([&] {
    Rng rng(25);
    Sequence s(rng, 20, 160, 1, 1, 8);
    for (int i = 0; i < 20; ++i) {
      s.q.view()(i, 0) = 30.0F;
    }
    for (int j = 0; j < 160; ++j) {
      s.k.view()(j, 0) = j < 96 ? 0.0F : 6.0F;  // logits of 0, then of 64
    }
    std::vector<std::int64_t> first{0};
    std::vector<attention::Run> runs;
    for (int i = 0; i < 20; ++i) {
      runs.push_back({0, 64});
      runs.push_back({96 + i % 2, 160});
      first.push_back(std::ssize(runs));
    }
    const Pattern pattern = Pattern::of_runs(160, first, std::move(runs));
    s.run(pattern);
    CHECK(s.error(pattern) < 1e-4);
  });
}

TEST_CASE("NaN and infinity reach only the queries that see them") {
  ref::on_each_target([&] {
    for (const float bad : {std::numeric_limits<float>::quiet_NaN(),
                            std::numeric_limits<float>::infinity()}) {
      Rng rng(8);
      Sequence s(rng, 150, 150, 2, 2, 20);
      const Pattern pattern = Pattern::causal(150);
      s.run(pattern);
      HeadsMemory good = s.o;
      s.k.view()(77, 3) = bad;   // head 0
      s.v.view()(90, 25) = bad;  // head 1
      s.q.view()(11, 30) = bad;  // head 1
      s.run(pattern);
      for (int i = 0; i < 150; ++i) {
        for (int j = 0; j < 40; ++j) {
          CAPTURE(i);
          CAPTURE(j);
          // A logit of -infinity is a weight of 0.
          const bool unseen = bad > 0.0F && s.q.view()(i, 3) < 0.0F;
          if (j < 20 ? i >= 77 && !unseen : i == 11 || (i >= 90 && j == 25)) {
            CHECK_FALSE(std::isfinite(s.o.view()(i, j)));
          } else if (j >= 20 || i < 77) {
            CHECK(s.o.view()(i, j) == doctest::Approx(good.view()(i, j)).epsilon(1e-4));
          } else {
            CHECK(std::isfinite(s.o.view()(i, j)));
          }
        }
      }
    }
  });
}
