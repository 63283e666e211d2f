#pragma once

#include "oa/solve/method/stop.h"
#include "oa/solve/program/whole_program.h"

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>

namespace oa::solve {

/// Branch and bound of a program by linear programs (relaxation.h).  Products become
/// variables.  The root gets cuts (cuts.h); reduced costs and rows fix variables;
/// dives round solutions.  Branches on the variable whose values raised bounds most so
/// far (pseudo-costs).  Continues with a child, or else with the node of lowest bound.
///
/// Equal calls give equal results, unless the limit of a Stop ends one.
class BranchAndBound {
 public:
  struct Events {
    /// Called for each feasible x that improves on all earlier x.
    /// The run ends if the callback returns true.
    std::function<bool(std::span<const std::uint8_t>)> improved;
    /// Called for each better bound, in units, without the constant.
    std::function<void(Whole)> bounded;
  };

  /// True if linear programs are available and p is not too large and has few products.
  [[nodiscard]] static bool suits(const WholeProgram& p);

  /// `p` must outlive this.
  BranchAndBound(const WholeProgram& p, Events events);
  ~BranchAndBound();

  /// Passes the value of a known solution: only better solutions are searched.
  void know(Whole value);

  /// Continues for some nodes and LinearProgram::work().  Returns true if no x improves
  /// on the best known x, or if no x is known and no x is feasible.
  bool run(std::int64_t nodes, std::int64_t work, const Stop& stop);

 private:
  class Search;
  std::unique_ptr<Search> search_;
};

}  // namespace oa::solve
