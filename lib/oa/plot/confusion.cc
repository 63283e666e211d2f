#include "oa/plot/confusion.h"

#include "oa/base/counted.h"
#include "oa/base/number.h"
#include "oa/plot/axes.h"
#include "oa/plot/palette.h"

#include <algorithm>
#include <cstddef>
#include <numeric>

namespace oa::plot {
namespace {

constexpr double kCellWidth = 48.0;
constexpr double kCellHeight = 32.0;
constexpr double kLeft = 104.0;
constexpr double kTop = kHeadingHeight + 48.0;

std::string percent(std::int64_t count, std::int64_t total) {
  return total > 0
             ? format_fixed(
                   100.0 * static_cast<double>(count) / static_cast<double>(total), 1) +
                   " %"
             : "–";
}

/// From the colour of paper to the dark end of the scale: most cells are empty.
Color shade(double share) {
  return mix(kPaper, kNotChosen, share);
}

void draw_row(const Confusion& confusion, int label, Scene& scene) {
  const double y = kTop + label * kCellHeight;
  const double text_y = y + 0.5 * kCellHeight + 4.0;
  const std::int64_t total = confusion.of_class(label);
  scene.text({kLeft - 12.0, text_y}, format(label), 11.0, Align::Right, kInk);
  for (int predicted = 0; predicted < confusion.classes; ++predicted) {
    const std::int64_t count = confusion.at(label, predicted);
    const double share =
        total > 0 ? static_cast<double>(count) / static_cast<double>(total) : 0.0;
    const double x = kLeft + predicted * kCellWidth;
    const Color color = shade(share);
    scene.rectangle({x, y}, kCellWidth, kCellHeight, color, 0.0);
    if (count > 0) {
      scene.text({x + 0.5 * kCellWidth, text_y},
                 format_grouped(count),
                 11.0,
                 Align::Center,
                 is_dark(color) ? kPaper : kInk);
    }
  }
  scene.text({kLeft + confusion.classes * kCellWidth + 64.0, text_y},
             percent(confusion.at(label, label), total),
             11.0,
             Align::Right,
             kInk);
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

Scene draw(const Confusion& confusion) {
  Scene scene;
  const double wide = confusion.classes * kCellWidth;
  const double high = confusion.classes * kCellHeight;
  scene.title = "Confusion: " + confusion.name;
  scene.width = std::max(kLeft + wide + 64.0 + kMargin, 512.0);
  scene.height = kTop + high + kMargin;
  draw_heading(scene,
               format_grouped(confusion.correct()) + " of " +
                   counted(confusion.total(), "image") + " right, " +
                   percent(confusion.correct(), confusion.total()) +
                   "; shade: share of the row");
  const double names_y = kTop - 30.0;
  scene.text({kMargin, kTop - 10.0}, "true class", 11.0, Align::Left, kInk);
  scene.text({kLeft + 16.0, names_y}, "predicted as", 11.0, Align::Left, kInk);
  scene.text({kLeft + wide + 64.0, kTop - 10.0}, "right", 11.0, Align::Right, kInk);
  for (int k = 0; k < confusion.classes; ++k) {
    scene.text({kLeft + (k + 0.5) * kCellWidth, kTop - 10.0},
               format(k),
               11.0,
               Align::Center,
               kInk);
    draw_row(confusion, k, scene);
  }
  for (int k = 0; k <= confusion.classes; ++k) {
    const double x = kLeft + k * kCellWidth;
    const double y = kTop + k * kCellHeight;
    scene.fine_line({x, kTop}, {x, kTop + high}, kFaint);
    scene.fine_line({kLeft, y}, {kLeft + wide, y}, kFaint);
  }
  return scene;
}

}  // namespace oa::plot
