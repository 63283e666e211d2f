#pragma once

#include "oa/base/arena.h"
#include "oa/base/index.h"
#include "oa/base/parallel.h"
#include "survey/kernel/scan/outer_scan.h"

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

/// Calls visit(block) for all blocks of heads begin .. end-1 of n tokens: first all
/// heads of the same tokens, which are adjacent in memory, then the next tokens.
template <class Visit>
void for_blocks(int n, int begin, int end, const Visit& visit) {
  for (int t = 0; t < n; t += kScanSteps) {
    for (int h = begin; h < end; ++h) {
      visit(TokenBlock{h, t, std::min(kScanSteps, n - t)});
    }
  }
}

/// The number of threads for `heads` heads.
[[nodiscard]] inline int head_groups(int heads, int threads) {
  return std::clamp(threads, 1, std::max(heads, 1));
}

/// Distributes `heads` over threads by job(scratch, begin, end).  Each thread has its
/// own Scratch(args..., arena).  The results of a head must not depend on other heads.
template <class Scratch, class Job, class... Args>
void for_head_groups(
    int heads, int threads, Arena& arena, const Job& job, const Args&... args) {
  const int groups = head_groups(heads, threads);
  const std::size_t mark = arena.mark();
  {
    std::vector<Scratch> scratch;
    for (int i = 0; i < groups; ++i) {
      scratch.emplace_back(args..., arena);
    }
    parallel_for(groups, groups, [&](std::int64_t group, int /*worker*/) {
      const int g = static_cast<int>(group);
      job(scratch[at(g)], g * heads / groups, (g + 1) * heads / groups);
    });
  }
  arena.release(mark);
}

/// Distributes heads over threads one by one, by job(scratch, head).
template <class Scratch, class Job, class... Args>
void for_each_head(
    int heads, int threads, Arena& arena, const Job& job, const Args&... args) {
  const auto group = [&](Scratch& scratch, int begin, int end) {
    for (int head = begin; head < end; ++head) {
      job(scratch, head);
    }
  };
  for_head_groups<Scratch>(heads, threads, arena, group, args...);
}

/// The bytes that for_head_groups() and for_each_head() take from their arena.
template <class Scratch, class... Args>
[[nodiscard]] std::size_t head_groups_bytes(int heads,
                                            int threads,
                                            const Args&... args) {
  return bytes_taken([&](Arena& arena) {
    for (int i = 0; i < head_groups(heads, threads); ++i) {
      (void)Scratch(args..., arena);
    }
  });
}

/// Returns zeroed floats, aligned to a cache line.
[[nodiscard]] inline float* zeroed_floats(std::int64_t count, Arena& arena) {
  return static_cast<float*>(arena.allocate(at(count) * sizeof(float)));
}

}  // namespace oa::attention
