#pragma once

#include "oa/attention/kinds/keyed_head.h"

#include <vector>

namespace oa::attention {

/// Causal optimising attention that meets one sequence token by token: the keys and
/// values so far, and J where its rank is not low.
class KeyedSteps {
 public:
  struct Form {
    int heads = 1;
    int width = 0;      ///< of a head
    bool unit = false;  ///< keys and queries are made vectors of length 1
    bool own = false;   ///< values are keys, as they were mapped
    Normalization how = Normalization::Capped;
  };

  /// What it keeps between tokens is in resources.kept.
  KeyedSteps(const Site& site,
             const Form& form,
             int tokens,
             const Resources& resources);

  /// What the newest token's query (1,width) of a head yields, of the keys and values
  /// before and its own.  Once for each head, then next().
  void mix(int head,
           const KeyedScales& scales,
           num::ConstView q,
           num::ConstView k,
           num::ConstView v,
           num::View mixed);
  void next() { ++step_; }
  /// Tokens before the newest.
  [[nodiscard]] int before() const { return step_; }
  /// Begins a new sequence.
  void restart();

 private:
  struct Head {
    num::View keys;            // a column for each token
    num::View values;          // or, where values are keys:
    std::span<float> lengths;  // of the keys before they were made unit vectors
    num::View j;               // or nothing, where it is thin
  };

  /// Row and column step_ of J, and h of the newest query.
  void append(const KeyedScales& scales, const Head& head);
  void weigh_values(const KeyedScales& scales, const Head& head, num::View mixed);

  Form form_;
  bool low_rank_;  // J is not made
  Coefficients kind_;
  int levels_;
  SolverSettings solver_;
  std::vector<Head> heads_;
  num::View key_;
  num::View query_;
  num::View h_;
  num::View relaxed_;
  num::View gradient_;
  num::View x_;
  std::span<float> sum_;
  int step_ = 0;
};

}  // namespace oa::attention
