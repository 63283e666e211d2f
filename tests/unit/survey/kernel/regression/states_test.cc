// Only the states of a sequence are written where there is room for more than 2^32.
#include "survey/kernel/regression/mesa.h"
#include "survey/kernel/regression/ttt.h"
#include "unit/matrices.h"
#include "unit/survey/kernel/scan_test.h"

#include <algorithm>

using namespace oa;
using test::Inside;

namespace {

constexpr int kTokens = 130;
constexpr int kHeads = 2;
constexpr int kWidth = 6;
constexpr int kAll = kHeads * kWidth;

/// Drawn inputs of both kernels.
struct Drawn {
  Rng rng{6};
  Inside q{test::drawn_table(rng, kTokens, kAll, 0.4)};
  Inside k{test::drawn_table(rng, kTokens, kAll, 0.4)};
  Inside v{test::drawn_table(rng, kTokens, kAll)};
  Inside share{test::drawn_table(rng, kTokens, kHeads, 0.1)};
  std::vector<float> ones = std::vector<float>(kAll, 1.0F);
  Arena arena{8U << 20U};
};

/// `run` writes the same states into as many floats as they take, and into 2^32.
template <class Run>
void check_room(std::int64_t floats, const Run& run) {
  num::Buffer exact(static_cast<std::size_t>(floats));
  num::Buffer more(static_cast<std::size_t>(floats));
  Inside first(kTokens, kAll);
  Inside second(kTokens, kAll);
  run(first, exact.span());
  run(second, std::span(more.data(), std::size_t{1} << 32U));
  CHECK(test::same_bits(first.view(), second.view()));
  CHECK(std::ranges::equal(exact.span(), more.span()));
}

}  // namespace

TEST_SUITE_BEGIN("attention");

TEST_CASE("mesa keeps the same states where there is room for more than 2^32 floats") {
  const attention::MesaShape s{kHeads, kWidth, 40, true, 1};
  Drawn x;
  const attention::MesaInput in{x.q, x.k, x.v, x.share, x.share, x.ones};
  check_room(attention::mesa_states(s, kTokens) * attention::mesa_state_size(s),
             [&](Inside& o, std::span<float> states) {
               Inside z(kTokens, kAll);
               attention::mesa_forward(s, in, o, z, states, x.arena);
             });
}

TEST_CASE("ttt keeps the same states where there is room for more than 2^32 floats") {
  const attention::TttShape s{kHeads, kWidth, 8, 1};
  Drawn x;
  const num::Matrix start(kAll, kWidth);
  const attention::TttInput in{x.q, x.k, x.v, x.share, x.ones, x.ones, start};
  check_room(attention::ttt_states(s, kTokens) * attention::ttt_state_size(s),
             [&](Inside& y, std::span<float> states) {
               attention::ttt_forward(s, in, y, states, x.arena);
             });
}

TEST_SUITE_END();
