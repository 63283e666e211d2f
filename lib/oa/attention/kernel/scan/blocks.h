#pragma once

#include "oa/attention/kernel/scan/outer_scan.h"
#include "oa/base/arena.h"
#include "oa/base/index.h"
#include "oa/base/parallel.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace oa::attention {

/// Tokens first .. first+count-1 of one head.
struct TokenBlock {
  int head = 0;
  int first = 0;
  int count = 0;
};

/// visit(block, next) for all blocks of heads begin .. end-1 of n tokens: head by head
/// for the same tokens, because these lie side by side in memory, then the next tokens.
/// `next` is the block that comes then; behind the last it has no tokens.
template <class Visit>
void for_blocks(int n, int begin, int end, const Visit& visit) {
  for (int t = 0; t < n; t += kScanSteps) {
    for (int h = begin; h < end; ++h) {
      const bool wrap = h + 1 == end;
      const int then = std::min(wrap ? t + kScanSteps : t, n);
      visit(TokenBlock{h, t, std::min(kScanSteps, n - t)},
            TokenBlock{wrap ? begin : h + 1, then, std::min(kScanSteps, n - then)});
    }
  }
}

/// Threads that so many heads are shared out to.
[[nodiscard]] inline int head_groups(int heads, int threads) {
  return std::clamp(threads, 1, std::max(heads, 1));
}

/// Shares out `heads` to threads: job(scratch, begin, end), where each thread has a
/// scratch of its own, made by make(arena).  What a head computes must not depend on
/// its neighbours.
template <class Make, class Job>
void for_head_groups(
    int heads, int threads, Arena& arena, const Make& make, const Job& job) {
  const int groups = head_groups(heads, threads);
  const std::size_t mark = arena.mark();
  {
    std::vector<decltype(make(arena))> scratch;
    for (int i = 0; i < groups; ++i) {
      scratch.push_back(make(arena));
    }
    parallel_for(groups, groups, [&](std::int64_t group, int /*worker*/) {
      const int g = static_cast<int>(group);
      job(scratch[at(g)], g * heads / groups, (g + 1) * heads / groups);
    });
  }
  arena.release(mark);
}

/// Bytes that for_head_groups() takes of its arena.
template <class Make>
[[nodiscard]] std::size_t head_groups_bytes(int heads, int threads, const Make& make) {
  return bytes_taken([&](Arena& arena) {
    for (int i = 0; i < head_groups(heads, threads); ++i) {
      (void)make(arena);
    }
  });
}

/// Zeroed floats that begin at a cache line.
[[nodiscard]] inline float* zeroed_floats(std::int64_t count, Arena& arena) {
  return static_cast<float*>(arena.allocate(at(count) * sizeof(float)));
}

}  // namespace oa::attention
