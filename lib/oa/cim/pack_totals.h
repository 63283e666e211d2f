#pragma once

#include "oa/machine/packed.h"

#include <array>
#include <cstdint>

namespace oa::cim {

/// Counts over all packed problems.
struct PackTotals {
  std::int64_t images = 0;
  std::int64_t problems = 0;
  std::int64_t tasks = 0;
  std::int64_t free_variables = 0;
  std::int64_t spins = 0;      ///< of all tasks
  int spins_max = 0;           ///< of a task
  std::int64_t unchecked = 0;  ///< problems too hard to prove optima
  std::int64_t kept_some = 0;
  std::int64_t kept_first = 0;
  std::int64_t kept_every = 0;
  double energy_lost = 0.0;      ///< of all problems
  double energy_lost_max = 0.0;  ///< of a problem
  double scale_min = 0.0;
  double scale_max = 0.0;
  int coupling_bits_min = 0;
  int coupling_bits_max = 0;
  int field_bits_max = 0;
  std::int64_t couplings = 0;
  std::int64_t couplings_lost = 0;
  double worst_error = 0.0;
  std::int64_t fixed_whole = 0;               ///< problems with nothing left to solve
  std::int64_t whole = 0;                     ///< packed without rounding
  std::int64_t clipped = 0;                   ///< with cut fields
  std::int64_t searched = 0;                  ///< with another scale
  std::array<std::int64_t, 9> auxiliaries{};  ///< by number; the last: 8 or more
  std::int64_t split = 0;                     ///< with copies of variables
  std::int64_t copies = 0;                    ///< spins beyond one for each variable

  void count_image(const machine::PackedImage& image);
};

}  // namespace oa::cim
