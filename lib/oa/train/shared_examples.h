#pragma once

#include "oa/data/selection.h"
#include "oa/train/batches.h"
#include "oa/train/ranks.h"

#include <span>
#include <vector>

namespace oa::train {

/// The examples, of `count`, that a rank stores for all ranks.
[[nodiscard]] ExampleRange held_examples(const Ranks& ranks, int count);

/// The examples of a training, of which each rank stores a share.
/// Ranks exchange the examples of their next steps.
class SharedExamples {
 public:
  /// `own` has the held_examples() of `count`.  The last `held_out` examples are not
  /// trained on, and go to the ranks that evaluate them.
  /// All ranks must construct this object together.  Keeps a reference to `ranks`.
  SharedExamples(Ranks& ranks, Dataset own, int count, int held_out);

  [[nodiscard]] Ranks& ranks() const { return ranks_; }
  [[nodiscard]] int count() const { return training_ + held_out_count_; }

  /// The held-out examples of this rank, for evaluate() on all ranks.
  [[nodiscard]] const Dataset& held_out() const { return held_out_; }

  /// The first `count` training examples, for all ranks.
  [[nodiscard]] Dataset beginning(int count) const;

  /// Starts an epoch; `order`, the order of its examples, must outlive the epoch.
  void begin_epoch(std::span<const int> order, const Batches& batches);

  /// Fetches examples that this rank needs for step `step` and some next steps.
  void fetch(std::int64_t step);

  /// The fetched examples,
  /// and a map from positions in the epoch's order to indices of fetched examples.
  [[nodiscard]] const Dataset& fetched() const { return fetched_; }
  [[nodiscard]] int place(std::int64_t step, std::int64_t position) const;

 private:
  [[nodiscard]] int owner(int example) const;
  [[nodiscard]] Share parts_of(int rank) const {
    return share(batches_.parts, rank, ranks_.count());
  }
  [[nodiscard]] std::vector<int> needed(int rank) const;
  [[nodiscard]] Dataset hand_out_held_out() const;
  [[nodiscard]] Bytes packed(int first, int last) const;
  void exchange_examples();

  Ranks& ranks_;
  int training_;
  int held_out_count_;
  ExampleRange own_range_;
  Dataset own_;
  Dataset held_out_;

  std::span<const int> order_;
  Batches batches_;
  Share steps_;                       // steps whose examples were fetched
  std::vector<std::int64_t> before_;  // by step: examples of earlier steps
  Dataset fetched_;
  std::vector<int> places_;
};

}  // namespace oa::train
