#include "oa/attention/kernel/decode_cache.h"

#include "oa/attention/kernel/half.h"
#include "oa/base/index.h"

#include <algorithm>
#include <array>
#include <cassert>

namespace oa::attention {
namespace {

// The number of floats after the last row that kernels may read.
constexpr int kBehind = num::kLane;

// Stores the key or value of one token and one group: to[i * step] = from[i].
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
  const std::ptrdiff_t elements = groups * elements_of_group() + kBehind;
  if (numbers == CacheNumbers::Half) {
    memory_ = static_cast<std::uint16_t*>(
        arena.allocate(at(elements) * sizeof(std::uint16_t)));
  } else {
    memory_ = static_cast<float*>(arena.allocate(at(elements) * sizeof(float)));
  }
}

std::ptrdiff_t DecodeCache::elements_of_group() const {
  const int keys = (rows_ + panel() - 1) / panel() * panel();
  return (std::ptrdiff_t{keys} + rows_) * width_;
}

void DecodeCache::put(int row, std::span<const float> k, std::span<const float> v) {
  assert(row < rows_ && k.size() == v.size() &&
         k.size() == static_cast<std::size_t>(groups_ * width_));
  const auto width = static_cast<std::size_t>(width_);
  const int in_panel = row % panel();
  const std::ptrdiff_t first = std::ptrdiff_t{row - in_panel} * 2 * width_;
  const std::ptrdiff_t key = first + in_panel;
  const std::ptrdiff_t value = first + std::ptrdiff_t{panel() + in_panel} * width_;
  for (int g = 0; g < groups_; ++g) {
    const std::size_t from = static_cast<std::size_t>(g) * width;
    std::visit(
        [&](auto* all) {
          auto* const to = of_group(all, g);
          scatter(k.subspan(from, width), to + key, panel());
          scatter(v.subspan(from, width), to + value, 1);
        },
        memory_);
  }
}

}  // namespace oa::attention
