#include "oa/attention/kernel/decode.h"

#include "oa/attention/kernel/half.h"
#include "ref/fused_cases.h"
#include "ref/larger.h"
#include "ref/targets.h"
#include "unit/matrices.h"

#include <doctest/doctest.h>

#include <tuple>

using namespace oa;
using attention::CacheNumbers;
using attention::DecodeCache;
using attention::DecodeQuery;
using attention::DecodeScratch;
using attention::HeadsView;
using attention::Pattern;
using test::HeadsMemory;

namespace {

struct Step {
  HeadsMemory q;
  HeadsMemory k;
  HeadsMemory v;
  HeadsMemory o;
  int heads;
  int groups;
  int width;

  Step(Rng& rng, int rows, int h, int g, int d)
      : q(rng, 1, h * d),
        k(rng, rows, g * d),
        v(rng, rows, g * d),
        o(1, h * d),
        heads(h),
        groups(g),
        width(d) {}

  [[nodiscard]] DecodeQuery query() {
    const float scale = 1.0F / std::sqrt(static_cast<float>(width));
    const auto size = static_cast<std::size_t>(heads * width);
    return {{q.view().row(0), size}, heads, groups, scale};
  }

  // Written in any order, over NaN.
  void run(int threads = 1, CacheNumbers numbers = CacheNumbers::Float) {
    const int rows = k.view().rows;
    const int room = rows + 1;
    const auto all = [&](Arena& a) {
      return std::pair(DecodeCache(room, groups, width, numbers, a),
                       DecodeScratch(heads, width, a));
    };
    Arena arena(bytes_taken(all));
    auto [cache, scratch] = all(arena);
    const auto cols = static_cast<std::size_t>(groups * width);
    const std::vector<float> before(cols, std::numeric_limits<float>::quiet_NaN());
    for (int j = room - 1; j >= 0; --j) {
      cache.put(j, before, before);
    }
    for (int j = rows - 1; j >= 0; --j) {
      cache.put(j, {k.view().row(j), cols}, {v.view().row(j), cols});
    }
    const auto size = static_cast<std::size_t>(heads * width);
    attention::decode(query(), cache, rows, {o.view().row(0), size}, threads, scratch);
  }

  [[nodiscard]] double error() {
    const HeadsView view{q.view(), k.view(), v.view(), heads, groups, query().scale};
    double worst = 0.0;
    for (int h = 0; h < heads; ++h) {
      const auto plain = test::plain_attention(view, Pattern::all(1, k.view().rows), h);
      for (int x = 0; x < width; ++x) {
        worst = test::larger(worst,
                             std::abs(plain.o[0][static_cast<std::size_t>(x)] -
                                      static_cast<double>(o.view()(0, h * width + x))));
      }
    }
    return worst;
  }
};

// Rounds m to half precision.
void round_to_halves(num::View m) {
  for (int i = 0; i < m.rows; ++i) {
    for (int j = 0; j < m.cols; ++j) {
      // A half has 11 bits of precision, for numbers from 2^-14 on.
      int exponent = 0;
      (void)std::frexp(m(i, j), &exponent);
      const int least = std::max(exponent, -13) - 11;
      m(i, j) = std::ldexp(std::nearbyint(std::ldexp(m(i, j), -least)), least);
    }
  }
}

}  // namespace

TEST_CASE("decoding agrees with plain attention of one query") {
  ref::on_each_target([&] {
    Rng rng(1);
    for (const int d : {1, 20, 64, 128}) {
      for (const int rows : {0, 1, 3, 17, 45, 64, 131, 2500}) {
        for (const auto& [heads, groups] :
             {std::pair(1, 1), std::pair(15, 1), std::pair(4, 2), std::pair(16, 2)}) {
          CAPTURE(d);
          CAPTURE(rows);
          CAPTURE(heads);
          Step s(rng, rows, heads, groups, d);
          s.run();
          CHECK(s.error() < 3e-6);
          CHECK(s.o.others_untouched());
        }
      }
    }
  });
}

TEST_CASE("decoding agrees where each key is better than those before") {
  ref::on_each_target([&] {
    Rng rng(5);
    // 4500 rows are several parts.
    for (const auto& [rows, heads, groups, d] :
         {std::tuple(300, 16, 2, 16), std::tuple(4500, 15, 1, 64)}) {
      CAPTURE(rows);
      Step s(rng, rows, heads, groups, d);
      for (int h = 0; h < heads; ++h) {
        s.q.view()(0, d * h) = 4.0F;
      }
      for (int i = 0; i < rows; ++i) {
        s.k.view()(i, 0) = 0.125F * static_cast<float>(i);
        for (int g = 1; g < groups; ++g) {
          s.k.view()(i, g * d) = i % 7 == 0 ? 2.0F * static_cast<float>(i) : 0.0F;
        }
      }
      s.run();
      CHECK(s.error() < 1e-4);  // logits of 600 have steps of 6e-5
    }
  });
}

TEST_CASE(
    "decoding from a cache in half precision is exact for representable numbers") {
  ref::on_each_target([&] {
    Rng rng(2);
    for (const auto& [rows, heads, groups, d] : {std::tuple(777, 4, 2, 3),
                                                 std::tuple(777, 4, 2, 16),
                                                 std::tuple(777, 4, 2, 40),
                                                 std::tuple(777, 4, 2, 100),
                                                 std::tuple(4500, 15, 1, 128)}) {
      CAPTURE(d);
      Step s(rng, rows, heads, groups, d);
      s.run(1, CacheNumbers::Half);
      CHECK(s.error() > 1e-5);
      CHECK(s.error() < 2e-2);
      round_to_halves(s.k.view());
      round_to_halves(s.v.view());
      s.run(1, CacheNumbers::Half);
      CHECK(s.error() < 3e-6);
    }
  });
}

TEST_CASE("half precision rounds to nearest, ties to even") {
  const std::vector<float> from{1.0F,
                                -2.5F,
                                1.00048828125F,
                                1.0014648F,
                                65504.0F,
                                65520.0F,
                                1e9F,
                                6e-8F,
                                2e-8F,
                                -0.0F};
  const std::vector<std::uint16_t> expected{
      0x3C00, 0xC100, 0x3C00, 0x3C02, 0x7BFF, 0x7C00, 0x7C00, 0x0001, 0x0000, 0x8000};
  std::vector<std::uint16_t> to(from.size());
  attention::to_half(from, to);
  CHECK(to == expected);
}

TEST_CASE("decoding is the same for any number of threads") {
  Rng rng(3);
  Step s(rng, 5000, 4, 2, 24);
  s.run(1);
  HeadsMemory one = s.o;
  for (const int threads : {2, 3}) {
    s.run(threads);
    CHECK(test::same_bits(s.o.view(), one.view()));
  }
}

TEST_CASE("decoding with large logits is finite, and with NaN it is NaN") {
  Rng rng(4);
  Step s(rng, 3000, 2, 2, 8);
  for (int i = 0; i < 3000; ++i) {
    s.k.view()(i, 0) = i % 2 == 0 ? 1e4F : -1e4F;
  }
  s.q.view()(0, 0) = std::sqrt(8.0F);
  s.run();
  CHECK(s.error() < 2e-3);  // logits of 10000 have steps of 0.001
  s.v.view()(2999, 1) = std::numeric_limits<float>::quiet_NaN();
  s.k.view()(5, 9) = std::numeric_limits<float>::quiet_NaN();
  s.run();
  CHECK(std::isfinite(s.o.view()(0, 0)));
  CHECK(std::isnan(s.o.view()(0, 1)));
  CHECK(std::isnan(s.o.view()(0, 8)));
}
