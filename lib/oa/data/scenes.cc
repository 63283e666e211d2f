#include "oa/base/index.h"
#include "oa/data/choose.h"
#include "oa/data/generators.h"

#include <algorithm>
#include <array>
#include <cassert>
#include <span>

namespace oa {
namespace {

constexpr int kCell = 8;  // side of a cell in pixels

using CellPixels = std::array<std::uint8_t, kCell * kCell>;

/// Shrinks digits to cells.  A window with 6/7 of the picture's side, at a random
/// position, is divided into blocks, and a cell's pixels are their means.
class SmallDigits {
 public:
  SmallDigits(const Pictures& pictures, Split split)
      : pictures_(pictures),
        split_(split),
        picture_(at(pictures.rows()) * at(pictures.cols())) {}

  [[nodiscard]] CellPixels operator()(int digit, Rng& rng) {
    pictures_.draw_digit_of(split_, digit, rng, picture_);
    const Window down = window(pictures_.rows(), rng);
    const Window across = window(pictures_.cols(), rng);
    CellPixels small{};
    for (int r = 0; r < kCell; ++r) {
      for (int c = 0; c < kCell; ++c) {
        small[at(r * kCell + c)] = mean(down, r, across, c);
      }
    }
    return small;
  }

 private:
  struct Window {
    int begin;
    int extent;

    [[nodiscard]] int edge(int k) const { return begin + k * extent / kCell; }
  };

  static Window window(int side, Rng& rng) {
    const int extent = side - side / 7;
    const auto places = static_cast<std::uint32_t>(side - extent + 1);
    return {static_cast<int>(rng.below(places)), extent};
  }

  [[nodiscard]] std::uint8_t mean(const Window& down,
                                  int r,
                                  const Window& across,
                                  int c) const {
    int sum = 0;
    int pixels = 0;
    for (int y = down.edge(r); y < down.edge(r + 1); ++y) {
      for (int x = across.edge(c); x < across.edge(c + 1); ++x) {
        sum += picture_[at(y) * at(pictures_.cols()) + at(x)];
        ++pixels;
      }
    }
    assert(pixels > 0);
    return static_cast<std::uint8_t>((sum + pixels / 2) / pixels);
  }

  const Pictures& pictures_;
  Split split_;
  std::vector<std::uint8_t> picture_;
};

/// Makes clutter from a digit by moving its quarters round.
CellPixels cluttered(const CellPixels& digit, Rng& rng) {
  constexpr int kHalf = kCell / 2;
  constexpr std::array kCircle = {0, 1, 3, 2};  // quarters: 0 and 1 above 2 and 3
  const auto step = static_cast<int>(1 + rng.below(3));
  CellPixels mixed{};
  for (int k = 0; k < 4; ++k) {
    const int from = kCircle[at(k)];
    const int to = kCircle[at((k + step) % 4)];
    for (int i = 0; i < kHalf * kHalf; ++i) {
      const int y = i / kHalf;
      const int x = i % kHalf;
      mixed[at((to / 2 * kHalf + y) * kCell + to % 2 * kHalf + x)] =
          digit[at((from / 2 * kHalf + y) * kCell + from % 2 * kHalf + x)];
    }
  }
  return mixed;
}

struct Scene {
  std::span<std::uint8_t> pixels;
  int side;  ///< cells per side

  void put(int cell, const CellPixels& small) const {
    const int top = cell / side * kCell;
    const int left = cell % side * kCell;
    for (int y = 0; y < kCell; ++y) {
      std::copy_n(small.begin() + std::ptrdiff_t{y} * kCell,
                  kCell,
                  pixels.begin() + std::ptrdiff_t{top + y} * side * kCell + left);
    }
  }
};

}  // namespace

// Cells have a digit (each digit at most once), clutter or nothing.  The targets are
// the cells of the digits.
Dataset draw_scenes(const Draw& draw) {
  constexpr int kDigits = 10;
  const TaskOptions& o = draw.options;
  const int side = o.cells * kCell;
  Dataset set;
  set.images.count = draw.count;
  set.images.rows = side;
  set.images.cols = side;
  const std::size_t size = set.images.image_size();
  set.images.pixels.resize(at(draw.count) * size);
  set.targets.objective = Objective::Cells;
  set.targets.classes = o.cells * o.cells;
  set.targets.rows = kDigits;
  set.targets.numbers.assign(at(draw.count) * kDigits, -1);
  SmallDigits small_digit(draw.pictures, draw.split);
  for (int i = 0; i < draw.count; ++i) {
    Rng rng = draw.example(i);
    const auto more = static_cast<std::uint32_t>(o.digits_max - o.digits_min + 1);
    const int count = o.digits_min + static_cast<int>(rng.below(more));
    const std::vector<int> digits = choose_distinct(kDigits, count, rng);
    const std::vector<int> cells =
        choose_distinct(o.cells * o.cells, count + o.clutter, rng);
    const Scene scene{std::span(set.images.pixels).subspan(at(i) * size, size),
                      o.cells};
    for (int k = 0; k < count; ++k) {
      scene.put(cells[at(k)], small_digit(digits[at(k)], rng));
      set.targets.numbers[at(i * kDigits + digits[at(k)])] = cells[at(k)];
    }
    for (int k = count; k < count + o.clutter; ++k) {
      const auto digit = static_cast<int>(rng.below(kDigits));
      scene.put(cells[at(k)], cluttered(small_digit(digit, rng), rng));
    }
  }
  return set;
}

}  // namespace oa
