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
/// variables.  The first program gets cuts (cuts.h); reduced costs and rows fix
/// variables; dives round solutions of linear programs.  A node is divided at the
/// variable whose two values raised bounds most so far (pseudo-costs).  The search goes
/// on with a child of the last node, else with the node of the least bound.
///
/// The result is the same for the same calls, unless a Stop with a limit ends one.
class BranchAndBound {
 public:
  struct Events {
    /// Called with each x that satisfies all rows and is better than all before.  A run
    /// ends when it returns true.
    std::function<bool(std::span<const std::uint8_t>)> improved;
    /// Called with each better bound, in units without the constant.
    std::function<void(Whole)> bounded;
  };

  /// True if linear programs are available, and p is not too large and has few
  /// products.
  [[nodiscard]] static bool suits(const WholeProgram& p);

  /// `p` must outlive it.
  BranchAndBound(const WholeProgram& p, Events events);
  ~BranchAndBound();

  /// Takes the value of a solution: only better ones are looked for.
  void know(Whole value);

  /// Goes on for some nodes and about some LinearProgram::work().  True if no x is
  /// better than the best known or, without one, nothing satisfies all rows.
  bool run(std::int64_t nodes, std::int64_t work, const Stop& stop);

 private:
  class Search;
  std::unique_ptr<Search> search_;
};

}  // namespace oa::solve
