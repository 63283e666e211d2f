#pragma once

#include "oa/plot/scene.h"

#include <span>

namespace oa::plot {

// Runs are told apart by marks where colours do not do it: on grey paper, and for
// people who do not see them.  A terminal, which has letters instead, leaves marks out.

inline constexpr int kMarks = 8;

/// The mark of run k around `at`; after the last shape they repeat.
void draw_mark(int k, Point at, double radius, Color color, Scene& scene);

/// Marks of run k along a line: at distances that are not those of the next runs, so
/// that lines on top of each other still show both.
void draw_marks_along(int k, std::span<const Point> line, Color color, Scene& scene);

/// The measured points of run k, one of `runs`: a dot at each that has room, and the
/// run's mark around some.  The runs take turns, so that no marks lie on each other; a
/// single run has dots alone.
void draw_points_of_run(
    int k, int runs, std::span<const Point> points, Color color, Scene& scene);

}  // namespace oa::plot
