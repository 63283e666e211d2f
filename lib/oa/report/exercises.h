#pragma once

#include <string>
#include <vector>

namespace oa::report {

/// An exercise of the textbook chapter on attention for small devices, worked out: its
/// printed answers are not all right.
struct Exercise {
  struct Step {
    std::string what;
    std::string value;
  };
  int number = 0;
  std::string question;
  std::vector<Step> steps;
  std::string answer;
  std::string published;
  std::string why;  ///< they differ; empty if they do not
};

inline constexpr int kExercises = 8;

/// `number` is from 1 to kExercises.  Every number in it is computed: by the formulas
/// of costs, by counting the pairs of a pattern, by search, or by drawing.
[[nodiscard]] Exercise exercise(int number);

[[nodiscard]] std::string exercise_text(const Exercise& exercise);
[[nodiscard]] std::string exercise_json(const Exercise& exercise);

}  // namespace oa::report
