#pragma once

#include "oa/data/selection.h"
#include "oa/train/batches.h"
#include "oa/train/ranks.h"

#include <span>
#include <vector>

namespace oa::train {

/// The examples of `count` that a rank holds for all.
[[nodiscard]] ExampleRange held_examples(const Ranks& ranks, int count);

/// The examples of a training when each rank holds a share.  Ranks exchange what the
/// next steps need.
class SharedExamples {
 public:
  /// `own` has the held_examples() of `count`.  The last `held_out` are not trained on;
  /// they go to the ranks that evaluate them.  All ranks construct one at the same
  /// time.  Keeps a reference to `ranks`.
  SharedExamples(Ranks& ranks, Dataset own, int count, int held_out);

  [[nodiscard]] Ranks& ranks() const { return ranks_; }
  [[nodiscard]] int count() const { return training_ + held_out_count_; }

  /// The held-out examples, for evaluate() by all ranks.
  [[nodiscard]] const Dataset& held_out() const { return held_out_; }

  /// The first `count` training examples, on all ranks.
  [[nodiscard]] Dataset beginning(int count) const;

  /// The order of examples in the epoch, which must outlive it.
  void begin_epoch(std::span<const int> order, const Batches& batches);

  /// Fetches what this rank needs for step `step` of the epoch and some next steps.
  void fetch(std::int64_t step);

  /// The fetched examples, and the position in them of the example that this step takes
  /// from a position of the order.
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
  Share steps_;                       // that were fetched
  std::vector<std::int64_t> before_;  // for each of them, the examples of earlier steps
  Dataset fetched_;
  std::vector<int> places_;
};

}  // namespace oa::train
