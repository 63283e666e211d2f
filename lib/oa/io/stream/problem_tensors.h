#pragma once

#include "oa/io/stream/stream.h"
#include "oa/qubo/problem.h"

#include <cstdint>
#include <span>
#include <vector>

// Helpers of problem_io.cc and solution_io.cc.

namespace oa::io {

template <class T>
[[nodiscard]] std::vector<T> copied(std::span<const T> values) {
  return {values.begin(), values.end()};
}

/// The tensor `sizes` of a task: the number of variables of each query.
[[nodiscard]] std::vector<std::int64_t> sizes_of(const qubo::Problem& problem);

/// Views the problem's tensors; `problem` and its `sizes` must outlive the result.
[[nodiscard]] std::vector<TensorView> problem_tensors(
    const qubo::Problem& problem, std::span<const std::int64_t> sizes);

/// Writes a frame, which is a task's frame if the problem belongs to a task.
void put_frame(StreamWriter& writer,
               FrameKind kind,
               const qubo::Problem& problem,
               Metadata metadata,
               std::vector<TensorView> tensors);

}  // namespace oa::io
