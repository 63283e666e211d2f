#pragma once

#include "oa/base/field.h"
#include "oa/solve/method/stop.h"

#include <array>
#include <cstdint>
#include <initializer_list>
#include <limits>

namespace oa::solve {

/// How an annealer cools.
enum class Schedule : std::uint8_t {
  Geometric,
  Linear,
  Vendor,  ///< From 100 by 0.99 to 1e-3, ten sweeps each: the CIM vendor's annealer.
};

/// What a user may ask of a method.  Each uses what concerns it.
struct Settings {
  int top = 1;  ///< How many of the lowest distinct solutions to return.
  /// Per problem.  Who begins one makes a Stop of it; solvers look at that.
  double time_limit_s = std::numeric_limits<double>::infinity();
  std::int64_t max_nodes = std::numeric_limits<std::int64_t>::max();
  int reads = 0;   ///< Independent attempts; 0 for the method's own number.
  int sweeps = 0;  ///< Length of an attempt, in flips or steps per variable; likewise.
  double hot = 0.0;   ///< First temperature, in units of energy; 0 chooses.
  double cold = 0.0;  ///< Last temperature; likewise.
  Schedule schedule = Schedule::Geometric;

  /// Whether a heuristic searches for as long as it may: it has a time limit, and
  /// nobody said how much it should do.
  [[nodiscard]] bool until(const Stop& stop) const {
    return stop.limited() && reads == 0 && sweeps == 0;
  }
};

/// The settings that only some methods use.  All use `top` and the time limit.
enum class Setting : std::uint8_t { Reads, Sweeps, Schedule, Hot, Cold, MaxNodes };

/// Some of them.
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
  static constexpr std::array kAll{"geometric", "linear", "vendor"};
};

template <>
struct EnumNames<solve::Setting> {
  static constexpr std::array kAll{
      "reads", "sweeps", "schedule", "hot", "cold", "max-nodes"};
};

}  // namespace oa
