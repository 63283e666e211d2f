#include "oa/plot/chart/confusion.h"

#include "oa/base/counted.h"
#include "oa/base/number.h"
#include "oa/plot/axes.h"
#include "oa/plot/palette.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <numeric>

namespace oa::plot {
namespace {

constexpr double kRowHeight = 32.0;
constexpr double kShareColumn = 64.0;  // width of the column at the right

/// Positions of the table's columns.
struct ConfusionPlan {
  double left = 104.0;
  double cell = 48.0;
  int of_table = 0;  ///< columns in a table
  bool narrow = false;
  double width = 0.0;  ///< width of the scene

  ConfusionPlan(const Confusion& confusion, double wanted)
      : of_table(confusion.classes) {
    const auto wide = [&] { return left + of_table * cell + kShareColumn + kMargin; };
    width = std::max(wide(), 512.0);
    if (wanted <= 0.0 || width <= wanted) {
      return;
    }
    // A terminal needs 8 units per digit, and 8 between numbers.
    narrow = true;
    left = 48.0;
    const auto most = confusion.count.empty() ? 0 : std::ranges::max(confusion.count);
    cell = 8.0 * static_cast<double>(format_grouped(most).size() + 1);
    cell = std::max(cell, 24.0);
    const double room = wanted - left - kShareColumn - kMargin;
    const int fit = std::clamp(static_cast<int>(room / cell), 1, of_table);
    const int tables = (of_table + fit - 1) / fit;
    of_table = (of_table + tables - 1) / tables;
    cell = std::min(48.0, std::floor(room / of_table));
    width = std::max(wanted, wide());
  }
};

/// Formats a share with two digits, even a small one: "0.05 %".
std::string share_text(double share) {
  const double value = 100.0 * share;
  return format_fixed(value, value > 0.0 && value < 0.1 ? 2 : 1) + " %";
}

double share_of(std::int64_t count, std::int64_t total) {
  return total > 0 ? static_cast<double>(count) / static_cast<double>(total) : 0.0;
}

std::string right_text(std::int64_t count, std::int64_t total) {
  return total > 0 ? share_text(share_of(count, total)) : "–";
}

/// The colour of a cell and its opacity.
struct Shade {
  Color color;
  double opacity = 0.0;
};

/// The colour scale of errors: logarithms of their shares of a row, so that rare errors
/// remain visible beside frequent ones.
class ErrorScale {
 public:
  explicit ErrorScale(const Confusion& confusion) {
    for (int label = 0; label < confusion.classes; ++label) {
      const std::int64_t total = confusion.of_class(label);
      for (int predicted = 0; predicted < confusion.classes; ++predicted) {
        const double share = share_of(confusion.at(label, predicted), total);
        if (label != predicted && share > 0.0) {
          low_ = std::min(low_, share);
          high_ = std::max(high_, share);
        }
      }
    }
  }

  /// The scale's text in the heading; empty without errors.
  [[nodiscard]] std::string text(const Words& words) const {
    if (high_ == 0.0) {
      return "";
    }
    const std::string low = share_text(low_);
    const std::string high = share_text(high_);
    return words("; ") +
           (low == high
                ? words("orange: wrong, {0} of the row", {low})
                : words("orange: wrong, from {0} to {1} of the row", {low, high}));
  }

  [[nodiscard]] Shade of_error(double share) const {
    constexpr double kFaintest = 0.12;
    constexpr double kStrongest = 0.7;  // opacity at which ink stays readable
    if (share == 0.0) {
      return {};
    }
    const double place =
        low_ < high_ ? std::log(share / low_) / std::log(high_ / low_) : 1.0;
    return {kWrong, std::lerp(kFaintest, kStrongest, place)};
  }

  [[nodiscard]] static Shade of_right() {
    constexpr double kOpacity = 0.2;
    return {kRight, kOpacity};
  }

 private:
  static constexpr Color kRight{0x00, 0x72, 0xB2};
  static constexpr Color kWrong{0xD5, 0x5E, 0x00};

