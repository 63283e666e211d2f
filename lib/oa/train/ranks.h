#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

namespace oa::train {

/// The processes that train one model together, as seen by one of them.  All make the
/// same calls in the same order, on one thread.
class Ranks {
 public:
  virtual ~Ranks() = default;

  [[nodiscard]] virtual int rank() const = 0;   ///< of this process, from 0
  [[nodiscard]] virtual int count() const = 0;  ///< of all processes

  /// What one rank sends, the other receives: the same number of bytes, in the same
  /// order. Either may wait for the other.
  virtual void send(int to, std::span<const std::byte> bytes) = 0;
  virtual void receive(int from, std::span<std::byte> bytes) = 0;

  /// Seconds spent in these two so far.
  [[nodiscard]] virtual double waited() const = 0;
};

using Bytes = std::vector<std::byte>;

/// Sends to_each[r] to each rank r; returns what each rank r has sent.  A rank's own
/// bytes come back to it.
[[nodiscard]] std::vector<Bytes> exchange(Ranks& ranks, std::vector<Bytes> to_each);

/// Sends the value of each rank to all.
[[nodiscard]] std::vector<Bytes> gather(Ranks& ranks, const Bytes& own);

/// A value that is summed over ranks: its bytes, and a function that adds this rank's
/// terms to the sum of the ranks before.
struct Carried {
  std::span<std::byte> value;
  std::function<void()> add;
};

/// total = the terms of rank 0, added in order, plus those of rank 1, and so on: the
/// sum does not depend on how ranks share the terms.  The running sum goes from rank to
/// rank and the total comes back, in blocks, so each rank passes one total in each
/// direction. Each rank has at least one term; `total` may be its first.  `carried`
/// takes the same way, on all ranks or on none.
void add_in_order(Ranks& ranks,
                  std::span<const std::span<const float>> terms,
                  std::span<float> total,
                  const Carried& carried = {});

/// Part k of `total` things for rank k of `count`, [first, last), as equal as possible.
struct Share {
  std::int64_t first = 0;
  std::int64_t last = 0;
};
[[nodiscard]] Share share(std::int64_t total, int k, int count);

}  // namespace oa::train
