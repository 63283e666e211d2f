#include "oa/train/shared_examples.h"

#include "oa/data/packed_example.h"
#include "oa/train/evaluate.h"

#include <algorithm>
#include <utility>

namespace oa::train {
namespace {

// Number of steps whose examples are sent together, for fewer messages.
constexpr std::int64_t kStepsFetched = 32;

/// Unpacks the examples sent by all ranks, in the order of ranks.
Dataset unpacked(const std::vector<Bytes>& from_each, const Dataset& like) {
  Dataset all = without_examples(like);
  for (const Bytes& bytes : from_each) {
    for (std::span<const std::byte> rest(bytes); !rest.empty();) {
      unpack_example(rest, all);
    }
  }
  return all;
}

}  // namespace

ExampleRange held_examples(const Ranks& ranks, int count) {
  const Share own = share(count, ranks.rank(), ranks.count());
  return {static_cast<int>(own.first), static_cast<int>(own.last)};
}

SharedExamples::SharedExamples(Ranks& ranks, Dataset own, int count, int held_out)
    : ranks_(ranks),
      training_(count - held_out),
      held_out_count_(held_out),
      own_range_(held_examples(ranks, count)),
      own_(std::move(own)),
      held_out_(hand_out_held_out()),
      fetched_(without_examples(own_)) {
  if (own_range_.last > training_) {
    own_range_.last = std::max(own_range_.first, training_);
    drop_behind(own_range_.last - own_range_.first, own_);
  }
}

/// Packs the examples of [first, last) that this rank holds.
Bytes SharedExamples::packed(int first, int last) const {
  Bytes bytes;
  for (int i = std::max(first, own_range_.first); i < std::min(last, own_range_.last);
       ++i) {
    pack_example(own_, i - own_range_.first, bytes);
  }
  return bytes;
}

/// Ranks hold examples in ascending order, so they arrive sorted.
Dataset SharedExamples::hand_out_held_out() const {
  std::vector<Bytes> to_each;
  for (int r = 0; r < ranks_.count(); ++r) {
    const ExampleRange range =
        evaluated_examples(r, ranks_.count(), training_, count());
    to_each.push_back(packed(range.first, range.last));
  }
  return unpacked(exchange(ranks_, std::move(to_each)), own_);
}

Dataset SharedExamples::beginning(int count) const {
  return unpacked(gather(ranks_, packed(0, std::min(count, training_))), own_);
}

void SharedExamples::begin_epoch(std::span<const int> order, const Batches& batches) {
  order_ = order;
  batches_ = batches;
  steps_ = {};
}

// Returns the rank r with all * r / ranks <= example < all * (r + 1) / ranks.
int SharedExamples::owner(int example) const {
  return static_cast<int>(((std::int64_t{example} + 1) * ranks_.count() - 1) / count());
}

std::vector<int> SharedExamples::needed(int rank) const {
  std::vector<int> all;
  for (std::int64_t step = steps_.first; step < steps_.last; ++step) {
    const Share at = batches_.of_parts(step, parts_of(rank));
    all.insert(all.end(), order_.begin() + at.first, order_.begin() + at.last);
  }
  return all;
}

void SharedExamples::exchange_examples() {
  const auto count = static_cast<std::size_t>(ranks_.count());
  std::vector<Bytes> to_each(count);
  for (int r = 0; r < ranks_.count(); ++r) {
    for (const int example : needed(r)) {
      if (owner(example) == ranks_.rank()) {
        pack_example(
            own_, example - own_range_.first, to_each[static_cast<std::size_t>(r)]);
      }
    }
  }
  const std::vector<Bytes> from_each = exchange(ranks_, std::move(to_each));
  fetched_ = without_examples(own_);
  std::vector<int> next(count);  // position of each rank's next example
  for (std::size_t r = 0; r < count; ++r) {
    next[r] = fetched_.count();
    for (std::span<const std::byte> rest(from_each[r]); !rest.empty();) {
      unpack_example(rest, fetched_);
    }
  }
  places_.clear();
  for (const int example : needed(ranks_.rank())) {
    places_.push_back(next[static_cast<std::size_t>(owner(example))]++);
  }
}

void SharedExamples::fetch(std::int64_t step) {
  if (step >= steps_.first && step < steps_.last) {
    return;
  }
  steps_ = {step, std::min(step + kStepsFetched, batches_.steps())};
  exchange_examples();
  before_.assign(1, 0);
  for (std::int64_t s = steps_.first; s < steps_.last; ++s) {
    const Share at = batches_.of_parts(s, parts_of(ranks_.rank()));
    before_.push_back(before_.back() + at.last - at.first);
  }
}

int SharedExamples::place(std::int64_t step, std::int64_t position) const {
  const std::int64_t first = batches_.of_parts(step, parts_of(ranks_.rank())).first;
  return places_[static_cast<std::size_t>(
      before_[static_cast<std::size_t>(step - steps_.first)] + position - first)];
}

}  // namespace oa::train
