#pragma once

#include <cstddef>
#include <vector>

namespace oa::attention {

/// Sequences of any lengths, stacked in the rows of one matrix.
/// Sequence s has rows offsets[s] .. offsets[s+1] - 1.
struct Batch {
  std::vector<int> offsets{0};  ///< starts with 0 and never decreases

  [[nodiscard]] static Batch of_lengths(const std::vector<int>& lengths) {
    Batch batch;
    for (const int length : lengths) {
      batch.offsets.push_back(batch.offsets.back() + length);
    }
    return batch;
  }
  [[nodiscard]] static Batch of_one(int length) { return {{0, length}}; }

  [[nodiscard]] int sequences() const { return static_cast<int>(offsets.size()) - 1; }
  [[nodiscard]] int rows() const { return offsets.back(); }
  [[nodiscard]] int begin(int sequence) const {
    return offsets[static_cast<std::size_t>(sequence)];
  }
  [[nodiscard]] int length(int sequence) const {
    return begin(sequence + 1) - begin(sequence);
  }
};

}  // namespace oa::attention
