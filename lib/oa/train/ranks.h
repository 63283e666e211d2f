#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

namespace oa::train {

/// The processes that train one model together, from the view of one of them.
/// All processes must make equal calls in equal order, on one thread.
class Ranks {
 public:
  virtual ~Ranks() = default;

  [[nodiscard]] virtual int rank() const = 0;   ///< index of this process, from 0
  [[nodiscard]] virtual int count() const = 0;  ///< number of processes

  /// Send and receive: the partner must receive what this rank sends,
  /// in equal sizes and order.  Each of the two may wait for the other.
  virtual void send(int to, std::span<const std::byte> bytes) = 0;
  virtual void receive(int from, std::span<std::byte> bytes) = 0;

  /// Seconds spent so far in send() and receive().
  [[nodiscard]] virtual double waited() const = 0;
};

using Bytes = std::vector<std::byte>;

/// Sends to_each[r] to each rank r; returns the bytes received from each rank r.
/// A rank's own bytes are returned, too.
[[nodiscard]] std::vector<Bytes> exchange(Ranks& ranks, std::vector<Bytes> to_each);

/// Sends each rank's value to all ranks; returns all values.
[[nodiscard]] std::vector<Bytes> gather(Ranks& ranks, const Bytes& own);

/// A value summed over ranks: its bytes, and a function that adds this rank's terms to
/// the sum of earlier ranks.
struct Carried {
  std::span<std::byte> value;
  std::function<void()> add;
};

/// Sets total = terms of rank 0, added in order, plus those of rank 1, and so on:
/// the sum does not depend on the division of terms among ranks.
/// The running sum passes from rank to rank in blocks, and the total returns.
/// Each rank has at least one term; `total` may be its first term.
/// `carried` takes the same path, on all ranks or on none.
void add_in_order(Ranks& ranks,
                  std::span<const std::span<const float>> terms,
                  std::span<float> total,
                  const Carried& carried = {});

/// Part k of `total` items, first .. last - 1, for rank k of `count`: nearly equal.
struct Share {
  std::int64_t first = 0;
  std::int64_t last = 0;
};
[[nodiscard]] Share share(std::int64_t total, int k, int count);

}  // namespace oa::train
