#pragma once

#include "oa/plot/scene.h"

#include <span>

namespace oa::plot {

// Marks distinguish runs without colours, on grey paper and for colour-blind people.  A
// terminal uses letters instead.

inline constexpr int kMarks = 8;

/// The mark of run k around `at`; marks repeat after the last shape.
void draw_mark(int k, Point at, double radius, Color color, Scene& scene);

/// Draws marks of run k along a line.  Neighbouring runs have other distances, so that
/// lines on top of each other show both.
void draw_marks_along(int k, std::span<const Point> line, Color color, Scene& scene);

/// Draws the measured points of run k of `runs`: a dot at each point that has room, and
/// the run's mark around some.  The runs take turns, so that marks do not overlap.  A
/// single run has only dots.
void draw_points_of_run(
    int k, int runs, std::span<const Point> points, Color color, Scene& scene);

}  // namespace oa::plot
