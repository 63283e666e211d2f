#pragma once

#include "oa/attention/kinds/keyed_head.h"

#include <vector>

namespace oa::attention {

/// Causal optimising attention token by token.
/// Keeps the keys and values so far, and J unless its rank is low.
class KeyedSteps {
 public:
  struct Form {
    int heads = 1;
    int width = 0;      ///< of a head
    bool unit = false;  ///< keys and queries are normalised to length 1
    bool own = false;   ///< values are the keys, before normalisation
    Normalization how = Normalization::Capped;
  };

  /// The state between tokens is in resources.kept.
  KeyedSteps(const Site& site,
             const Form& form,
             int tokens,
             const Resources& resources);

  /// Computes the output of a head for the newest token's query (1,width),
  /// from the keys and values so far.  Callers call mix() for each head, then next().
  void mix(int head,
           const KeyedScales& scales,
           num::ConstView q,
           num::ConstView k,
           num::ConstView v,
           num::View mixed);
  void next() { ++step_; }
  /// The number of tokens before the newest token.
  [[nodiscard]] int before() const { return step_; }
  /// Starts a new sequence.
  void restart();

 private:
  struct Head {
    num::View keys;            // a column for each token
    num::View values;          // if values are keys, instead of `values`:
    std::span<float> lengths;  // of the keys before normalisation
    num::View j;               // empty if its rank is low
  };

  /// Computes row and column step_ of J, and h of the newest query.
  void append(const KeyedScales& scales, const Head& head);
  void weigh_values(const KeyedScales& scales, const Head& head, num::View mixed);

  Form form_;
  bool low_rank_;  // J is not stored
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
