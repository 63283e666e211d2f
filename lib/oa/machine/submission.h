#pragma once

#include "oa/machine/block.h"
#include "oa/machine/single.h"
#include "oa/qubo/problem.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace oa::machine {

/// A problem as it was submitted.
struct SubmittedQuery {
  std::int64_t task = -1;  ///< -1: solved without the machine
  int first = 0;           ///< first variable in the task
  int extra = 0;           ///< auxiliary spins, the last of its variables
  Bits fixed;              ///< see PackedQuery
  TaskMatrix q;
  std::vector<int> copies = {};  ///< see PackedQuery
};

struct SubmittedImage {
  qubo::Problem problem;
  std::vector<SubmittedQuery> queries;
  /// Null for a problem of a stream.
  std::shared_ptr<const Single> single = nullptr;
};

/// A block of a submitted matrix and its place in the store.
struct SubmittedBlock {
  std::uint64_t place = 0;  ///< by which its store finds it
  std::int32_t n = 0;       ///< variables, with extra spins
  std::int32_t first = 0;   ///< first variable in the task
};

/// Stores submissions.  Each call may read from a file, so that memory does not grow
/// with large submissions.  Any thread may call.
class SubmissionStore {
 public:
  SubmissionStore() = default;
  SubmissionStore(const SubmissionStore&) = delete;
  SubmissionStore& operator=(const SubmissionStore&) = delete;
  virtual ~SubmissionStore() = default;

  [[nodiscard]] virtual SubmittedImage image(std::size_t i) const = 0;
  [[nodiscard]] virtual TaskMatrix matrix(const SubmittedBlock& block) const = 0;
};

/// A submitted matrix: blocks of consecutive variables.
struct Task {
  std::int64_t number = 0;
  double offset = 0.0;         ///< returned energies minus x'Qx
  std::uint64_t checksum = 0;  ///< of its cells: different for different matrices
  /// Bit i: Q_ii is an odd multiple of 4; see may_have().
  std::uint64_t odd = 0;
  std::size_t first_block = 0;
  std::int32_t blocks = 0;
  std::int32_t n = 0;  ///< variables; for Ising, spins without the shared one
  bool ising = false;  ///< x are spins, the shared one last
  bool whole = true;   ///< cells are whole numbers, so energies are, too
  bool even = false;   ///< `odd` is known
};

/// All submitted tasks, in the order of their numbers.
struct Submission {
  std::string name;  ///< of its uploads
  std::size_t images = 0;
  std::vector<Task> tasks;
  std::vector<SubmittedBlock> blocks;  ///< of all tasks
  std::shared_ptr<const SubmissionStore> store;

  /// Adds the tasks of the next image, whose numbers must be larger than earlier ones.
  /// `places[i]` is the place of query i's block in the store.
  void add_image(const SubmittedImage& image,
                 std::span<const std::uint64_t> places,
                 bool ising);
  /// The task of that number, or null.
  [[nodiscard]] const Task* find(std::int64_t number) const;
  [[nodiscard]] std::span<const SubmittedBlock> blocks_of(const Task& task) const {
    return std::span(blocks).subspan(task.first_block,
                                     static_cast<std::size_t>(task.blocks));
  }
};

/// A submission kept in memory.
[[nodiscard]] Submission submission_of(std::vector<SubmittedImage> images, bool ising);

/// Sets the first variable of each query in its task.
void place_blocks(SubmittedImage& image);

/// The x of a block, without its extra spins, in the x of its task.
[[nodiscard]] std::span<const std::uint8_t> block_x(const SubmittedQuery& query,
                                                    std::span<const std::uint8_t> x);

/// x'Qx of the block q, whose first variable in the task is `first`, for a solution of
/// the task.  `ones` is scratch.
[[nodiscard]] double block_energy(const TaskMatrix& q,
                                  int first,
                                  std::span<const std::uint8_t> x,
                                  std::vector<int>& ones);

/// A quick test whether the task may have a solution of this energy: if other cells are
/// multiples of 8, x'Qx / 4 has the parity of the number of ones of x in `odd`.
/// Rejects half of the wrong pairs without the matrix.
[[nodiscard]] bool may_have(const Task& task,
                            double energy,
                            std::span<const std::uint8_t> x);

/// The energy that the machine should return for x: exact for whole numbers.
[[nodiscard]] double task_energy(const Submission& submission,
                                 const Task& task,
                                 std::span<const std::uint8_t> x,
                                 std::vector<int>& ones);

}  // namespace oa::machine
