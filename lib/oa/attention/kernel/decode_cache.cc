#include "oa/attention/kernel/decode_cache.h"

#include "oa/attention/kernel/fused_rows.h"
#include "oa/attention/kernel/half.h"

#include <algorithm>
#include <array>
#include <cassert>

namespace oa::attention {
namespace {

// What the last columns of the last row read behind it.
constexpr int kBehind = num::kLane;

// One token's key or value of a group: to[i * step] = from[i].
void scatter(std::span<const float> from, float* to, std::ptrdiff_t step) {
  for (const float x : from) {
    *to = x;
    to += step;
  }
}
void scatter(std::span<const float> from, std::uint16_t* to, std::ptrdiff_t step) {
  std::array<std::uint16_t, 64> bits;
  for (std::size_t i = 0; i < from.size(); i += bits.size()) {
    const auto some = from.subspan(i, std::min(bits.size(), from.size() - i));
    to_half(some, std::span(bits).first(some.size()));
    for (std::size_t j = 0; j < some.size(); ++j) {
      *to = bits[j];
      to += step;
    }
  }
}

}  // namespace

DecodeCache::DecodeCache(
    int rows, int groups, int width, CacheNumbers numbers, Arena& arena)
    : rows_(rows),
      groups_(groups),
      width_(width) {
  const std::ptrdiff_t keys = groups * keys_of_group();
  const std::ptrdiff_t values = groups * values_of_group() + kBehind;
  if (numbers == CacheNumbers::Half) {
    using Bits = std::uint16_t;
    memory_ = DecodeMemory<Bits>{piece<Bits>(arena, keys), piece<Bits>(arena, values)};
  } else {
    memory_ =
        DecodeMemory<float>{piece<float>(arena, keys), piece<float>(arena, values)};
  }
}

std::ptrdiff_t DecodeCache::keys_of_group() const {
  return std::ptrdiff_t{panels_of(rows_, panel())} * panel() * width_;
}

std::ptrdiff_t DecodeCache::values_of_group() const {
  return std::ptrdiff_t{rows_} * width_;
}

void DecodeCache::put(int row, std::span<const float> k, std::span<const float> v) {
  assert(row < rows_ && k.size() == v.size() &&
         k.size() == static_cast<std::size_t>(groups_ * width_));
  const auto width = static_cast<std::size_t>(width_);
  const int first_row = row / panel() * panel();
  const std::ptrdiff_t place = std::ptrdiff_t{first_row} * width_ + row - first_row;
  for (int g = 0; g < groups_; ++g) {
    const std::size_t first = static_cast<std::size_t>(g) * width;
    std::visit(
        [&](const auto& all) {
          const auto to = of_group(all, g);
          scatter(k.subspan(first, width), to.k + place, panel());
          scatter(v.subspan(first, width), to.v + std::ptrdiff_t{row} * width_, 1);
        },
        memory_);
  }
}

}  // namespace oa::attention
