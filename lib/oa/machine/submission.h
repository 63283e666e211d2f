#pragma once

#include "oa/machine/block.h"
#include "oa/machine/single.h"
#include "oa/qubo/problem.h"

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace oa::machine {

/// A problem as it was submitted.
struct SubmittedQuery {
  std::int64_t task = -1;  ///< -1: nothing was left to solve
  int first = 0;           ///< its first variable in the task
  int extra = 0;           ///< auxiliary spins among its variables, the last ones
  Bits fixed;              ///< see PackedQuery
  TaskMatrix q;
};

struct SubmittedImage {
  qubo::ImageProblem problem;
  std::vector<SubmittedQuery> queries;
  /// Where it is not a problem of a stream.
  std::shared_ptr<const Single> single = nullptr;
};

/// A matrix that was submitted: blocks of variables that follow each other.
struct Task {
  std::int64_t number = 0;
  bool ising = false;   ///< energies and solutions are those of spins, the shared last
  int n = 0;            ///< variables; or spins without the shared one
  double offset = 0.0;  ///< returned energies less x'Qx
  bool whole = true;    ///< its cells are whole numbers, so its energies are, too
  std::vector<const SubmittedQuery*> blocks;
};

/// All that was submitted, in the order of task numbers.  Tasks point into `images`:
/// move it, do not copy it.
struct Submission {
  std::string name;  ///< of its uploads
  std::vector<SubmittedImage> images;
  std::vector<Task> tasks;

  Submission() = default;
  Submission(Submission&&) = default;
  Submission& operator=(Submission&&) = default;
  Submission(const Submission&) = delete;
  Submission& operator=(const Submission&) = delete;

  /// Collects the tasks from the images.
  void index_tasks(bool ising);
  /// The task of that number, or null.
  [[nodiscard]] const Task* find(std::int64_t number) const;
};

/// The x of a block, without its extra spins, from the x of its task.
[[nodiscard]] std::span<const std::uint8_t> block_x(const SubmittedQuery& query,
                                                    std::span<const std::uint8_t> x);

/// x'Qx of a block in a solution of its task.  `ones` is scratch.
[[nodiscard]] double block_energy(const SubmittedQuery& query,
                                  std::span<const std::uint8_t> x,
                                  std::vector<int>& ones);

/// The energy that a machine should return for x: exact for whole numbers.
[[nodiscard]] double task_energy(const Task& task,
                                 std::span<const std::uint8_t> x,
                                 std::vector<int>& ones);

}  // namespace oa::machine
