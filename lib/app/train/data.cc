#include "app/train/data.h"

#include "oa/base/fingerprint.h"
#include "oa/train/evaluate.h"
#include "oa/train/shared_examples.h"

namespace oa::app {

TrainingData read_training_data(const train::Ranks* ranks,
                                Split split,
                                const std::function<Dataset(const Selection&)>& read) {
  TrainingData all;
  Fingerprint seen;
  Selection selection;
  selection.keep = [&](int count) {
    all.count = count;
    if (ranks == nullptr) {
      return ExampleRange{0, count};
    }
    return split == Split::Train ? train::held_examples(*ranks, count)
                                 : train::evaluated_examples(*ranks, 0, count);
  };
  selection.pass = [&](std::span<const std::uint8_t> bytes) { seen.add(bytes); };
  all.data = read(selection);
  all.fingerprint = seen.text();
  return all;
}

}  // namespace oa::app
