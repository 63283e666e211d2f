#include "oa/base/rng.h"

#include <cassert>
#include <cmath>
#include <numbers>

namespace oa {
namespace {

std::array<std::uint32_t, 2> halves(std::uint64_t v) {
  return {static_cast<std::uint32_t>(v), static_cast<std::uint32_t>(v >> 32)};
}

}  // namespace

std::array<std::uint32_t, 4> Rng::philox(std::array<std::uint32_t, 4> counter,
                                         std::array<std::uint32_t, 2> key) {
  auto& c = counter;
  for (int round = 0; round < 10; ++round) {
    const std::uint64_t p0 = std::uint64_t{0xD2511F53} * c[0];
    const std::uint64_t p1 = std::uint64_t{0xCD9E8D57} * c[2];
    c = {halves(p1)[1] ^ c[1] ^ key[0],
         halves(p1)[0],
         halves(p0)[1] ^ c[3] ^ key[1],
         halves(p0)[0]};
    key[0] += 0x9E3779B9;
    key[1] += 0xBB67AE85;
  }
  return counter;
}

Rng Rng::fork(std::uint64_t k) const {
  // Draws use counters (n, 0); forks use (k, 1): the two never coincide.
  const auto [k0, k1] = halves(k);
  const auto block = philox({k0, k1, 1, 0}, halves(key_));
  return Rng(block[0] | std::uint64_t{block[1]} << 32);
}

std::uint32_t Rng::u32() {
  const auto lane = position_ % 4;
  if (lane == 0) {
    const auto [n0, n1] = halves(position_ / 4);
    block_ = philox({n0, n1, 0, 0}, halves(key_));
  }
  ++position_;
  return block_[lane];
}

std::uint64_t Rng::u64() {
  const std::uint64_t low = u32();
  return low | std::uint64_t{u32()} << 32;
}

double Rng::uniform() {
  return static_cast<double>(u64() >> 11) * 0x1p-53;
}

std::uint32_t Rng::below(std::uint32_t n) {
  assert(n > 0);
  // Lemire, "Fast random integer generation in an interval" (2019):
  // multiplies, and draws again if the product would favour some values.
  std::uint64_t product = std::uint64_t{u32()} * n;
  if (static_cast<std::uint32_t>(product) < n) {
    const std::uint32_t reject = (0U - n) % n;
    while (static_cast<std::uint32_t>(product) < reject) {
      product = std::uint64_t{u32()} * n;
    }
  }
  return static_cast<std::uint32_t>(product >> 32);
}

double Rng::normal() {
  if (has_spare_) {
    has_spare_ = false;
    return spare_;
  }
  const double radius = std::sqrt(-2.0 * std::log(1.0 - uniform()));
  const double angle = 2.0 * std::numbers::pi * uniform();
  spare_ = radius * std::sin(angle);
  has_spare_ = true;
  return radius * std::cos(angle);
}

}  // namespace oa
