#pragma once

#include "oa/qubo/quadratic.h"
#include "oa/solve/method/stop.h"

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

namespace oa::solve {

/// Bundles of variables with mostly equal or opposite couplings: the digits of a
/// number.  A search then updates one field for each bundle instead of each variable.
///
/// coupling(i, k) = sign(i) sign(k) coupling of their bundles + rest(i, k).
/// As coupling(i, i) is 0, rest(i, i) cancels the coupling of a bundle with itself.
class Bundles {
 public:
  /// The couplings of a variable, sorted by `other`.
  using Row = std::vector<qubo::Coupling>;

  /// Variables share a bundle only if may_join(i, k).  Incomplete if `pace` stops.
  Bundles(const std::vector<Row>& rows,
          const std::function<bool(int, int)>& may_join,
          Pace& pace);

  [[nodiscard]] int count() const { return static_cast<int>(members_.size()); }
  [[nodiscard]] std::int32_t of(int i) const {
    return bundle_[static_cast<std::size_t>(i)];
  }
  [[nodiscard]] double sign(int i) const { return sign_[static_cast<std::size_t>(i)]; }
  [[nodiscard]] std::span<const std::int32_t> members(int b) const {
    return members_[static_cast<std::size_t>(b)];
  }
  /// The couplings of bundle b, also with itself, sorted by `other`.
  [[nodiscard]] const Row& row(int b) const {
    return couplings_[static_cast<std::size_t>(b)];
  }
  [[nodiscard]] std::span<const qubo::Coupling> rest(int i) const {
    return rest_[static_cast<std::size_t>(i)];
  }

 private:
  void join(const std::vector<Row>& rows,
            const std::function<bool(int, int)>& may_join,
            Pace& pace);
  void couple(const std::vector<Row>& rows, Pace& pace);
  void keep_rest(const std::vector<Row>& rows, Pace& pace);

  std::vector<std::int32_t> bundle_;
  std::vector<double> sign_;
  std::vector<std::vector<std::int32_t>> members_;
  std::vector<Row> couplings_;
  std::vector<Row> rest_;
};

}  // namespace oa::solve
