#pragma once

#include "oa/base/rng.h"
#include "oa/solve/method/stop.h"
#include "oa/solve/recover/conflicts.h"

#include <cstdint>
#include <span>
#include <vector>

namespace oa::solve {

/// A local search for a largest independent set: adds vertices and exchanges one for
/// one, those of least penalty first; where it ends, the penalties of its vertices rise
/// (Pullan and Hoos, "Dynamic local search for the maximum clique problem", 2006).
/// Penalties decrease so often that most vertices have one (Pullan, "Phased local
/// search", 2006).  All weights must be equal, without further couplings.
class PenaltyWalk {
 public:
  /// `conflicts` must outlive this.
  PenaltyWalk(const Conflicts& conflicts, const Rng& rng);

  /// Goes on until it finds more than `most` vertices or touched `work` numbers.
  /// Returns whether it found more.
  [[nodiscard]] bool run(std::size_t most, std::int64_t work, Pace& pace);

  /// The vertices found last.
  [[nodiscard]] const std::vector<int>& found() const { return chosen_; }

 private:
  /// A set of vertices with a place for each.
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

  /// The chosen vertices that conflict with a vertex.
  struct Beside {
    std::int32_t count = 0;
    std::int32_t all = 0;  // exclusive or of their numbers
  };

  void add(int v);
  void drop(int v);
  [[nodiscard]] int least(const std::vector<int>& vertices);
  [[nodiscard]] bool exchange();
  void climb(std::size_t most);
  void penalise();
  void restart();

  const Conflicts& conflicts_;
  Rng rng_;
  Places free_;    // no conflict with the chosen
  Places single_;  // one conflict
  std::vector<int> chosen_;
  std::vector<std::int32_t> rank_;  // in chosen_, or -1
  std::vector<Beside> beside_;      // of each vertex
  std::vector<std::int32_t> penalty_;
  std::vector<std::int64_t> used_;   // number of the last climb that added it
  std::vector<std::int64_t> since_;  // number of the move that added it
  std::vector<int> ties_;
  std::int64_t climbs_ = 1;
  std::int64_t moves_ = 0;
  std::int64_t begun_ = 0;      // move before the exchanges began
  std::int64_t kept_ = 0;       // chosen since the exchanges began
  std::int64_t penalised_ = 0;  // vertices
  int delay_ = 2;               // climbs until penalties decrease
  int waited_ = 0;
  int last_ = 0;  // vertex added
  std::int64_t work_ = 0;
};

}  // namespace oa::solve
