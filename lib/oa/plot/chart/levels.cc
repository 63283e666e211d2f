#include "oa/plot/chart/levels.h"

#include "oa/base/number.h"
#include "oa/plot/axes.h"
#include "oa/plot/palette.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdlib>
#include <optional>
#include <string_view>

namespace oa::plot {
namespace {

constexpr double kLevelsLeft = 64.0;
constexpr double kLevelsWidth = 408.0;
constexpr double kMinLevels = 256.0;  // narrower charts are stacked
constexpr double kLevelsHeight = 240.0;
constexpr double kBetweenLevels = 72.0;

/// The matrices of one task as levels, upper triangle only.
struct Ising {
  std::vector<std::int64_t> couplings;
  std::vector<std::int64_t> fields;
  int spins = 0;
};

class Matrix {
 public:
  Matrix(std::span<const std::int64_t> cells, int n) : cells_(cells), n_(n) {}

  [[nodiscard]] std::int64_t operator()(int i, int j) const {
    return cells_[static_cast<std::size_t>(i) * static_cast<std::size_t>(n_) +
                  static_cast<std::size_t>(j)];
  }
  [[nodiscard]] int n() const { return n_; }

  [[nodiscard]] bool upper_triangular() const {
    for (int i = 0; i < n_; ++i) {
      for (int j = 0; j < i; ++j) {
        if ((*this)(i, j) != 0) {
          return false;
        }
      }
    }
    return true;
  }

 private:
  std::span<const std::int64_t> cells_;
  int n_;
};

std::optional<Ising> from_ising(const Matrix& m) {
  Ising ising;
  ising.spins = m.n();
  for (int i = 0; i < m.n(); ++i) {
    if (m(i, i) != 0) {
      return std::nullopt;
    }
    for (int j = i + 1; j < m.n(); ++j) {
      if (m(i, j) != m(j, i)) {
        return std::nullopt;
      }
      (j + 1 < m.n() ? ising.couplings : ising.fields).push_back(m(i, j));
    }
  }
  return ising;
}

std::optional<Ising> from_qubo(const Matrix& q) {
  Ising ising;
  ising.spins = q.n() + 1;
  for (int i = 0; i < q.n(); ++i) {
    std::int64_t sum = 0;  // sum of the couplings of i, times -8
    for (int j = 0; j < q.n(); ++j) {
      const std::int64_t cell = i == j ? 0 : q(std::min(i, j), std::max(i, j));
      sum += cell;
      if (cell % 8 != 0) {
        return std::nullopt;
      }
      if (i < j) {
        ising.couplings.push_back(-cell / 8);
      }
    }
    const std::int64_t field = -sum / 2 - q(i, i);  // the field times 4
    if (field % 4 != 0) {
      return std::nullopt;
    }
    ising.fields.push_back(field / 4);
  }
  return ising;
}

/// The height is log10(1 + count): unused levels are on the base line.
double height_of(std::int64_t count) {
  return std::log10(1.0 + static_cast<double>(count));
}

void draw_histogram(std::span<const std::int64_t> counts,
                    std::string_view name,
                    const Words& words,
                    Color color,
                    Point corner,
                    double width,
                    Scene& scene) {
  const std::int64_t most = *std::ranges::max_element(counts);
  const LevelUse use = level_use(counts);
  const double top = std::max(1.0, std::ceil(height_of(most)));
  constexpr double kEdge = Levels::kHighest + 0.5;
  const Frame frame{corner, width, kLevelsHeight, {-kEdge, kEdge}, {0.0, top}};
  for (int e = 0; e <= static_cast<int>(top); ++e) {
    const double y = frame.at(0.0, height_of(std::llround(std::pow(10.0, e)))).y;
    if (y < corner.y) {
      break;
    }
    scene.fine_line({corner.x, y}, {corner.x + width, y}, kFaint);
    scene.text({corner.x - 6.0, y + 4.0},
               format_grouped(std::llround(std::pow(10.0, e))),
               10.0,
               Align::Right,
               kGray);
  }
  draw_note({corner.x, corner.y - 10.0},
            words(name, {format(use.largest), format(use.distinct)}),
            11.0,
            kInk,
            scene);
  for (std::size_t k = 0; k < counts.size(); ++k) {
    if (counts[k] > 0) {
      const double level = static_cast<double>(k) - Levels::kHighest;
      const Point left = frame.at(level - 0.5, height_of(counts[k]));
      scene.rectangle(left,
                      width / static_cast<double>(counts.size()),
                      corner.y + kLevelsHeight - left.y,
                      color);
    }
  }
  scene.fine_line({corner.x, corner.y + kLevelsHeight},
                  {corner.x + width, corner.y + kLevelsHeight},
                  kInk);
  draw_x_axis(frame, words("level"), scene);
}

}  // namespace

bool Levels::add_matrix(std::span<const std::int64_t> cells, int n) {
  const Matrix matrix(cells, n);
  const auto ising = matrix.upper_triangular() ? from_qubo(matrix) : from_ising(matrix);
  const auto fits = [](std::int64_t level) {
    return -kHighest <= level && level <= kHighest;
  };
  if (!ising || !std::ranges::all_of(ising->couplings, fits) ||
      !std::ranges::all_of(ising->fields, fits)) {
    return false;
  }
  ++tasks;
  spins_max = std::max(spins_max, ising->spins);
  for (const std::int64_t level : ising->couplings) {
    ++couplings[static_cast<std::size_t>(level + kHighest)];
  }
  for (const std::int64_t level : ising->fields) {
    ++fields[static_cast<std::size_t>(level + kHighest)];
  }
  return true;
}

LevelUse level_use(std::span<const std::int64_t> counts) {
  LevelUse use;
  for (std::size_t k = 0; k < counts.size(); ++k) {
    if (counts[k] > 0) {
      const int level = static_cast<int>(k) - Levels::kHighest;
      use.largest = std::max(use.largest, std::abs(level));
      ++use.distinct;
      use.total += counts[k];
      use.zeros += level == 0 ? counts[k] : 0;
    }
  }
  return use;
}

Scene draw(const Levels& levels, const Look& look) {
  const Words& words = look.words;
  Scene scene;
  scene.title = words("Levels used of 8 bits");
  scene.width = look.width > 0.0
                    ? look.width
                    : kLevelsLeft + 2.0 * kLevelsWidth + kBetweenLevels + kMargin;
  const double half = 0.5 * (scene.width - kLevelsLeft - kBetweenLevels - kMargin);
  const bool beside = half >= kMinLevels;
  const double width = beside ? half : scene.width - kLevelsLeft - kMargin;
  draw_heading(
      scene,
      words(
          "{0} of up to {1} spins; height: how often, on a logarithmic scale",
          {words.count(levels.tasks, "matrix", "matrices"), format(levels.spins_max)}));
  const Point first{kLevelsLeft, kHeadingHeight + 32.0};
  const Point second = beside ? Point{first.x + width + kBetweenLevels, first.y}
                              : Point{first.x, first.y + kLevelsHeight + 80.0};
  scene.height = second.y + kLevelsHeight + 48.0;
  draw_histogram(levels.couplings,
                 "couplings: up to {0}, {1} of 255 levels",
                 words,
                 series_color(0),
                 first,
                 width,
                 scene);
  draw_histogram(levels.fields,
                 "fields: up to {0}, {1} of 255 levels",
                 words,
                 series_color(1),
                 second,
                 width,
                 scene);
  return scene;
}

}  // namespace oa::plot
