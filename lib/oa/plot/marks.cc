#include "oa/plot/marks.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <numbers>
#include <utility>
#include <vector>

namespace oa::plot {
namespace {

using Shape = std::vector<Point>;

Shape circle() {
  constexpr int kCorners = 16;
  Shape points;
  for (int i = 0; i <= kCorners; ++i) {
    const double angle = 2.0 * std::numbers::pi * i / kCorners;
    points.push_back({std::cos(angle), std::sin(angle)});
  }
  return points;
}

/// Each mark is one line with coordinates from -1.2 to 1.2, y down.
const std::array<Shape, kMarks>& shapes() {
  static const std::array<Shape, kMarks> kShapes{
      circle(),
      Shape{{-0.9, -0.9}, {0.9, -0.9}, {0.9, 0.9}, {-0.9, 0.9}, {-0.9, -0.9}},
      Shape{{0.0, -1.1}, {1.0, 0.8}, {-1.0, 0.8}, {0.0, -1.1}},
      Shape{{-1.0, -1.0}, {1.0, 1.0}, {0.0, 0.0}, {1.0, -1.0}, {-1.0, 1.0}},
      Shape{{0.0, -1.2}, {1.2, 0.0}, {0.0, 1.2}, {-1.2, 0.0}, {0.0, -1.2}},
      Shape{{-1.2, 0.0}, {1.2, 0.0}, {0.0, 0.0}, {0.0, -1.2}, {0.0, 1.2}},
      Shape{{0.0, 1.1}, {1.0, -0.8}, {-1.0, -0.8}, {0.0, 1.1}},
      Shape{{-1.0, -1.0}, {1.0, -1.0}, {-1.0, 1.0}, {1.0, 1.0}, {-1.0, -1.0}}};
  return kShapes;
}

}  // namespace

void draw_mark(int k, Point at, double radius, Color color, Scene& scene) {
  Line line{{}, color, 1.4, false, true};
  for (const Point p : shapes()[static_cast<std::size_t>(k % kMarks)]) {
    line.points.push_back({at.x + radius * p.x, at.y + radius * p.y});
  }
  scene.items.emplace_back(std::move(line));
}

void draw_marks_along(int k, std::span<const Point> line, Color color, Scene& scene) {
  constexpr double kEvery = 112.0;
  constexpr double kRadius = 4.0;
  double next = kEvery * (k % kMarks + 0.5) / kMarks;  // from the line's start
  double passed = 0.0;
  for (std::size_t i = 1; i < line.size(); ++i) {
    const Point a = line[i - 1];
    const Point b = line[i];
    const double length = std::hypot(b.x - a.x, b.y - a.y);
    for (; next <= passed + length && length > 0.0; next += kEvery) {
      const double t = (next - passed) / length;
      draw_mark(
          k, {std::lerp(a.x, b.x, t), std::lerp(a.y, b.y, t)}, kRadius, color, scene);
    }
    passed += length;
  }
}

void draw_points_of_run(
    int k, int runs, std::span<const Point> points, Color color, Scene& scene) {
  constexpr double kDot = 4.0;
  constexpr double kRadius = 5.0;
  constexpr double kApart = 16.0;  // distance between dots
  constexpr double kFar = 24.0;    // distance between marks of a run
  const auto count = static_cast<int>(points.size());
  if (count == 0) {
    return;
  }
  const double step =
      count > 1 ? (points.back().x - points.front().x) / (count - 1) : kFar;
  const auto stride = [&](double spacing) {
    return std::max(1, static_cast<int>(std::ceil(spacing / std::max(step, 1e-9))));
  };
  for (int i = 0; i < count; i += stride(kApart)) {
    const Point p = points[static_cast<std::size_t>(i)];
    scene.rectangle({p.x - 0.5 * kDot, p.y - 0.5 * kDot}, kDot, kDot, color);
  }
  if (runs == 1) {
    return;
  }
  const int every = std::min(count, std::max(stride(kFar), runs));
  for (int i = every * k / runs; i < count; i += every) {
    draw_mark(k, points[static_cast<std::size_t>(i)], kRadius, color, scene);
  }
}

}  // namespace oa::plot
