#include "oa/data/pictures.h"

#include "oa/base/index.h"
#include "oa/data/choose.h"
#include "oa/data/digits.h"

#include <algorithm>
#include <cassert>
#include <limits>
#include <utility>

namespace oa {

Pictures::Pictures() : rows_(kDigitSide), cols_(kDigitSide), built_in_(true) {}

Pictures::Pictures(Dataset set)
    : rows_(set.images.rows),
      cols_(set.images.cols),
      built_in_(false),
      set_(std::move(set)) {
  assert(set_.images.channels == 1);
  const int count = set_.images.count;
  const int train = count - count / 6;
  parts_[0].end = train;
  parts_[1].begin = train;
  parts_[1].end = count;
  for (Part& part : parts_) {
    for (int i = part.begin; i < part.end && !set_.labels.empty(); ++i) {
      if (const int digit = set_.labels[at(i)]; digit < 10) {
        part.of_digit[at(digit)].push_back(i);
      }
    }
  }
}

int Pictures::count(Split split) const {
  return built_in_ ? std::numeric_limits<int>::max()
                   : part(split).end - part(split).begin;
}

int Pictures::count_of(Split split, int digit) const {
  return built_in_ ? std::numeric_limits<int>::max()
                   : static_cast<int>(std::ssize(part(split).of_digit[at(digit)]));
}

void Pictures::draw_some(Split split, Rng& rng, std::span<std::uint8_t> to) const {
  const std::size_t size = at(rows_) * at(cols_);
  const int wanted = static_cast<int>(to.size() / size);
  assert(wanted <= count(split));
  if (built_in_) {
    for (int i = 0; i < wanted; ++i) {
      draw_digit_of(
          split, static_cast<int>(rng.below(10)), rng, to.subspan(at(i) * size, size));
    }
    return;
  }
  const std::vector<int> chosen = choose_distinct(count(split), wanted, rng);
  for (int i = 0; i < wanted; ++i) {
    std::ranges::copy(set_.images[part(split).begin + chosen[at(i)]],
                      to.begin() + std::ptrdiff_t{i} * std::ssize(to) / wanted);
  }
}

void Pictures::draw_digit_of(Split split,
                             int digit,
                             Rng& rng,
                             std::span<std::uint8_t> to) const {
  if (built_in_) {
    draw_digit(digit, Rng(rng.u64()), to);
    return;
  }
  const std::vector<int>& all = part(split).of_digit[at(digit)];
  const auto i = rng.below(static_cast<std::uint32_t>(all.size()));
  std::ranges::copy(set_.images[all[i]], to.begin());
}

}  // namespace oa