  double low_ = 1.0;
  double high_ = 0.0;
};

/// Draws the row of class `label`, columns from `from` on, at height y.
void draw_row(const Confusion& confusion,
              const ConfusionPlan& plan,
              int label,
              int from,
              double y,
              const ErrorScale& scale,
              Scene& scene) {
  const double text_y = y + 0.5 * kRowHeight + 4.0;
  const std::int64_t total = confusion.of_class(label);
  const int to = std::min(from + plan.of_table, confusion.classes);
  scene.text({plan.left - 12.0, text_y}, format(label), 11.0, Align::Right, kInk);
  for (int predicted = from; predicted < to; ++predicted) {
    const std::int64_t count = confusion.at(label, predicted);
    const double x = plan.left + (predicted - from) * plan.cell;
    const Shade shade = predicted == label ? ErrorScale::of_right()
                                           : scale.of_error(share_of(count, total));
    if (shade.opacity > 0.0) {
      scene.rectangle({x, y}, plan.cell, kRowHeight, shade.color, 0.0, shade.opacity);
    }
    if (count > 0) {
      scene.text({x + 0.5 * plan.cell, text_y},
                 format_grouped(count),
                 11.0,
                 Align::Center,
                 kInk);
    }
  }
  if (to == confusion.classes) {
    scene.text({plan.left + (to - from) * plan.cell + kShareColumn, text_y},
               right_text(confusion.at(label, label), total),
               11.0,
               Align::Right,
               kInk);
  }
}

/// Draws columns from `from` on; y is the top of the first row.
void draw_table(const Confusion& confusion,
                const ConfusionPlan& plan,
                const Words& words,
                int from,
                double y,
                const ErrorScale& scale,
                Scene& scene) {
  const int columns = std::min(plan.of_table, confusion.classes - from);
  const double wide = columns * plan.cell;
  const double high = confusion.classes * kRowHeight;
  const double names_y = y - 30.0;
  const double numbers_y = y - 10.0;
  const bool last = from + columns == confusion.classes;
  scene.text({kMargin, plan.narrow ? names_y : numbers_y},
             words(plan.narrow ? "true class, predicted as" : "true class"),
             11.0,
             Align::Left,
             kInk);
  if (!plan.narrow) {
    scene.text(
        {plan.left + 16.0, names_y}, words("predicted as"), 11.0, Align::Left, kInk);
  }
  if (last) {
    scene.text({plan.left + wide + kShareColumn, numbers_y},
               words("right"),
               11.0,
               Align::Right,
               kInk);
  }
  for (int k = 0; k < columns; ++k) {
    scene.text({plan.left + (k + 0.5) * plan.cell, numbers_y},
               format(from + k),
               11.0,
               Align::Center,
               kInk);
  }
  for (int k = 0; k < confusion.classes; ++k) {
    draw_row(confusion, plan, k, from, y + k * kRowHeight, scale, scene);
  }
  for (int k = 0; k <= columns; ++k) {
    const double x = plan.left + k * plan.cell;
    scene.fine_line({x, y}, {x, y + high}, kFaint);
  }
  for (int k = 0; k <= confusion.classes; ++k) {
    const double line = y + k * kRowHeight;
    scene.fine_line({plan.left, line}, {plan.left + wide, line}, kFaint);
  }
}

}  // namespace

std::int64_t Confusion::at(int label, int predicted) const {
  return count[static_cast<std::size_t>(label) * static_cast<std::size_t>(classes) +
               static_cast<std::size_t>(predicted)];
}

std::int64_t Confusion::of_class(int label) const {
  const auto row = count.begin() + std::ptrdiff_t{label} * classes;
  return std::accumulate(row, row + classes, std::int64_t{0});
}

std::int64_t Confusion::total() const {
  return std::accumulate(count.begin(), count.end(), std::int64_t{0});
}

std::int64_t Confusion::correct() const {
  std::int64_t sum = 0;
  for (int k = 0; k < classes; ++k) {
    sum += at(k, k);
  }
  return sum;
}

Scene draw(const Confusion& confusion, const Look& look) {
  const ConfusionPlan plan(confusion, look.width);
  const ErrorScale scale(confusion);
  Scene scene;
  scene.title = look.words("Confusion: {0}", {confusion.name});
  scene.width = plan.width;
  draw_heading(scene,
               look.words("{0} of {1} right, {2}",
                          {format_grouped(confusion.correct()),
                           look.words.count(confusion.total(), "image", "images"),
                           right_text(confusion.correct(), confusion.total())}) +
                   scale.text(look.words));
  double top = kHeadingHeight + 48.0;
  for (int from = 0; from < confusion.classes; from += plan.of_table) {
    draw_table(confusion, plan, look.words, from, top, scale, scene);
    scene.height = top + confusion.classes * kRowHeight + kMargin;
    top = scene.height + 64.0;
  }
  return scene;
}

}  // namespace oa::plot
