#pragma once

#include "oa/base/field.h"
#include "oa/base/rng.h"
#include "oa/qubo/matrix.h"
#include "oa/qubo/quadratic.h"
#include "oa/solve/method/result.h"
#include "oa/solve/method/stop.h"

#include <array>
#include <cstdint>
#include <functional>
#include <limits>
#include <span>
#include <string_view>

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

/// Solves  min 1/2 x'Jx + h'x over {0,1}^n  for one h after the other.  Same h, rng and
/// settings, same result, unless stopped by the clock or on request.  Owns scratch
/// memory, so one per thread; refers to the matrix it was made for.
using Solver =
    std::function<Result(std::span<const double> h, const Rng& rng, const Stop& stop)>;

/// A way to solve problems, for users to choose from.
struct Method {
  std::string_view name;
  std::string_view summary;
  /// What it looks at beside `top` and the time limit: "reads sweeps".
  std::string_view settings;
  /// Does once what all problems with this matrix share; what takes longer than `stop`
  /// allows is left out, where solving does without.
  Solver (*prepare)(const qubo::Matrix& j, const Settings& settings, const Stop& stop);
  /// For f.linear and no other: f, which must outlive it, may be very large.  Null
  /// where solve_general() has a way of its own.
  Solver (*single)(const qubo::Quadratic& f, const Settings& settings) = nullptr;

  [[nodiscard]] bool looks_at(std::string_view setting) const;
};

/// All methods, the default first.
[[nodiscard]] std::span<const Method> methods();

/// The method called `name`, or null.
[[nodiscard]] const Method* find_method(std::string_view name);

/// admm rounds a minimum over the box above this to 1: above one half by more than the
/// single precision of a model and the tolerance of the reproduction's solver leave
/// open.
inline constexpr double kRoundedUp = 0.5 + 1e-6;

// One file each, described there.  To add one: write it, declare it, list it.
[[nodiscard]] Solver anneal(const qubo::Matrix& j,
                            const Settings& settings,
                            const Stop& stop);
[[nodiscard]] Solver automatic(const qubo::Matrix& j,
                               const Settings& settings,
                               const Stop& stop);
[[nodiscard]] Solver ballistic_bifurcation(const qubo::Matrix& j,
                                           const Settings& settings,
                                           const Stop& stop);
[[nodiscard]] Solver coherent_machine(const qubo::Matrix& j,
                                      const Settings& settings,
                                      const Stop& stop);
[[nodiscard]] Solver controlled_machine(const qubo::Matrix& j,
                                        const Settings& settings,
                                        const Stop& stop);
[[nodiscard]] Solver discrete_bifurcation(const qubo::Matrix& j,
                                          const Settings& settings,
                                          const Stop& stop);
[[nodiscard]] Solver exact(const qubo::Matrix& j,
                           const Settings& settings,
                           const Stop& stop);
[[nodiscard]] Solver greedy(const qubo::Matrix& j,
                            const Settings& settings,
                            const Stop& stop);
[[nodiscard]] Solver relaxation(const qubo::Matrix& j,
                                const Settings& settings,
                                const Stop& stop);
[[nodiscard]] Solver tabu(const qubo::Matrix& j,
                          const Settings& settings,
                          const Stop& stop);
[[nodiscard]] Solver tempering(const qubo::Matrix& j,
                               const Settings& settings,
                               const Stop& stop);

[[nodiscard]] Solver ballistic_bifurcation(const qubo::Quadratic& f,
                                           const Settings& settings);
[[nodiscard]] Solver coherent_machine(const qubo::Quadratic& f,
                                      const Settings& settings);
[[nodiscard]] Solver controlled_machine(const qubo::Quadratic& f,
                                        const Settings& settings);
[[nodiscard]] Solver discrete_bifurcation(const qubo::Quadratic& f,
                                          const Settings& settings);
[[nodiscard]] Solver relaxation(const qubo::Quadratic& f, const Settings& settings);
[[nodiscard]] Solver tabu(const qubo::Quadratic& f, const Settings& settings);

}  // namespace oa::solve

namespace oa {

template <>
struct EnumNames<solve::Schedule> {
  static constexpr std::array kAll{"geometric", "linear", "vendor"};
};

}  // namespace oa
