#pragma once

#include "oa/plot/scene.h"

#include <span>

namespace oa::plot {

// Marks distinguish runs without colours: in grey prints and for colour-blind readers.
// A terminal uses letters instead.

inline constexpr int kMarks = 8;

/// Draws the mark of run k at `at`; after kMarks runs, marks repeat.
void draw_mark(int k, Point at, double radius, Color color, Scene& scene);

/// Draws marks of run k along a line.  Neighbouring runs have marks at different
/// distances, so that two lines on top of each other show both kinds of marks.
void draw_marks_along(int k, std::span<const Point> line, Color color, Scene& scene);

/// Draws the measured points of run k of `runs`:
/// a dot where space allows, and the run's mark around some dots.
/// Runs alternate, so that marks do not overlap.  A single run has only dots.
void draw_points_of_run(
    int k, int runs, std::span<const Point> points, Color color, Scene& scene);

}  // namespace oa::plot
