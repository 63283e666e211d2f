#pragma once

#include "oa/base/rng.h"
#include "oa/solve/method/stop.h"
#include "oa/solve/recover/conflicts.h"

#include <cstdint>
#include <span>
#include <vector>

namespace oa::solve {

/// Local search for a largest independent set: adds vertices or swaps two, least
/// penalties first.  A dead end raises the penalties of its vertices (Pullan and Hoos,
/// "Dynamic local search for the maximum clique problem", 2006).
/// Penalties decrease so that kPenalised vertices have a penalty (Pullan,
/// "Phased local search", 2006).  All weights must be equal, without further couplings.
class PenaltyWalk {
 public:
  /// `conflicts` must outlive this.
  PenaltyWalk(const Conflicts& conflicts, const Rng& rng);

  /// Continues until more than `most` vertices are found or `work` numbers were read.
  /// Returns true if more were found.
  [[nodiscard]] bool run(std::size_t most, std::int64_t work, Pace& pace);

  /// The vertices of the last set.
  [[nodiscard]] const std::vector<int>& found() const { return chosen_; }

 private:
  /// A set of vertices with the index of each vertex.
  class Places {
   public:
    explicit Places(int n) : place_(static_cast<std::size_t>(n), -1) {}
    void insert(int v);
    void erase(int v);
    [[nodiscard]] const std::vector<int>& all() const { return all_; }

   private:
    std::vector<int> all_;
    std::vector<int> place_;
  };

  /// The chosen vertices in conflict with a vertex.
  struct Beside {
    std::int32_t count = 0;
    std::int32_t all = 0;  // their numbers, xor-ed
  };

  void add(int v);
  void drop(int v);
  [[nodiscard]] int least(const std::vector<int>& vertices);
  [[nodiscard]] bool exchange();
  void climb(std::size_t most, Pace& pace);
  void penalise();
  void restart();

  const Conflicts& conflicts_;
  Rng rng_;
  Places free_;    // without a chosen neighbour
  Places single_;  // with one chosen neighbour
  std::vector<int> chosen_;
  std::vector<std::int32_t> rank_;  // index in chosen_, or -1
  std::vector<Beside> beside_;      // for each vertex
  std::vector<std::int32_t> penalty_;
  std::vector<std::int64_t> used_;   // climb that last added the vertex
  std::vector<std::int64_t> since_;  // move that added the vertex
  std::vector<int> ties_;
  std::int64_t climbs_ = 1;
  std::int64_t moves_ = 0;
  std::int64_t begun_ = 0;      // move before the swaps started
  std::int64_t kept_ = 0;       // vertices chosen before the swaps started
  std::int64_t penalised_ = 0;  // penalised vertices
  int delay_ = 2;               // climbs between decreases
  int waited_ = 0;
  int last_ = 0;  // last vertex added
  std::int64_t work_ = 0;
};

}  // namespace oa::solve
