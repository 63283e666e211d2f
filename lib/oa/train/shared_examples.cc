#include "oa/train/shared_examples.h"

#include "oa/data/packed_example.h"
#include "oa/train/evaluate.h"

namespace oa::train {
namespace {

// Steps whose examples ranks send each other at once: enough that messages are few.
constexpr std::int64_t kStepsFetched = 32;

}  // namespace

SharedExamples::SharedExamples(Ranks& ranks, const Dataset& data, int held_out)
    : ranks_(ranks),
      training_(data.count() - held_out),
      held_out_count_(held_out),
      own_range_(share(training_, ranks.rank(), ranks.count())),
      own_(cut(
          data, static_cast<int>(own_range_.first), static_cast<int>(own_range_.last))),
      held_out_(evaluation_share(ranks, data, training_, data.count())),
      fetched_(without_examples(data)) {}

void SharedExamples::begin_epoch(std::span<const int> order, const Batches& batches) {
  order_ = order;
  batches_ = batches;
  steps_ = {};
}

// The rank r with training * r / count <= example < training * (r + 1) / count.
int SharedExamples::owner(int example) const {
  return static_cast<int>(((std::int64_t{example} + 1) * ranks_.count() - 1) /
                          training_);
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
        pack_example(own_,
                     example - static_cast<int>(own_range_.first),
                     to_each[static_cast<std::size_t>(r)]);
      }
    }
  }
  const std::vector<Bytes> from_each = exchange(ranks_, std::move(to_each));
  fetched_ = without_examples(own_);
  std::vector<int> next(count);  // place of the next example that comes from a rank
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
