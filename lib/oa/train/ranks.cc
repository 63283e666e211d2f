#include "oa/train/ranks.h"

#include <algorithm>

namespace oa::train {
namespace {

// The number of floats per message: large enough that bandwidth determines the time,
// small enough that the next rank adds while this rank still sends.
constexpr std::size_t kBlock = 16384;

void send_one(Ranks& ranks, int to, const Bytes& bytes) {
  const std::uint64_t size = bytes.size();
  ranks.send(to, std::as_bytes(std::span(&size, 1)));
  ranks.send(to, bytes);
}

Bytes receive_one(Ranks& ranks, int from) {
  std::uint64_t size = 0;
  ranks.receive(from, std::as_writable_bytes(std::span(&size, 1)));
  Bytes bytes(size);
  ranks.receive(from, bytes);
  return bytes;
}

void add(std::span<const float> term, std::span<float> sum) {
  for (std::size_t i = 0; i < sum.size(); ++i) {
    sum[i] += term[i];
  }
}

}  // namespace

Share share(std::int64_t total, int k, int count) {
  return {total * k / count, total * (k + 1) / count};
}

// Each pair of ranks meets once, and the lower rank sends first.  A pair waits only for
// pairs of lower ranks, so deadlock is impossible.
std::vector<Bytes> exchange(Ranks& ranks, std::vector<Bytes> to_each) {
  const int me = ranks.rank();
  std::vector<Bytes> from_each(to_each.size());
  for (int other = 0; other < ranks.count(); ++other) {
    const auto index = static_cast<std::size_t>(other);
    if (other == me) {
      from_each[index] = std::move(to_each[index]);
    } else if (me < other) {
      send_one(ranks, other, to_each[index]);
      from_each[index] = receive_one(ranks, other);
    } else {
      from_each[index] = receive_one(ranks, other);
      send_one(ranks, other, to_each[index]);
    }
  }
  return from_each;
}

std::vector<Bytes> gather(Ranks& ranks, const Bytes& own) {
  return exchange(ranks,
                  std::vector<Bytes>(static_cast<std::size_t>(ranks.count()), own));
}

void add_in_order(Ranks& ranks,
                  std::span<const std::span<const float>> terms,
                  std::span<float> total,
                  const Carried& carried) {
  const int before = ranks.rank() - 1;
  const int next = ranks.rank() + 1;
  const bool last = next == ranks.count();
  std::vector<float> sums(std::min(kBlock, total.size()));
  const auto each_block = [&](auto&& work) {
    for (std::size_t at = 0; at < total.size(); at += kBlock) {
      work(at, std::min(kBlock, total.size() - at));
    }
  };
  if (before >= 0) {
    ranks.receive(before, carried.value);
  }
  if (carried.add) {
    carried.add();
  }
  if (!last) {
    ranks.send(next, carried.value);
  }
  each_block([&](std::size_t at, std::size_t size) {
    const std::span sum = std::span(sums).first(size);
    std::size_t added = 0;
    if (before >= 0) {
      ranks.receive(before, std::as_writable_bytes(sum));
    } else {
      std::ranges::copy(terms[added++].subspan(at, size), sum.begin());
    }
    for (; added < terms.size(); ++added) {
      add(terms[added].subspan(at, size), sum);
    }
    if (last) {
      std::ranges::copy(sum, total.subspan(at, size).begin());
    } else {
      ranks.send(next, std::as_bytes(sum));
    }
  });
  if (!last) {
    ranks.receive(next, carried.value);
  }
  if (before >= 0) {
    ranks.send(before, carried.value);
  }
  each_block([&](std::size_t at, std::size_t size) {
    const std::span sum = total.subspan(at, size);
    if (!last) {
      ranks.receive(next, std::as_writable_bytes(sum));
    }
    if (before >= 0) {
      ranks.send(before, std::as_bytes(sum));
    }
  });
}

}  // namespace oa::train
