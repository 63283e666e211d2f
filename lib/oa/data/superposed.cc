#include "oa/base/index.h"
#include "oa/data/choose.h"
#include "oa/data/generators.h"

#include <algorithm>
#include <cmath>
#include <span>

namespace oa {
namespace {

// Overlays are rounded to bytes, so that a file of bytes is exact.
using PictureBytes = std::vector<std::uint8_t>;

void draw_unit_vector(Rng& rng, std::span<float> to) {
  double square = 0.0;
  std::vector<double> v(to.size());
  while (square == 0.0) {
    for (double& x : v) {
      x = rng.normal();
      square += x * x;
    }
  }
  const double scale = 1.0 / std::sqrt(square);
  std::ranges::transform(
      v, to.begin(), [&](double x) { return static_cast<float>(scale * x); });
}

void add_noise(double noise, Rng& rng, std::span<float> to) {
  for (float& x : to) {
    x += static_cast<float>(noise * rng.normal());
  }
}

/// The vectors of one example: `memory` distinct values, then the queries.
class Vectors {
 public:
  Vectors(const Draw& draw, int width, std::span<float> all)
      : draw_(draw),
        width_(at(width)),
        all_(all) {}

  void draw_memory(Rng& rng) {
    const int memory = draw_.options.memory;
    if (!draw_.options.pictures) {
      for (int j = 0; j < memory; ++j) {
        draw_unit_vector(rng, (*this)[j]);
      }
      return;
    }
    bytes_.resize(at(memory) * width_);
    draw_.pictures.draw_some(draw_.split, rng, bytes_);
    std::ranges::transform(bytes_, all_.begin(), number_of);
  }

  /// Makes a query: the noisy sum of amounts[k] times vector members[k],
  /// divided by the largest possible amount.
  void ask(int query,
           std::span<const int> members,
           std::span<const int> amounts,
           Rng& rng) {
    const std::span<float> to = (*this)[draw_.options.memory + query];
    if (draw_.options.pictures) {
      overlay(members, to);
      return;
    }
    for (std::size_t k = 0; k < members.size(); ++k) {
      const auto amount = static_cast<float>(amounts[k]);
      std::ranges::transform(
          to, (*this)[members[k]], to.begin(), [&](float sum, float x) {
            return sum + amount * x;
          });
    }
    add_noise(draw_.options.noise, rng, to);
    const auto most = static_cast<float>(draw_.options.amounts);
    std::ranges::transform(to, to.begin(), [&](float x) { return x / most; });
  }

 private:
  static float number_of(int byte) { return static_cast<float>(byte) / 255.0F; }

  [[nodiscard]] std::span<float> operator[](int token) const {
    return all_.subspan(at(token) * width_, width_);
  }

  /// Averages pictures.  A sum would saturate at white where pictures overlap.
  void overlay(std::span<const int> members, std::span<float> to) const {
    const auto count = static_cast<int>(std::ssize(members));
    for (std::size_t k = 0; k < width_; ++k) {
      int sum = 0;
      for (const int j : members) {
        sum += bytes_[at(j) * width_ + k];
      }
      to[k] = number_of((sum + count / 2) / count);
    }
  }

  const Draw& draw_;
  std::size_t width_;
  std::span<float> all_;
  PictureBytes bytes_;
};

/// Draws the amounts of a query's vectors.
std::vector<int> draw_amounts(const TaskOptions& o, Rng& rng) {
  std::vector<int> amounts(at(o.sum), 1);
  if (o.amounts > 1) {
    for (int& amount : amounts) {
      amount += static_cast<int>(rng.below(static_cast<std::uint32_t>(o.amounts)));
    }
  }
  return amounts;
}

}  // namespace

// A memory has vectors with distinct labels.
// A query is a noisy sum of several vectors, or an overlay of pictures;
// its targets are the labels of these vectors.  If amounts go up to A,
// targets include amounts: class A c + a means that label c occurs more than a times.
Dataset draw_superposed(const Draw& draw) {
  const TaskOptions& o = draw.options;
  const int length = o.memory + o.asking;
  Dataset set = make_sequences(draw.count, length, o.labels, o.labels * o.amounts);
  Sequences& all = set.sequences;
  all.asking = o.asking;
  all.width = o.pictures ? draw.pictures.rows() * draw.pictures.cols() : o.width;
  all.vectors.resize(all.ids.size() * at(all.width));
  set.targets.objective = Objective::Sets;
  set.targets.per_row = o.sum * o.amounts;
  set.targets.rows = o.asking;
  set.targets.numbers.assign(at(draw.count) * at(o.asking) * at(set.targets.per_row),
                             -1);
  const std::size_t size = at(length) * at(all.width);
  auto target = set.targets.numbers.begin();
  for (int i = 0; i < draw.count; ++i) {
    Rng rng = draw.example(i);
    const std::vector<int> labels = choose_distinct(o.labels, o.memory, rng);
    std::ranges::copy(labels, all.ids.begin() + std::ptrdiff_t{i} * length);
    Vectors vectors(
        draw, all.width, std::span(all.vectors).subspan(at(i) * size, size));
    vectors.draw_memory(rng);
    for (int q = 0; q < o.asking; ++q) {
      const std::vector<int> members = choose_distinct(o.memory, o.sum, rng);
      const std::vector<int> amounts = draw_amounts(o, rng);
      vectors.ask(q, members, amounts, rng);
      auto next = target;
      for (std::size_t k = 0; k < members.size(); ++k) {
        for (int a = 0; a < amounts[k]; ++a) {
          *next++ = o.amounts * labels[at(members[k])] + a;
        }
      }
      std::sort(target, next);
      target += set.targets.per_row;
    }
  }
  return set;
}

}  // namespace oa
