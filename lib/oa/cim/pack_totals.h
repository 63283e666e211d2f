#pragma once

#include "oa/machine/packed.h"

#include <array>
#include <cstdint>

namespace oa::cim {

/// Totals over all packed problems.
struct PackTotals {
  std::int64_t images = 0;
  std::int64_t problems = 0;
  std::int64_t tasks = 0;
  std::int64_t free_variables = 0;
  std::int64_t spins = 0;      ///< over all tasks
  int spins_max = 0;           ///< maximum of a task
  std::int64_t unchecked = 0;  ///< problems whose optima are too hard to prove
  std::int64_t kept_some = 0;
  std::int64_t kept_first = 0;
  std::int64_t kept_every = 0;
  double energy_lost = 0.0;      ///< over all problems
  double energy_lost_max = 0.0;  ///< maximum of a problem
  double scale_min = 0.0;
  double scale_max = 0.0;
  int coupling_bits_min = 0;
  int coupling_bits_max = 0;
  int field_bits_max = 0;
  std::int64_t couplings = 0;
  std::int64_t couplings_lost = 0;
  double worst_error = 0.0;
  std::int64_t fixed_whole = 0;               ///< problems with all variables fixed
  std::int64_t whole = 0;                     ///< problems packed without rounding
  std::int64_t clipped = 0;                   ///< problems with clipped fields
  std::int64_t searched = 0;                  ///< problems at a scale below the largest
  std::array<std::int64_t, 9> auxiliaries{};  ///< problems by number; last: 8 or more
  std::int64_t split = 0;                     ///< problems with copies of variables
  std::int64_t copies = 0;                    ///< spins beyond one a variable

  void count_image(const machine::PackedImage& image);
};

}  // namespace oa::cim
