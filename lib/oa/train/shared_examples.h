#pragma once

#include "oa/data/selection.h"
#include "oa/train/batches.h"
#include "oa/train/ranks.h"

#include <span>
#include <vector>

namespace oa::train {

/// Which of `count` examples a rank holds for all.
[[nodiscard]] ExampleRange held_examples(const Ranks& ranks, int count);

/// The examples of a training whose ranks hold a share each.  Ranks send each other
/// what the next steps need.
class SharedExamples {
 public:
  /// `own` has the held_examples() of `count`, of which the last `held_out` are not
  /// trained on: these go to the ranks that evaluate them.  All ranks make one at the
  /// same time.  Keeps a reference to `ranks`.
  SharedExamples(Ranks& ranks, Dataset own, int count, int held_out);

  [[nodiscard]] Ranks& ranks() const { return ranks_; }
  [[nodiscard]] int count() const { return training_ + held_out_count_; }

  /// Of the examples that are not trained on: for evaluate() by all ranks.
  [[nodiscard]] const Dataset& held_out() const { return held_out_; }

  /// The first `count` of those that are trained on, on all ranks.
  [[nodiscard]] Dataset beginning(int count) const;

  /// The epoch takes examples in this order, which has to live as long.
  void begin_epoch(std::span<const int> order, const Batches& batches);

  /// Gets what this rank needs for step `step` of the epoch, and for the next steps.
  void fetch(std::int64_t step);

  /// What was fetched, and where in it the example is that this step takes from that
  /// position of the order.
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
  Share steps_;                       // which were fetched
  std::vector<std::int64_t> before_;  // of each of them: examples of those before it
  Dataset fetched_;
  std::vector<int> places_;
};

}  // namespace oa::train
