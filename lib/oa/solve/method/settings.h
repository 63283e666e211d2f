#pragma once

#include "oa/base/field.h"
#include "oa/solve/method/stop.h"

#include <array>
#include <cstdint>
#include <initializer_list>
#include <limits>

namespace oa::solve {

/// The temperatures of an annealer.
enum class Schedule : std::uint8_t {
  Geometric,
  Linear,
  LinearBeta,  ///< 1 / temperature rises linearly
  Vendor,      ///< the CIM vendor's: from 100 by 0.99 to 1e-3, ten sweeps each
};

/// Settings for users; each method reads some of them.
struct Settings {
  bool recover = true;  ///< may use recovered structure of the original problem
  int top = 1;          ///< the number of lowest distinct solutions to return
  /// Wants the last solution only if it is at most `window` above the previous
  /// solution.  Proofs over boxes and spheres use this.
  double window = std::numeric_limits<double>::infinity();
  /// The limit for one problem, which the caller turns into a Stop for solvers.
  double time_limit_s = std::numeric_limits<double>::infinity();
  std::int64_t max_nodes = std::numeric_limits<std::int64_t>::max();
  int reads = 0;      ///< independent attempts; 0: default of the method
  int sweeps = 0;     ///< sweeps of an attempt; 0: default of the method
  double hot = 0.0;   ///< first temperature, in energy units; 0: default
  double cold = 0.0;  ///< last temperature; 0: default
  Schedule schedule = Schedule::Geometric;

  /// True if a heuristic searches until the time limit:
  /// there is a limit, and the settings do not fix the amount of work.
  [[nodiscard]] bool until(const Stop& stop) const {
    return stop.limited() && reads == 0 && sweeps == 0;
  }
};

/// Settings that only some methods read.  All methods read `top` and the time limit.
enum class Setting : std::uint8_t { Reads, Sweeps, Schedule, Hot, Cold, MaxNodes };

class SettingSet {
 public:
  constexpr SettingSet(std::initializer_list<Setting> settings) {
    for (const Setting s : settings) {
      bits_ |= bit(s);
    }
  }

  [[nodiscard]] constexpr bool contains(Setting s) const {
    return (bits_ & bit(s)) != 0;
  }

 private:
  static constexpr unsigned bit(Setting s) { return 1U << static_cast<unsigned>(s); }

  unsigned bits_ = 0;
};

}  // namespace oa::solve

namespace oa {

template <>
struct EnumNames<solve::Schedule> {
  static constexpr std::array kAll{"geometric", "linear", "linear-beta", "vendor"};
};

template <>
struct EnumNames<solve::Setting> {
  static constexpr std::array kAll{
      "reads", "sweeps", "schedule", "hot", "cold", "max-nodes"};
};

}  // namespace oa
